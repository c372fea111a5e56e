import GRDB
import PluginKit

/// The tables and columns for queries.
///
/// Files that Rutter wrote have all of them. Parts missing in an app's file (start times, the index, the
/// R*Tree, route types of stops) are built in temporary tables in memory when it is opened: the file itself
/// is never changed.
struct FeedLayout: Sendable {
    /// Calls: `pid stop_sequence sid departure_offset_secs`, with an index on `sid`.
    var calls = "pattern_stops"
    /// Patterns: `pid rid last_sequence first_start_secs last_start_secs has_frequencies`.
    var patterns = "patterns"
    /// Trips: with an index on `pid, start_time_secs`; numbered by trip_id.
    var trips = "trips"
    /// The R*Tree.
    var tree = "stops_rtree"
    /// Names of stops for full-text search, and whether its rowids are the numbers of the stops, best
    /// first.
    var search = "stops_fts"
    var searchIsRanked = true
    /// The source of a stop's route type, joined to `stops s`.
    var modeColumn = "s.primary_route_type"
    var modeJoin = ""
    /// Optional columns, or NULL if the file does not have them.
    var pickup = "c.pickup_type"
    var stopHeadsign = "c.stop_headsign"
    /// What riders have to know of a call.
    var callNote = "c.note"
    var arrival = "c.arrival_offset_secs"
    /// The `stop_sequence` of the feed, to which realtime messages refer; NULL if trips of a pattern differ
    /// in it.
    var feedSequence = "c.feed_sequence"
    /// `direction_id` of the file's own patterns `m`.
    var direction = "m.direction_id"
    /// `trip_short_name` of a trip `t`: the number of a train.
    var shortName = "t.trip_short_name"
    /// `bikes_allowed` of a trip `t`.
    var bikes = "t.bikes_allowed"
    /// The number of a trip's shape, and whether there are shapes.
    var shape = "t.shape"
    var hasShapes = true
    var hasFrequencies = true
    var hasTransfers = true
    var hasPathways = true
    /// Whether it records blocks: trips of the same vehicle.
    var hasBlocks = true
    var hasTripTransfers = true
    /// Whether it has rules of transfers for routes or trips.
    var hasTransferRules = true
    /// `drop_off_type` of a call `c` of the file's own table.
    var dropOff = "c.drop_off_type"
    /// The zone of a stop `s` whose clocks differ from those of its agency, else NULL.
    var stopZone = "NULL"
    var hasStopZones: Bool { stopZone != "NULL" }
    /// Whether it has service on request.
    var hasRequests = false
    /// Whether it tells of them their days and their zones.
    var hasRequestDays = false
    /// Columns of `stops` in the order of `StopRecord`.
    var stopColumns = ""
    /// The texts in the language chosen; `nil` for those of the feed.
    var translation: FeedTranslation?
    /// The parts built in memory.
    var made: [String] = []

