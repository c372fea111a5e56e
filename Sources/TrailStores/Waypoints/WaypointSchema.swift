import Core
import GRDB

/// The tables of `waypoints.db`, exactly as the app creates them, and the two columns added later.
package enum WaypointSchema {
    private static let create = """
        CREATE TABLE IF NOT EXISTS waypoints (
            id              TEXT PRIMARY KEY,
            latitude        REAL NOT NULL,
            longitude       REAL NOT NULL,
            altitude        REAL,
            timestamp       TEXT NOT NULL,
            label           TEXT NOT NULL DEFAULT '',
            category        TEXT NOT NULL DEFAULT 'custom',
            note            TEXT NOT NULL DEFAULT '',
            has_photo       INTEGER NOT NULL DEFAULT 0,
            hike_id         TEXT,
            photo_data      BLOB,
            photo_thumbnail BLOB
        )
        """

    private static let indexes = [
        ("idx_waypoints_hike", "hike_id"), ("idx_waypoints_location", "latitude, longitude"),
    ]

    /// Columns that an older version may lack, in the order they were added.
    private static let added: [(name: String, type: String)] = [
        ("altitude", "REAL"), ("label", "TEXT NOT NULL DEFAULT ''"),
        ("category", "TEXT NOT NULL DEFAULT 'custom'"), ("note", "TEXT NOT NULL DEFAULT ''"),
        ("has_photo", "INTEGER NOT NULL DEFAULT 0"), ("hike_id", "TEXT"), ("photo_data", "BLOB"),
        ("photo_thumbnail", "BLOB"), ("modified_at", "TEXT"), ("cloudkit_record_id", "TEXT"),
    ]

    /// Required columns.
    package static let needed = ["id", "latitude", "longitude", "timestamp"]
    /// The other columns.
    package static let further = [
        "altitude", "label", "category", "note", "has_photo", "hike_id", "photo_data", "photo_thumbnail",
        "modified_at", "cloudkit_record_id",
    ]

    /// The columns that may be NULL.
    package static let optional: Set = [
        "altitude", "hike_id", "photo_data", "photo_thumbnail", "modified_at", "cloudkit_record_id",
    ]

    /// Whether something is missing. The check takes no lock, so that opening never waits for a write by
    /// another session.
    static func needsMigration(_ db: Database) throws -> Bool {
        guard try db.tableExists("waypoints") else { return true }
        // Room rejects a database with an unknown column.
        if try FormatProfile.writer(db) == .android { return false }
        let columns = Set(try db.columns(in: "waypoints").map(\.name))
        let present = Set(try db.indexes(on: "waypoints").map(\.name))
        return !added.allSatisfy { columns.contains($0.name) }
            || !indexes.allSatisfy { present.contains($0.0) }
    }

    /// Creates a missing table, and adds missing columns.
    static func migrate(_ db: Database) throws {
        try db.execute(sql: create)
        let present = Set(try db.columns(in: "waypoints").map(\.name))
        for (name, type) in added where !present.contains(name) {
            try db.execute(sql: "ALTER TABLE waypoints ADD COLUMN \(name) \(type)")
        }
        for (name, columns) in indexes {
            try db.execute(sql: "CREATE INDEX IF NOT EXISTS \(name) ON waypoints(\(columns))")
        }
    }

    /// The columns of the store; throws `E-STORE-SCHEMA` if it is not a waypoint store.
    static func columns(_ db: Database, path: String) throws -> Set<String> {
        guard try db.tableExists("waypoints") else { throw try StoreErrors.missing("waypoints", db, path) }
        let columns = Set(try db.columns(in: "waypoints").map(\.name))
        if let missing = needed.first(where: { !columns.contains($0) }) {
            throw StoreErrors.schema("\(path): the table waypoints has no column \(missing)")
        }
        return columns
    }
}
