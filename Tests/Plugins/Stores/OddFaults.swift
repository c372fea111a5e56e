import Foundation
import PluginKit
import TrailStores

@testable import StoresPlugin

/// Faults that programs other than the apps leave: tables declared anew, values that stand for none, metadata by hand.
extension PlantedFault {
    /// Makes a table again with a part of its declaration replaced; the rows stay.
    private static func declared(
        _ kind: StoreKind, _ table: String, _ old: String, _ new: String, _ code: String, _ what: String,
        columns: String = "*"
    ) -> PlantedFault {
        PlantedFault(
            kind,
            .sql(
                """
                CREATE TABLE kept AS SELECT * FROM \(table);
                DROP TABLE \(table);
                \(declaration(table).replacing(old, with: new));
                INSERT INTO \(table) SELECT \(columns) FROM kept;
                DROP TABLE kept
                """), "SCHEMA-" + code, what)
    }

    private static func declaration(_ table: String) -> String {
        table == "waypoints"
            ? """
            CREATE TABLE waypoints(id TEXT PRIMARY KEY, latitude REAL NOT NULL, longitude REAL NOT NULL, altitude REAL,
              timestamp TEXT NOT NULL, label TEXT NOT NULL DEFAULT '', category TEXT NOT NULL DEFAULT 'custom',
              note TEXT NOT NULL DEFAULT '', has_photo INTEGER NOT NULL DEFAULT 0, hike_id TEXT, photo_data BLOB,
              photo_thumbnail BLOB, modified_at TEXT, cloudkit_record_id TEXT)
            """
            : "CREATE TABLE dict_stop(sid INTEGER PRIMARY KEY, stop_id TEXT UNIQUE)"
    }

    static let schemas: [PlantedFault] = [
        declared(.waypoints, "waypoints", "TEXT PRIMARY KEY", "TEXT", "KEY", "id is neither"),
        declared(
            .waypoints, "waypoints", "hike_id TEXT", "hike_id TEXT NOT NULL DEFAULT ''", "REFUSES", "hike_id",
            columns:
                "id, latitude, longitude, altitude, timestamp, label, category, note, has_photo, coalesce(hike_id, 'x'), photo_data, photo_thumbnail, modified_at, cloudkit_record_id"
        ),
        declared(
            .waypoints, "waypoints", "cloudkit_record_id TEXT",
            "cloudkit_record_id TEXT, CHECK (length(label) < 99)",
            "REFUSES", "CHECK"),
        declared(
            .waypoints, "waypoints", "hike_id TEXT",
            "hike_id TEXT REFERENCES saved_routes(id) ON DELETE CASCADE",
            "REFERENCE", "hike_id refers to saved_routes, and rows are deleted"),
        declared(
            .waypoints, "waypoints", "label TEXT NOT NULL", "label STRING NOT NULL", "TYPE",
            "label is declared STRING"),
        declared(
            .waypoints, "waypoints", "label TEXT NOT NULL DEFAULT ''",
            "label TEXT NOT NULL DEFAULT '' UNIQUE", "UNIQUE",
            "waypoints(label)"),
        declared(
            .waypoints, "waypoints", "cloudkit_record_id TEXT",
            "cloudkit_record_id TEXT AS (upper(label))", "COMPUTED", "cloudkit_record_id",
            columns:
                "id, latitude, longitude, altitude, timestamp, label, category, note, has_photo, hike_id, photo_data, photo_thumbnail, modified_at"
        ),
        declared(
            .transit, "dict_stop", "stop_id TEXT", "stop_id INTEGER", "TYPE", "stop_id is declared INTEGER"),
        PlantedFault(
            .waypoints,
            .sql(
                "DROP INDEX idx_waypoints_hike; CREATE INDEX idx_waypoints_hike ON waypoints(hike_id) WHERE hike_id IS NOT NULL"
            ), "WAYPOINT-INDEX", "hike_id"),
    ]

