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
    /// What SQL cannot tell apart in the columns.
    private(set) var notes: [String] = []

    /// Tables of rows by name for a statement: of their columns, those are filled that it may read. `zone` is that of the session's
    /// days. Throws `E-INPUT-KIND` for a column of quantities that cannot be added or compared.
    init(_ tables: [(name: String, rows: Rows)], for statement: String, zone: TimeZone) throws {
        let read = StatementColumns(statement)
        let connection = try StoreConnection(emptyNamed: "values")
        var found: [String: ValueColumn] = [:]
        try connection.queue.write { db in
            for (name, rows) in tables { try Self.fill(db, name, rows, read, zone, &found) }
        }
        columns = found
        notes = found.sorted { $0.key < $1.key }.compactMap { key, column in
            column.indistinct.map {
                "`\(key.split(separator: "\u{0}").last ?? "")` has \($0.0) and \($0.1), which are equal to SQL: it compares and adds numbers beyond 64 bits by about 16 digits"
            }
        }
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
        _ db: Database, _ table: String, _ rows: Rows, _ read: StatementColumns, _ zone: TimeZone,
        _ found: inout [String: ValueColumn]
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
        var columns: [FilledColumn] = []
        var names: [String] = []
        for field in fields {
            guard read.reads(field, of: fields.count) else {
                names.append(field)
                continue
            }
            let column = try ValueColumn(field, of: items, zone)
            found[key(table, field)] = column
            names.append(field)
            columns.append(FilledColumn(name: field, reader: FieldReader(field), column: column))
            guard column.hasCoordinates else { continue }
            for part in FilledColumn.Part.allCases {
                let name = "\(field)_\(part.rawValue)"
                guard taken.insert(name.lowercased()).inserted else { continue }
                names.append(name)
                columns.append(
                    FilledColumn(name: name, reader: FieldReader(field), column: column, part: part))
            }
        }
        let quoted = table.sqlIdentifier
        let all = names.map(\.sqlIdentifier).joined(separator: ", ")
        try db.execute(sql: "CREATE TABLE \(quoted) (\(all))")
        let filled = columns.map { $0.name.sqlIdentifier }.joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let insert = try RawStatement(
            db,
            columns.isEmpty
                ? "INSERT INTO \(quoted) DEFAULT VALUES"
                : "INSERT INTO \(quoted) (\(filled)) VALUES (\(marks))")
        for row in items {
            try Interruption.check()
            for index in columns.indices { columns[index].bind(row, to: insert, at: Int32(index + 1)) }
            try insert.run()
        }
    }

    /// A column of a table that is being filled.
    private struct FilledColumn {
        /// A number of a coordinate.
        enum Part: String, CaseIterable {
            case latitude, longitude
        }

        let name: String
        var reader: FieldReader
        let column: ValueColumn
        var part: Part?

        mutating func bind(_ row: Value, to statement: RawStatement, at index: Int32) {
            let value = reader.value(in: row)
            guard let part else { return column.bind(value, to: statement, at: index) }
            guard case .coordinate(let point) = value else { return statement.bindNull(index) }
            statement.bind(index, part == .latitude ? point.latitude : point.longitude)
        }
    }

    /// The zero byte separates the names, since a name cannot contain one.
    private static func key(_ table: String, _ column: String) -> String { table + "\u{0}" + column }

    /// The column that a result column returns unchanged, which converts its cells back to their original type.
    func column(of origin: SQLQuery.Origin?) -> ValueColumn? {
        origin.flatMap { columns[Self.key($0.table, $0.column)] }
    }
}
