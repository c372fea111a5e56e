import CivilTime
import Foundation
import GRDB
import PluginKit
import PluginTestKit
import TrailStores

@testable import StoresPlugin

/// A fault that is planted into an intact store, and the expected finding.
struct PlantedFault: Sendable {
    /// How it is planted.
    enum Change: Sendable {
        /// A statement.
        case sql(String)
        /// A track in place of the hike's.
        case track(@Sendable () -> Data)
        /// A text of a document in place of another.
        case text(String, String)
        /// A change of the file's bytes.
        case bytes(@Sendable (inout [UInt8]) -> Void)
        /// A change beside the file.
        case beside(@Sendable (URL) throws -> Void)
    }

    let kind: StoreKind
    let change: Change
    /// The end of the finding's code, after `F-`.
    let code: String
    /// A part of its text.
    let what: String
    /// The row it must name.
    var row: Int64?

    init(_ kind: StoreKind, _ change: Change, _ code: String, _ what: String, row: Int64? = nil) {
        self.kind = kind
        self.change = change
        self.code = code
        self.what = what
        self.row = row
    }

    static let all =
        waypoints + hikes + tracks + routing + tiles + transit + plannedRoutes + documents + own + files
        + logs + schemas + odd

    // MARK: Waypoints

    /// Changes of the second waypoint; expected codes and texts are by hand.
    private static let waypointCells: [(String, String, String)] = [
        ("id = 'not-a-uuid'", "ID", "not-a-uuid"), ("id = NULL", "ID", "missing"), ("id = ''", "ID", "''"),
        ("id = 'a0000000-0000-4000-8000-000000000001'", "TWICE", "row 1"),
        ("latitude = 90.5", "PLACE", "90.5"), ("latitude = -91", "PLACE", "-91"),
        ("latitude = 'north'", "PLACE", "north"), ("longitude = -9e999", "PLACE", "-inf"),
        ("longitude = 181", "PLACE", "181"), ("longitude = x'00'", "PLACE", "blob"),
        ("altitude = 250000", "ALTITUDE", "250000"), ("altitude = 'high'", "ALTITUDE", "high"),
        ("altitude = -20000", "ALTITUDE", "-20000"), ("altitude = 12000", "HEIGHT", "12"),
        ("altitude = -3000", "HEIGHT", "-3"), ("timestamp = 'yesterday'", "TIME", "yesterday"),
        ("timestamp = 1770365730", "TIME", "1770365730"), ("timestamp = ''", "TIME", "''"),
        ("timestamp = '2026-02-30T08:00:00.000Z'", "TIME", "2026-02-30"),
        ("timestamp = '06.02.2026 08:15'", "TIME", "06.02.2026"),
        ("timestamp = '2026-02-06T08:15:30Z'", "FRACTION", "drops the row"),
        ("timestamp = '1970-01-01T00:00:00.000Z'", "YEAR", "1970"),
        ("timestamp = '2126-02-06T08:15:30.123Z'", "YEAR", "2126"),
        ("modified_at = ''", "MODIFIED", "''"), ("modified_at = 0", "MODIFIED", "0"),
        ("modified_at = '1970-01-01T00:00:00.000Z'", "YEAR", "1970"),
        ("modified_at = '2020-02-06T08:15:30.123Z'", "BEFORE", "before timestamp"),
        ("category = 'zoo'", "CATEGORY", "zoo"), ("category = ''", "CATEGORY", "''"),
        ("label = x'00'", "TEXT", "blob"), ("note = x'41'", "TEXT", "blob"),
        ("label = CAST(x'4875007474' AS TEXT)", "NUL", "a NUL after 2 bytes"),
        ("label = 'a' || char(7)", "NUL", "a control character after 1 byte"),
        ("label = 'Caf' || char(65533)", "NUL", "U+FFFD"), ("label = 'CafÃ©'", "NUL", "read as Latin-1"),
        ("note = 'GrÃ¼ÃŸe vom Ã–tztal'", "NUL", "read as Latin-1"),
        ("note = CAST(x'41C3' AS TEXT)", "NUL", "not UTF-8"), ("hike_id = 'Walk'", "HIKE", "Walk"),
        ("hike_id = ''", "HIKE", "''"), ("has_photo = 0", "FLAG", "a photo is stored"),
        ("has_photo = 'yes'", "FLAG", "neither"), ("has_photo = 2", "FLAG", "neither"),
        ("photo_data = NULL, photo_thumbnail = NULL", "FLAG", "nothing is stored"),
        ("photo_data = x'ffd8ff00'", "PHOTO", "photo_data"),
        ("photo_data = substr(photo_data, 1, 150)", "PHOTO", "truncated"),
        ("photo_data = 'text'", "PHOTO", "text"),
        ("photo_thumbnail = x'00'", "THUMB", "not a JPEG"),
        ("photo_thumbnail = photo_data", "BIGTHUMB", "16 × 8"),
        ("photo_thumbnail = NULL", "NOTHUMB", "without"), ("latitude = 0, longitude = 0", "ZERO", "0,0"),
        ("latitude = 7.9, longitude = 46.6", "SWAPPED", "46.6"),
    ]

