import Foundation
import GRDB
import PluginKit
import TrailStores

/// An intact store of each format that no plugin creates in these tests.
enum FormatFixture {
    static func database(_ url: URL, _ sql: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: url.path, configuration: configuration)
        // Within a transaction the size of the pages is settled before it can be set.
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// Two edges between three nodes; the second has a point between its ends.
    static let routing = """
        CREATE TABLE routing_nodes(id INTEGER PRIMARY KEY, latitude REAL, longitude REAL, elevation REAL);
        CREATE TABLE routing_edges(id INTEGER PRIMARY KEY AUTOINCREMENT, from_node INTEGER, to_node INTEGER,
          distance REAL, elevation_gain REAL, elevation_loss REAL, surface TEXT, highway_type TEXT,
          sac_scale TEXT, trail_visibility TEXT, name TEXT, osm_way_id INTEGER, cost REAL,
          reverse_cost REAL, is_oneway INTEGER, geometry BLOB);
        CREATE TABLE routing_metadata(key TEXT PRIMARY KEY, value TEXT);
        CREATE INDEX idx_nodes_lat_lon ON routing_nodes(latitude, longitude);
        CREATE INDEX idx_edges_from ON routing_edges(from_node);
        CREATE INDEX idx_edges_to ON routing_edges(to_node);
        INSERT INTO routing_nodes VALUES (1, 0, 0, 100), (2, 0, 0.001, NULL), (3, 0, 0.002, 120);
        INSERT INTO routing_edges VALUES
          (1, 1, 2, 111.4, 0, 0, NULL, 'path', NULL, NULL, NULL, 7, 120, 9e999, 1, NULL),
          (2, 2, 3, 111.4, 20, 0, NULL, 'path', NULL, NULL, NULL, 8, 150, 120, 0, x'0000000006A8C43A');
        """

    /// A PNG of one grey pixel, in hexadecimal.
    static let png = """
        89504E470D0A1A0A0000000D49484452000000010000000108000000003A7E9B550000000A49444154789C63680000008200\
        8177CD72B60000000049454E44AE426082
        """

    static let tiles = """
        CREATE TABLE tiles(zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
        CREATE TABLE metadata(name TEXT, value TEXT);
        INSERT INTO tiles VALUES (0, 0, 0, x'\(png)'), (1, 1, 1, x'\(png)');
        INSERT INTO metadata VALUES ('name', 'world'), ('format', 'png'), ('minzoom', '0'), ('maxzoom', '1'),
          ('bounds', '-180,-85,180,85');
        """

    static let transit = """
        CREATE TABLE dict_stop(sid INTEGER PRIMARY KEY, stop_id TEXT UNIQUE) WITHOUT ROWID;
        CREATE TABLE dict_route(rid INTEGER PRIMARY KEY, route_id TEXT UNIQUE) WITHOUT ROWID;
        CREATE TABLE dict_pattern(pid INTEGER PRIMARY KEY, pattern_id TEXT UNIQUE) WITHOUT ROWID;
        CREATE TABLE stops(sid INTEGER PRIMARY KEY, stop_code, stop_name, stop_desc, stop_lat REAL, stop_lon REAL,
          location_type INTEGER, parent_station TEXT, wheelchair_boarding INTEGER, platform_code TEXT);
        CREATE TABLE routes(rid INTEGER PRIMARY KEY, route_short_name, route_long_name, route_type INTEGER,
          route_color, route_text_color);
        CREATE TABLE patterns(pid INTEGER PRIMARY KEY, rid INTEGER, direction_id INTEGER);
        CREATE TABLE pattern_stops(pid, stop_sequence, sid, arrival_offset_secs, departure_offset_secs,
          PRIMARY KEY (pid, stop_sequence));
        CREATE TABLE trips(trip_id TEXT PRIMARY KEY, rid, service_id, pid, trip_headsign, trip_short_name,
          direction_id, block_id, wheelchair_accessible, start_time_secs);
        CREATE TABLE calendar(service_id TEXT PRIMARY KEY, days INTEGER, start_date TEXT, end_date TEXT);
        CREATE TABLE calendar_dates(service_id, date TEXT, exception_type INTEGER,
          PRIMARY KEY (service_id, date));
        CREATE TABLE metadata(key TEXT PRIMARY KEY, value TEXT);
        CREATE INDEX idx_pattern_stops_sid_offset ON pattern_stops(sid, departure_offset_secs);
        CREATE VIRTUAL TABLE stops_fts USING fts5(sid UNINDEXED, name);
        CREATE VIRTUAL TABLE stops_rtree USING rtree(sid, min_lat, max_lat, min_lon, max_lon);
        INSERT INTO dict_stop VALUES (1, 'A'), (2, 'B');
        INSERT INTO dict_route VALUES (1, 'R');
        INSERT INTO dict_pattern VALUES (1, 'P');
        INSERT INTO stops(sid, stop_name, stop_lat, stop_lon) VALUES (1, 'Church', 46.5, 7.9), (2, 'Mill', 46.6, 7.9);
        INSERT INTO routes(rid, route_short_name, route_long_name, route_type) VALUES (1, '10', 'Valley', 3);
        INSERT INTO patterns VALUES (1, 1, 0);
        INSERT INTO pattern_stops VALUES (1, 1, 1, 0, 0), (1, 2, 2, 600, 660);
        INSERT INTO trips(trip_id, rid, service_id, pid, start_time_secs) VALUES ('T', 1, 'daily', 1, 28800);
        INSERT INTO calendar VALUES ('daily', 127, '2026-01-01', '2026-12-31');
        INSERT INTO calendar_dates VALUES ('daily', '2026-02-28', 2);
        INSERT INTO metadata VALUES ('timezone', 'Europe/Zurich');
        INSERT INTO stops_fts SELECT sid, stop_name FROM stops;
        INSERT INTO stops_rtree SELECT sid, stop_lat, stop_lat, stop_lon, stop_lon FROM stops;
        """

