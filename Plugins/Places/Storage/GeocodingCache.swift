import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// Responses of geocoding servers, cached in `geocoding.db` of the workspace for a month of the session's clock.
struct GeocodingCache {
    private let connection: StoreConnection
    private static let day = 86_400.0

    init(_ context: Context) throws {
        connection = try StoreConnection(
            context.workspace.appendingPathComponent("geocoding.db"), access: .own)
        try connection.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS answers(
                      url TEXT PRIMARY KEY, fetched REAL NOT NULL, body BLOB NOT NULL) WITHOUT ROWID
                    """)
        }
    }

    /// The cached response to a URL; `nil` if it is missing or too old.
    func answer(to url: String, at now: Timestamp) throws -> Data? {
        try connection.read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT fetched, body FROM answers WHERE url = ?", arguments: [url])
            guard let row, let fetched = Double.fromDatabaseValue(row[0]),
                let body = Data.fromDatabaseValue(row[1])
            else { return nil }
            let age = now.seconds - fetched
            return age >= 0 && age <= PlaceSettings.cacheDays * Self.day ? body : nil
        }
    }

    /// Caches a response, and deletes the oldest beyond the limit.
    func keep(_ data: Data, for url: String, at now: Timestamp) throws {
        try connection.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", arguments: [url, now.seconds, data])
            try db.execute(
                sql: """
                    DELETE FROM answers WHERE url IN
                      (SELECT url FROM answers ORDER BY fetched DESC, url LIMIT -1 OFFSET ?)
                    """, arguments: [PlaceSettings.cacheSize])
        }
    }
}
