import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// Checks the rules of a transit schedule.
struct TransitChecks: StoreChecking {
    let kind = StoreKind.transit

    /// Checks every row.
    func check(_ run: CheckRun) throws {
        try FormatFindings.check(run, kind)
        for rule in Self.rules where try rule.applies(run) {
            try run.find(rule.kind, table: rule.table, rule.sql)
        }
        if try run.has("calendar", "service_id", "days", "start_date", "end_date") { try calendar(run) }
        if try run.has("calendar_dates", "service_id", "date", "exception_type") { try exceptions(run) }
        try derived(run)
        try search(run)
        try texts(run)
        try services(run)
        try places(run)
        if try run.has("stops", "sid", "stop_lat", "stop_lon") { try swapped(run) }
        try Plausibility.indexes(
            run, TransitFindings.index,
            [("pattern_stops", ["sid", "departure_offset_secs"], "idx_pattern_stops_sid_offset")])
        let zone: String? = try run.value("SELECT value FROM metadata WHERE key = 'timezone'")
        if zone.flatMap(TimeZone.init(identifier:)) == nil {
            run.add(
                TransitFindings.zone, table: "metadata",
                "timezone is \(zone.map { "'\($0)'" } ?? "missing")")
        }
    }

    /// Services that never run, and a timetable that has ended.
    private func services(_ run: CheckRun) throws {
        guard try run.has("calendar", "service_id", "days", "start_date", "end_date"),
            try run.has("calendar_dates", "service_id", "date", "exception_type")
        else { return }
        try run.find(
            TransitFindings.never, table: "calendar",
            """
            SELECT NULL, service_id, 'service ' || quote(service_id) || ' runs on no day (days is 0)' FROM calendar
            WHERE days = 0 AND service_id NOT IN (SELECT service_id FROM calendar_dates WHERE exception_type = 1
            AND service_id IS NOT NULL) ORDER BY service_id
            """)
        try run.find(
            TransitFindings.never, table: "calendar_dates",
            """
            SELECT NULL, service_id, 'service ' || quote(service_id) || ' has only removed days, so that it runs on no day'
            FROM calendar_dates WHERE service_id NOT IN (SELECT service_id FROM calendar WHERE service_id IS NOT NULL)
            GROUP BY service_id HAVING max(exception_type = 1) = 0 AND max(exception_type = 2) = 1 ORDER BY service_id
            """)
        guard let now = run.now,
            let yesterday = Timestamp(seconds: now.seconds - CheckSettings.futureTolerance / 2)
        else { return }
        let last: String? = try run.value(
            """
            SELECT max(date) FROM (SELECT end_date AS date FROM calendar WHERE days > 0
            UNION ALL SELECT date FROM calendar_dates WHERE exception_type = 1)
            """)
        // A day before today in any time zone.
        let today = ISO8601.text(yesterday, fraction: .never).prefix(10)
        if let last, Self.day(last) != nil, last < today {
            run.add(TransitFindings.ended, table: "calendar", "the last day of any service was \(last)")
        }
    }

    /// A rule as a statement that returns the rows that violate it.
    private struct Rule {
        let kind: FindingKind
        let table: String
        let needs: [(String, [String])]
        let sql: String

        func applies(_ run: CheckRun) throws -> Bool {
            try needs.allSatisfy { try run.columns($0.0).isSuperset(of: $0.1) }
        }
    }

    /// Codes of GTFS by column; codes of routes include the extended types of 100 to 1702.
    private static let codes: [(table: String, key: String, column: String, allowed: String)] = [
        (
            "routes", "rid", "route_type",
            "IN (0, 1, 2, 3, 4, 5, 6, 7, 11, 12) OR route_type BETWEEN 100 AND 1702"
        ),
        ("stops", "sid", "location_type", "BETWEEN 0 AND 4"),
        ("stops", "sid", "wheelchair_boarding", "BETWEEN 0 AND 2"),
        ("patterns", "pid", "direction_id", "BETWEEN 0 AND 1"),
        ("trips", "trip_id", "direction_id", "BETWEEN 0 AND 1"),
        ("trips", "trip_id", "wheelchair_accessible", "BETWEEN 0 AND 2"),
    ]

