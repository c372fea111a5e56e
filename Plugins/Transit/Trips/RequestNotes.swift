import PluginKit
import TrailStores

/// What a timetable cannot show: lines that run on request (GTFS-Flex).
struct RequestNotes {
    let feed: Feed

    init(_ feed: Feed) { self.feed = feed }

    /// `line 2 stops here on request, 08:00–18:00, book at least 1h before`: the offers at some stops.
    func notes(at stops: [Int64]) throws -> [String] {
        try offers("sid = ?", stops).map { route, words in
            "line \(route) stops here on request" + words
        }
    }

    /// `it runs on request, 08:00–18:00, without a timetable`: the offers of a line.
    func notes(ofRoute route: Int64) throws -> [String] {
        try offers("rid = ?", [route]).map { _, words in "it runs on request, without a timetable" + words }
    }

    /// The offers that match one of some numbers, each once, by line and words.
    private func offers(_ condition: String, _ numbers: [Int64]) throws -> [(route: String, words: String)] {
        guard feed.layout.hasRequests else { return [] }
        return try feed.read { db in
            let rows = try RawStatement(
                db, "SELECT DISTINCT rid, words FROM request_service WHERE \(condition) ORDER BY rid, words",
                isCached: true)
            var found: [(route: String, words: String)] = []
            for number in numbers {
                rows.reset()
                rows.bind(1, number)
                while try rows.next() {
                    let words = rows.text(1) ?? ""
                    let offer = (
                        route: feed.routes[rows.integer(0)]?.label ?? "",
                        words: words.isEmpty ? "" : ", \(words)"
                    )
                    if !found.contains(where: { $0 == offer }) { found.append(offer) }
                }
            }
            return found
        }
    }
}
