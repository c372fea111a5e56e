import CivilTime
import Geodesy
import PluginKit
import TrailStores

/// What a timetable cannot show: lines that run on request (GTFS-Flex).
struct RequestNotes {
    let feed: Feed

    init(_ feed: Feed) { self.feed = feed }

    /// An offer of a line, in words.
    private struct Offer: Hashable {
        var route: String
        /// When, and how to book it.
        var words: String
        /// Whether the line also has a timetable for the trip.
        var isBeside: Bool
        /// Whether it is an offer of the day; `nil` if the file does not tell.
        var isOfDay: Bool?
    }

    /// `line 2 stops here on request, 08:00–18:00, book at least 1h before`: the offers at some stops on a day, and those of
    /// the zones around them.
    func notes(
        at stops: [Int64], around coordinate: Coordinate, on day: CivilDate, _ side: BoardSide = .departures
    ) throws -> [String] {
        guard feed.layout.hasRequestDays else { return try notes(at: stops, on: day, side) }
        let zones = try feed.requestZones.filter { $0.value.contains(coordinate) }.keys.sorted()
        let around = try offers("zone = ? AND \(Self.column(side))", zones, day).map { offer in
            "line \(offer.route) stops around here on request" + Self.days(offer, day) + offer.words
        }
        return try notes(at: stops, on: day, side) + around
    }

    /// The column of where one may board, or for arrivals alight.
    private static func column(_ side: BoardSide) -> String { side == .departures ? "boards" : "alights" }

    private func notes(at stops: [Int64], on day: CivilDate, _ side: BoardSide) throws -> [String] {
        let condition = "sid = ? AND \(feed.layout.hasRequestDays ? Self.column(side) : "1")"
        return try offers(condition, stops, day).map { offer in
            "line \(offer.route) stops here on request" + Self.days(offer, day) + offer.words
        }
    }

    /// `it runs on request, without a timetable, 08:00–18:00`: the offers of a line on a day.
    func notes(ofRoute route: Int64, on day: CivilDate) throws -> [String] {
        try offers("rid = ? AND \(feed.layout.hasRequestDays ? "boards" : "1")", [route], day).map { offer in
            (offer.isBeside ? "it also stops on request" : "it runs on request, without a timetable")
                + Self.days(offer, day) + offer.words
        }
    }

    private static func days(_ offer: Offer, _ day: CivilDate) -> String {
        switch offer.isOfDay {
        case true?: ""
        case false?: ", but not on \(day.text)"
        case nil: " on some days"
        }
    }

    /// The offers that match one of some numbers, each once, by line and words; those of other days only where the day has none
    /// of the line.
    private func offers(_ condition: String, _ numbers: [Int64], _ day: CivilDate) throws -> [Offer] {
        guard feed.layout.hasRequests else { return [] }
        let active = feed.services(on: day)
        let facts =
            feed.layout.hasRequestDays
            ? "service_id, EXISTS (SELECT 1 FROM \(feed.layout.trips) t WHERE t.trip_id = r.trip_id)"
            : "NULL, 0"
        let found = try feed.read { db in
            let rows = try RawStatement(
                db,
                "SELECT DISTINCT rid, words, \(facts) FROM request_service r WHERE \(condition) ORDER BY rid, words, 3",
                isCached: true)
            var found: [Offer] = []
            for number in numbers {
                rows.reset()
                rows.bind(1, number)
                while try rows.next() {
                    let words = rows.text(1) ?? ""
                    let service = rows.bytes(2).flatMap(feed.calendar.services.find)
                    let offer = Offer(
                        route: feed.routes[rows.integer(0)]?.label ?? "",
                        words: words.isEmpty ? "" : ", \(words)", isBeside: rows.integer(3) != 0,
                        isOfDay: rows.isNull(2) ? nil : service.map { active.runs[$0] } ?? false)
                    if !found.contains(offer) { found.append(offer) }
                }
            }
            return found
        }
        let today = Set(found.filter { $0.isOfDay == true }.map(\.route))
        return found.filter { $0.isOfDay != false || !today.contains($0.route) }
    }

    // MARK: Rides

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
        if starts.isEmpty { return [] }
        let targets = try ends(at: request.to, "the destination", "alights", request.walk, zones, day)
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
        return found
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
    fileprivate var requestZones: [Int64: FlexZone] {
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