    /// Inspects a database and builds the missing parts.
    static func prepare(_ db: Database, file: String) throws -> FeedLayout {
        var layout = FeedLayout()
        var columns: [String: Set<String>] = [:]
        for (table, needed) in TransitSchema.needed {
            guard try db.tableExists(table) else {
                throw TransitErrors.schema("\(file) has no table \(table)")
            }
            let present = Set(try db.columns(in: table).map(\.name))
            if let missing = needed.first(where: { !present.contains($0) }) {
                throw TransitErrors.schema("\(file): the table \(table) has no column \(missing)")
            }
            columns[table] = present
        }
        func has(_ table: String, _ column: String) -> Bool { columns[table]?.contains(column) ?? false }
        func column(_ name: String) -> String { has("stops", name) ? "s.\(name)" : "NULL" }
        try db.execute(sql: "PRAGMA temp_store = MEMORY")
        layout.stopColumns =
            "s.sid, d.stop_id, s.stop_name, \(column("stop_code")), \(column("stop_desc")), s.stop_lat, s.stop_lon, "
            + "\(column("location_type")), \(column("parent_station")), "
            + Self.access(has("stops", "wheelchair_boarding"), has("stops", "parent_station")) + ", "
            + column("platform_code")
        if try db.tableExists("stop_zones"),
            try Bool.fetchOne(db, sql: "SELECT 1 FROM stop_zones LIMIT 1") ?? false
        {
            layout.stopZone = "(SELECT timezone FROM stop_zones z WHERE z.sid = s.sid)"
        }
        layout.hasRequests = try db.tableExists("request_service")
        if layout.hasRequests {
            let known = Set(try db.columns(in: "request_service").map(\.name))
            layout.hasRequestDays =
                try known.isSuperset(of: ["zone", "trip_id", "service_id", "call", "boards", "alights"])
                && db.tableExists("request_zones")
        }
        layout.pickup = has("pattern_stops", "pickup_type") ? "c.pickup_type" : "0"
        if !has("pattern_stops", "drop_off_type") { layout.dropOff = "0" }
        layout.hasTransfers = try db.tableExists("transfers")
        layout.hasPathways = try db.tableExists("pathways")
        layout.hasBlocks = has("trips", "block_id")
        layout.hasTripTransfers = try db.tableExists("trip_transfers")
        layout.hasTransferRules = try db.tableExists("transfer_rules")
        layout.stopHeadsign = has("pattern_stops", "stop_headsign") ? "c.stop_headsign" : "NULL"
        layout.callNote = has("pattern_stops", "note") ? "c.note" : "NULL"
        layout.arrival = has("pattern_stops", "arrival_offset_secs") ? "c.arrival_offset_secs" : "NULL"
        if !has("pattern_stops", "feed_sequence") { layout.feedSequence = "c.stop_sequence" }
        layout.direction = has("patterns", "direction_id") ? "m.direction_id" : "NULL"
        layout.hasShapes =
            try has("trips", "shape") && has("trips", "frequency_based") && db.tableExists("shapes")
        if !layout.hasShapes { layout.shape = "NULL" }
        layout.hasFrequencies = try has("trips", "frequency_based") && db.tableExists("frequencies")
        let isOurs =
            has("patterns", "last_sequence") && has("trips", "start_time_secs")
            && has("patterns", "has_frequencies") && has("trips", "frequency_based")
        try layout.prepareCalls(db, columns["pattern_stops"] ?? [])
        if isOurs, !has("trips", "trip_short_name") { layout.shortName = "NULL" }
        if !isOurs || !has("trips", "bikes_allowed") { layout.bikes = "NULL" }
        if !isOurs {
            layout.hasBlocks = false
            layout.hasShapes = false
            layout.shape = "NULL"
            try layout.prepareTrips(db, columns["trips"] ?? [])
        }
        try layout.prepareTree(db, hasKinds: has("stops", "location_type"))
        if !has("stops", "primary_route_type") {
            try layout.prepareModes(db, hasParents: has("stops", "parent_station"))
        }
        try layout.prepareSearch(db, file: file)
        return layout
    }

    /// The access of a stop `s`: where it says nothing, that of its station (GTFS Schedule, *stops.txt*).
    private static func access(_ isKnown: Bool, _ hasParents: Bool) -> String {
        guard isKnown else { return "NULL" }
        guard hasParents else { return "s.wheelchair_boarding" }
        return """
            coalesce(nullif(s.wheelchair_boarding, 0), (SELECT u.wheelchair_boarding FROM dict_stop v
              JOIN stops u ON u.sid = v.sid WHERE v.stop_id = s.parent_station))
            """
    }

    private mutating func prepareCalls(_ db: Database, _ columns: Set<String>) throws {
        let indexes = try db.indexes(on: "pattern_stops")
        guard !indexes.contains(where: { $0.columns.first == "sid" }) else { return }
        calls = "temp.feed_calls"
        made.append("index of calls")
        let extra = ["arrival_offset_secs", "pickup_type", "drop_off_type", "stop_headsign", "note"].filter(
            columns.contains
        ).map { ", \($0)" }
            .joined()
        try db.execute(
            sql: """
                CREATE TEMP TABLE feed_calls AS
                  SELECT pid, stop_sequence, sid, departure_offset_secs\(extra) FROM pattern_stops;
                CREATE INDEX temp.feed_calls_sid ON feed_calls(sid);
                CREATE INDEX temp.feed_calls_pid ON feed_calls(pid, stop_sequence)
                """)
    }

