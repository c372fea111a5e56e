import GRDB

/// Databases of other programs and libraries, recognised by tables and columns that they always have.
enum ForeignSchema {
    private static let all: [(tables: [String: [String]], name: String)] = [
        (
            ["Z_METADATA": ["Z_PLIST"], "Z_PRIMARYKEY": ["Z_ENT", "Z_MAX"]],
            "a store of Core Data or SwiftData"
        ),
        (["gpkg_contents": ["table_name", "data_type"]], "a GeoPackage"),
        (["geometry_columns": ["f_table_name"], "spatial_ref_sys": ["srid"]], "a SpatiaLite database"),
        (["tiles": ["x", "y", "z", "image"]], "map tiles of OsmAnd, Locus or RMaps, not MBTiles"),
        (["room_master_table": ["identity_hash"]], "a Room database of another Android app"),
        (["document-store": ["json"], "by-sequence": ["json"]], "a PouchDB database"),
        (["local_storage": ["key", "value"]], "a WatermelonDB database"),
        (["moz_places": ["url"]], "the places of Firefox"),
        (["grdb_migrations": ["identifier"]], "a GRDB database of another app"),
        (["android_metadata": ["locale"]], "a database of another Android app"),
    ]

    /// What a database is, in words; `nil` if it is none of these.
    static func name(_ db: Database) throws -> String? {
        try all.first { schema in
            try schema.tables.allSatisfy { table, columns in
                guard try db.tableExists(table) else { return false }
                return Set(try db.columns(in: table).map { $0.name.lowercased() })
                    .isSuperset(of: columns.map { $0.lowercased() })
            }
        }?.name
    }
}
