import PluginKit

/// `min [FIELD]`
struct MinCommand: CommandProvider {
    var command: Command {
        Command(
            "min", "gives the smallest value of a field, or of a list",
            details: """
                Numbers, quantities of one dimension, dates or text; rows without a value are left out. Of no rows it is \
                nothing. The whole row is found with `sort` and `first`.
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