    static let waypoints: [PlantedFault] =
        waypointCells.map {
            PlantedFault(
                .waypoints, .sql("UPDATE waypoints SET \($0.0) WHERE label = 'Spring'"), "WAYPOINT-" + $0.1,
                $0.2, row: 2)
        } + [
            PlantedFault(
                .waypoints,
                .sql(
                    "INSERT INTO waypoints SELECT 'C0000000-0000-4000-8000-000000000009', latitude, longitude, altitude, timestamp, label, category, note, has_photo, hike_id, photo_data, photo_thumbnail, modified_at, NULL FROM waypoints WHERE label = 'Hut'"
                ),
                "WAYPOINT-SAME", "row 1", row: 4),
            PlantedFault(.waypoints, .sql("DROP INDEX idx_waypoints_hike"), "WAYPOINT-INDEX", "hike_id"),
            PlantedFault(.waypoints, .sql("DROP INDEX idx_waypoints_location"), "WAYPOINT-INDEX", "latitude"),
            PlantedFault(
                .waypoints, .sql("ALTER TABLE waypoints DROP COLUMN modified_at"), "WAYPOINT-OLDER",
                "modified_at"),
            PlantedFault(
                .waypoints, .sql("ALTER TABLE waypoints RENAME COLUMN timestamp TO made"), "WAYPOINT-TABLE",
                "timestamp"),
            PlantedFault(
                .waypoints,
                .sql(
                    "CREATE TABLE tags(tag TEXT, waypoint TEXT REFERENCES waypoints(id)); INSERT INTO tags VALUES ('gone', 'x')"
                ),
                "STORE-FOREIGNKEY", "waypoints", row: 1),
        ]

    // MARK: Hikes

