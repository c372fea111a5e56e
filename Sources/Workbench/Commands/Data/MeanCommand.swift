import PluginKit

/// `mean [FIELD]`
struct MeanCommand: CommandProvider {
    var name: String { "mean" }

    var command: Command {
        Command(
            name, "compute the mean of a field or list",
            details: """
                Numbers, or quantities of one dimension; rows without a value are skipped. The mean of no rows is \
                nothing. Angles are averaged on the circle: the mean of 350deg and 10deg is 0deg, and that of two opposite \
                bearings is nothing. For angles within a half circle, such as latitudes, it is the arithmetic mean.
                """,
            Aggregation.field,
            input: .rows([]), output: .value("number or quantity"), effect: .pure,
            examples: [
                .init("lengths", "[1km 500m 3km] | mean", gives: "1.5km"),
                .init("bearings", "[10deg 350deg] | mean", gives: "0deg"),
                .init("a field", "$huts | mean beds", after: [DataCommands.huts], gives: "34"),
            ], searchTerms: ["average"]
        ) { input, _, field in
            var total = Total(command: "mean")
            var kept = 0
            let limit = RowLimit.current
            try Aggregation(command: "mean", field: field).forEach(input) { value in
                kept += try total.addToMean(value)
                try limit.check(kept)
            }
            return total.mean
        }
    }
}
