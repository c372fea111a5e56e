import PluginKit

/// `max [FIELD]`
struct MaxCommand: CommandProvider {
    var name: String { "max" }

    var command: Command {
        Command(
            name, "return the greatest value of a field or list",
            details: """
                Numbers, quantities of one dimension, dates or text; rows without a value are skipped. Without rows \
                the result is nothing. To find the whole row, use `sort` and `first`.
                """,
            Aggregation.field,
            input: .rows([]), output: .value("the value"), effect: .pure,
            examples: [.init("lengths", "[2km 300m 1mi] | max", gives: "2km")],
            searchTerms: ["greatest", "the latest"]
        ) { input, _, field in
            try Aggregation(command: "max", field: field).extreme(input, sign: 1)
        }
    }
}
