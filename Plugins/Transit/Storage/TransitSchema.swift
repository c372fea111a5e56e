/// The tables of the pattern model, with Rutter's additions.
enum TransitSchema {
    /// The tables of the format, with additional columns at their ends: the route type of a stop, boarding
    /// and headsign of a call, limits of a pattern, and whether a trip is a template for frequencies.
    static let tables = """
        CREATE TABLE dict_stop(sid INTEGER PRIMARY KEY, stop_id TEXT UNIQUE) WITHOUT ROWID;
        CREATE TABLE dict_route(rid INTEGER PRIMARY KEY, route_id TEXT UNIQUE) WITHOUT ROWID;
        CREATE TABLE dict_pattern(pid INTEGER PRIMARY KEY, pattern_id TEXT UNIQUE) WITHOUT ROWID;
        CREATE TABLE stops(sid INTEGER PRIMARY KEY, stop_code TEXT, stop_name TEXT, stop_desc TEXT, stop_lat REAL,
          stop_lon REAL, location_type INTEGER, parent_station TEXT, wheelchair_boarding INTEGER, platform_code TEXT,
          primary_route_type INTEGER);
        CREATE TABLE stop_zones(sid INTEGER PRIMARY KEY, timezone TEXT);
        CREATE TABLE routes(rid INTEGER PRIMARY KEY, route_short_name TEXT, route_long_name TEXT, route_type INTEGER,
          route_color TEXT, route_text_color TEXT, feed INTEGER, agency_id TEXT, agency_name TEXT);
        CREATE TABLE feeds(feed INTEGER PRIMARY KEY, prefix TEXT, source TEXT, timezone TEXT, agencies TEXT,
          valid_from TEXT, valid_until TEXT);
        CREATE TABLE patterns(pid INTEGER PRIMARY KEY, rid INTEGER, direction_id INTEGER, last_sequence INTEGER,
          first_start_secs INTEGER, last_start_secs INTEGER, has_frequencies INTEGER);
        CREATE TABLE pattern_stops(pid INTEGER, stop_sequence INTEGER, sid INTEGER, arrival_offset_secs INTEGER,
          departure_offset_secs INTEGER, pickup_type INTEGER, stop_headsign TEXT, feed_sequence INTEGER,
          drop_off_type INTEGER, note TEXT,
          PRIMARY KEY (pid, stop_sequence));
        CREATE TABLE trips(trip_id TEXT PRIMARY KEY, rid INTEGER, service_id TEXT, pid INTEGER, trip_headsign TEXT,
          trip_short_name TEXT, direction_id INTEGER, block_id TEXT, wheelchair_accessible INTEGER,
          start_time_secs INTEGER, frequency_based INTEGER, shape INTEGER, bikes_allowed INTEGER);
        CREATE TABLE calendar(service_id TEXT PRIMARY KEY, days INTEGER, start_date TEXT, end_date TEXT);
        CREATE TABLE calendar_dates(service_id TEXT, date TEXT, exception_type INTEGER,
          PRIMARY KEY (service_id, date));
        CREATE TABLE frequencies(pid INTEGER, start_secs INTEGER, trip_id TEXT, end_secs INTEGER,
          headway_secs INTEGER, exact_times INTEGER, PRIMARY KEY (pid, start_secs, trip_id)) WITHOUT ROWID;
        CREATE TABLE shapes(shape INTEGER PRIMARY KEY, shape_id TEXT, line BLOB);
        CREATE TABLE transfers(from_sid INTEGER, to_sid INTEGER, transfer_type INTEGER, min_transfer_time INTEGER);
        CREATE TABLE pathways(from_sid INTEGER, to_sid INTEGER, mode INTEGER, seconds INTEGER, bidirectional INTEGER);
        CREATE TABLE trip_transfers(from_trip TEXT, to_trip TEXT, transfer_type INTEGER);
        CREATE TABLE transfer_rules(from_sid INTEGER, to_sid INTEGER, from_rid INTEGER, to_rid INTEGER, from_trip TEXT,
          to_trip TEXT, transfer_type INTEGER, min_transfer_time INTEGER);
        CREATE TABLE request_service(rid INTEGER, sid INTEGER, words TEXT, zone INTEGER, trip_id TEXT, service_id TEXT,
          call INTEGER, boards INTEGER, alights INTEGER);
        CREATE TABLE request_zones(zone INTEGER PRIMARY KEY, rings TEXT);
        CREATE TABLE fares(fare INTEGER PRIMARY KEY, feed INTEGER, fare_id TEXT, name TEXT, amount TEXT, currency TEXT,
          terms TEXT, agency_id TEXT, transfers INTEGER, duration INTEGER, anyone INTEGER, medium TEXT);
        CREATE TABLE fare_rules(fare INTEGER, kind INTEGER, rid INTEGER, network TEXT, origin TEXT, destination TEXT,
          contains TEXT, priority INTEGER, times TEXT, leg_group TEXT, departs TEXT, arrives TEXT);
        CREATE TABLE fare_frames(frame TEXT, start_secs INTEGER, end_secs INTEGER, service_id TEXT);
        CREATE TABLE fare_transfers(feed INTEGER, from_group TEXT, to_group TEXT, count INTEGER, duration INTEGER,
          duration_type INTEGER, type INTEGER, fare INTEGER);
        CREATE TABLE fare_joins(feed INTEGER, from_network TEXT, to_network TEXT, from_stop TEXT, to_stop TEXT);
        CREATE TABLE fare_zones(sid INTEGER, kind INTEGER, zone TEXT);
        CREATE TABLE cut_trips(trip_id TEXT PRIMARY KEY, calls INTEGER);
        CREATE TABLE lost_trips(trip_id TEXT PRIMARY KEY, rid INTEGER);
        CREATE TABLE lost_calls(sid INTEGER PRIMARY KEY, lines INTEGER);
        CREATE TABLE route_networks(rid INTEGER, network TEXT);
        CREATE TABLE translations(kind TEXT, field TEXT, record TEXT, value TEXT, language TEXT, text TEXT);
        CREATE TABLE metadata(key TEXT PRIMARY KEY, value TEXT);
        CREATE VIRTUAL TABLE stops_fts USING fts5(sid UNINDEXED, name, tokenize = "unicode61 remove_diacritics 2",
          prefix = '1 2 3');
        CREATE VIRTUAL TABLE stops_rtree USING rtree(sid, min_lat, max_lat, min_lon, max_lon);
        """

