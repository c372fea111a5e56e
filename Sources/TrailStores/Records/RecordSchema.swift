import Core
import GRDB

/// The table of a kind of records, as the app creates it, with the columns that were added later.
protocol RecordSchema {
    /// The table's name.
    static var table: String { get }
    /// The statement that creates the table unless it exists.
    static var create: String { get }
    /// Columns that an older version may lack, in the order they were added.
    static var added: [(name: String, type: String)] { get }
    /// The indexes, with the columns of each.
    static var indexes: [(name: String, columns: String)] { get }
    /// Columns without which a table is not one of these.
    static var needed: [String] { get }
}

extension RecordSchema {
    /// Whether something is missing. The check takes no lock, so that opening never waits for a write by
    /// another session.
    static func needsMigration(_ db: Database) throws -> Bool {
        guard try db.tableExists(table) else { return true }
        // Room rejects a database with an unknown column.
        if try FormatProfile.writer(db) == .android { return false }
        let columns = try columnNames(db)
        let present = Set(try db.indexes(on: table).map(\.name))
        return !added.allSatisfy { columns.contains($0.name) }
            || !indexes.allSatisfy { present.contains($0.name) }
    }

    /// Creates a missing table, and adds missing columns and indexes.
    static func migrate(_ db: Database) throws {
        try db.execute(sql: create)
        let present = try columnNames(db)
        for (name, type) in added where !present.contains(name) {
            try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(name) \(type)")
        }
        for (name, columns) in indexes {
            try db.execute(sql: "CREATE INDEX IF NOT EXISTS \(name) ON \(table)(\(columns))")
        }
    }

    /// The names of the table's columns in lower case, as those of the format are: SQLite takes any case.
    private static func columnNames(_ db: Database) throws -> Set<String> {
        Set(try db.columns(in: table).map { $0.name.lowercased() })
    }

    /// The columns that the table has, in lower case; throws `E-STORE-SCHEMA` if it is not a table of these records.
    static func columns(_ db: Database, path: String) throws -> Set<String> {
        guard try db.tableExists(table) else { throw try StoreErrors.missing(table, db, path) }
        let columns = try columnNames(db)
        if let missing = needed.first(where: { !columns.contains($0) }) {
            throw StoreErrors.schema("\(path): the table \(table) has no column \(missing)")
        }
        return columns
    }
}
