import CivilTime

/// Texts of a column that are all names of months, names of weekdays, quarters of years, or weeks or months by their numbers: a
/// reader expects the calendar's order of them, letters have another.
struct CalendarWords {
    private enum Kind: String {
        case month = "names of months", weekday = "names of weekdays", quarter = "quarters of years"
        /// A week or month by its number behind its year, such as `2026-W9` and `2026-10`.
        case period = "weeks or months of years"
    }

    /// What all texts so far are; `nil` before the first and where they differ.
    private var kind: Kind?
    private var isMixed = false
    private var first = ""
    private var other: String?
    /// Whether all are the short names of months that a pattern of dates reads.
    private var isShort = true
    /// The same of the long names.
    private var isLong = true

    /// Takes a text that stands for no missing value.
    mutating func take(_ text: String) {
        if isMixed { return }
        guard let found = Self.kind(of: text), kind == nil || kind == found else {
            isMixed = true
            return
        }
        isShort = isShort && text.count == Self.keyLength
        isLong = isLong && (text.count > Self.keyLength || text.lowercased() == "may")
        guard kind != nil else { return (kind, first) = (found, text) }
        let differs =
            switch found {
            case .month, .weekday: text != first
            // Quarters of one year have the order of their letters.
            case .quarter: Self.year(text) != Self.year(first)
            // So have numbers of two digits each.
            case .period: text.utf8.count != first.utf8.count
            }
        if differs, other == nil { other = text }
    }

    /// What is compared by letters, in words; `nil` where a reader expects that.
    var doubt: String? {
        guard !isMixed, let kind, let other else { return nil }
        return "`\(first.prefix(Self.longest))` and `\(other.prefix(Self.longest))` are \(kind.rawValue)"
    }

    /// Whether the numbers in the texts have the calendar's order.
    var isCounted: Bool { kind == .period && !isMixed }

    /// The number of a month for a field, of which the order is the calendar's; `nil` for what no function reads.
    func number(_ field: String?) -> String? {
        guard kind == .month, isShort || isLong else { return nil }
        return "month(date(\(Evaluator.reference(to: field)) + ' 2000', '\(isShort ? "MMM" : "MMMM") yyyy'))"
    }

    private static let keyLength = 3
    private static let longest = 20
    private static let months = names(CalendarNames.months, keys: CalendarNames.monthKeys)
    private static let weekdays = names(CalendarNames.weekdays, keys: CalendarNames.weekdayKeys)

    private static func names(_ long: [String], keys: [String]) -> Set<String> {
        Set(long.map { $0.lowercased() } + keys)
    }

    private static func kind(of text: String) -> Kind? {
        guard text.utf8.count <= longest else { return nil }
        if year(text) != nil { return .quarter }
        if isPeriod(text) { return .period }
        let word = text.lowercased()
        return months.contains(word) ? .month : weekdays.contains(word) ? .weekday : nil
    }

    private static func isPeriod(_ text: String) -> Bool {
        let year = text.utf8.prefix(yearDigits)
        var rest = text.utf8.dropFirst(yearDigits)
        func isNumber(_ bytes: some Collection<UInt8>) -> Bool { bytes.allSatisfy { (48...57).contains($0) } }
        guard year.count == yearDigits, isNumber(year), let separator = rest.first,
            " -/W".utf8.contains(separator)
        else { return false }
        rest = rest.drop { " -/W".utf8.contains($0) }
        return (1...2).contains(rest.count) && isNumber(rest)
    }

    private static let yearDigits = 4

    /// The year of a quarter whose number stands before it, as in `Q1 2026`, `Q1/26`, `1Q26`.
    private static func year(_ text: String) -> Substring? {
        let head = text.prefix(2).uppercased()
        guard head.count == 2, head.contains("Q"), head.contains(where: { "1234".contains($0) }) else {
            return nil
        }
        let rest = text.dropFirst(2).drop { " -/'".contains($0) }
        return (rest.count == 2 || rest.count == 4) && rest.allSatisfy(\.isWholeNumber) ? rest : nil
    }
}
