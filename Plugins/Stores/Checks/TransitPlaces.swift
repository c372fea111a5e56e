import Geodesy
import PluginKit
import TrailStores

/// Finds stops that no vehicle can reach in time from the stops before and after them: their coordinates are wrong.
struct TransitPlaces {
    /// One stretch of a pattern between two stops.
    struct Leg {
        let from: Int64
        let to: Int64
        /// Metres in a straight line.
        let metres: Double
        let seconds: Double

        /// Whether it takes days, although the stops are near each other: offsets in another unit, or of another day.
        var isSlow: Bool { metres < CheckSettings.neighbourhood && seconds > CheckSettings.longestLeg }

        /// Whether a vehicle on the ground can travel it; times are rounded to minutes.
        var isPossible: Bool {
            metres < CheckSettings.shortestTeleport * 10
                || metres / (seconds + CheckSettings.timetableRounding) <= CheckSettings.fastest
        }
    }

    private var bad: [Leg] = []
    private var good: [Int64: Int] = [:]

    mutating func add(_ leg: Leg) {
        if leg.isPossible {
            good[leg.from, default: 0] += 1
            good[leg.to, default: 0] += 1
        } else {
            bad.append(leg)
        }
    }

    /// The stops that explain all impossible legs, each with one of its legs and the number of them; of two that explain the
    /// same, the one with fewer possible legs.
    func culprits() -> [(stop: Int64, leg: Leg, count: Int)] {
        var rest = bad
        var found: [(stop: Int64, leg: Leg, count: Int)] = []
        while !rest.isEmpty {
            var counts: [Int64: Int] = [:]
            for leg in rest {
                counts[leg.from, default: 0] += 1
                counts[leg.to, default: 0] += 1
            }
            let worst = counts.max { one, other in
                (one.value, -good[one.key, default: 0], -one.key)
                    < (other.value, -good[other.key, default: 0], -other.key)
            }
            guard let worst, let leg = rest.first(where: { $0.from == worst.key || $0.to == worst.key })
            else { break }
            found.append((worst.key, leg, worst.value))
            rest.removeAll { $0.from == worst.key || $0.to == worst.key }
        }
        return found.sorted { $0.stop < $1.stop }
    }
}

/// A pattern whose offsets are all the same, as far as it was read.
struct InstantPattern {
    let pattern: Int64
    private let offset: Int64
    private var last: Coordinate?
    private var stops = 0
    private var metres = 0.0
    private var isEqual = true

    init(_ pattern: Int64, offset: Int64) {
        self.pattern = pattern
        self.offset = offset
    }

    mutating func add(_ arrival: Int64, _ departure: Int64, _ coordinate: Coordinate?) {
        stops += 1
        if arrival != offset || departure != offset { isEqual = false }
        guard let coordinate else { return }
        metres += last?.distance(to: coordinate) ?? 0
        last = coordinate
    }

    /// What is wrong with it as a whole; `nil` if it takes time, or its stops lie close to each other.
    var fault: String? {
        guard isEqual, stops >= CheckSettings.stopsOfInstant, metres > CheckSettings.longestInstant else {
            return nil
        }
        return
            "pattern \(pattern) reaches all \(stops) stops at the same time, over \(Literal.quantity(.metres(metres.rounded())))"
    }

    func report(_ run: CheckRun) {
        guard let fault else { return }
        run.add(TransitFindings.instant, table: "pattern_stops", id: "\(pattern)", fault)
    }
}

extension TransitChecks {
    /// Adds the stops that are too far from their neighbours.
    func places(_ run: CheckRun) throws {
        guard try run.has("stops", "sid", "stop_lat", "stop_lon", "stop_name"),
            try run.has(
                "pattern_stops", "pid", "stop_sequence", "sid", "arrival_offset_secs", "departure_offset_secs"
            )
        else { return }
        var coordinates: [Int64: Coordinate] = [:]
        try run.visit("stops", ["sid", "stop_lat", "stop_lon"]) { row in
            guard let id = row.integer("sid"), let latitude = row.number("stop_lat"),
                let longitude = row.number("stop_lon"), !Plausibility.isNull(latitude, longitude)
            else { return }
            let place = Coordinate(latitude: latitude, longitude: longitude)
            if place.isValid { coordinates[id] = place }
        }
        var places = TransitPlaces()
        var before: (pattern: Int64, stop: Int64, departure: Double)?
        var instant: InstantPattern?
        let sql = """
            SELECT pid, sid, arrival_offset_secs, departure_offset_secs FROM pattern_stops
            WHERE typeof(sid) = 'integer' AND typeof(pid) = 'integer' AND typeof(arrival_offset_secs) = 'integer'
            AND typeof(departure_offset_secs) = 'integer' ORDER BY pid, stop_sequence
            """
        let row = try RawStatement(run.db, sql)
        while try row.next() {
            try run.step("pattern_stops")
            let (pattern, stop) = (row.integer(0), row.integer(1))
            if instant?.pattern != pattern {
                instant?.report(run)
                instant = InstantPattern(pattern, offset: row.integer(3))
            }
            instant?.add(row.integer(2), row.integer(3), coordinates[stop])
            // Offsets that run back are a finding of their own.
            if let last = before, last.pattern == pattern, let from = coordinates[last.stop],
                let to = coordinates[stop], last.stop != stop, Double(row.integer(2)) >= last.departure
            {
                let leg = TransitPlaces.Leg(
                    from: last.stop, to: stop, metres: from.distance(to: to),
                    seconds: Double(row.integer(2)) - last.departure)
                places.add(leg)
                if leg.isSlow {
                    run.add(
                        TransitFindings.offset, table: "pattern_stops", id: "\(pattern)",
                        "pattern \(pattern) takes \(Literal.duration(leg.seconds)) from stop \(last.stop) to stop \(stop), \(Literal.quantity(.metres(leg.metres.rounded()))) away"
                    )
                }
            }
            before = (pattern, stop, Double(row.integer(3)))
        }
        instant?.report(run)
        for (stop, leg, count) in places.culprits() {
            let other = leg.from == stop ? leg.to : leg.from
            run.add(
                TransitFindings.far, table: "stops", row: stop, id: "\(stop)",
                "stop \(stop) is \(Literal.quantity(.metres(leg.metres.rounded()))) from stop \(other), "
                    + "\(Literal.duration(leg.seconds)) away by timetable"
                    + (count > 1 ? "; \(count) such stretches" : ""))
        }
    }
}
