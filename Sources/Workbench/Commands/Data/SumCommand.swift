import PluginKit

/// `sum [FIELD]`
struct SumCommand: CommandProvider {
    var name: String { "sum" }

    var command: Command {
        Command(
            name, "add up a field or list",
            details: """
                Numbers, or quantities of one dimension; rows without a value are skipped. The sum of no rows is 0; if \
                all rows lack the value, it is nothing.
                """,
            Aggregation.field,
            input: .rows([]), output: .value("number or quantity"), effect: .pure,
            examples: [
                .init("lengths", "[1km 500m 2km] | sum", gives: "3.5km"),
                .init("a field", "$huts | sum beds", after: [DataCommands.huts], gives: "102"),
            ], searchTerms: ["total", "add"]
        ) { input, _, field in
            var total = Total(command: "sum")
            let missing = try Aggregation(command: "sum", field: field).forEach(input) { try total.add($0) }
            return total.count == 0 && missing > 0 ? .nothing : try total.value
        }
    }
}