    /// Parts of a schema that only an app has, and files of other programs.
    private static let foreignParts: [PlantedFault] = [
        PlantedFault(
            .waypoints,
            .sql(
                "PRAGMA writable_schema = ON; CREATE TABLE q(x); UPDATE sqlite_master SET sql = 'CREATE VIRTUAL TABLE q USING nosuch(x)', rootpage = 0 WHERE name = 'q'"
            ), "STORE-APPPART", "no such module: nosuch"),
        PlantedFault(
            .waypoints,
            .sql(
                "CREATE INDEX by_label ON waypoints(label); PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, '(label)', '(label COLLATE LOCALIZED)') WHERE name = 'by_label'"
            ), "STORE-APPPART", "waypoints: no such collation sequence: LOCALIZED"),
        PlantedFault(
            .waypoints, .bytes { $0 = [UInt8](repeating: 0, count: 16) + Array("T-DB".utf8) + $0 },
            "FILE-OTHER",
            "Realm"),
        PlantedFault(
            .waypoints,
            .bytes {
                $0 = $0.flatMap { Array(($0 < 16 ? "0" : "").utf8) + Array(String($0, radix: 16).utf8) }
            },
            "FILE-TRANSFER", "hexadecimal"),
        PlantedFault(.waypoints, .bytes { $0 += $0 }, "FILE-PAGECOUNT", "another database follows the"),
        PlantedFault(
            .waypoints, .bytes { $0 = Array("id,latitude,longitude\nA,46.5,7.9\n".utf8) }, "FILE-OTHER",
            "text, `id,latitude,longitude`"),
    ]

    static let odd: [PlantedFault] = foreignParts + oddRows + oddMetadata + oddTimetables + uniform

    private static let oddRows: [PlantedFault] = [
        PlantedFault(
            .routing, .sql("UPDATE routing_edges SET osm_way_id = 'way/7' WHERE id = 1"), "ROUTING-WAY",
            "way/7", row: 1),
        PlantedFault(
            .tones, .text("\"fundamentalAmplitude\":0.5", "\"fundamentalAmplitude\":50"), "TONE-RANGE",
            "Amplitude is 50"),
        PlantedFault(
            .tones, .text("\"pingDuration\":0.5", "\"pingDuration\":5"), "TONE-RANGE",
            "longer than pingInterval"),
        PlantedFault(
            .waypoints,
            .sql("UPDATE waypoints SET id = '00000000-0000-0000-0000-000000000000' WHERE rowid = 2"),
            "WAYPOINT-ID", "names nothing", row: 2),
        PlantedFault(
            .waypoints, .sql("UPDATE waypoints SET timestamp = '2001-01-01T00:00:00.000Z' WHERE rowid = 2"),
            "WAYPOINT-YEAR", "zero of Apple's clock", row: 2),
        PlantedFault(
            .waypoints, .sql("UPDATE waypoints SET cloudkit_record_id = 'R' WHERE rowid > 1"),
            "WAYPOINT-RECORD",
            "that of row 2", row: 3),
        PlantedFault(
            .waypoints,
            .sql(
                "UPDATE waypoints SET latitude = 46.5, longitude = CASE rowid WHEN 2 THEN -7.9 ELSE 7.9 END"),
            "WAYPOINT-SIGN", "sign of the longitude", row: 2),
        PlantedFault(
            .hikes, .sql("UPDATE saved_routes SET id = '00000000-0000-0000-0000-000000000000'"), "HIKE-ID",
            "names nothing", row: 1),
        PlantedFault(
            .hikes, .sql("UPDATE saved_routes SET name = '  '"), "HIKE-NAME", "name is '  '", row: 1),
        PlantedFault(
            .hikes, .sql("UPDATE saved_routes SET region_id = x'00'"), "HIKE-TEXT", "region_id", row: 1),
        PlantedFault(
            .hikes, .sql("UPDATE saved_routes SET start_time = substr(start_time, 1, 19) || 'Z'"),
            "HIKE-FRACTION",
            "drops the row", row: 1),
        PlantedFault(
            .hikes, .sql("UPDATE saved_routes SET end_time = rtrim(end_time, 'Z')"), "HIKE-FRACTION",
            "without a time zone", row: 1),
        PlantedFault(
            .hikes, .sql("UPDATE saved_routes SET track_data = CAST('[[46.5, 7.9, 1200.0]]' AS BLOB)"),
            "HIKE-TRACK",
            "begins like JSON", row: 1),
        PlantedFault(
            .hikes,
            .sql(
                "UPDATE saved_routes SET track_data = CAST(substr(track_data, 1, 61) || zeroblob(40) AS BLOB)"
            ),
            "HIKE-TRACK", "bytes are zeros", row: 1),
        PlantedFault(
            .routing,
            .sql("UPDATE routing_nodes SET latitude = longitude + 40, longitude = latitude WHERE id = 2"),
            "ROUTING-FAR", "its 2 edges", row: 2),
        PlantedFault(
            .routing, .sql("UPDATE routing_edges SET name = CAST(x'4100' AS TEXT) WHERE id = 1"),
            "ROUTING-NUL",
            "name has a NUL", row: 1),
        PlantedFault(
            .plannedRoutes, .text("\"name\":\"To the hut\"", "\"name\":\" \""), "ROUTE-NAME", "no name"),
        PlantedFault(
            .locations, .text("A0000000-0000-4000-8000-000000000001", "00000000-0000-0000-0000-000000000000"),
            "LOCATION-JSON", "names nothing"),
        PlantedFault(
            .locations, .bytes { $0.removeLast(20) }, "FILE-JSON", "the file ends early"),
        PlantedFault(
            .locations, .bytes { $0 = Array("{\"locations\":".utf8) + $0 + Array("}".utf8) }, "FILE-JSON",
            "JSON of an unknown kind"),
        PlantedFault(
            .tones, .bytes { $0.insert(0xE4, at: 30) }, "FILE-JSON", "not UTF-8"),
    ]

