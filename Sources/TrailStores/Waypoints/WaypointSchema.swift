import Core
import GRDB

/// The tables of `waypoints.db`, exactly as the app makes them, and the two columns that came later.
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

    /// Columns that an older version may lack, in the order they came.
    private static let added: [(name: String, type: String)] = [
        ("altitude", "REAL"), ("label", "TEXT NOT NULL DEFAULT ''"),
        ("category", "TEXT NOT NULL DEFAULT 'custom'"), ("note", "TEXT NOT NULL DEFAULT ''"),
        ("has_photo", "INTEGER NOT NULL DEFAULT 0"), ("hike_id", "TEXT"), ("photo_data", "BLOB"),
        ("photo_thumbnail", "BLOB"), ("modified_at", "TEXT"), ("cloudkit_record_id", "TEXT"),
    ]

    /// Columns without which there is no waypoint.
    package static let needed = ["id", "latitude", "longitude", "timestamp"]
    /// The other columns.
    package static let further = [
        "altitude", "label", "category", "note", "has_photo", "hike_id", "photo_data", "photo_thumbnail",
        "modified_at", "cloudkit_record_id",
    ]

    /// Whether something is missing. Asking takes no lock, so that opening never waits for another session's writing.
    static func needsMigration(_ db: Database) throws -> Bool {
        guard try db.tableExists("waypoints") else { return true }
        // Room refuses a database with a column that it does not know.
        if try FormatProfile.writer(db) == .android { return false }
        let columns = Set(try db.columns(in: "waypoints").map(\.name))
        let present = Set(try db.indexes(on: "waypoints").map(\.name))
        return !added.allSatisfy { columns.contains($0.name) }
            || !indexes.allSatisfy { present.contains($0.0) }
    }

    /// Makes the table where it is missing, and adds the columns that an older version lacks.
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

    /// The columns that the store has; throws `E-STORE-SCHEMA` when it is no waypoint store.
    static func columns(_ db: Database, path: String) throws -> Set<String> {
        guard try db.tableExists("waypoints") else {
            throw StoreErrors.schema("\(path) has no table waypoints")
        }
        let columns = Set(try db.columns(in: "waypoints").map(\.name))
        if let missing = needed.first(where: { !columns.contains($0) }) {
            throw StoreErrors.schema("\(path): the table waypoints has no column \(missing)")
        }
        return columns
    }
}
