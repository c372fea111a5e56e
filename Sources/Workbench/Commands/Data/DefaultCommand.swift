import PluginKit

/// `default FIELD VALUE`
struct DefaultCommand: CommandProvider {
    var name: String { "default" }

    var command: Command {
        Command(
            name, "fill in a field where it is missing",
            details:
                "Works on rows, which are streamed, and on a single record. Some row must have the field.",
            .positional("field", .field, "field to fill in"),
            .positional("value", .value, "value for rows that lack one"),
            input: .rows([]), output: .sameRows, effect: .pure,
            examples: [
                .init(
                    "an altitude", "[{name: Hut, altitude: 2130m} {name: Lake}] | default altitude 0m",
                    gives: "name  altitude\nHut      2130m\nLake        0m")
            ],
            searchTerms: [
                "fill gaps", "fill in missing values", "empty cells", "zero instead of nothing",
                "fill empty", "missing values", "replace nothing", "fill", "missing", "null", "nothing",
                "coalesce",
            ]
        ) { input, _, field, value in
            @Sendable func filled(_ row: Value) throws -> Value {
                if case .nothing = row.field(field) ?? .nothing, var record = row.asRecord {
                    record[field] = value
                    return .record(record)
                }
                return row
            }
            if input.tabulated.fieldNames != nil { return try filled(input) }
            let rows = try Rows(input, for: "default")
            let path = FieldPath(field, for: "field")
            try path.require(in: rows)
            return .rows(
                rows.watchingFields(columns: rows.columns, fields: rows.sameFields) { row, watch in
                    _ = try path.value(in: row, watch)
                    return try filled(row)
                })
        }
    }
}
