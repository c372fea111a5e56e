/// Times as people type them: `tomorrow 22:00`, `friday 8am`, `8:15 pm`, `22h30`, `in 20 min`, `2026-02-06 8:15`.
///
/// A day and a time in either order; a day alone begins at midnight, a time alone is one of today. What could be understood in two
/// ways, such as `next friday`, `12/02` or a bare number, is not read.
enum TypedTime {
    static func read(_ text: String) -> LocalTime? {
        guard text.utf8.count <= longest else { return nil }
        var words = text.lowercased().split { $0 == " " || $0 == "," }.map(String.init)
        words.removeAll { $0 == "at" || $0 == "on" }
        guard let first = words.first else { return nil }
        if first == "in" || first.hasPrefix("+") {
            let rest =
                first == "in" ? Array(words.dropFirst()) : [String(first.dropFirst())] + words.dropFirst()
            return duration(rest).map { .later($0) }
        }
        words = joiningHalves(words)
        switch words.count {
        case 1: return day(words[0])?.at(0) ?? time(words[0]).map { .timeOfDay($0) }
        case 2:
            if let day = day(words[0]), let time = time(words[1]) { return day.at(time) }
            if let time = time(words[0]), let day = day(words[1]) { return day.at(time) }
            return nil
        default: return nil
        }
    }

    /// Characters that are looked at.
    private static let longest = 60
    /// Days that a duration from now may have at most.
    private static let mostDays = 3660

    // MARK: Days

    private enum Day {
        case relative(Int)
        case weekday(Int)
        case date(CivilDate)

        func at(_ milliseconds: Int) -> LocalTime {
            switch self {
            case .relative(let days): .relativeDay(days, milliseconds: milliseconds)
            case .weekday(let number): .weekday(number, milliseconds: milliseconds)
            case .date(let date): .dateTime(days: date.daysSinceEpoch, milliseconds: milliseconds)
            }
        }
    }

    private static let weekdays = CalendarNames.weekdays.map { $0.lowercased() }
    /// Letters of a weekday that are enough.
    private static let fewestLetters = 3

    private static func day(_ word: String) -> Day? {
        switch word {
        case "today": return .relative(0)
        case "tomorrow": return .relative(1)
        case "yesterday": return .relative(-1)
        default: break
        }
        if word.count >= fewestLetters, let index = weekdays.firstIndex(where: { $0.hasPrefix(word) }) {
            return .weekday(index + 1)
        }
        guard let parts = ISO8601.parts(word), parts.millisecondsOfDay == nil else { return nil }
        return .date(parts.date)
    }

    // MARK: Times of a day

    /// `8 pm` as one word.
    private static func joiningHalves(_ words: [String]) -> [String] {
        words.reduce(into: []) { all, word in
            if ["am", "pm", "a.m.", "p.m."].contains(word), let last = all.last, last.last?.isNumber == true {
                all[all.count - 1] = last + word
            } else {
                all.append(word)
            }
        }
    }

    /// Milliseconds of the day of `22:00`, `8:15`, `22h`, `22h30`, `8am`, `8:15pm`, `noon`.
    private static func time(_ word: String) -> Int? {
        if word == "noon" { return 12 * 3_600_000 }
        if let exact = ISO8601.timeOfDay(word) { return exact }
        var text = word.replacing(".m.", with: "m")
        var half: Bool?
        if text.hasSuffix("am") || text.hasSuffix("pm") {
            half = text.hasSuffix("pm")
            text.removeLast(2)
        }
        var mark: Character = ":"
        if half == nil, text.contains("h") { mark = "h" }
        let parts = text.split(separator: mark, maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        guard let hour = number(parts[0], digits: 1...2) else { return nil }
        let minute: Int
        switch (parts.count, mark) {
        case (1, _):
            // A bare number is none.
            guard half != nil else { return nil }
            minute = 0
        case (_, "h") where parts[1].isEmpty: minute = 0
        default:
            guard let read = number(parts[1], digits: 2...2), read < 60 else { return nil }
            minute = read
        }
        guard let half else { return hour < 24 ? (hour * 60 + minute) * 60_000 : nil }
        guard (1...12).contains(hour) else { return nil }
        return ((hour % 12 + (half ? 12 : 0)) * 60 + minute) * 60_000
    }

    private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    // MARK: Durations

    private static let units: [(names: [String], milliseconds: Int)] = [
        (["min", "mins", "minute", "minutes"], 60_000), (["h", "hour", "hours", "hrs", "hr"], 3_600_000),
        (["d", "day", "days"], 86_400_000), (["s", "sec", "second", "seconds"], 1000),
    ]

    /// Milliseconds of `2 hours`, `20min`, `1h 30min`.
    private static func duration(_ words: [String]) -> Int? {
        var rest = words.joined()[...]
        var total = 0
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            let name = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(name.count)
            guard let count = number(String(digits), digits: 1...6),
                let unit = units.first(where: { $0.names.contains(String(name)) })
            else { return nil }
            total += count * unit.milliseconds
        }
        return total <= mostDays * 86_400_000 ? total : nil
    }
}