    /// A cloud of one zone with a record, its deletion, and a photo.
    static let cloud = """
        CREATE TABLE zones(
          name TEXT PRIMARY KEY, head INTEGER NOT NULL, floor INTEGER NOT NULL, lineage BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE records(
          zone TEXT NOT NULL, type INTEGER NOT NULL, name TEXT NOT NULL, tag INTEGER NOT NULL,
          deleted INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (zone, type, name)) WITHOUT ROWID;
        CREATE UNIQUE INDEX records_changes ON records(zone, tag);
        CREATE TABLE operations(
          zone TEXT NOT NULL, device INTEGER NOT NULL, number INTEGER NOT NULL, tag INTEGER NOT NULL,
          PRIMARY KEY (zone, device, number)) WITHOUT ROWID;
        CREATE TABLE blobs(
          zone TEXT NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (zone, name)) WITHOUT ROWID;
        INSERT INTO zones VALUES ('own', 2, 0, x'00');
        INSERT INTO records VALUES ('own', 1, 'a', 1, 0, x'01'), ('own', 1, 'b', 2, 1, x'');
        INSERT INTO operations VALUES ('own', 7, 1, 1), ('own', 7, 2, 2);
        INSERT INTO blobs VALUES ('own', 'p', x'FFD8FF');
        """

    /// A queue with one pending item.
    static let link = """
        CREATE TABLE link_items(
          id INTEGER PRIMARY KEY AUTOINCREMENT, place REAL NOT NULL, message TEXT NOT NULL, sender TEXT NOT NULL,
          receiver TEXT NOT NULL, channel TEXT NOT NULL, payload TEXT NOT NULL, file TEXT,
          state TEXT NOT NULL, detail TEXT NOT NULL, time INTEGER NOT NULL);
        INSERT INTO link_items VALUES
          (1, 1, 'A1', 'phone', 'watch', 'userInfo', '{"type":"waypoint","id":"1"}', NULL, 'queued', '', 0);
        """

    static let routeID = "0F8D72C2-95EC-4854-9ABC-4DCB546F61DC"

    static let route = """
        {"id":"0F8D72C2-95EC-4854-9ABC-4DCB546F61DC","name":"To the hut","mode":"hiking",
        "startCoordinate":{"latitude":0,"longitude":0},"endCoordinate":{"latitude":0,"longitude":0.01},"viaPoints":[],
        "coordinates":[{"latitude":0,"longitude":0},{"latitude":0,"longitude":0.01}],
        "turnInstructions":[
        {"coordinate":{"latitude":0,"longitude":0},"direction":"start","bearing":90,"distanceFromPrevious":0,
        "cumulativeDistance":0,"description":"Start"},
        {"coordinate":{"latitude":0,"longitude":0.01},"direction":"arrive","bearing":90,"distanceFromPrevious":1113,
        "cumulativeDistance":1113,"description":"Arrive"}],
        "totalDistance":1113.2,"estimatedDuration":1000,"elevationGain":0,"elevationLoss":0,
        "createdAt":"2026-02-06T08:15:30Z","elevationProfile":[{"distance":0,"elevation":1},{"distance":1113,"elevation":2}]}
        """

    static let locations = """
        [{"id":"A0000000-0000-4000-8000-000000000001","name":"Church","coordinate":{"latitude":46.5,"longitude":7.9},
        "toneProfileId":"B0000000-0000-4000-8000-000000000001","isEnabled":true}]
        """

    static let tones: String = {
        let numbers = DocumentLayout.toneNumbers.map {
            "\"\($0)\":\($0.hasSuffix("requency") ? "830.0" : "0.5")"
        }
        return
            "[{\"id\":\"B0000000-0000-4000-8000-000000000001\",\"name\":\"Bell\",\(numbers.joined(separator: ","))}]"
    }()

    /// Writes an intact store of a kind and returns its name.
    static func write(_ kind: StoreKind, in folder: URL) throws -> String {
        func text(_ name: String, _ text: String) throws -> String {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
            return name
        }
        func database(_ name: String, _ sql: String) throws -> String {
            try Self.database(folder.appendingPathComponent(name), sql)
            return name
        }
        switch kind {
        case .waypoints:
            try Fixture.waypoints(at: folder.appendingPathComponent("one.bin"))
            return "one.bin"
        case .hikes:
            try Fixture.hikes(at: folder.appendingPathComponent("two.bin"))
            return "two.bin"
        case .plannedRoutes:
            let routes = folder.appendingPathComponent("plans")
            try FileManager.default.createDirectory(at: routes, withIntermediateDirectories: true)
            try Data(route.utf8).write(to: routes.appendingPathComponent(routeID + ".json"))
            return "plans"
        case .routing: return try database("three.bin", routing)
        case .mbtiles: return try database("four.bin", tiles)
        case .transit: return try database("five.bin", transit)
        case .locations: return try text("six.txt", locations)
        case .tones: return try text("seven.txt", tones)
        case .cloud: return try database("eight.bin", cloud)
        case .link: return try database("nine.bin", link)
        case .other: return try database("ten.bin", "CREATE TABLE x(a)")
        }
    }
}
