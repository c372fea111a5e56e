import CivilTime

/// The days that a date of a map may mean: `2014-03` is one of 31.
///
/// Source: OpenStreetMap wiki, "Key:start_date"; Extended Date/Time Format, level 1.
struct MapDate: Sendable, Hashable {
    let first: CivilDate
    let last: CivilDate

    /// Years by which `~1850` may be wrong.
    private static let margin = 10
    private static let approximate = ["~", "ca. ", "c. ", "circa ", "about ", "early ", "mid ", "late "]
    private static let before = ["before ", "<"]
    private static let after = ["after ", ">"]
    /// The first and the last year of the calendar.
    private static let years = 0...9999

    private init?(_ first: CivilDate?, _ last: CivilDate?) {
        guard let first, let last, first <= last else { return nil }
        (self.first, self.last) = (first, last)
    }

    private init?(years: ClosedRange<Int>) {
        self.init(
            CivilDate(year: years.lowerBound, month: 1, day: 1),
            CivilDate(year: years.upperBound, month: 12, day: 31))
    }

    /// `nil` for a text that is no date.
    init?(_ text: String) {
        let text = text.lowercased()
        func rest(after prefixes: [String]) -> String? {
            prefixes.first(where: text.hasPrefix).map { String(text.dropFirst($0.count)) }
        }
        if let date = rest(after: Self.before) {
            self.init(CivilDate(year: Self.years.lowerBound, month: 1, day: 1), MapDate(date)?.last)
        } else if let date = rest(after: Self.after) {
            self.init(MapDate(date)?.first, CivilDate(year: Self.years.upperBound, month: 12, day: 31))
        } else if let date = rest(after: Self.approximate) {
            self.init(about: MapDate(date))
        } else if let end = text.last, "?~%".contains(end) {
            self.init(about: MapDate(String(text.dropLast())))
        } else if let dots = text.firstRange(of: "..") {
            self.init(
                MapDate(String(text[..<dots.lowerBound]))?.first,
                MapDate(String(text[dots.upperBound...]))?.last)
        } else {
            self.init(single: text)
        }
    }

    private init?(about date: MapDate?) {
        guard let date else { return nil }
        self.init(years: date.first.year - Self.margin...date.last.year + Self.margin)
    }

    /// `1860s`, `C18`, or a day, a month or a year in figures, which a time may follow.
    private init?(single text: String) {
        if text.hasSuffix("s"), let year = Self.number(text.dropLast()), year % 10 == 0 {
            self.init(years: year...year + (year % 100 == 0 ? 99 : 9))
            return
        }
        if text.hasPrefix("c"), let century = Self.number(text.dropFirst()), (1...99).contains(century) {
            self.init(years: (century - 1) * 100...century * 100)
            return
        }
        let day = text.prefix { $0 != " " && $0 != "t" }
        let parts = day.split(omittingEmptySubsequences: false) { "-./".contains($0) }
        let numbers = parts.compactMap(Self.number)
        guard numbers.count == parts.count, let index = parts.firstIndex(where: { $0.count == 4 }) else {
            return nil
        }
        switch (numbers.count, index) {
        case (1, 0): self.init(years: numbers[0]...numbers[0])
        case (2, _):
            let (year, month) = (numbers[index], numbers[1 - index])
            guard let first = CivilDate(year: year, month: month, day: 1) else { return nil }
            let length = CivilDate.days(inMonth: month, year: year)
            self.init(first, CivilDate(year: year, month: month, day: length))
        case (3, 0):
            let date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
            self.init(date, date)
        case (3, 2):
            // Whether the day or the month is first is not said.
            let dates = [(numbers[0], numbers[1]), (numbers[1], numbers[0])].compactMap {
                CivilDate(year: numbers[2], month: $1, day: $0)
            }
            self.init(dates.min(), dates.max())
        default: return nil
        }
    }

    private static func number(_ text: Substring) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
    }
}