    private static let hikeCells: [(String, String, String)] = [
        ("id = '1'", "ID", "'1'"), ("name = ''", "NAME", "name"),
        ("name = CAST(x'410042' AS TEXT)", "NUL", "name"),
        ("comment = CAST(x'00' AS TEXT)", "NUL", "comment"), ("comment = x'41'", "NAME", "comment"),
        ("start_latitude = 91", "PLACE", "91"), ("end_latitude = 'up'", "PLACE", "up"),
        ("end_longitude = -200", "PLACE", "-200"),
        ("start_latitude = 0, start_longitude = 0", "ZERO", "start"),
        ("end_latitude = 0, end_longitude = 0", "ZERO", "end"),
        ("start_latitude = start_longitude, start_longitude = start_latitude", "ENDS", "swapped"),
        ("start_latitude = start_latitude + 0.01", "ENDS", "1.11"),
        ("end_longitude = end_longitude + 0.001", "ENDS", "76"),
        ("start_time = 'dawn'", "TIME", "dawn"), ("end_time = 1770365730", "TIME", "1770365730"),
        ("modified_at = 'now'", "TIME", "now"), ("end_time = '2026-02-06T08:00:00.000Z'", "ORDER", "before"),
        ("start_time = '1970-01-01T00:00:00.000Z'", "YEAR", "1970"),
        ("end_time = '2126-01-01T00:00:00.000Z'", "YEAR", "2126"),
        ("modified_at = '2020-01-01T00:00:00.000Z'", "BEFORE", "before the start"),
        ("total_distance = -1", "NUMBER", "-1"), ("elevation_gain = 9e999", "NUMBER", "inf"),
        ("elevation_loss = 'deep'", "NUMBER", "deep"), ("walking_time = -1", "NUMBER", "-1"),
        ("resting_time = 9e999", "NUMBER", "inf"), ("estimated_calories = -3", "NUMBER", "-3"),
        ("estimated_calories = 900000", "NUMBER", "900000"),
        ("avg_heart_rate = 900", "NUMBER", "900"), ("max_heart_rate = 5", "NUMBER", "5"),
        ("avg_heart_rate = 180, max_heart_rate = 150", "HEART", "maximum 150"),
        ("total_distance = 5000", "DISTANCE", "5km"), ("total_distance = 1000", "DISTANCE", "1km"),
        ("total_distance = 900000", "SPEED", "900km"), ("elevation_gain = 2000", "CLIMB", "2km"),
        ("elevation_gain = 0", "CLIMB", "0m"), ("resting_time = resting_time + 1000", "DURATION", "of 25min"),
        ("track_data = 'track'", "TRACK", "track"), ("track_data = x'ffffff'", "TRACK", "3 bytes"),
        ("track_data = zeroblob(7)", "TRACK", "7 bytes"), ("track_data = x''", "EMPTY", "0 bytes"),
        ("track_data = substr(track_data, 1, length(track_data) / 2)", "CUT", "points can be read"),
        ("track_data = substr(track_data, 1, length(track_data) / 40 * 20)", "CUT", "points can be read"),
        ("track_data = substr(track_data, 1, length(track_data) - 1)", "CUT", "points can be read"),
    ]

    private static let hikes: [PlantedFault] =
        hikeCells.map {
            PlantedFault(.hikes, .sql("UPDATE saved_routes SET \($0.0)"), "HIKE-" + $0.1, $0.2, row: 1)
        } + [
            PlantedFault(.hikes, .sql("DROP INDEX idx_routes_time"), "HIKE-INDEX", "start_time"),
            PlantedFault(
                .hikes,
                .sql(
                    "CREATE TRIGGER keep AFTER INSERT ON saved_routes BEGIN DELETE FROM saved_routes WHERE id < new.id; END"
                ),
                "SCHEMA-TRIGGER", "keep on saved_routes, which deletes rows"),
            PlantedFault(
                .hikes, .sql("CREATE UNIQUE INDEX one_name ON saved_routes(name)"), "SCHEMA-UNIQUE",
                "one_name"),
            PlantedFault(
                .hikes, .track { Framed.changed { $0.time = Fixture.track[0].time } }, "HIKE-SPAN",
                "the same time"),
            PlantedFault(
                .hikes, .sql("UPDATE saved_routes SET modified_at = '2031-01-01T00:00:00.000Z'"), "HIKE-YEAR",
                "future"),
            PlantedFault(
                .hikes, .sql("ALTER TABLE saved_routes DROP COLUMN comment"), "HIKE-OLDER", "comment"),
            PlantedFault(
                .hikes, .sql("ALTER TABLE saved_routes RENAME COLUMN name TO title"), "HIKE-TABLE", "name"),
            PlantedFault(
                .hikes,
                .sql(
                    "CREATE TABLE x AS SELECT * FROM saved_routes; UPDATE x SET id = 'C0000000-0000-4000-8000-000000000009'; INSERT INTO saved_routes SELECT * FROM x; DROP TABLE x"
                ),
                "HIKE-SAME", "row 1", row: 2),
        ]

