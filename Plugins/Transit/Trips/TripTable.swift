import CivilTime
import GRDB
import Geodesy
import PluginKit
import TrailStores

/// A trip as stored.
struct TripRecord: Sendable {
    var row: Int64
    var id: String
    var pattern: Int64
    var route: Int64
    var direction: Int?
    var service: String
    var headsign: String?
    var wheelchair: Int?
    var start: Int
    var isFrequency: Bool
    var shape: Int64?
    /// `trip_short_name`, such as the number of a train.
    var shortName: String?
    /// `bikes_allowed`
    var bikes: Int?
}

/// A call of a pattern, its times in seconds after the trip leaves its first stop.
struct PatternCall: Sendable {
    var sequence: Int
    /// `stop_sequence` of the feed; `nil` if the pattern's trips differ in it.
    var feedSequence: Int?
    var stop: Int64
    var arrival: Int
    var departure: Int
    var pickup: Int
    var dropOff: Int
    /// `stop_headsign`; `nil` for that of the trip.
    var headsign: String?
    /// What riders have to know of the call.
    var note: String?
}

/// The trips of a timetable, with the calls of their patterns.
struct TripTable {
    let feed: Feed

    private var tripColumns: String {
        """
        t.rowid, t.trip_id, t.pid, p.rid, \(feed.layout.direction), t.service_id, t.trip_headsign, t.wheelchair_accessible,
          t.start_time_secs, t.frequency_based, \(feed.layout.shape), \(feed.layout.shortName),
          \(feed.layout.bikes)
        """
    }

    private func trip(_ row: RawStatement) -> TripRecord {
        TripRecord(
            row: row.integer(0), id: row.text(1) ?? "", pattern: row.integer(2), route: row.integer(3),
            direction: row.isNull(4) ? nil : Int(row.integer(4)), service: row.text(5) ?? "",
            headsign: feed.tripSign(row.text(6), of: row.text(1)),
            wheelchair: row.isNull(7) ? nil : Int(row.integer(7)),
            start: ServiceDay.clamped(row.integer(8)), isFrequency: row.integer(9) != 0,
            shape: row.isNull(10) ? nil : row.integer(10),
            shortName: row.text(11).flatMap { $0.isEmpty ? nil : $0 },
            bikes: row.isNull(12) ? nil : Int(row.integer(12)))
    }

    /// The trip with an identifier.
    func with(id: String) throws -> TripRecord? {
        try feed.read { db in
            let rows = try RawStatement(
                db,
                """
                SELECT \(tripColumns) FROM \(feed.layout.trips) t JOIN \(feed.layout.patterns) p ON p.pid = t.pid
                  LEFT JOIN main.patterns m ON m.pid = t.pid WHERE t.trip_id = ?
                """, isCached: true)
            rows.bind(1, id)
            return try rows.next() ? trip(rows) : nil
        }
    }

    /// The trip of a row.
    func with(row: Int64) throws -> TripRecord? {
        try feed.read { db in
            let rows = try RawStatement(
                db,
                """
                SELECT \(tripColumns) FROM \(feed.layout.trips) t JOIN \(feed.layout.patterns) p ON p.pid = t.pid
                  LEFT JOIN main.patterns m ON m.pid = t.pid WHERE t.rowid = ?
                """, isCached: true)
            rows.bind(1, row)
            return try rows.next() ? trip(rows) : nil
        }
    }

    /// The trips of a route, by start, then identifier.
    func of(route: Int64) throws -> [TripRecord] {
        try feed.read { db in
            let rows = try RawStatement(
                db,
                """
                SELECT \(tripColumns) FROM \(feed.layout.patterns) p JOIN \(feed.layout.trips) t ON t.pid = p.pid
                  LEFT JOIN main.patterns m ON m.pid = t.pid WHERE p.rid = ? ORDER BY t.start_time_secs, t.rowid
                """, isCached: true)
            rows.bind(1, route)
            var trips: [TripRecord] = []
            while try rows.next() {
                if trips.count % TransitSettings.rowStep == 0 { try Interruption.check() }
                trips.append(trip(rows))
            }
            return trips
        }
    }

    /// A period of a trip by headway, in seconds of the service day; runs leave until before its end.
    struct Period: Sendable {
        var start: Int
        var end: Int
        var headway: Int
        /// Whether its runs keep the times of the headway exactly (`exact_times`).
        var isExact: Bool

