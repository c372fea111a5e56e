/// The table of `routes.db`, exactly as the app creates it, with columns added later.
enum HikeSchema: RecordSchema {
    static let table = "saved_routes"

    static let create = """
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

    static let indexes = [(name: "idx_routes_time", columns: "start_time")]

    /// Columns that an older version may lack, in the order they were added.
    static let added: [(name: String, type: String)] = [
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
}