    /// Indexes: those of the format, and additional ones.
    static let indexes = """
        CREATE INDEX idx_pattern_stops_sid_offset ON pattern_stops(sid, departure_offset_secs);
        CREATE INDEX idx_trips_pid_start ON trips(pid, start_time_secs, service_id, frequency_based);
        CREATE INDEX idx_stops_code ON stops(stop_code COLLATE NOCASE) WHERE stop_code IS NOT NULL;
        CREATE INDEX idx_stops_parent ON stops(parent_station) WHERE parent_station IS NOT NULL;
        CREATE INDEX idx_request_service_sid ON request_service(sid);
        """

    /// Tables and columns that a timetable requires.
    static let needed: [(table: String, columns: [String])] = [
        ("dict_stop", ["sid", "stop_id"]),
        ("stops", ["sid", "stop_name", "stop_lat", "stop_lon"]),
        ("routes", ["rid", "route_short_name", "route_long_name", "route_type"]),
        ("patterns", ["pid", "rid"]),
        ("pattern_stops", ["pid", "stop_sequence", "sid", "departure_offset_secs"]),
        ("trips", ["trip_id", "service_id", "pid"]),
        ("calendar", ["service_id", "days", "start_date", "end_date"]),
        ("calendar_dates", ["service_id", "date", "exception_type"]),
    ]

    /// Keys of `metadata`.
    enum Key {
        static let timezone = "timezone"
        static let agencies = "agencies"
        static let source = "source"
        static let latest = "max_departure_secs"
        static let stopTimes = "stop_times"
        static let hasPickupLimits = "has_pickup_limits"
        /// The days of feed_info.txt, if it has them.
        static let validFrom = "feed_start_date"
        static let validUntil = "feed_end_date"
        /// The language of its names, and the version of the feed, by feed_info.txt.
        static let language = "feed_lang"
        static let version = "feed_version"
        static let otherZones = "agency_time_zones"
        /// The number of rules of transfers.txt that are not used; absent for none.
        static let skippedTransfers = "skipped_transfer_rules"
        /// What became of the lines of the feed, as `SourceAccount` writes it.
        static let account = "account"
        /// Present in files that Rutter wrote: numbers of stops and routes are in list order.
        static let ranked = "ranked"
    }
}
