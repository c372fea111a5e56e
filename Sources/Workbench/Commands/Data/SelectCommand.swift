import PluginKit

/// `select FIELD…`
struct SelectCommand: CommandProvider {
    var name: String { "select" }

    var command: Command {
        Command(
            name, "keep some fields of each row, in the given order",
            details: """
                Works on rows and on a single record. A nested field becomes a column named by its last word. A field that \
                no row has is an error unless --optional is given.
                """,
            .rest(
                "fields", .field, minimum: 1,
                "fields to keep, in this order; at.latitude is a nested field"),
            .flag("optional", "leave missing fields empty"),
            input: .rows([]), output: .rows([]), effect: .pure,
            examples: [
                .init(
                    "two columns", "$huts | select beds name", after: [DataCommands.huts],
                    gives: "beds  name\n  50  Illa\n  46  Sorteny\n   6  Perafita")
            ],
            searchTerms: [
                "keep columns", "some columns", "choose columns", "only some columns", "columns", "pick",
                "project", "only show two columns", "hide columns", "order of columns",
            ]
        ) { input, _, fields, isLenient in
            let paths = fields.map { FieldPath($0, for: "fields") }
            let known = input.columnNames
            let columns = paths.map { $0.name(among: known) }
            if let twice = columns.firstDuplicate {
                throw DataErrors.duplicate("the column `\(twice)` is listed twice", at: .parameter("fields"))
            }
            @Sendable func selected(_ row: Value, _ watch: FieldWatch?) throws -> Value {
                let values = try paths.map { path in
                    if isLenient { return path.find(in: row) ?? .nothing }
                    return try watch.map { try path.value(in: row, $0) } ?? path.value(in: row)
                }
                return .record(Record(keys: columns, values: values))
            }
            if input.tabulated.fieldNames != nil { return try selected(input, nil) }
            let rows = try Rows(input, for: "select")
            if !isLenient { try rows.require(paths) }
            return .rows(
                rows.watchingFields(columns: columns, fields: { columns }) { try selected($0, $1) })
        }
    }
}

extension [String] {
    /// The first name that is listed twice.
    var firstDuplicate: String? {
        var seen = Set<String>()
        return first { !seen.insert($0).inserted }
    }
}