        /// Whether a run of the headway leaves at a time.
        func starts(at time: Int) -> Bool {
            (start..<max(start, end)).contains(time) && (time - start) % headway == 0
        }
    }

    /// The periods of a trip by headway, by their start.
    func periods(of trip: TripRecord) throws -> [Period] {
        guard trip.isFrequency else { return [] }
        return try periods(ofTrip: trip.id, pattern: trip.pattern)
    }

    private func periods(ofTrip id: String, pattern: Int64) throws -> [Period] {
        guard feed.layout.hasFrequencies else { return [] }
        return try feed.read { db in
            let rows = try RawStatement(
                db,
                """
                SELECT start_secs, end_secs, headway_secs, exact_times FROM frequencies
                  WHERE pid = ? AND trip_id = ? ORDER BY start_secs
                """, isCached: true)
            rows.bind(1, pattern)
            rows.bind(2, id)
            var periods: [Period] = []
            while try rows.next() {
                let headway = ServiceDay.clamped(rows.integer(2))
                guard headway > 0 else { continue }
                periods.append(
                    Period(
                        start: ServiceDay.clamped(rows.integer(0)), end: ServiceDay.clamped(rows.integer(1)),
                        headway: headway, isExact: rows.integer(3) == 1))
            }
            return periods
        }
    }

    /// The starts of a trip's runs on a service day: its own, or those of its frequencies with their
    /// headways.
    func starts(of trip: TripRecord) throws -> [(start: Int, headway: Int?)] {
        guard trip.isFrequency, feed.layout.hasFrequencies else { return [(trip.start, nil)] }
        return try periods(of: trip).flatMap { period in
            stride(from: period.start, to: period.end, by: period.headway).map { ($0, period.headway) }
        }
    }

    /// The headway of a run without exact times; `nil` if its times are exact.
    func headway(ofTrip id: String, pattern: Int64, start: Int) throws -> Int? {
        let own = try periods(ofTrip: id, pattern: pattern).filter { $0.starts(at: start) }
        return own.contains(where: \.isExact) ? nil : own.last?.headway
    }

    /// The calls of a pattern in order.
    func calls(ofPattern pattern: Int64) throws -> [PatternCall] {
        try feed.read { db in
            let rows = try RawStatement(
                db,
                """
                SELECT c.stop_sequence, c.sid, \(feed.layout.arrival), c.departure_offset_secs, \(feed.layout.pickup), \(feed.layout.feedSequence),
                  \(feed.layout.dropOff), \(feed.layout.stopHeadsign), \(feed.layout.callNote)
                  FROM main.pattern_stops c WHERE c.pid = ? ORDER BY c.stop_sequence
                """, isCached: true)
            rows.bind(1, pattern)
            var calls: [PatternCall] = []
            while try rows.next() {
                let departure = ServiceDay.clamped(rows.integer(3))
                calls.append(
                    PatternCall(
                        sequence: Int(rows.integer(0)),
                        feedSequence: rows.isNull(5) ? nil : Int(rows.integer(5)), stop: rows.integer(1),
                        arrival: rows.isNull(2) ? departure : ServiceDay.clamped(rows.integer(2)),
                        departure: departure,
                        pickup: Int(rows.integer(4)), dropOff: Int(rows.integer(6)),
                        headsign: feed.callSign(rows.text(7)).flatMap { $0.isEmpty ? nil : $0 },
                        note: rows.text(8)))
            }
            return calls
        }
    }

