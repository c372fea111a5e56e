import PluginKit

/// `rename OLD NEW`
struct RenameCommand: CommandProvider {
    var name: String { "rename" }

    var command: Command {
        Command(
            name, "rename a field",
            details: "Works on rows and on a single record.",
            .positional("old", .field, "current name"),
            .positional("new", .text, "new name"),
            input: .rows([]), output: .rows([]), effect: .pure,
            examples: [
                .init(
                    "a column", "$huts | rename beds places | first | get places", after: [DataCommands.huts],
                    gives: "50")
            ], searchTerms: ["rename a column", "change a column name", "new name"]
        ) { input, _, old, new in
            let old = FieldPath(old, for: "old")
            @Sendable func renamed(_ row: Value, _ watch: FieldWatch?) throws -> Value {
                _ = try watch.map { try old.value(in: row, $0) } ?? old.value(in: row)
                if watch != nil, row.fieldNames != nil, row.field(old.text) == nil, old.find(in: row) == nil {
                    return row
                }
                guard let record = row.asRecord, let index = record.keys.firstIndex(of: old.text) else {
                    throw LanguageErrors.unknownField(
                        "`\(old.text)` is a nested field", at: .parameter("old"),
                        fix: "extract it with `select` first")
                }
                var keys = record.keys
                keys[index] = new
                try check(keys, new)
                return .record(Record(keys: keys, values: record.values))
            }
            if input.tabulated.fieldNames != nil { return try renamed(input, nil) }
            let rows = try Rows(input, for: "rename")
            try rows.require([old])
            var columns = rows.columns
            if let index = columns?.firstIndex(of: old.text) {
                columns?[index] = new
                try check(columns ?? [], new)
            }
            let fields = rows.sameFields.map { fields in
                { @Sendable in fields().map { $0.map { $0 == old.text ? new : $0 } } }
            }
            return .rows(rows.watchingFields(columns: columns, fields: fields) { try renamed($0, $1) })
        }
    }

    private func check(_ names: [String], _ new: String) throws(RutterError) {
        guard names.firstIndex(of: new) != names.lastIndex(of: new) else { return }
        throw DataErrors.duplicate("the field `\(new)` already exists", at: .parameter("new"))
    }
}
