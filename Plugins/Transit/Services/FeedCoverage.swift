import CivilTime
import PluginKit

/// The days that a timetable knows.
struct FeedCoverage: Sendable {
    /// The first and the last day of the calendar; `nil` without any.
    let span: ClosedRange<CivilDate>?
    /// The first and the last day of feed_info.txt of a single feed.
    let from: CivilDate?
    let until: CivilDate?
    /// The feeds of a timetable of several, each with its own period.
    let feeds: [FeedOrigin]

    /// A note that days are outside the calendar, so that their service is unknown; `nil` if all are in it.
    func calendarNote(_ days: ClosedRange<CivilDate>) -> String? {
        guard let span else { return "the timetable has no day of service" }
        guard days.lowerBound < span.lowerBound || days.upperBound > span.upperBound else { return nil }
        return "the timetable covers \(span.lowerBound.text) to \(span.upperBound.text)"
    }

    /// A note that days are outside the validity of feed_info.txt, of the feeds of some routes; `nil` if all are
    /// in it.
    func validityNote(_ days: ClosedRange<CivilDate>, routes: [Feed.Route]? = nil) -> String? {
        guard !feeds.isEmpty else { return Self.note(days, from, until, "the feed") }
        let concerned = routes.map { Set($0.map(\.feed)) }
        let notes = feeds.indices.compactMap { index -> String? in
            guard concerned?.contains(index) ?? true else { return nil }
            let own = feeds[index]
            let name = own.prefix.isEmpty ? own.source : own.prefix
            return Self.note(days, own.validFrom, own.validUntil, "the feed `\(name)`")
        }
        return notes.isEmpty ? nil : notes.joined(separator: "; ")
    }

    private static func note(
        _ days: ClosedRange<CivilDate>, _ from: CivilDate?, _ until: CivilDate?, _ feed: String
    ) -> String? {
        let isEarly = from.map { days.lowerBound < $0 } ?? false
        let isLate = until.map { days.upperBound > $0 } ?? false
        guard isEarly || isLate else { return nil }
        let parts = [from.map { "from \($0.text)" }, until.map { "until \($0.text)" }].compactMap { $0 }
        return "by feed_info.txt \(feed) is valid " + parts.joined(separator: " ")
    }

    /// Both notes.
    func notes(_ days: ClosedRange<CivilDate>, routes: [Feed.Route]? = nil) -> [String] {
        [calendarNote(days), validityNote(days, routes: routes)].compactMap { $0 }
    }
}
