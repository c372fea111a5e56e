import CivilTime

/// Times of files that do not write them by the rules of their format.
enum RecordedTime {
    /// What is said of a time in another notation than that of the format.
    static let otherNotation = "times in another notation than ISO 8601, read as what they say"
    /// What is said of a time that names no zone.
    static let withoutZone = "times without a zone, taken as UTC"
    /// What is said of a time whose day and month nothing tells apart.
    static let unordered = "times unknown: their dates may begin with the day or the month"

    /// The moment of a text that is none by ISO 8601, whether it names its zone, and what is said of it; `nil` for no time at all.
    static func repaired(_ text: String) -> (time: Timestamp, hasZone: Bool, doubt: String)? {
        if let western = DecimalBytes.western(text) {
            if let time = ISO8601.timestamp(western) {
                return (time, ISO8601.hasZone(Array(western.utf8)[...]), DecimalBytes.foreignDigits)
            }
            return repaired(western)
        }
        if let number = DecimalBytes.decimal(text), let time = LogSettings.epoch(number) {
            return (time, true, "times that are numbers, read as time since 1970")
        }
        if let time = buddhistLeapDay(text) {
            return (time, ISO8601.hasZone(Array(text.utf8)[...]), leapDay)
        }
        if let written = TimeNotation.read(text) { return (written.time, written.hasZone, otherNotation) }
        guard let dated = SpreadsheetTime(text), !dated.isOrderDoubtful,
            let moment = dated.moment(dated.order ?? .day)
        else { return nil }
        return (moment.time, moment.hasZone, otherNotation)
    }

    private static let leapDay =
        "times of 29 February of the Buddhist calendar, read as those 543 years before"

    /// The moment of a 29 February by the Buddhist calendar, in a year that has none by ours; `nil` for another text.
    private static func buddhistLeapDay(_ text: String) -> Timestamp? {
        guard text.dropFirst(4).hasPrefix("-02-29"), let year = Int(text.prefix(4)) else { return nil }
        let time = ISO8601.timestamp("\(year - PlausibleSettings.buddhistLead)\(text.dropFirst(4))")
        return time.flatMap { PlausibleSettings.years.contains($0) ? $0 : nil }
    }

    /// What is said of a text that is no time, or one of an unknown order.
    static func refusal(_ text: String) -> String {
        SpreadsheetTime(text)?.isOrderDoubtful == true ? unordered : "times that are none, left out"
    }
}