    /// Tracks of a hike whose other columns are sound.
    private static let tracks: [PlantedFault] = [
        track("FRAME", "zlib") { Framed.zlib(Framed.records(Fixture.track)) },
        track("FRAME", "gzip") { Framed.gzip(Framed.records(Fixture.track)) },
        track("EPOCH", "1970") { Framed.changed { $0.time = $0.time?.advanced(bySeconds: 978_307_200) } },
        track("EPOCH", "milliseconds") { Framed.milliseconds(Fixture.track) },
        track("JUMP", "point 51 of 101") { Framed.changed(50) { $0.coordinate.longitude += 1 } },
        track("ZERO", "point 51") {
            Framed.changed(50) { ($0.coordinate.latitude, $0.coordinate.longitude) = (0, 0) }
        },
        track("POINT", "point 51") { Framed.changed(50) { $0.coordinate.latitude = 95 } },
        track("BACKWARDS", "point 51") {
            Framed.changed(50) { $0.time = $0.time?.advanced(bySeconds: -300) }
        },
        track("HEIGHT", "20km") { Framed.changed(50) { $0.coordinate.altitude = 20_000 } },
        track("SPAN", "before") { Framed.changed { $0.time = $0.time?.advanced(bySeconds: 900) } },
        track("TRACK", "left over") { Framed.raw(Framed.records(Fixture.track) + [1, 2, 3]) },
    ]

    private static func track(_ code: String, _ what: String, _ data: @escaping @Sendable () -> Data)
        -> PlantedFault
    {
        PlantedFault(.hikes, .track(data), "HIKE-" + code, what, row: 1)
    }

    // MARK: Graphs, tiles, timetables

    private static let routing: [PlantedFault] = [
        ("UPDATE routing_nodes SET latitude = 91 WHERE id = 3", "NODE", "91", 3),
        ("UPDATE routing_nodes SET longitude = NULL WHERE id = 3", "NODE", "missing", 3),
        ("UPDATE routing_nodes SET elevation = 1e6 WHERE id = 3", "HEIGHT", "elevation", 3),
        ("UPDATE routing_edges SET to_node = 9 WHERE id = 1", "ENDS", "9", 1),
        ("UPDATE routing_edges SET from_node = NULL WHERE id = 1", "ENDS", "missing", 1),
        ("UPDATE routing_edges SET distance = 5 WHERE id = 1", "LENGTH", "5", 1),
        ("UPDATE routing_edges SET distance = -1 WHERE id = 1", "LENGTH", "-1", 1),
        ("UPDATE routing_edges SET elevation_gain = -1 WHERE id = 1", "CLIMB", "-1", 1),
        ("UPDATE routing_edges SET elevation_loss = 'x' WHERE id = 1", "CLIMB", "x", 1),
        ("UPDATE routing_edges SET cost = 5 WHERE id = 1", "COST", "5", 1),
        ("UPDATE routing_edges SET reverse_cost = -1 WHERE id = 2", "COST", "-1", 2),
        ("UPDATE routing_edges SET cost = NULL WHERE id = 1", "COST", "missing", 1),
        ("UPDATE routing_edges SET is_oneway = 2 WHERE id = 1", "ONEWAY", "2", 1),
        ("UPDATE routing_edges SET geometry = x'0000' WHERE id = 2", "GEOMETRY", "2 bytes", 2),
        (
            "UPDATE routing_edges SET geometry = x'0000C0440000C044' WHERE id = 2", "GEOMETRY",
            "out of range", 2
        ),
        (
            "UPDATE routing_edges SET distance = 900, cost = 999, reverse_cost = 999 WHERE id = 2", "SHAPE",
            "900", 2
        ),
        // The Float32 pair 47, 9.
        (
            "UPDATE routing_edges SET geometry = x'00003C4200001041' WHERE id = 2", "SHAPE",
            "point 1 of 1 of the geometry", 2
        ),
        ("UPDATE routing_edges SET elevation_gain = 900 WHERE id = 2", "STEEP", "900", 2),
        ("UPDATE routing_edges SET highway_type = 'sidewalk' WHERE id = 2", "TYPE", "'sidewalk'", 2),
        (
            "UPDATE routing_edges SET to_node = 1, distance = 0, cost = 0, reverse_cost = 0 WHERE id = 1",
            "LOOP", "node 1", 1
        ),
        (
            "INSERT INTO routing_edges SELECT 3, to_node, from_node, distance, 0, 20, NULL, 'path', NULL, NULL, NULL, osm_way_id, 120, 150, 0, NULL FROM routing_edges WHERE id = 2",
            "TWICE", "edge 2", 3
        ),
        (
            "INSERT INTO routing_edges SELECT 3, from_node, to_node, distance, 0, 20, NULL, 'path', NULL, NULL, NULL, osm_way_id, 150, 120, 0, geometry FROM routing_edges WHERE id = 2",
            "SAME", "edge 2", 3
        ),
        ("INSERT INTO routing_nodes VALUES (9, 0, 0.003, NULL)", "ALONE", "first is 9", 9),
        (
            "INSERT INTO routing_nodes VALUES (8, 0, 0.003, NULL), (9, 0, 0.004, NULL), (10, 0, 0.005, NULL); INSERT INTO routing_edges SELECT 3, 8, 9, distance, 0, 0, NULL, 'path', NULL, NULL, NULL, 99, 150, 120, 0, NULL FROM routing_edges WHERE id = 1; INSERT INTO routing_edges SELECT 4, 9, 10, distance, 0, 0, NULL, 'path', NULL, NULL, NULL, 98, 150, 120, 0, NULL FROM routing_edges WHERE id = 1",
            "SPLIT", "2 parts", nil
        ),
        ("DROP INDEX idx_edges_to", "INDEX", "to_node", nil),
        ("DROP INDEX idx_nodes_lat_lon", "INDEX", "latitude", nil),
    ].map { PlantedFault(.routing, .sql($0.0), "ROUTING-" + $0.1, $0.2, row: $0.3.map { Int64($0) }) }

