import PluginKit

/// `sort [FIELD…] [--descending] [--natural]`
struct SortCommand: CommandProvider {
    var name: String { "sort" }

    var command: Command {
        Command(
            name, "sort the rows",
            details: """
                Numbers and quantities by size, dates by time, text by Unicode, false before true; rows without a value \
                come last in both directions. With --natural text as people look for it: numbers in it by size, case and \
                accents ignored. --descending is for all fields: for two directions sort twice, since equal rows keep their order: \
                … | sort name | sort beds --descending. A notice tells where text looks like numbers or dates and is not in their order. The sort is \
                stable. Requires all rows in memory.
                """,
            .rest("fields", .field, "fields to sort by, most significant first; not used for plain lists"),
            .flag("descending", "sort from greatest to smallest"),
            .flag("natural", "text: file9 before file10, Évian beside Evian"),
            input: .rows([]), output: .sameRows, effect: .pure,
            examples: [
                .init("a list", "[3 1 2] | sort", gives: "1\n2\n3"),
                .init(
                    "names with numbers", "['hut 10' 'hut 9' 'Äules'] | sort --natural",
                    gives: "Äules\nhut 9\nhut 10"),
                .init("lengths", "[2km 300m 1mi] | sort --descending | first", gives: "2km"),
                .init(
                    "by two fields", "$huts | sort valley beds | get name", after: [DataCommands.huts],
                    gives: "Perafita\nIlla\nSorteny"),
            ],
            searchTerms: [
                "descending", "ascending", "alphabetical", "by size", "smallest first", "largest first",
                "order by", "top", "order", "rank", "arrange", "top five", "ranking", "biggest first",
                "top three", "top ten", "highest first",
            ]
        ) { input, context, fields, isDescending, isNatural in
            let rows = try Rows(input, for: "sort")
            let paths = fields.map { FieldPath($0, for: "fields") }
            try rows.require(paths)
            let items = try rows.collect()
            if paths.isEmpty, let names = items.first?.fieldNames {
                throw DataErrors.whichField(
                    "`sort` needs a field for rows", fix: "sort by one of: \(names.joined(separator: ", "))")
            }
            let columns = try keys(of: items, paths, in: rows, isNatural: isNatural) {
                context.log.notice("\($0)")
            }
            var pace = 0
            let order = try items.indices.sorted { left, right in
                pace &+= 1
                if pace & 0xfff == 0 { try Interruption.check() }
                for column in columns {
                    let order = ValueOrder.compare(column[left], column[right], descending: isDescending)
                    if order != 0 { return order < 0 }
                }
                return left < right
            }
            return rows.replaced(by: order.map { items[$0] })
        }
    }

    /// The keys of all rows, field by field.
    private func keys(
        of items: [Value], _ paths: [FieldPath], in rows: Rows, isNatural: Bool, notice: (String) -> Void
    ) throws -> [[ValueOrder.Key]] {
        func column(_ name: String?, _ value: (Value) throws -> Value) throws -> [ValueOrder.Key] {
            var check = KindCheck(command: "sort", parameter: "fields")
            var texts = NumericTextCheck(command: "sort")
            let keys = try items.map { item in
                try Interruption.check()
                let value = try value(item)
                try check.take(value)
                if isNatural, case .text(let text) = value {
                    return ValueOrder.Key.natural(NaturalKey(text))
                }
                texts.take(value)
                return ValueOrder.key(of: value)
            }
            if let text = texts.notice(field: name) { notice(text) }
            return keys
        }
        if paths.isEmpty { return [try column(nil) { $0 }] }
        let watch = FieldWatch(rows)
        let columns = try paths.map { path in try column(path.text) { try path.value(in: $0, watch) } }
        try watch.finish(paths.look)
        return columns
    }
}
