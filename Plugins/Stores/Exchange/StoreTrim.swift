import Foundation
import GRDB
import PluginKit
import TrailStores

/// A row of a database by its table and number.
struct RowAddress: Sendable, Hashable {
    /// The table.
    let table: String
    /// SQLite's row number.
    let number: Int64
}

/// Creates trimmed and blanked copies of a database.
enum StoreTrim {
    /// All rows of the tables with row numbers, or `nil` if there are more than `limit`, or the database is
    /// damaged.
    static func rows(_ url: URL, limit: Int) -> [RowAddress]? {
        // A damaged store is kept completely.
        guard let connection = try? StoreConnection(url, access: .foreign) else { return nil }
        return try? connection.read { db -> [RowAddress]? in
            guard try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") == "ok" else { return nil }
            let tables = try StoreTables(db)
            var rows: [RowAddress] = []
            for name in tables.names where tables.columns[name]?.hasRowID == true {
                let numbers = try Int64.fetchAll(
                    db,
                    sql: "SELECT _rowid_ FROM \(name.sqlIdentifier) ORDER BY _rowid_ LIMIT \(limit + 1)")
                rows += numbers.map { RowAddress(table: name, number: $0) }
                if rows.count > limit { return nil }
            }
            return rows
        }
    }

    /// Deletes all rows except some, and overwrites their content in the file.
    static func keep(_ rows: [RowAddress], in url: URL) throws {
        try change(url) { db in
            let kept = Dictionary(grouping: rows, by: \.table)
            let tables = try StoreTables(db)
            for name in tables.names where tables.columns[name]?.hasRowID == true {
                let table = name.sqlIdentifier
                try db.execute(sql: "CREATE TEMP TABLE kept(number INTEGER PRIMARY KEY)")
                let insert = try db.makeStatement(sql: "INSERT INTO kept VALUES (?)")
                for row in kept[name] ?? [] { try insert.execute(arguments: [row.number]) }
                try db.execute(
                    sql:
                        "DELETE FROM \(table) WHERE _rowid_ NOT IN (SELECT number FROM temp.kept); DROP TABLE temp.kept"
                )
            }
        }
    }

    /// Replaces each value of a column by a function of it; NULL is kept.
    static func replace(
        _ column: String, of table: String, in url: URL, _ new: @Sendable (StoredCell) -> StoredCell
    ) throws {
        try change(url) { db in
            guard try StoreTables(db).columns[table]?.names.contains(column) == true else { return }
            let (name, field) = (table.sqlIdentifier, column.sqlIdentifier)
            let select = try RawStatement(
                db, "SELECT _rowid_, \(field) FROM \(name) WHERE \(field) NOT NULL")
            var changes: [(StoredCell, StoredCell)] = []
            while try select.next() { changes.append((select.cell(0), new(select.cell(1)))) }
            let update = try RawStatement(db, "UPDATE \(name) SET \(field) = ? WHERE _rowid_ = ?")
            for (number, cell) in changes {
                update.bind([cell, number])
                try update.run()
            }
        }
    }

    /// Recreates a search table from the rows of a query, so that no page contains the old text.
    static func refill(_ table: String, of columns: [String], from query: String, in url: URL) throws {
        try change(url) { db in
            guard
                let sql = try String.fetchOne(
                    db, sql: "SELECT sql FROM sqlite_master WHERE name = ? AND sql LIKE 'CREATE VIRTUAL%'",
                    arguments: [table])
            else { return }
            let names = columns.map(\.sqlIdentifier).joined(separator: ", ")
            try db.execute(sql: "DROP TABLE \(table.sqlIdentifier)")
            try db.execute(sql: sql)
            try db.execute(sql: "INSERT INTO \(table.sqlIdentifier)(\(names)) \(query)")
        }
    }

    private static func change(_ url: URL, _ body: (Database) throws -> Void) throws {
        do {
            var configuration = Configuration()
            configuration.foreignKeysEnabled = false
            configuration.prepareDatabase { db in
                // Deleted content is overwritten: a trimmed file must not disclose it.
                try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF")
            }
            let queue = try DatabaseQueue(path: url.path, configuration: configuration)
            try queue.write(body)
            try queue.close()
        } catch {
            throw StoreErrors.wrap(error, path: url.lastPathComponent)
        }
    }
}
