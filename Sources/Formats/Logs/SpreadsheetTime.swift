import CivilTime

/// A date and a time of day as spreadsheets write them: `6/7/2026 8:00`, `06.07.2026 08:00:00`, `06-07-2026 8:00:00 PM`.
struct SpreadsheetTime {
    /// Whether the day or the month comes first.
    enum Order: Sendable { case day, month }

    /// The first two numbers of the date.
    let numbers: (Int, Int)
    let year: Int
    /// The order, as far as the text shows it: a month above 12 is none, and dates with points begin with the day. Clocks that count
    /// twice to 12 show none: dates begin with the month in the United States, with the day in Australia and India.
    let order: Order?
    /// Whether the order is that of the language alone.
    let isOrderDoubtful: Bool
    /// The time of day as ISO 8601 writes it, with its zone if it has one.
    private let clock: String

    /// `nil` for a text of another form.
    init?(_ text: String) {
        let parts = text.split(maxSplits: 1) { $0 == " " || $0 == "T" || $0 == "," }
        guard parts.count == 2, let sign = parts[0].first(where: { "/.-".contains($0) }) else { return nil }
        let date = parts[0].split(separator: sign, omittingEmptySubsequences: false)
        guard date.count == 3, date.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) }),
            date[0].count <= 2, date[1].count <= 2, date[2].count == 4 || date[2].count == 2 && sign != "-",
            let first = Int(date[0]), let second = Int(date[1]), let year = Int(date[2]),
            let clock = Self.clock(parts[1].drop { $0 == " " })
        else { return nil }
        numbers = (first, second)
        self.year = date[2].count == 4 ? year : (year < LogSettings.firstShortYear ? 2000 : 1900) + year
        self.clock = clock
        let shown: Order? = first > 12 ? .day : second > 12 ? .month : sign == "." ? .day : nil
        order = shown
        isOrderDoubtful = shown == nil && first != second
    }

    /// The moment by an order of the numbers, and whether the text names its zone; `nil` for one that is none.
    func moment(_ order: Order) -> (time: Timestamp, hasZone: Bool)? {
        let (day, month) = order == .day ? numbers : (numbers.1, numbers.0)
        guard let date = CivilDate(year: year, month: month, day: day) else { return nil }
        let text = "\(date.text)T\(clock)"
        guard let time = ISO8601.timestamp(text) else { return nil }
        return (time, ISO8601.hasZone(Array(text.utf8)[...]))
    }

    /// `8:00`, `8:00:00.5 PM`, `08:00:00 UTC` as ISO 8601 writes them.
    private static func clock(_ text: Substring) -> String? {
        let digits = text.prefix { $0.isNumber || $0 == ":" || $0 == "." }
        var words = text.dropFirst(digits.count).uppercased().split(separator: " ").joined()
        var parts = digits.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (2...3).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }), var hour = Int(parts[0]),
            parts[1].count == 2
        else { return nil }
        let half = ["AM", "PM"].first(where: words.hasPrefix)
        if let half {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (half == "PM" ? 12 : 0)
            words = String(words.dropFirst(half.count))
        }
        parts[0] = hour < 10 ? "0\(hour)" : "\(hour)"
        if parts.count == 2 { parts.append("00") }
        return parts.joined(separator: ":") + (words == "UTC" || words == "GMT" ? "Z" : words)
    }
}
