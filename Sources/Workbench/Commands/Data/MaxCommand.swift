import PluginKit

/// `max [FIELD]`
struct MaxCommand: LegacyCommand {
    let spec = CommandSpec(
        "max", "gives the greatest value of a field, or of a list",
        details: """
            Numbers, quantities of one dimension, dates or text; rows without a value are left out. Of no rows it is \
            nothing. The whole row is found with `sort` and `first`.
            """,
        parameters: [Aggregation.field.spec], input: .rows([]), output: .value("the value"), effect: .pure,
        examples: [.init("lengths", "[2km 300m 1mi] | max", gives: "2km")],
        searchTerms: ["greatest", "the latest"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        try Aggregation(command: "max").extreme(arguments, input, sign: 1)
    }
}