    private static let location = """
        "coordinate":{"latitude":LATITUDE,"longitude":LONGITUDE},
        "toneProfileId":"B0000000-0000-4000-8000-000000000001","isEnabled":true}
        """

    /// The list of locations with further ones at coordinates.
    private static func more(_ places: [(Double, Double)]) -> PlantedFault.Change {
        .text(
            "]",
            places.enumerated().map { index, place in
                ",{\"id\":\"A0000000-0000-4000-8000-00000000001\(index)\",\"name\":\"Stop \(index)\","
                    + location.replacing("LATITUDE", with: "\(place.0)").replacing(
                        "LONGITUDE", with: "\(place.1)")
            }.joined() + "]")
    }

    /// One value over all rows, and texts and places in the form of another program.
    private static let uniform: [PlantedFault] = [
        PlantedFault(
            .waypoints,
            .sql(
                """
                INSERT INTO waypoints (id, latitude, longitude, timestamp, label)
                SELECT printf('C0000000-0000-4000-8000-%012d', value), 46.5, 7.9, '2026-02-06T08:15:30.000Z', 'P' || value
                FROM json_each('[1, 2, 3]');
                UPDATE waypoints SET latitude = 46.5, longitude = 7.9
                """), "WAYPOINT-ONEPLACE", "waypoints have one coordinate"),
        PlantedFault(
            .waypoints, .sql("UPDATE waypoints SET label = 'Rest &amp; view' WHERE rowid = 2"),
            "WAYPOINT-NUL",
            "shown as it stands: &amp;", row: 2),
        PlantedFault(
            .waypoints, .sql("UPDATE waypoints SET timestamp = 789293000 WHERE rowid = 2"), "WAYPOINT-TIME",
            "2026-01-05T08:03:20Z if it counts seconds since 2001", row: 2),
        PlantedFault(
            .waypoints, .sql("UPDATE waypoints SET modified_at = 1767600000123 WHERE rowid = 2"),
            "WAYPOINT-MODIFIED", "2026-01-05T08:00:00Z if it counts milliseconds since 1970", row: 2),
        PlantedFault(
            .hikes, .sql("UPDATE saved_routes SET start_time = 2461045.5"), "HIKE-TIME",
            "2026-01-05T00:00:00Z if it counts Julian days", row: 1),
        PlantedFault(
            .hikes, .sql("UPDATE saved_routes SET name = '<b>Ridge</b>'"), "HIKE-NUL", "stands: <b>", row: 1),
        PlantedFault(
            .routing, .sql("UPDATE routing_edges SET sac_scale = 'T9' WHERE id = 2"), "ROUTING-GRADE",
            "sac_scale is 'T9'", row: 2),
        PlantedFault(
            .routing, .sql("UPDATE routing_edges SET sac_scale = 'hiking;nonsense' WHERE id = 2"),
            "ROUTING-GRADE",
            "sac_scale is 'hiking;nonsense'", row: 2),
        PlantedFault(
            .plannedRoutes, .text("\"name\":\"To the hut\"", "\"name\":\"H&uuml;tte\""), "ROUTE-NUL", "&uuml;"
        ),
        PlantedFault(
            .locations, more([(46.51, 7.91), (46.52, 7.92), (7.9, 46.5)]), "LOCATION-SWAPPED", "46.5", row: 4),
        PlantedFault(
            .locations, more(Array(repeating: (46.5, 7.9), count: 4)), "LOCATION-ONEPLACE",
            "all 5 locations"),
        PlantedFault(
            .transit,
            .sql(
                """
                INSERT INTO dict_stop VALUES (3, 'C');
                INSERT INTO stops(sid, stop_name, stop_lat, stop_lon) VALUES (3, 'Bridge', 46.512, 7.9);
                UPDATE stops SET stop_lat = 46.525 WHERE sid = 2;
                INSERT INTO pattern_stops VALUES (1, 3, 3, 0, 0);
                UPDATE pattern_stops SET arrival_offset_secs = 0, departure_offset_secs = 0
                """), "TRANSIT-INSTANT", "pattern 1 reaches all 3 stops at the same time"),
    ]