    private mutating func prepareTrips(_ db: Database, _ columns: Set<String>) throws {
        made.append(columns.contains("start_time_secs") ? "index of trips" : "start times, index of trips")
        trips = "temp.feed_trips"
        patterns = "temp.feed_patterns"
        hasFrequencies = false
        func column(_ name: String) -> String { columns.contains(name) ? name : "NULL" }
        // Without a start time the offsets are times of the service day themselves.
        let start = columns.contains("start_time_secs") ? "coalesce(start_time_secs, 0)" : "0"
        try db.execute(
            sql: """
                CREATE TEMP TABLE feed_trips(trip_id TEXT, pid INTEGER, start_time_secs INTEGER, service_id TEXT,
                  frequency_based INTEGER, trip_headsign TEXT, trip_short_name TEXT, wheelchair_accessible INTEGER);
                INSERT INTO feed_trips SELECT trip_id, pid, \(start), service_id, 0, \(column("trip_headsign")),
                  \(column("trip_short_name")), \(column("wheelchair_accessible")) FROM main.trips ORDER BY trip_id;
                CREATE INDEX temp.feed_trips_pid ON feed_trips(pid, start_time_secs, service_id, frequency_based);
                CREATE TEMP TABLE feed_patterns(pid INTEGER PRIMARY KEY, rid INTEGER, last_sequence INTEGER,
                  first_start_secs INTEGER, last_start_secs INTEGER, has_frequencies INTEGER);
                INSERT INTO feed_patterns SELECT p.pid, p.rid,
                  (SELECT max(stop_sequence) FROM main.pattern_stops c WHERE c.pid = p.pid),
                  (SELECT min(start_time_secs) FROM feed_trips t WHERE t.pid = p.pid),
                  (SELECT max(start_time_secs) FROM feed_trips t WHERE t.pid = p.pid), 0 FROM main.patterns p
                """)
    }

    private mutating func prepareTree(_ db: Database, hasKinds: Bool) throws {
        // Throws if the feed has none, or an unreadable one.
        let names = try? db.columns(in: "stops_rtree").map(\.name)
        if names == ["sid", "min_lat", "max_lat", "min_lon", "max_lon"] { return }
        made.append("R*Tree")
        tree = "temp.feed_tree"
        let onMaps = hasKinds ? "WHERE coalesce(location_type, 0) IN (0, 1)" : ""
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE temp.feed_tree USING rtree(sid, min_lat, max_lat, min_lon, max_lon);
                INSERT INTO temp.feed_tree SELECT sid, stop_lat, stop_lat, stop_lon, stop_lon FROM
                  (SELECT * FROM main.stops \(onMaps)) WHERE stop_lat BETWEEN -90 AND 90 AND stop_lon BETWEEN -180 AND 180
                """)
    }

    private mutating func prepareModes(_ db: Database, hasParents: Bool) throws {
        made.append("route types of stops")
        modeColumn = "m.route_type"
        modeJoin = "LEFT JOIN temp.feed_modes m ON m.sid = s.sid"
        // A pattern also calls at the station of its stop, through the platform in between if there is one.
        let parents =
            hasParents
            ? """
            UNION SELECT d.sid, up.pid FROM up JOIN main.stops s ON s.sid = up.sid
              JOIN main.dict_stop d ON d.stop_id = s.parent_station
            """ : ""
        try db.execute(
            sql: """
                CREATE TEMP TABLE feed_modes(sid INTEGER PRIMARY KEY, route_type INTEGER);
                INSERT INTO feed_modes WITH RECURSIVE up(sid, pid) AS (
                  SELECT DISTINCT sid, pid FROM main.pattern_stops \(parents))
                SELECT sid, route_type FROM (
                  SELECT v.sid, r.route_type, row_number() OVER
                    (PARTITION BY v.sid ORDER BY count(*) DESC, r.route_type) AS place
                  FROM up v
                  JOIN main.patterns p ON p.pid = v.pid JOIN main.routes r ON r.rid = p.rid
                  GROUP BY v.sid, r.route_type) WHERE place = 1
                """)
    }

    private mutating func prepareSearch(_ db: Database, file: String) throws {
        let isRanked =
            try db.tableExists("metadata")
            && Bool.fetchOne(
                db, sql: "SELECT 1 FROM metadata WHERE key = ?", arguments: [TransitSchema.Key.ranked])
                ?? false
        if try db.tableExists("stops_fts") {
            searchIsRanked = isRanked
            return
        }
        made.append("search")
        search = "temp.feed_fts"
        searchIsRanked = false
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE temp.feed_fts USING fts5(sid UNINDEXED, name,
                  tokenize = "unicode61 remove_diacritics 2");
                INSERT INTO temp.feed_fts(rowid, sid, name) SELECT sid, sid, stop_name FROM main.stops
                """)
    }
}
