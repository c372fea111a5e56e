import PluginKit

/// `min [FIELD]`
struct MinCommand: CommandProvider {
    var name: String { "min" }

    var command: Command {
        Command(
            name, "return the smallest value of a field or list",
            details: """
                Numbers, quantities of one dimension, dates or text; rows without a value are skipped. Without rows \
                the result is nothing. To find the whole row, use `sort` and `first`.
                """,
            Aggregation.field,
            input: .rows([]), output: .value("the value"), effect: .pure,
            examples: [.init("lengths", "[2km 300m 1mi] | min", gives: "300m")],
            searchTerms: ["smallest", "the earliest"]
        ) { input, _, field in
            try Aggregation(command: "min", field: field).extreme(input, sign: -1)
        }
    }
}
