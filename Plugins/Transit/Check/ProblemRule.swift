/// The rule that a problem of an import breaks. The reader's messages are for people; only this type maps
/// them to codes, and a test checks every message.
enum ProblemRule {
    private static let dates: Set<String> = ["date", "start_date", "end_date"]
    private static let times: Set<String> = ["arrival_time", "departure_time", "start_time", "end_time"]
    private static let floats: Set<String> = ["stop_lat", "stop_lon", "shape_pt_lat", "shape_pt_lon"]
    private static let enums: Set<String> = [
        "location_type", "exception_type", "pickup_type", "drop_off_type", "monday", "tuesday", "wednesday",
        "thursday",
        "friday",
        "saturday", "sunday",
    ]
    /// Wordings that identify one rule each.
    private static let wordings: [(part: String, rule: FeedRule)] = [
        ("the period overlaps", .overlappingFrequency), ("duplicate", .duplicateKey),
        ("unknown time zone", .invalidTimezone),
        ("no agency has a time zone", .invalidTimezone), ("the time zone is missing", .missingField),
        ("is not that of the other agencies", .inconsistentTimezone), ("unknown parent_station", .foreignKey),
        ("a station has no parent_station", .stationWithParent), ("parent_station ", .wrongParent),
        ("neither calendar.txt nor", .missingCalendars), (" has no ", .missingFile),
        ("is repeated", .duplicateColumn),
        ("the column ", .missingColumn), ("more values than columns", .invalidRowLength),
        ("no trip can stop there", .locationWithStopTime),
        ("first and the last stop of a trip require", .missingTripEdge),
        (" lost ", .missingTripEdge), ("time goes backwards", .timeTravel),
        ("is before start_", .rangeOutOfOrder),
        ("is before start", .rangeOutOfOrder), ("only one point", .singleShapePoint),
        ("not UTF-8", .invalidCharacter),
        ("control characters around", .whitespace), ("not HH:MM:SS", .invalidTime),
        ("stop_lat is missing", .stopWithoutLocation), ("stop_lon is missing", .stopWithoutLocation),
        (" is empty", .missingField),
        (" is missing", .missingField),
    ]

    /// The rule of a problem; `nil` if the canonical validator has none.
    static func rule(_ text: String) -> FeedRule? {
        for prefix in ["invalid ", "unknown "]
        where text.hasPrefix(prefix) && !text.hasPrefix("unknown time zone") {
            if prefix == "unknown " { return .foreignKey }
            let column = String(text.dropFirst(prefix.count).prefix { $0 != " " })
            if dates.contains(column) { return .invalidDate }
            if times.contains(column) { return .invalidTime }
            let value = field(text).value ?? ""
            if floats.contains(column) { return Double(value) == nil ? .invalidFloat : .numberOutOfRange }
            // The reader rejects a whole number that the column may not have.
            if enums.contains(column) { return Int(value) == nil ? .invalidInteger : .unexpectedEnum }
            if !column.contains("_") { return nil }
            return Int(value) == nil ? .invalidInteger : .numberOutOfRange
        }
        if let found = wordings.first(where: { text.contains($0.part) }) { return found.rule }
        // The CSV reader's message about a damaged record.
        return text.contains(", line ") ? .csvParsingFailed : nil
    }

    /// The column and the value in a problem's text: the word before a value in backquotes.
    static func field(_ text: String) -> (field: String?, value: String?) {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        guard parts.count >= 3 else {
            let first = text.prefix { $0 != " " }
            return (first.contains("_") ? String(first) : nil, nil)
        }
        let words = parts[0].split(separator: " ").filter { $0 != "is" }
        return (words.last.flatMap { $0.contains("_") ? String($0) : nil }, String(parts[1]))
    }
}
