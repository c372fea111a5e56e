import Foundation
import GRDB
import PluginKit
import TrailStores

/// Values of the session as tables of a database in memory, for SQL. Quantities become base units, times ISO
/// 8601 in UTC, columns of days `2026-02-06`, coordinates text with two further columns for latitude and longitude. A column that a
/// statement selects unchanged is converted back.
struct ValueTables {
    /// The name of the table of the pipe's rows.
    static let piped = "it"

    let store: ChosenStore
    private var columns: [String: ValueColumn] = [:]

    /// Tables of rows by name; `zone` is that of the session's days. Throws `E-INPUT-KIND` for a column of quantities that cannot be
    /// added or compared.
    init(_ tables: [(name: String, rows: Rows)], zone: TimeZone) throws {
        let connection = try StoreConnection(emptyNamed: "values")
        var found: [String: ValueColumn] = [:]
        try connection.queue.write { db in
            for (name, rows) in tables { try Self.fill(db, name, rows, zone, &found) }
        }
        columns = found
        store = ChosenStore(name: "values", connection: connection)
    }

    /// The rows used by a statement: those of the pipe, and variables that hold rows.
    static func named(in statement: String, input: Value, _ context: Context) -> [(name: String, rows: Rows)]
    {
        let words = Set(
            statement.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
        var tables = input.asRows.map { [(piped, $0)] } ?? []
        for (name, value) in context.variables.sorted(by: { $0.key < $1.key })
        where words.contains(name.lowercased()) && name != "_" && name.lowercased() != piped {
            if let rows = value.asRows { tables.append((name, rows)) }
        }
        return tables
    }

    private static func fill(
        _ db: Database, _ table: String, _ rows: Rows, _ zone: TimeZone, _ found: inout [String: ValueColumn]
    ) throws {
        let items = try rows.collect()
        guard let fields = rows.knownFields ?? items.fieldNames(after: []), !fields.isEmpty else {
            throw CommonErrors.inputKind(
                "`\(table)` has no columns", fix: "wrap plain values: … | each {value: it} | sql …")
        }
        // SQLite's names are case-insensitive.
        var taken = Set<String>()
        for field in fields where !taken.insert(field.lowercased()).inserted {
            throw CommonErrors.inputKind(
                "`\(table)` has two columns `\(field)` that differ in case only", fix: "rename one of them")
        }
        var columns: [(name: String, read: (Value) -> DatabaseValue)] = []
        for field in fields {
            let column = try ValueColumn(field, of: items, zone)
            found[key(table, field)] = column
            columns.append((field, { column.cell($0.field(field) ?? .nothing) }))
            guard items.contains(where: { if case .coordinate? = $0.field(field) { true } else { false } })
            else { continue }
            for part in ["latitude", "longitude"] where taken.insert("\(field)_\(part)".lowercased()).inserted
            {
                columns.append(
                    (
                        "\(field)_\(part)",
                        { row in
                            guard case .coordinate(let point)? = row.field(field) else { return .null }
                            return (part == "latitude" ? point.latitude : point.longitude).databaseValue
                        }
                    ))
            }
        }
        let names = columns.map { $0.name.quotedDatabaseIdentifier }.joined(separator: ", ")
        try db.execute(sql: "CREATE TABLE \(table.quotedDatabaseIdentifier) (\(names))")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let insert = try db.makeStatement(
            sql: "INSERT INTO \(table.quotedDatabaseIdentifier) VALUES (\(marks))")
        for row in items {
            try Interruption.check()
            try insert.execute(arguments: StatementArguments(columns.map { $0.read(row) }))
        }
    }

    /// The zero byte separates the names, since a name cannot contain one.
    private static func key(_ table: String, _ column: String) -> String { table + "\u{0}" + column }

    /// Converts a cell back to the original type of its column.
    func value(_ cell: Value, from origin: SQLQuery.Origin?) -> Value {
        guard let origin, let column = columns[Self.key(origin.table, origin.column)] else { return cell }
        return column.value(cell)
    }
}