    private static let codeRules = codes.map { table, key, column, allowed in
        Rule(
            kind: TransitFindings.code, table: table, needs: [(table, [key, column])],
            sql: """
                SELECT \(key == "trip_id" ? "NULL" : key), \(key), '\(column) of \(key == "trip_id" ? "trip " : "")' || \(key)
                || ' is ' || quote(\(column)) FROM \(table) WHERE \(column) IS NOT NULL
                AND NOT (typeof(\(column)) = 'integer' AND (\(column) \(allowed))) ORDER BY \(key)
                """)
    }

    private static let colorRules = ["route_color", "route_text_color"].map { column in
        Rule(
            kind: TransitFindings.color, table: "routes", needs: [("routes", ["rid", column])],
            sql: """
                SELECT rid, rid, '\(column) of route ' || rid || ' is ' || quote(\(column)) FROM routes
                WHERE \(column) IS NOT NULL AND \(column) <> '' AND NOT (typeof(\(column)) = 'text'
                AND ltrim(\(column), '#') GLOB '[0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f]') ORDER BY rid
                """)
    }

    private static let rules: [Rule] =
        codeRules + colorRules
        + [
            Rule(
                kind: TransitFindings.name, table: "stops",
                needs: [("stops", ["sid", "stop_name", "location_type"])],
                sql: """
                    SELECT sid, sid, 'stop_name of stop ' || sid || ' is ' || quote(stop_name) FROM stops
                    WHERE coalesce(location_type, 0) IN (0, 1, 2)
                    AND NOT (typeof(stop_name) = 'text' AND trim(stop_name) <> '') ORDER BY sid
                    """),
            Rule(
                kind: TransitFindings.contrast, table: "routes",
                needs: [("routes", ["rid", "route_color", "route_text_color"])],
                sql: """
                    SELECT rid, rid, 'route_color and route_text_color of route ' || rid || ' are ' || quote(route_color) FROM routes
                    WHERE route_color <> '' AND upper(ltrim(route_color, '#')) = upper(ltrim(route_text_color, '#')) ORDER BY rid
                    """),
            Rule(
                kind: TransitFindings.twice, table: "trips",
                needs: [("trips", ["trip_id", "pid", "service_id", "start_time_secs"])],
                sql: """
                    SELECT NULL, max(trip_id), 'trips ' || min(trip_id) || ' and ' || max(trip_id)
                    || iif(count(*) > 2, ' (' || count(*) || ' in all)', '') || ' start at one time on the same days' FROM trips
                    WHERE start_time_secs IS NOT NULL GROUP BY pid, service_id, start_time_secs HAVING count(*) > 1
                    ORDER BY min(trip_id)
                    """),
            Rule(
                kind: TransitFindings.stop, table: "stops",
                needs: [("stops", ["sid", "stop_lat", "stop_lon"])],
                sql: """
                    SELECT sid, sid, 'stop_lat is ' || quote(stop_lat) || ', stop_lon ' || quote(stop_lon) FROM stops
                    WHERE NOT coalesce(typeof(stop_lat) IN ('real', 'integer') AND typeof(stop_lon) IN ('real', 'integer')
                    AND abs(stop_lat) <= 90 AND abs(stop_lon) <= 180, 0) ORDER BY sid
                    """),
            Rule(
                kind: TransitFindings.zero, table: "stops",
                needs: [("stops", ["sid", "stop_lat", "stop_lon"])],
                sql: """
                    SELECT sid, sid, 'the coordinate of stop ' || sid || ' is 0,0' FROM stops
                    WHERE stop_lat = 0 AND stop_lon = 0 ORDER BY sid
                    """),
            Rule(
                kind: TransitFindings.parent, table: "stops",
                needs: [("stops", ["sid", "parent_station"]), ("dict_stop", ["stop_id"])],
                sql: """
                    SELECT sid, sid, 'parent_station of stop ' || sid || ' is ' || quote(parent_station) FROM stops
                    WHERE parent_station IS NOT NULL AND parent_station <> ''
                    AND (parent_station NOT IN (SELECT stop_id FROM dict_stop WHERE stop_id IS NOT NULL)
                    OR parent_station = (SELECT stop_id FROM dict_stop WHERE dict_stop.sid = stops.sid)) ORDER BY sid
                    """),
            Rule(
                kind: TransitFindings.offset, table: "pattern_stops",
                needs: [
                    (
                        "pattern_stops",
                        ["pid", "stop_sequence", "arrival_offset_secs", "departure_offset_secs"]
                    )
                ],
                sql: """
                    SELECT NULL, pid || '/' || stop_sequence, 'pattern ' || pid || ', stop ' || stop_sequence
                    || ': arrives ' || arrival_offset_secs || ', departs ' || departure_offset_secs
                    FROM (SELECT *, min(stop_sequence) OVER (PARTITION BY pid) AS first FROM pattern_stops)
                    WHERE departure_offset_secs < 0 OR departure_offset_secs > \(CheckSettings.longestService) OR (arrival_offset_secs < 0 AND stop_sequence > first)
                    ORDER BY pid, stop_sequence
                    """),
            Rule(
                kind: TransitFindings.tripRoute, table: "trips",
                needs: [
                    ("trips", ["trip_id", "rid", "pid"]), ("patterns", ["pid", "rid"]), ("routes", ["rid"]),
                ],
                sql: """
                    SELECT NULL, trip_id, 'trip ' || trip_id || ' is of route ' || quote(t.rid) || ', its pattern of '
                    || quote(p.rid) FROM trips t JOIN patterns p ON p.pid = t.pid WHERE t.rid IS NOT p.rid
                    AND t.rid IS NOT NULL AND p.rid IN (SELECT rid FROM routes) ORDER BY trip_id
                    """),
            Rule(
                kind: TransitFindings.call, table: "pattern_stops",
                needs: [("pattern_stops", ["pid", "stop_sequence", "sid"]), ("stops", ["sid"])],
                sql: """
                    SELECT NULL, pid || '/' || stop_sequence, 'pattern ' || pid || ' calls at stop ' || quote(sid)
                    FROM pattern_stops WHERE sid IS NULL OR sid NOT IN (SELECT sid FROM stops) ORDER BY pid, stop_sequence
                    """),
            Rule(
                kind: TransitFindings.pattern, table: "pattern_stops",
                needs: [("pattern_stops", ["pid"]), ("patterns", ["pid"])],
                sql: """
                    SELECT NULL, pid, 'calls of the missing pattern ' || quote(pid) FROM pattern_stops
                    WHERE pid IS NULL OR pid NOT IN (SELECT pid FROM patterns) GROUP BY pid ORDER BY pid
                    """),
            Rule(
                kind: TransitFindings.pattern, table: "patterns",
                needs: [("pattern_stops", ["pid"]), ("patterns", ["pid"])],
                sql: """
                    SELECT p.pid, p.pid, 'pattern ' || p.pid || ' has ' || count(s.pid) || ' stops' FROM patterns p
                    LEFT JOIN pattern_stops s ON s.pid = p.pid GROUP BY p.pid HAVING count(s.pid) < 2 ORDER BY p.pid
                    """),
            Rule(
                kind: TransitFindings.pattern, table: "trips",
                needs: [("trips", ["trip_id", "pid"]), ("patterns", ["pid"])],
                sql: """
                    SELECT NULL, trip_id, 'the pattern of trip ' || trip_id || ' is ' || quote(pid) FROM trips
                    WHERE pid IS NULL OR pid NOT IN (SELECT pid FROM patterns) ORDER BY trip_id
                    """),
            Rule(
                kind: TransitFindings.order, table: "pattern_stops",
                needs: [
                    (
                        "pattern_stops",
                        ["pid", "stop_sequence", "arrival_offset_secs", "departure_offset_secs"]
                    )
                ],
                sql: """
                    SELECT NULL, pid || '/' || stop_sequence, 'pattern ' || pid || ', stop ' || stop_sequence
                    || ': arrives ' || quote(arrival_offset_secs) || ', departs ' || quote(departure_offset_secs)
                    || coalesce(' after ' || before, '')
                    FROM (SELECT *, lag(departure_offset_secs) OVER (PARTITION BY pid ORDER BY stop_sequence) AS before
                    FROM pattern_stops) WHERE typeof(arrival_offset_secs) <> 'integer'
                    OR typeof(departure_offset_secs) <> 'integer' OR departure_offset_secs < arrival_offset_secs
                    OR arrival_offset_secs < before ORDER BY pid, stop_sequence
                    """),
            Rule(
                kind: TransitFindings.route, table: "patterns",
                needs: [("patterns", ["pid", "rid"]), ("routes", ["rid"])],
                sql: """
                    SELECT pid, pid, 'the route of pattern ' || pid || ' is ' || quote(rid) FROM patterns
                    WHERE rid IS NULL OR rid NOT IN (SELECT rid FROM routes) ORDER BY pid
                    """),
            Rule(
                kind: TransitFindings.service, table: "trips",
                needs: [
                    ("trips", ["trip_id", "service_id"]), ("calendar", ["service_id"]),
                    ("calendar_dates", ["service_id"]),
                ],
                sql: """
                    SELECT NULL, min(trip_id), 'the service ' || quote(service_id) || ' of ' || count(*) || ' trips'
                    FROM trips WHERE service_id IS NULL OR (service_id NOT IN (SELECT service_id FROM calendar)
                    AND service_id NOT IN (SELECT service_id FROM calendar_dates)) GROUP BY service_id ORDER BY service_id
                    """),
            Rule(
                kind: TransitFindings.start, table: "trips",
                needs: [("trips", ["trip_id", "start_time_secs"])],
                sql: """
                    SELECT NULL, trip_id, 'start_time_secs of trip ' || trip_id || ' is ' || quote(start_time_secs) FROM trips
                    WHERE start_time_secs IS NOT NULL AND (typeof(start_time_secs) <> 'integer' OR start_time_secs < 0
                    OR start_time_secs > \(CheckSettings.latestStart))
                    ORDER BY trip_id
                    """),
        ]
        + [
            ("stops", "sid", "dict_stop"), ("routes", "rid", "dict_route"),
            ("patterns", "pid", "dict_pattern"),
        ].map {
            table, column, dictionary in
            Rule(
                kind: TransitFindings.identifier, table: table,
                needs: [(table, [column]), (dictionary, [column])],
                sql: """
                    SELECT \(column), \(column), '\(column) ' || \(column) || ' is not in \(dictionary)' FROM \(table)
                    WHERE \(column) NOT IN (SELECT \(column) FROM \(dictionary)) ORDER BY \(column)
                    """)
        }

