import PluginKit

/// `group FIELD`
struct GroupCommand: CommandProvider {
    private static let columns = ["key", "count", "rows"]

    var command: Command {
        Command(
            "group", "puts rows with the same value of a field together",
            details: """
                Gives a row for each value, in the order of first appearance: the value, how many rows have it, and these \
                rows. Rows without a value are a group of their own.
                """,
            .positional("field", .field, "what the rows of a group have in common"),
            input: .rows([]), output: .rows(Self.columns), effect: .pure,
            examples: [
                .init(
                    "by a field", "$huts | group valley | select key count", after: [DataCommands.huts],
                    gives: "key     count\nMadriu      2\nOrdino      1"),
                .init(
                    "the rows of a group", "$huts | group valley | first | get rows | sum beds",
                    after: [DataCommands.huts], gives: "56"),
            ], searchTerms: ["category", "histogram", "tally", "by"]
        ) { input, _, field in
            let path = FieldPath(field, for: "field")
            let rows = try Rows(input, for: "group")
            try rows.require([path])
            var groups: [(key: Value, rows: [Value])] = []
            var places: [ValueKey: Int] = [:]
            try rows.forEach { row in
                let value = try path.value(in: row)
                let key = try ValueKey(value)
                if let place = places[key] {
                    groups[place].rows.append(row)
                } else {
                    places[key] = groups.count
                    groups.append((value, [row]))
                }
            }
            return .table(
                columns: Self.columns,
                cells: groups.map { [$0.key, .integer($0.rows.count), rows.replaced(by: $0.rows)] })
        }
    }
}
