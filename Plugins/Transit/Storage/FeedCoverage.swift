import CivilTime
import PluginKit

/// The days that a timetable knows.
extension Feed {
    /// The first and the last day of feed_info.txt; of several feeds the narrowest.
    var validity: (from: CivilDate?, until: CivilDate?) {
        func day(_ key: String) -> CivilDate? { metadata[key].flatMap(CivilDate.init(text:)) }
        return (day(TransitSchema.Key.validFrom), day(TransitSchema.Key.validUntil))
    }

    /// The number of rules of transfers.txt for routes or trips, which are not used.
    var skippedTransferRules: Int {
        metadata[TransitSchema.Key.skippedTransfers].flatMap { Int($0) } ?? 0
    }

    /// A note that days are outside the calendar, so that their service is unknown; `nil` if all are in it.
    func coverageNote(_ days: ClosedRange<CivilDate>) -> String? {
        guard let span = calendar.span else { return "the timetable has no day of service" }
        guard days.lowerBound < span.lowerBound || days.upperBound > span.upperBound else { return nil }
        return "the timetable covers \(span.lowerBound.text) to \(span.upperBound.text)"
    }

    /// A note that days are outside the validity of feed_info.txt; `nil` if all are in it.
    func validityNote(_ days: ClosedRange<CivilDate>) -> String? {
        let (from, until) = validity
        let isEarly = from.map { days.lowerBound < $0 } ?? false
        let isLate = until.map { days.upperBound > $0 } ?? false
        guard isEarly || isLate else { return nil }
        let parts = [from.map { "from \($0.text)" }, until.map { "until \($0.text)" }].compactMap { $0 }
        return "by feed_info.txt the \(origins.count > 1 ? "feeds are" : "feed is") valid "
            + parts.joined(separator: " ")
    }

    /// Both notes.
    func dayNotes(_ days: ClosedRange<CivilDate>) -> [String] {
        [coverageNote(days), validityNote(days)].compactMap { $0 }
    }
}
