import CivilTime
import PluginKit

/// The days that a timetable knows.
struct FeedCoverage: Sendable {
    /// The first and the last day of the calendar; `nil` without any.
    let span: ClosedRange<CivilDate>?
    /// The first and the last day of feed_info.txt; of several feeds the narrowest.
    let from: CivilDate?
    let until: CivilDate?
    /// Whether the timetable has several feeds.
    let isOfSeveral: Bool

    /// A note that days are outside the calendar, so that their service is unknown; `nil` if all are in it.
    func calendarNote(_ days: ClosedRange<CivilDate>) -> String? {
        guard let span else { return "the timetable has no day of service" }
        guard days.lowerBound < span.lowerBound || days.upperBound > span.upperBound else { return nil }
        return "the timetable covers \(span.lowerBound.text) to \(span.upperBound.text)"
    }

    /// A note that days are outside the validity of feed_info.txt; `nil` if all are in it.
    func validityNote(_ days: ClosedRange<CivilDate>) -> String? {
        let isEarly = from.map { days.lowerBound < $0 } ?? false
        let isLate = until.map { days.upperBound > $0 } ?? false
        guard isEarly || isLate else { return nil }
        let parts = [from.map { "from \($0.text)" }, until.map { "until \($0.text)" }].compactMap { $0 }
        return "by feed_info.txt the \(isOfSeveral ? "feeds are" : "feed is") valid "
            + parts.joined(separator: " ")
    }

    /// Both notes.
    func notes(_ days: ClosedRange<CivilDate>) -> [String] {
        [calendarNote(days), validityNote(days)].compactMap { $0 }
    }
}
