import CivilTime
import Geodesy
import PluginKit
import TrailStores

/// Rides on request between two places, and to and from lines with a timetable.
extension RequestNotes {
    /// An end of a ride on request.
    private struct End {
        var call: Int
        var route: Int64
        var name: String
        var words: String
    }

    /// `line 2 goes from Alpha to the destination on request, 08:00–18:00, book at least 1h before`: the rides between two places
    /// on a day, to and from stops within a distance, or in zones.
    func rides(_ request: JourneyRequest, on day: CivilDate) throws -> [String] {
        guard feed.layout.hasRequestDays else { return [] }
        let zones = try feed.requestZones
        let starts = try ends(at: request.from, "the start", "boards", request.walk, zones, day)
        let targets = try ends(at: request.to, "the destination", "alights", request.walk, zones, day)
        if starts.isEmpty, targets.isEmpty { return [] }
        var found: [String] = []
        for trip in Set(starts.keys).intersection(targets.keys).sorted() {
            // Of several stops around an end the nearest is named, once for all that is offered alike.
            var told: Set<String> = []
            for from in starts[trip] ?? [] where !told.contains(from.words) {
                guard let to = targets[trip]?.first(where: { $0.call > from.call }) else { continue }
                told.insert(from.words)
                let sentence =
                    "line \(feed.routes[from.route]?.label ?? "") goes from \(from.name) to \(to.name) on request"
                    + (from.words.isEmpty ? "" : ", \(from.words)")
                if !found.contains(sentence) { found.append(sentence) }
            }
        }
        if !found.isEmpty { return found }
        return try feeders(starts, request) + carriers(targets, request)
    }

    /// `line 2 goes from Echo to Gamma on request, …; a journey goes on from there: stop show C`: rides on request to a stop where lines
    /// with a timetable call, for each offer the one nearest to the destination.
    private func feeders(_ starts: [String: [End]], _ request: JourneyRequest) throws -> [String] {
        try joined(starts, request, "call > ? AND alights") { end, stop, line in
            "line \(line) goes from \(end.name) to \(stop.title) on request"
                + (end.words.isEmpty ? "" : ", \(end.words)")
                + "; a journey goes on from there: stop show \(Literal.quoted(stop.id))"
        }
    }

    /// The same from such a stop to the destination.
    private func carriers(_ targets: [String: [End]], _ request: JourneyRequest) throws -> [String] {
        try joined(targets, request, "call < ? AND boards") { end, stop, line in
            "line \(line) goes from \(stop.title) to \(end.name) on request"
                + (end.words.isEmpty ? "" : ", \(end.words)")
                + "; a journey leads there: stop show \(Literal.quoted(stop.id))"
        }
    }

    private func joined(
        _ ends: [String: [End]], _ request: JourneyRequest, _ condition: String,
        _ sentence: (End, StopRecord, String) -> String
    ) throws -> [String] {
        var found: [String] = []
        for trip in ends.keys.sorted() {
            var told: Set<String> = []
            for end in ends[trip] ?? [] where told.insert(end.words).inserted {
                let numbers = try feed.read { db in
                    let rows = try RawStatement(
                        db,
                        """
                        SELECT DISTINCT sid FROM request_service
                          WHERE trip_id = ? AND sid IS NOT NULL AND \(condition) ORDER BY sid
                        """, isCached: true)
                    rows.reset()
                    rows.bind(1, trip)
                    rows.bind(2, Int64(end.call))
                    var numbers: [Int64] = []
                    while try rows.next() { numbers.append(rows.integer(0)) }
                    return numbers
                }
                let served = try feed.stops.rows(numbers).filter {
                    try !feed.stops.lines(at: [$0.number]).isEmpty
                }
                let near = served.min {
                    ($0.coordinate?.distance(to: request.to) ?? .infinity, $0.id)
                        < ($1.coordinate?.distance(to: request.to) ?? .infinity, $1.id)
                }
                guard let near else { continue }
                let words = sentence(end, near, feed.routes[end.route]?.label ?? "")
                if !found.contains(words) { found.append(words) }
            }
        }
        return Array(found.prefix(TransitSettings.listedReasons))
    }

    /// The calls of trips of a day at a place, by trip, in their order.
    private func ends(
        at coordinate: Coordinate, _ name: String, _ side: String, _ walk: Double, _ zones: [Int64: FlexZone],
        _ day: CivilDate
    ) throws -> [String: [End]] {
        let active = feed.services(on: day)
        let near = try feed.stops.near(coordinate, radius: walk, limit: TransitSettings.regionLimit).stops
            .map(
                \.stop)
        let own = zones.filter { $0.value.contains(coordinate) }.keys.sorted()
        return try feed.read { db in
            var found: [String: [End]] = [:]
            func take(_ column: String, _ numbers: [(number: Int64, name: String)]) throws {
                let rows = try RawStatement(
                    db,
                    """
                    SELECT trip_id, call, rid, words, service_id FROM request_service
                      WHERE \(column) = ? AND \(side) ORDER BY trip_id, call
                    """, isCached: true)
                for (number, name) in numbers {
                    rows.reset()
                    rows.bind(1, number)
                    while try rows.next() {
                        guard let service = rows.bytes(4).flatMap(feed.calendar.services.find),
                            active.runs[service], let trip = rows.text(0)
                        else { continue }
                        found[trip, default: []].append(
                            End(
                                call: Int(rows.integer(1)), route: rows.integer(2), name: name,
                                words: rows.text(3) ?? ""))
                    }
                }
            }
            try take("sid", near.map { ($0.number, $0.title) })
            try take("zone", own.map { ($0, name) })
            return found
        }
    }
}

extension Feed {
    /// The zones of lines on request by their numbers, read on first use.
    var requestZones: [Int64: FlexZone] {
        get throws {
            if let known = knownRequestZones.withLock({ $0 }) { return known }
            let made = try read { db in
                let rows = try RawStatement(db, "SELECT zone, rings FROM request_zones")
                var zones: [Int64: FlexZone] = [:]
                while try rows.next() { zones[rows.integer(0)] = FlexZone(text: rows.text(1) ?? "") }
                return zones
            }
            knownRequestZones.withLock { $0 = made }
            return made
        }
    }
}
