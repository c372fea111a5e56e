import PluginKit

/// `max [FIELD]`
struct MaxCommand: CommandProvider {
    var command: Command {
        Command(
            "max", "gives the greatest value of a field, or of a list",
            details: """
                Numbers, quantities of one dimension, dates or text; rows without a value are left out. Of no rows it is \
                nothing. The whole row is found with `sort` and `first`.
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
