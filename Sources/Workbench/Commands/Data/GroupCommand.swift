import PluginKit

/// `group FIELD…`
struct GroupCommand: CommandProvider {
    private static let counted = ["count", "rows"]

    var name: String { "group" }

    var command: Command {
        Command(
            name, "group rows by the values of fields",
            details: """
                Returns a row for each value, in order of first appearance: the value in a column called as the field, the number \
                of rows, and the rows. With several fields, there is a column for each. Rows without a value form a group of their own. \
                `summarize … by` computes aggregates without keeping the rows.
                """,
            .rest("fields", .field, minimum: 1, "fields to group by"),
            input: .rows([]), output: .rows([]), effect: .pure,
            examples: [
                .init(
                    "by a field", "$huts | group valley | select valley count", after: [DataCommands.huts],
                    gives: "valley  count\nMadriu      2\nOrdino      1"),
                .init(
                    "the rows of a group", "$huts | group valley | first | get rows | sum beds",
                    after: [DataCommands.huts], gives: "56"),
                .init(
                    "by two fields", "$huts | group valley beds | select valley beds count | first",
                    after: [DataCommands.huts], gives: "valley  Madriu\nbeds    50\ncount   1"),
            ], searchTerms: ["category", "histogram", "tally", "by"]
        ) { input, _, fields in
            let paths = fields.map { FieldPath($0, for: "fields") }
            let rows = try Rows(input, for: "group")
            try rows.require(paths)
            let columns = paths.map { $0.name(among: rows.knownFields ?? rows.columns) } + Self.counted
            if let twice = columns.firstDuplicate {
                throw DataErrors.duplicate(
                    "duplicate column `\(twice)`", at: .parameter("fields"),
                    fix: "use `rename` first")
            }
            var groups: [(keys: [Value], rows: [Value])] = []
            var likes = paths.map { _ in LikeKeys() }
            var indexes: [[ValueKey]: Int] = [:]
            var kept = 0
            let limit = RowLimit.current
            try rows.forEachWatched(paths) { row, watch in
                try limit.check(kept)
                kept += 1
                let values = try paths.map { try $0.value(in: row, watch) }
                let key = try values.map(ValueKey.init)
                if let index = indexes[key] {
                    groups[index].rows.append(row)
                } else {
                    indexes[key] = groups.count
                    groups.append((values, [row]))
                    for index in likes.indices { likes[index].take(values[index]) }
                }
            }
            var grouped = Rows(
                columns: columns,
                cells: groups.map { $0.keys + [.integer($0.rows.count), rows.replaced(by: $0.rows)] })
            grouped.note = Rows.note(
                zip(columns, likes).map { name, like in
                    like.note(name, of: Evaluator.reference(to: name)) {
                        "… | extend \(Literal.text(name))=\($0) | group \(Literal.text(name))"
                    }
                })
            return .rows(grouped)
        }
    }
}
