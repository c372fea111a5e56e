import Foundation
import GRDB
import PluginKit
import TrailStores

/// Properties of a database that do not depend on its format.
struct StoreFacts: Sendable {
    let pageSize: Int
    let pages: Int
    let encoding: String
    let userVersion: Int
    /// Tables with their number of rows; `nil` if it is unknown.
    let tables: [(name: String, rows: Int?)]

    init(_ connection: StoreConnection) async throws {
        self = try await connection.stoppableRead { db, signal in try StoreFacts(db, signal) }
    }

    private init(_ db: Database, _ signal: StopSignal) throws {
        pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
        pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        encoding = try String.fetchOne(db, sql: "PRAGMA encoding") ?? ""
        userVersion = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        tables = try Self.names(db, ["table"]).map { name in
            try signal.check()
            let sql = "SELECT count(*) FROM \(name.sqlIdentifier)"
            do {
                return (name, try Int.fetchOne(db, sql: sql))
            } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT {
                // Damaged, or a virtual table of an unknown module.
                return (name, nil)
            }
        }
    }

    /// The names of tables or views, without SQLite's own.
    static func names(_ db: Database, _ types: [String]) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_master WHERE typeof(name) = 'text' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
                AND type IN (\(types.map { "'\($0)'" }.joined(separator: ", "))) ORDER BY name
                """)
    }
}

/// A column of a table, as its schema declares it.
struct ColumnFacts: Sendable {
    let table: String
    let column: String
    let type: String
    let isRequired: Bool
    let defaultText: String?
    /// Its position in the primary key, counted from 1; 0 if it is not part of it.
    let keyPosition: Int

    /// The columns of all tables and views.
    static func all(_ connection: StoreConnection) async throws -> [ColumnFacts] {
        try await connection.stoppableRead { db, signal in try all(db) { try signal.check() } }
    }

    /// The same without suspending, for completion.
    static func allNow(_ connection: StoreConnection) throws -> [ColumnFacts] {
        try connection.read { db in try all(db) {} }
    }

    private static func all(_ db: Database, check: () throws -> Void) throws -> [ColumnFacts] {
        do {
            return try StoreFacts.names(db, ["table", "view"]).flatMap { table -> [ColumnFacts] in
                try check()
                let sql = "SELECT name, type, \"notnull\", dflt_value, pk FROM pragma_table_xinfo(?)"
                // A view of a missing table has no columns.
                let rows = (try? TypedRow.all(db, sql, of: table, arguments: [table])) ?? []
                return try rows.map { row in
                    ColumnFacts(
                        table: table, column: try row.allow("name") ?? "", type: try row.allow("type") ?? "",
                        isRequired: try row.allow("notnull") == 1, defaultText: try row.allow("dflt_value"),
                        keyPosition: try row.allow("pk") ?? 0)
                }
            }
        }
    }

    /// The statements that create the tables, indexes, views and triggers.
    static func statements(_ connection: StoreConnection) async throws -> [String] {
        try await connection.stoppableRead { db, _ in
            try String.fetchAll(
                db,
                sql:
                    "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY tbl_name, type <> 'table', name"
            )
        }
    }
}
