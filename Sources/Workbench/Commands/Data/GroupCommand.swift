import PluginKit

/// `group FIELD`
struct GroupCommand: CommandProvider {
    private static let columns = ["key", "count", "rows"]

    var command: Command {
        Command(
            "group", "group rows by the value of a field",
            details: """
                Returns a row for each value, in order of first appearance: the value, the number of rows, and the rows. \
                Rows without a value form a group of their own.
                """,
            .positional("field", .field, "field to group by"),
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