    private func calendar(_ run: CheckRun) throws {
        try run.visit("calendar", ["service_id", "days", "start_date", "end_date"]) { row in
            let id = row["service_id"].shown
            guard case .int64(let days) = row["days"], (0...127).contains(days) else {
                return run.add(
                    TransitFindings.calendar, table: "calendar", row: row.number, id: id,
                    "days of \(id) is \(row["days"].shown)")
            }
            let dates = ["start_date", "end_date"].map { row.text($0).flatMap(Self.day) }
            guard let start = dates[0], let end = dates[1], start <= end,
                CheckSettings.serviceYears.contains(start / 10_000),
                CheckSettings.serviceYears.contains(end / 10_000)
            else {
                return run.add(
                    TransitFindings.calendar, table: "calendar", row: row.number, id: id,
                    "\(id) runs from \(row["start_date"].shown) to \(row["end_date"].shown)")
            }
        }
    }

    private func exceptions(_ run: CheckRun) throws {
        try run.visit("calendar_dates", ["service_id", "date", "exception_type"]) { row in
            let id = row["service_id"].shown
            var isKnown = false
            if case .int64(let type) = row["exception_type"] { isKnown = type == 1 || type == 2 }
            if row.text("date").flatMap(Self.day) == nil || !isKnown {
                run.add(
                    TransitFindings.exception, table: "calendar_dates", row: row.number, id: id,
                    "\(id) on \(row["date"].shown): type \(row["exception_type"].shown)")
            }
        }
    }

