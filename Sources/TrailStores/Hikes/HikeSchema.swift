import Core
import GRDB

/// The table of `routes.db`, exactly as the app creates it, with columns added later.
enum HikeSchema {
    private static let create = """
        CREATE TABLE IF NOT EXISTS saved_routes (
            id TEXT PRIMARY KEY, name TEXT NOT NULL,
            start_latitude REAL NOT NULL, start_longitude REAL NOT NULL,
            end_latitude REAL NOT NULL, end_longitude REAL NOT NULL,
            start_time TEXT NOT NULL, end_time TEXT NOT NULL,
            total_distance REAL NOT NULL, elevation_gain REAL NOT NULL, elevation_loss REAL NOT NULL,
            walking_time REAL NOT NULL, resting_time REAL NOT NULL,
            avg_heart_rate REAL, max_heart_rate REAL, estimated_calories REAL,
            comment TEXT NOT NULL DEFAULT '', region_id TEXT, track_data BLOB NOT NULL,
            modified_at TEXT, cloudkit_record_id TEXT
        )
        """
    private static let index = "idx_routes_time"

    /// Columns that an older version may lack, in the order they were added.
    private static let added: [(name: String, type: String)] = [
        ("avg_heart_rate", "REAL"), ("max_heart_rate", "REAL"), ("estimated_calories", "REAL"),
        ("comment", "TEXT NOT NULL DEFAULT ''"), ("region_id", "TEXT"), ("modified_at", "TEXT"),
        ("cloudkit_record_id", "TEXT"),
    ]

    /// Required columns.
    static let needed = [
        "id", "name", "start_latitude", "start_longitude", "end_latitude", "end_longitude", "start_time",
        "end_time", "track_data",
    ]

    /// The columns that may be NULL.
    static let optional: Set = [
        "avg_heart_rate", "max_heart_rate", "estimated_calories", "region_id", "modified_at",
        "cloudkit_record_id",
    ]

    /// Whether something is missing. The check takes no lock, so that opening never waits for a write by
    /// another session.
    static func needsMigration(_ db: Database) throws -> Bool {
        guard try db.tableExists("saved_routes") else { return true }
        // Room rejects a database with an unknown column.
        if try FormatProfile.writer(db) == .android { return false }
        let columns = Set(try db.columns(in: "saved_routes").map(\.name))
        let indexes = try db.indexes(on: "saved_routes").map(\.name)
        return !added.allSatisfy { columns.contains($0.name) } || !indexes.contains(index)
    }

    /// Creates a missing table, and adds missing columns.
    static func migrate(_ db: Database) throws {
        try db.execute(sql: create)
        let present = Set(try db.columns(in: "saved_routes").map(\.name))
        for (name, type) in added where !present.contains(name) {
            try db.execute(sql: "ALTER TABLE saved_routes ADD COLUMN \(name) \(type)")
        }
        try db.execute(sql: "CREATE INDEX IF NOT EXISTS \(index) ON saved_routes(start_time)")
    }

    /// The columns of the store; throws `E-STORE-SCHEMA` if it is not a store of hikes.
    static func columns(_ db: Database, path: String) throws -> Set<String> {
        guard try db.tableExists("saved_routes") else {
            throw try StoreErrors.missing("saved_routes", db, path)
        }
        let columns = Set(try db.columns(in: "saved_routes").map(\.name))
        if let missing = needed.first(where: { !columns.contains($0) }) {
            throw StoreErrors.schema("\(path): the table saved_routes has no column \(missing)")
        }
        return columns
    }
}
