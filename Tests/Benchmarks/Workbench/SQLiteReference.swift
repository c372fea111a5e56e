import Foundation
import GRDBSQLite

/// SQLite's C API used as directly as possible: the reference of the stores' benchmarks.
final class SQLite {
    private var database: OpaquePointer?

    init(_ path: String) throws {
        guard sqlite3_open(path, &database) == SQLITE_OK else {
            throw Skip(description: "SQLite cannot open \(path)")
        }
    }

    deinit { sqlite3_close(database) }

    func run(_ sql: String) throws {
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
            throw Skip(description: "SQLite: \(String(cString: sqlite3_errmsg(database)))")
        }
    }

    func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw Skip(description: "SQLite: \(String(cString: sqlite3_errmsg(database)))")
        }
        return statement
    }

    /// Prepares and runs a trivial select many times.
    static func selectOneAndOne(times: Int) throws {
        let database = try SQLite(":memory:")
        for _ in 0..<times {
            let statement = try database.prepare("SELECT 1 + 1")
            sqlite3_step(statement)
            sqlite3_finalize(statement)
        }
    }

    /// A row of waypoints as a program in C would hold it: texts ready to be bound.
    struct Row {
        let texts: [[CChar]]
        let latitude: Double
        let longitude: Double
        let altitude: Double
    }

    /// Inserts rows in one transaction.
    func insert(_ rows: [Row]) throws {
        try run("BEGIN IMMEDIATE")
        let statement = try prepare(
            """
            INSERT INTO waypoints (id, timestamp, label, category, note, modified_at, latitude, longitude, altitude,
            has_photo) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
            """)
        for row in rows {
            for (index, text) in row.texts.enumerated() {
                text.withUnsafeBufferPointer {
                    _ = sqlite3_bind_text(
                        statement, Int32(index + 1), $0.baseAddress, Int32($0.count - 1), nil)
                }
            }
            sqlite3_bind_double(statement, 7, row.latitude)
            sqlite3_bind_double(statement, 8, row.longitude)
            sqlite3_bind_double(statement, 9, row.altitude)
            guard sqlite3_step(statement) == SQLITE_DONE else {
                throw Skip(description: "SQLite refuses a row")
            }
            sqlite3_reset(statement)
        }
        sqlite3_finalize(statement)
        try run("COMMIT")
    }

    /// Calls a closure with each coordinate in a box.
    func coordinates(_ statement: OpaquePointer, _ edges: [Double], _ body: (Double, Double) -> Void) {
        sqlite3_reset(statement)
        for (index, edge) in edges.enumerated() { sqlite3_bind_double(statement, Int32(index + 1), edge) }
        while sqlite3_step(statement) == SQLITE_ROW {
            body(sqlite3_column_double(statement, 0), sqlite3_column_double(statement, 1))
        }
    }
}
