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
        at stops: [Int64], around coordinate: Coordinate?, on day: CivilDate, _ side: BoardSide = .departures
    ) throws -> [String] {
        guard feed.layout.hasRequestDays else { return try notes(at: stops, on: day, side) }
        let zones = try coordinate.map { coordinate in
            try feed.requestZones.filter { $0.value.contains(coordinate) }.keys.sorted()
        }
        let around = try offers("zone = ? AND \(Self.column(side))", zones ?? [], day).map { offer in
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
}