    /// A date as YYYYMMDD; `nil` if there is no such day.
    private static func day(_ text: String) -> Int? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ part in part.utf8.allSatisfy { (48...57).contains($0) } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            (1...12).contains(month)
        else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...lengths[month - 1]).contains(day) ? year * 10_000 + month * 100 + day : nil
    }

    private func derived(_ run: CheckRun) throws {
        guard try run.has("stops", "sid"), let stops: Int = try run.value("SELECT count(*) FROM stops") else {
            return
        }
        if let entries: Int = try run.value("SELECT count(*) FROM stops_fts_docsize"), entries != stops {
            run.add(TransitFindings.search, table: "stops_fts", "\(entries) entries for \(stops) stops")
        } else if try run.has("stops_fts_content", "id", "c0", "c1"), try run.has("stops", "stop_name") {
            // Column by column in the order of the table; the first is the number.
            try run.find(
                TransitFindings.search, table: "stops_fts",
                """
                SELECT s.sid, s.sid, 'the search knows stop ' || s.sid || ' as ' || quote(c.c1) || ', its name is '
                || quote(s.stop_name) FROM stops s JOIN stops_fts_content c ON c.id = s.sid
                WHERE c.c1 IS NOT s.stop_name ORDER BY s.sid
                """)
        }
        guard let entries: Int = try run.value("SELECT count(*) FROM stops_rtree_rowid") else { return }
        // Entrances and boarding areas are not drawn on maps; an index may omit them, and stops without a
        // coordinate.
        let kinds = try run.has("stops", "location_type") ? "coalesce(location_type, 0) IN (0, 1)" : "1"
        let onMap = "\(kinds) AND abs(stop_lat) <= 90 AND abs(stop_lon) <= 180"
        let missing: Int? = try run.value(
            "SELECT count(*) FROM stops WHERE \(onMap) AND sid NOT IN (SELECT rowid FROM stops_rtree_rowid)")
        let extra: Int? = try run.value(
            "SELECT count(*) FROM stops_rtree_rowid WHERE rowid NOT IN (SELECT sid FROM stops)")
        if let missing, let extra, missing + extra > 0 {
            let words = extra > 0 ? ", \(extra) of no stop" : ""
            run.add(
                TransitFindings.search, table: "stops_rtree",
                "\(entries) entries\(words), \(missing) stop\(missing == 1 ? " is" : "s are") missing")
        }
    }

    private func swapped(_ run: CheckRun) throws {
        var detector = Plausibility.SwapDetector()
        try run.visit("stops", ["stop_lat", "stop_lon"]) { row in
            guard let latitude = row.number("stop_lat"), let longitude = row.number("stop_lon"),
                let number = row.number, abs(latitude) <= 90, abs(longitude) <= 180,
                !Plausibility.isNull(latitude, longitude)
            else { return }
            detector.add(number, nil, latitude, longitude)
        }
        if let count = detector.atOnePlace {
            run.add(TransitFindings.onePlace, table: "stops", "all \(count) stops have one coordinate")
        }
        for stop in detector.swapped {
            run.add(
                TransitFindings.swapped, table: "stops", row: stop.row,
                "stop_lat is \(Literal.number(stop.latitude)), stop_lon \(Literal.number(stop.longitude))",
                repair: "UPDATE stops SET stop_lat = stop_lon, stop_lon = stop_lat WHERE sid = \(stop.row)")
        }
    }
}