    private static let oddMetadata: [PlantedFault] = [
        ("INSERT INTO metadata VALUES ('center', '7.9,46.5,30')", "META", "between minzoom and maxzoom"),
        ("INSERT INTO metadata VALUES ('center', '46.5 7.9')", "META", "not a longitude, latitude"),
        ("UPDATE metadata SET value = '-190,-80,180,80' WHERE name = 'bounds'", "META", "bounds are '-190"),
        ("INSERT INTO metadata VALUES ('json', '{vector_layers:')", "META", "not a JSON object"),
        ("INSERT INTO metadata SELECT name, value FROM metadata WHERE name = 'format'", "META", "twice"),
        (
            "UPDATE metadata SET value = 'pbf' WHERE name = 'format'; UPDATE tiles SET tile_data = x'1A00'",
            "META",
            "vector_layers"
        ),
        (
            """
            CREATE TABLE images AS SELECT zoom_level AS tile_id, tile_data FROM tiles WHERE zoom_level = 0;
            CREATE TABLE map AS SELECT zoom_level, tile_column, tile_row, zoom_level AS tile_id FROM tiles
            """, "DATA", "tile 1/1/1: its picture is not in images"
        ),
        (
            "UPDATE tiles SET tile_data = x'FFD8FFC0000B080040002001011100FFDA00021111FFD9' WHERE zoom_level = 1",
            "SIZE",
            "32 × 64 pixels"
        ),
    ].map { PlantedFault(.mbtiles, .sql($0.0), "TILES-" + $0.1, $0.2) }

    private static let oddTimetables: [PlantedFault] = [
        ("UPDATE trips SET trip_headsign = CAST(x'4dfc686c65' AS TEXT)", "NUL", "trip_headsign of trip"),
        ("UPDATE stops SET stop_name = 'MÃ¼hle' WHERE sid = 2", "NUL", "read as Latin-1"),
        ("DROP TABLE stops_fts", "SEARCH", "no search"),
        ("UPDATE stops_fts_data SET block = x'00' WHERE id > 10", "SEARCH", "lists of words are damaged"),
        (
            "INSERT INTO calendar_dates VALUES ('dailly', '2026-03-01', 2)", "NEVER",
            "'dailly' has only removed days"
        ),
        (
            "UPDATE pattern_stops SET arrival_offset_secs = 300000, departure_offset_secs = 300000 WHERE stop_sequence = 2",
            "OFFSET", "takes 3d"
        ),
    ].map { PlantedFault(.transit, .sql($0.0), "TRANSIT-" + $0.1, $0.2) }
}