    /// A run of a trip as a value.
    func object(
        _ trip: TripRecord, on day: CivilDate, start: Int, headway: Int?, notes: [String] = []
    ) throws -> TripObject {
        let calls = try calls(ofPattern: trip.pattern)
        let stops = Dictionary(
            try feed.stops.rows(calls.map(\.stop)).map { ($0.number, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let route = feed.routes[trip.route]
        let zone = feed.zone(ofRoute: trip.route)
        let reference = ServiceDay.reference(day, in: zone) + start
        var made: [TripCall] = []
        for (index, call) in calls.enumerated() {
            guard let stop = stops[call.stop] else { continue }
            made.append(
                TripCall(
                    stop: stop, sequence: call.sequence, arrival: reference + call.arrival,
                    departure: reference + call.departure, pickup: call.pickup, isFirst: index == 0,
                    isLast: index == calls.count - 1, zone: stop.zone ?? zone, route: route,
                    headsign: call.headsign,
                    note: Boarding.note(call.note, dropOff: call.dropOff, isFirst: index == 0)))
        }
        let last = made.last?.stop.title ?? ""
        let sign = trip.headsign.flatMap { $0.isEmpty ? nil : $0 } ?? last
        Self.fillHeadsigns(&made, with: sign)
        return TripObject(
            id: trip.id, route: route, direction: trip.direction, headsign: sign,
            service: trip.service, day: day, calls: made, shape: try feed.shapes.line(trip.shape),
            headway: headway,
            wheelchair: trip.wheelchair, runs: feed.calendar.verdict(trip.service, on: day).verdict.runs,
            notes: notes,
            zone: zone, shortName: trip.shortName, bikes: trip.bikes)
    }

    /// A run of a message as a value.
    func object(_ run: LiveRun, headway: Int? = nil, notes: [String] = []) throws -> TripObject {
        let stops = Dictionary(
            try feed.stops.rows(run.calls.map(\.stop)).map { ($0.number, $0) },
            uniquingKeysWith: { first, _ in first })
        let route = run.route.flatMap { feed.routes[$0] }
        let zone = run.route.map(feed.zone(ofRoute:)) ?? feed.zone
        let planned = Dictionary(
            try (run.pattern.map { try calls(ofPattern: $0) } ?? []).map { ($0.sequence, $0) },
            uniquingKeysWith: { first, _ in first })
        var made: [TripCall] = []
        for (index, call) in run.calls.enumerated() {
            guard let stop = stops[call.stop] else { continue }
            made.append(
                TripCall(
                    stop: stop, sequence: call.sequence ?? index + 1, arrival: call.arrival,
                    departure: call.departure, pickup: call.pickup, isFirst: index == 0,
                    isLast: index == run.calls.count - 1, zone: stop.zone ?? zone, route: route,
                    headsign: call.properties.headsign
                        ?? (run.headsign == nil ? call.sequence.flatMap { planned[$0]?.headsign } : nil),
                    note: Boarding.note(
                        call.sequence.flatMap { planned[$0]?.note }, dropOff: call.dropOff,
                        isFirst: index == 0),
                    occupancy: run.occupancy(at: call), live: call.live))
        }
        let facts = try run.row.flatMap { try with(row: $0) }
        let last = made.last?.stop.title ?? ""
        let known = run.kind == .changed ? nil : facts?.headsign.flatMap { $0.isEmpty ? nil : $0 }
        let end = run.earlyEnd.flatMap { stops[$0]?.title }
        let sign = run.headsign ?? LiveRun.headsign(known ?? last, endingAt: end)
        Self.fillHeadsigns(&made, with: sign)
        return TripObject(
            id: run.trip, route: route, direction: facts?.direction, headsign: sign,
            service: facts?.service ?? "",
            day: run.day, calls: made, shape: try run.kind == .changed ? nil : feed.shapes.line(facts?.shape),
            headway: headway, wheelchair: run.wheelchair ?? facts?.wheelchair, runs: run.kind != .cancelled,
            notes: notes, zone: zone, shortName: facts?.shortName, bikes: facts?.bikes)
    }

    /// That calls of a trip were not used for their faults; `nil` if all were, and in files of other programs and earlier versions.
    func cutNote(_ id: String) throws -> String? {
        let count = try feed.read { db in
            guard try db.tableExists("cut_trips") else { return 0 }
            return try Int.fetchOne(db, sql: "SELECT calls FROM cut_trips WHERE trip_id = ?", arguments: [id])
                ?? 0
        }
        guard count > 0 else { return nil }
        return
            "\(count, of: "call") of it \(count == 1 ? "is" : "are") missing: set aside by the import, as its account says"
    }

    /// Whether the import did not keep a trip of the feed.
    func isSetAside(_ id: String) throws -> Bool {
        try feed.read { db in
            guard try db.tableExists("lost_trips") else { return false }
            return try Bool.fetchOne(
                db, sql: "SELECT 1 FROM lost_trips WHERE trip_id = ?", arguments: [id]) ?? false
        }
    }

    /// Where some stops have headsigns of their own, the others have that of the trip.
    private static func fillHeadsigns(_ calls: inout [TripCall], with sign: String) {
        guard calls.contains(where: { $0.headsign != nil }) else { return }
        for index in calls.indices where calls[index].headsign == nil { calls[index].headsign = sign }
    }
}
