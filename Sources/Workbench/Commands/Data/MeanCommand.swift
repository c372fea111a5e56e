import PluginKit

/// `mean [FIELD]`
struct MeanCommand: CommandProvider {
    var command: Command {
        Command(
            "mean", "compute the arithmetic mean of a field or list",
            details: """
                Numbers, or quantities of one dimension; rows without a value are skipped. The mean of no rows is \
                nothing. Angles are averaged as plain numbers: the mean of 359deg and 1deg is 180deg.
                """,
            Aggregation.field,
            input: .rows([]), output: .value("number or quantity"), effect: .pure,
            examples: [
                .init("lengths", "[1km 500m 3km] | mean", gives: "1.5km"),
                .init("a field", "$huts | mean beds", after: [DataCommands.huts], gives: "34"),
            ], searchTerms: ["average"]
        ) { input, _, field in
            var total = Total(command: "mean")
            try Aggregation(command: "mean", field: field).forEach(input) { try total.add($0) }
            return total.mean
        }
    }
}