    private static let tiles: [PlantedFault] = [
        ("UPDATE tiles SET tile_row = 2 WHERE zoom_level = 1", "ADDRESS", "1/1/2"),
        ("UPDATE tiles SET tile_column = -1 WHERE zoom_level = 1", "ADDRESS", "-1"),
        ("UPDATE tiles SET tile_data = x'00' WHERE zoom_level = 1", "DATA", "1 bytes"),
        ("UPDATE tiles SET tile_data = NULL WHERE zoom_level = 1", "DATA", "missing"),
        (
            "UPDATE tiles SET tile_data = substr(tile_data, 1, 60) WHERE zoom_level = 1", "DATA",
            "the PNG ends early"
        ),
        (
            "UPDATE tiles SET tile_data = substr(tile_data, 1, length(tile_data) - 12) WHERE zoom_level = 1",
            "DATA", "ends early"
        ),
        (
            "UPDATE tiles SET tile_data = CAST(substr(tile_data, 1, 43) || x'00' || substr(tile_data, 45) AS BLOB) WHERE zoom_level = 1",
            "DATA", "checksum"
        ),
        (
            "UPDATE tiles SET tile_data = x'524946460001000057454250565038' WHERE zoom_level = 1", "DATA",
            "the WebP ends early"
        ),
        (
            "UPDATE tiles SET tile_data = x'1F8B0800000000000203EB0CF073E7E592E2628002001ABBDA7010000000' WHERE zoom_level = 1",
            "DATA", "a picture in a gzip stream"
        ),
        (
            "UPDATE tiles SET tile_data = x'1F8B08000000000000034B' WHERE zoom_level = 1", "DATA",
            "the gzip stream ends early"
        ),
        ("UPDATE tiles SET tile_data = x'FFD8FFE0' WHERE zoom_level = 1", "FORMAT", "jpg"),
        ("INSERT INTO tiles SELECT * FROM tiles WHERE zoom_level = 1", "TWICE", "1/1/1"),
        ("UPDATE metadata SET value = '7' WHERE name = 'maxzoom'", "META", "maxzoom"),
        ("DELETE FROM metadata WHERE name = 'name'", "META", "name"),
        ("UPDATE metadata SET value = 'world' WHERE name = 'bounds'", "META", "bounds"),
        ("INSERT INTO metadata VALUES ('scheme', 'xyz')", "META", "scheme is 'xyz'"),
        (
            "INSERT INTO tiles VALUES (5, 16, 20, x'\(FormatFixture.png)'); UPDATE metadata SET value = '5' WHERE name = 'maxzoom'; UPDATE metadata SET value = '44,1,48,9' WHERE name = 'bounds'",
            "META", "latitude and longitude exchanged"
        ),
        (
            "INSERT INTO tiles VALUES (2, 0, 0, x'\(FormatFixture.png)'); UPDATE metadata SET value = '2' WHERE name = 'maxzoom'",
            "PARENT", "1/0/0"
        ),
        (
            "INSERT INTO tiles SELECT 3, c.value, r.value, x'\(FormatFixture.png)' FROM json_each('[0,1,2]') c, json_each('[0,1,2]') r WHERE c.value <> 1 OR r.value <> 1; UPDATE metadata SET value = '3' WHERE name = 'maxzoom'",
            "HOLE", "3/1/1"
        ),
        (
            "INSERT INTO tiles VALUES (5, 16, 11, x'\(FormatFixture.png)'); UPDATE metadata SET value = '5' WHERE name = 'maxzoom'; UPDATE metadata SET value = '1,44,9,48' WHERE name = 'bounds'",
            "FLIP", "zoom 5"
        ),
    ].map { PlantedFault(.mbtiles, .sql($0.0), "TILES-" + $0.1, $0.2) }

