import PluginKit

/// The tables of a kind of store, as defined by its format.
public struct StoreFormat: Sendable {
    /// A table of a format.
    public struct Table: Sendable {
        /// Its name.
        public let name: String
        /// The required columns.
        public let needed: [String]
        /// Columns missing in older versions.
        public let further: [String]
        /// The columns that identify its rows.
        public let key: [String]
        /// Whether the key is a UUID, in upper or lower case.
        public let hasUUIDKey: Bool
        /// The columns that may be NULL; empty if the format does not say.
        public let optional: Set<String>
        /// The columns of any text, which may look like a number.
        public let texts: Set<String>

        /// All its columns.
        public var columns: Set<String> { Set(needed + further) }

        init(
            _ name: String, key: [String], needed: [String], further: [String] = [], hasUUIDKey: Bool = false,
            optional: Set<String> = [], texts: Set<String> = []
        ) {
            self.optional = optional
            self.texts = texts
            self.name = name
            self.needed = needed
            self.further = further
            self.key = key
            self.hasUUIDKey = hasUUIDKey
        }
    }

    /// The kind of store.
    public let kind: StoreKind
    /// Its tables, the most important first.
    public let tables: [Table]
    /// The application ID in SQLite's header; 0 if the format does not define one.
    public let applicationID: Int64

    init(_ kind: StoreKind, _ tables: [Table], applicationID: Int64 = 0) {
        self.kind = kind
        self.tables = tables
        self.applicationID = applicationID
    }

    /// The format of a kind; `nil` if there is none, or it is not a database.
    public static func of(_ kind: StoreKind) -> StoreFormat? { all.first { $0.kind == kind } }

    /// The formats of databases.
    public static let all: [StoreFormat] =
        [
            StoreFormat(
                .waypoints,
                [
                    Table(
                        "waypoints", key: ["id"], needed: WaypointSchema.needed,
                        further: WaypointSchema.further,
                        hasUUIDKey: true, optional: WaypointSchema.optional,
                        texts: ["label", "category", "note", "cloudkit_record_id"])
                ]),
            StoreFormat(
                .hikes,
                [
                    Table(
                        "saved_routes", key: ["id"], needed: HikeSchema.needed, further: Hike.furtherColumns,
                        hasUUIDKey: true, optional: HikeSchema.optional,
                        texts: ["name", "comment", "region_id", "cloudkit_record_id"])
                ]),
            StoreFormat(
                .routing,
                [
                    Table(
                        "routing_edges", key: ["id"],
                        needed: [
                            "id", "from_node", "to_node", "distance", "elevation_gain", "elevation_loss",
                            "cost",
                            "reverse_cost", "is_oneway",
                        ],
                        further: [
                            "surface", "highway_type", "sac_scale", "trail_visibility", "name", "osm_way_id",
                            "geometry",
                        ]),
                    Table(
                        "routing_nodes", key: ["id"], needed: ["id", "latitude", "longitude"],
                        further: ["elevation"]),
                    Table("routing_metadata", key: ["key"], needed: ["key", "value"]),
                ]),
            StoreFormat(
                .mbtiles,
                [
                    Table(
                        "tiles", key: ["zoom_level", "tile_column", "tile_row"],
                        needed: ["zoom_level", "tile_column", "tile_row", "tile_data"]),
                    Table("metadata", key: ["name"], needed: ["name", "value"]),
                ]),
            transit,
        ] + own

    private static let transit = StoreFormat(
        .transit,
        [
            Table(
                "pattern_stops", key: ["pid", "stop_sequence"],
                needed: ["pid", "stop_sequence", "sid", "arrival_offset_secs", "departure_offset_secs"]),
            Table("patterns", key: ["pid"], needed: ["pid", "rid", "direction_id"]),
            Table(
                "trips", key: ["trip_id"], needed: ["trip_id", "rid", "service_id", "pid"],
                further: ["start_time_secs"], texts: ["trip_id", "service_id", "trip_headsign"]),
            Table(
                "stops", key: ["sid"], needed: ["sid", "stop_name", "stop_lat", "stop_lon"],
                texts: ["stop_code", "stop_name", "parent_station", "platform_code"]),
            Table(
                "routes", key: ["rid"], needed: ["rid", "route_short_name", "route_long_name", "route_type"],
                texts: ["route_short_name", "route_long_name", "route_color", "route_text_color"]),
            Table(
                "calendar", key: ["service_id"], needed: ["service_id", "days", "start_date", "end_date"],
                texts: ["service_id"]),
            Table(
                "calendar_dates", key: ["service_id", "date"],
                needed: ["service_id", "date", "exception_type"], texts: ["service_id"]),
            Table("dict_stop", key: ["sid"], needed: ["sid", "stop_id"], texts: ["stop_id"]),
            Table("dict_route", key: ["rid"], needed: ["rid", "route_id"], texts: ["route_id"]),
            Table("dict_pattern", key: ["pid"], needed: ["pid", "pattern_id"], texts: ["pattern_id"]),
        ])
}
