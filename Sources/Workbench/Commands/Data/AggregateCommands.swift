import PluginKit

/// `max`, `mean`, `min` and `sum`: one value of a field of the rows, or of a list.
struct AggregateCommand: CommandProvider {
    let name: String
    private let summary: String
    private let details: String
    private let output: CommandSpec.Shape
    private let examples: [CommandSpec.Example]
    private let searchTerms: [String]
    private let result: @Sendable (Aggregation, Value) throws -> Value

    var command: Command {
        Command(
            name, summary, details: details, Aggregation.field, input: .rows([]), output: output,
            effect: .pure,
            examples: examples, searchTerms: searchTerms
        ) { input, _, field in
            try result(Aggregation(command: name, field: field), input)
        }
    }

    private static let extremeDetails = """
        Numbers, quantities of one dimension, dates or text; rows without a value are skipped. Without rows \
        the result is nothing. To find the whole row, use `sort` and `first`.
        """

    static let all = [
        AggregateCommand(
            name: "max", summary: "return the greatest value of a field or list", details: extremeDetails,
            output: .value("the value"),
            examples: [.init("lengths", "[2km 300m 1mi] | max", gives: "2km")],
            searchTerms: ["greatest", "the latest", "highest", "longest"]
        ) { try $0.extreme($1, sign: 1) },
        AggregateCommand(
            name: "mean", summary: "compute the mean of a field or list",
            details: """
                Numbers, or quantities of one dimension; rows without a value are skipped. The mean of no rows is \
                nothing. Angles are averaged on the circle: the mean of 350deg and 10deg is 0deg, and that of two opposite \
                bearings is nothing. For angles within a half circle, such as latitudes, it is the arithmetic mean.
                """,
            output: .value("number or quantity"),
            examples: [
                .init("lengths", "[1km 500m 3km] | mean", gives: "1.5km"),
                .init("bearings", "[10deg 350deg] | mean", gives: "0deg"),
                .init("a field", "$huts | mean beds", after: [DataCommands.huts], gives: "34"),
            ], searchTerms: ["average"], result: mean),
        AggregateCommand(
            name: "min", summary: "return the smallest value of a field or list", details: extremeDetails,
            output: .value("the value"),
            examples: [.init("lengths", "[2km 300m 1mi] | min", gives: "300m")],
            searchTerms: ["smallest", "the earliest", "lowest", "shortest"]
        ) { try $0.extreme($1, sign: -1) },
        AggregateCommand(
            name: "sum", summary: "add up a field or list",
            details: """
                Numbers, or quantities of one dimension; rows without a value are skipped. The sum of no rows is 0; if \
                all rows lack the value, it is nothing.
                """,
            output: .value("number or quantity"),
            examples: [
                .init("lengths", "[1km 500m 2km] | sum", gives: "3.5km"),
                .init("a field", "$huts | sum beds", after: [DataCommands.huts], gives: "102"),
            ], searchTerms: ["add up", "sum up", "add numbers", "total of a column", "total", "add"],
            result: sum),
    ]

    @Sendable private static func mean(_ aggregation: Aggregation, _ input: Value) throws -> Value {
        var total = Total(command: "mean")
        var kept = 0
        let limit = RowLimit.current
        try aggregation.forEachNumber(input) { value in
            kept += try total.addToMean(value)
            try limit.check(kept)
        }
        return total.mean
    }

    @Sendable private static func sum(_ aggregation: Aggregation, _ input: Value) throws -> Value {
        var total = Total(command: "sum")
        let missing = try aggregation.forEachNumber(input) { try total.add($0) }
        return total.count == 0 && missing > 0 ? .nothing : total.value
    }
}