    private static let transit: [PlantedFault] = [
        ("UPDATE stops SET stop_lat = NULL WHERE sid = 1", "STOP", "NULL"),
        ("UPDATE stops SET stop_lon = 400 WHERE sid = 1", "STOP", "400"),
        ("UPDATE stops SET stop_lat = 53.1 WHERE sid = 2", "FAR", "stop"),
        ("UPDATE stops SET stop_name = 'Old Mill' WHERE sid = 2", "SEARCH", "'Mill', its name is 'Old Mill'"),
        ("UPDATE stops SET stop_name = ' ' WHERE sid = 2", "NAME", "stop 2"),
        ("UPDATE stops SET location_type = 7 WHERE sid = 2", "CODE", "location_type of 2 is 7"),
        ("UPDATE stops SET wheelchair_boarding = 'yes' WHERE sid = 2", "CODE", "'yes'"),
        ("UPDATE routes SET route_type = 87", "CODE", "87"),
        ("UPDATE patterns SET direction_id = 2", "CODE", "2"),
        ("UPDATE trips SET wheelchair_accessible = 9", "CODE", "9"),
        ("UPDATE routes SET route_color = 'blue'", "COLOR", "blue"),
        (
            "UPDATE routes SET route_color = '1E90FF', route_text_color = '1e90ff'", "CONTRAST",
            "route 1 are '1E90FF'"
        ),
        (
            "INSERT INTO trips SELECT 'U', rid, service_id, pid, NULL, NULL, NULL, NULL, NULL, start_time_secs FROM trips",
            "TWICE", "trips T and U start at one time"
        ),
        ("UPDATE routes SET route_text_color = 'FFF'", "COLOR", "FFF"),
        ("UPDATE calendar SET start_date = '2019-01-01', end_date = '2019-12-31'", "ENDED", "2019-12-31"),
        ("UPDATE calendar SET days = 0", "NEVER", "daily"),
        ("UPDATE calendar SET end_date = '2999-01-01'", "CALENDAR", "2999"),
        ("UPDATE trips SET start_time_secs = 99999999", "START", "99999999"),
        (
            "UPDATE pattern_stops SET arrival_offset_secs = 9999999, departure_offset_secs = 9999999 WHERE stop_sequence = 2",
            "OFFSET", "9999999"
        ),
        ("UPDATE stops SET stop_lat = 0, stop_lon = 0 WHERE sid = 1", "ZERO", "stop 1"),
        (
            "INSERT INTO dict_stop VALUES (3, 'C'), (4, 'D'); INSERT INTO stops(sid, stop_name, stop_lat, stop_lon) VALUES (3, 'x', 46.55, 7.9), (4, 'y', 7.9, 46.5); INSERT INTO stops_fts VALUES (3, 'x'), (4, 'y'); INSERT INTO stops_rtree VALUES (3, 1, 1, 1, 1), (4, 1, 1, 1, 1)",
            "SWAPPED", "7.9"
        ),
        ("UPDATE stops SET parent_station = 'Q' WHERE sid = 1", "PARENT", "'Q'"),
        (
            "UPDATE stops SET parent_station = (SELECT stop_id FROM dict_stop WHERE dict_stop.sid = 1) WHERE sid = 1",
            "PARENT", "parent_station of stop 1"
        ),
        ("UPDATE stops SET stop_name = CAST(x'4100' AS TEXT) WHERE sid = 1", "NUL", "stop 1"),
        ("INSERT INTO pattern_stops VALUES (1, 3, 9, 700, 700)", "CALL", "9"),
        (
            "INSERT INTO patterns VALUES (2, 1, 0); INSERT INTO dict_pattern VALUES (2, 'Q')", "PATTERN",
            "0 stops"
        ),
        ("UPDATE trips SET pid = 9", "PATTERN", "9"), ("DELETE FROM patterns", "PATTERN", "missing pattern"),
        ("UPDATE pattern_stops SET arrival_offset_secs = 700 WHERE stop_sequence = 2", "ORDER", "700"),
        ("UPDATE pattern_stops SET departure_offset_secs = NULL WHERE stop_sequence = 2", "ORDER", "NULL"),
        ("UPDATE pattern_stops SET departure_offset_secs = -5 WHERE stop_sequence = 1", "OFFSET", "-5"),
        ("UPDATE pattern_stops SET arrival_offset_secs = -5 WHERE stop_sequence = 2", "OFFSET", "-5"),
        ("UPDATE patterns SET rid = 9", "ROUTE", "9"),
        (
            "INSERT INTO routes(rid, route_type) VALUES (2, 3); INSERT INTO dict_route VALUES (2, 'S'); UPDATE trips SET rid = 2",
            "TRIPROUTE", "trip T"
        ),
        ("UPDATE trips SET service_id = 'never'", "SERVICE", "never"),
        ("UPDATE trips SET start_time_secs = -1", "START", "-1"),
        ("UPDATE trips SET start_time_secs = 300000", "START", "300000"),
        ("UPDATE calendar SET days = 128", "CALENDAR", "128"),
        ("UPDATE calendar SET end_date = '2025-02-29'", "CALENDAR", "2025-02-29"),
        ("UPDATE calendar SET start_date = '20260101'", "CALENDAR", "20260101"),
        ("UPDATE calendar_dates SET exception_type = 3", "EXCEPTION", "3"),
        ("DELETE FROM dict_stop WHERE sid = 2", "ID", "dict_stop"),
        ("DELETE FROM dict_route", "ID", "dict_route"),
        ("DELETE FROM stops_rtree WHERE sid = 2", "SEARCH", "1 stop is missing"),
        ("INSERT INTO stops_rtree VALUES (9, 1, 1, 1, 1)", "SEARCH", "1 of no stop"),
        ("DELETE FROM stops_fts WHERE sid = 2", "SEARCH", "1 entries"),
        ("DELETE FROM metadata", "ZONE", "missing"),
        ("UPDATE metadata SET value = 'Mars/Olympus'", "ZONE", "Mars"),
        ("DROP INDEX idx_pattern_stops_sid_offset", "INDEX", "sid"), ("DROP TABLE routes", "TABLE", "routes"),
    ].map { PlantedFault(.transit, .sql($0.0), ($0.1 == "TABLE" ? "FORMAT-" : "TRANSIT-") + $0.1, $0.2) }
}
