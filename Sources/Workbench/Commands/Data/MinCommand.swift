import PluginKit

/// `min [FIELD]`
struct MinCommand: LegacyCommand {
    let spec = CommandSpec(
        "min", "gives the smallest value of a field, or of a list",
        details: """
            Numbers, quantities of one dimension, dates or text; rows without a value are left out. Of no rows it is \
            nothing. The whole row is found with `sort` and `first`.
            """,
        parameters: [Aggregation.field.spec], input: .rows([]), output: .value("the value"), effect: .pure,
        examples: [.init("lengths", "[2km 300m 1mi] | min", gives: "300m")],
        searchTerms: ["smallest", "the earliest"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        try Aggregation(command: "min").extreme(arguments, input, sign: -1)
    }
}
