/// The tables of `waypoints.db`, exactly as the app creates them, and the two columns added later.
package enum WaypointSchema: RecordSchema {
    static let table = "waypoints"

    static let create = """
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

    static let indexes = [
        (name: "idx_waypoints_hike", columns: "hike_id"),
        (name: "idx_waypoints_location", columns: "latitude, longitude"),
    ]

    /// Columns that an older version may lack, in the order they were added.
    static let added: [(name: String, type: String)] = [
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
}
