import PluginKit

/// `unique [FIELD]`
struct UniqueCommand: CommandProvider {
    var name: String { "unique" }

    var command: Command {
        Command(
            name, "remove duplicate rows",
            details: """
                The first of equal rows is kept. 1 and 1.0 are equal, and so are 2km and 2000m, and é in one character \
                or two; `sql` compares such texts by their bytes. Rows are streamed; the \
                distinct values are kept in memory.
                """,
            .optional("field", .field, "field to compare; default: the whole row"),
            input: .rows([]), output: .sameRows, effect: .pure,
            examples: [
                .init("a list", "[2km 3km 2000m] | unique", gives: "2km\n3km"),
                .init(
                    "by a field", "$huts | unique valley | get name", after: [DataCommands.huts],
                    gives: "Illa\nSorteny"),
            ],
            searchTerms: [
                "without duplicates", "different values", "distinct values", "deduplicate", "distinct",
                "duplicates",
            ]
        ) { input, context, field in
            let path = field.map { FieldPath($0, for: "field") }
            let rows = try Rows(input, for: "unique")
            if let path { try rows.require([path]) }
            return .rows(
                rows.deriving(columns: rows.columns, fields: rows.sameFields) { source in
                    var seen = Set<ValueKey>()
                    var likes = LikeKeys()
                    let watch = FieldWatch(rows)
                    let limit = RowLimit.current
                    return {
                        while let row = try source.next() {
                            try Interruption.check()
                            let value = try path?.value(in: row, watch) ?? row
                            if seen.insert(try ValueKey(value)).inserted {
                                likes.take(value)
                                try limit.check(seen.count)
                                return row
                            }
                        }
                        try watch.finish((path.map { [$0] } ?? []).look)
                        if let note = likes.note(
                            field ?? "it", of: Evaluator.reference(to: field), { "… | each \($0) | unique" })
                        {
                            context.log.notice("\(note)")
                        }
                        return nil
                    }
                })
        }
    }
}
