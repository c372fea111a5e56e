import PluginKit

/// `reject FIELD…`
struct RejectCommand: CommandProvider {
    var name: String { "reject" }

    var command: Command {
        Command(
            name, "leave out some fields of each row",
            details: "Works on rows and on a single record. A field that no row has is an error.",
            .rest("fields", .field, minimum: 1, "fields to leave out"),
            input: .rows([]), output: .rows([]), effect: .pure,
            examples: [
                .init(
                    "without a column", "$huts | reject valley | first 2", after: [DataCommands.huts],
                    gives: "name     beds\nIlla       50\nSorteny    46")
            ],
            searchTerms: [
                "delete columns", "drop columns", "hide columns", "without a column", "drop", "remove column",
                "without", "hide", "hide a column",
            ]
        ) { input, _, fields in
            let left = Set(fields)
            let known = input.columnNames ?? []
            if let nested = fields.first(where: { $0.contains(".") && !known.contains($0) }) {
                throw CommonErrors.argumentRange(
                    "`\(nested)` is part of a field, and only whole fields are left out",
                    at: .parameter("fields"), fix: "reject \(nested.prefix { $0 != "." })")
            }
            @Sendable func kept(_ row: Value) throws -> Value {
                guard let record = row.asRecord else {
                    throw DataErrors.notRows("`reject` needs rows with fields, not \(row.article)")
                }
                let names = record.keys.filter { !left.contains($0) }
                return .record(Record(keys: names, values: names.map { record[$0] ?? .nothing }))
            }
            let paths = fields.map { FieldPath($0, for: "fields") }
            if input.tabulated.fieldNames != nil {
                for path in paths { _ = try path.value(in: input) }
                return try kept(input)
            }
            let rows = try Rows(input, for: "reject")
            try rows.require(paths)
            let columns = rows.columns?.filter { !left.contains($0) }
            return .rows(
                rows.watchingFields(columns: columns) { row, watch in
                    for path in paths { _ = try path.value(in: row, watch) }
                    return try kept(row)
                })
        }
    }
}
