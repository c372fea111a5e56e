import CivilTime

/// Evaluates `opening_hours`: rules of years, months, weeks, weekdays and times, of which later ones replace earlier ones.
///
/// Source: OpenStreetMap wiki, "Key:opening_hours/specification". Sunrise and sunset, school holidays, fallbacks (`||`) and
/// comments are not evaluated: such a text is unknown. Whether a day is a public holiday is unknown; it counts where it
/// would change the answer.
struct OpeningHours {
    enum State: Sendable, Hashable {
        case open
        case closed
        case unknown
    }

    /// The state at a moment; unknown without one.
    static func state(_ text: String, at now: LocalMoment?) -> State {
        guard let now, let hours = OpeningHours(text) else { return .unknown }
        return hours.state(at: now)
    }

    private enum Match {
        case yes
        case no
        case maybe
    }

    private struct Weekdays {
        /// 1 Monday … 7 Sunday; a range may go over Sunday.
        var from: Int
        var to: Int
        /// Which of the month from its begin, or with a minus from its end; 0 for each.
        var number: Int

        func holds(_ day: LocalMoment) -> Bool {
            let isIn =
                from <= to
                ? day.weekday >= from && day.weekday <= to : day.weekday >= from || day.weekday <= to
            guard isIn, number != 0 else { return isIn }
            let left = CivilDate.days(inMonth: day.month, year: day.year ?? LocalMoment.commonYear) - day.day
            return number > 0 ? (day.day - 1) / 7 + 1 == number : left / 7 + 1 == -number
        }
    }

    private struct Rule {
        var years: [ClosedRange<Int>] = []
        /// Days of a year as month × 100 + day; a range may go over its end.
        var dates: [(from: Int, to: Int)] = []
        var isEaster = false
        var weeks: [(range: ClosedRange<Int>, step: Int)] = []
        var weekdays: [Weekdays] = []
        var hasHolidays = false
        /// Minutes from midnight; beyond 1440 they are on the next day.
        var times: [Range<Int>] = []
        var isOff = false
        /// Whether it adds to the rules before instead of replacing them.
        var isAdditional = false

        var hasDays: Bool { hasDates || !weekdays.isEmpty || hasHolidays }
        var hasDates: Bool { !years.isEmpty || !dates.isEmpty || isEaster || !weeks.isEmpty }

        /// Whether a minute from the midnight of a day is in its times.
        func covers(_ minute: Int) -> Bool {
            times.isEmpty ? minute < OpeningHours.dayMinutes : times.contains { $0.contains(minute) }
        }

        func matches(_ day: LocalMoment) -> Match {
            let date = day.month * 100 + day.day
            if !years.isEmpty || isEaster || !weeks.isEmpty, day.date == nil { return .maybe }
            if !years.isEmpty, let year = day.year, !years.contains(where: { $0.contains(year) }) {
                return .no
            }
            if !weeks.isEmpty, let week = day.week,
                !weeks.contains(where: {
                    $0.range.contains(week) && (week - $0.range.lowerBound) % $0.step == 0
                })
            {
                return .no
            }
            if !dates.isEmpty || isEaster {
                let isIn = dates.contains { span in
                    span.from <= span.to
                        ? date >= span.from && date <= span.to : date >= span.from || date <= span.to
                }
                guard isIn || isEaster && day.isEaster else { return .no }
            }
            guard !weekdays.isEmpty || hasHolidays else { return .yes }
            if weekdays.contains(where: { $0.holds(day) }) { return .yes }
            return hasHolidays ? .maybe : .no
        }
    }

    private static let dayMinutes = 1440
    private let rules: [Rule]

    private func state(at now: LocalMoment) -> State {
        let states = [
            state(on: now, now.minute), state(on: now.dayBefore, now.minute + Self.dayMinutes),
        ]
        return states.contains(.open) ? .open : states.contains(.unknown) ? .unknown : .closed
    }

    /// The state that the rules of a day give to a minute from its midnight, which may be on the next day.
    private func state(on day: LocalMoment, _ minute: Int) -> State {
        var state = State.closed
        for rule in rules {
            let match = rule.matches(day)
            guard match != .no else { continue }
            var next = state
            if rule.isOff {
                if rule.times.isEmpty || rule.covers(minute) { next = .closed }
            } else if rule.covers(minute) {
                next = .open
            } else if !rule.isAdditional {
                next = .closed
            }
            state = match == .maybe && next != state ? .unknown : next
        }
        return state
    }

    // MARK: Reading

    /// `nil` for a text that is not evaluated.
    private init?(_ text: String) {
        guard !text.contains("\""), !text.contains("||") else { return nil }
        var rules: [Rule] = []
        for part in text.lowercased().replacing("–", with: "-").split(separator: ";") {
            let words = Self.words(part)
            guard !words.isEmpty else { continue }
            var reader = Reader()
            for word in words { guard reader.read(word) else { return nil } }
            guard reader.isComplete else { return nil }
            rules += reader.rules
        }
        guard !rules.isEmpty else { return nil }
        self.rules = rules
    }

    private struct Word {
        var text: String
        /// Whether a comma, not only a space, stands before it.
        var isListed: Bool
    }

    /// The words between spaces and commas, except for commas in brackets.
    private static func words(_ text: Substring) -> [Word] {
        var words: [Word] = []
        var (word, isListed, depth) = ("", false, 0)
        func close() {
            guard !word.isEmpty else { return }
            words.append(Word(text: word.hasSuffix(":") ? String(word.dropLast()) : word, isListed: isListed))
            (word, isListed) = ("", false)
        }
        for letter in text {
            if letter == "[" { depth += 1 }
            if letter == "]" { depth -= 1 }
            if depth == 0, letter == "," || letter.isWhitespace {
                close()
                if letter == "," { isListed = true }
            } else {
                word.append(letter)
            }
        }
        close()
        return words
    }

    /// Reads the words of one rule and of those that it is followed by after commas.
    private struct Reader {
        var rules: [Rule] = []
        private var rule = Rule()
        /// The month that days follow, and the first day of a range that ends in another month.
        private var month: Int?
        private var openRange: Int?
        private var expectsWeeks = false
        private var isEmpty = true

        var isComplete: Bool { !isEmpty && openRange == nil && !expectsWeeks }

        private mutating func keep() {
            if isEmpty { rules.append(rule) } else { rules[rules.count - 1] = rule }
            isEmpty = false
        }

        mutating func read(_ word: Word) -> Bool {
            let isTime = word.text.contains(":")
            let isState = ["off", "closed", "open", "24/7"].contains(word.text)
            if !isTime, !isState, !rule.times.isEmpty {
                // A day after a time begins another rule after a comma, and is out of order without one.
                guard word.isListed || !rule.hasDays else { return false }
                if word.isListed {
                    rule = Rule()
                    rule.isAdditional = true
                    rules.append(rule)
                    month = nil
                }
            }
            let isRead = isTime ? readTime(word.text) : isState ? readState(word.text) : readDay(word.text)
            keep()
            return isRead
        }

        private mutating func readState(_ text: String) -> Bool {
            rule.isOff = text == "off" || text == "closed"
            return true
        }

        private mutating func readTime(_ text: String) -> Bool {
            let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minute)
            guard ends.count == 2, let from = ends[0], var to = ends[1] else { return false }
            if to <= from { to += OpeningHours.dayMinutes }
            rule.times.append(from..<to)
            return true
        }

        private static func minute(_ text: Substring) -> Int? {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]),
                (0...48).contains(hour), (0..<60).contains(minute)
            else { return nil }
            return hour * 60 + minute
        }

        private mutating func readDay(_ text: String) -> Bool {
            if expectsWeeks { return readWeeks(text) }
            switch text {
            case "week":
                expectsWeeks = true
                return true
            case "easter":
                rule.isEaster = true
                return true
            case "ph":
                rule.hasHolidays = true
                return true
            default: break
            }
            if let day = Self.weekdays(text) {
                rule.weekdays += day
                return true
            }
            if text.count >= 4, let years = Self.range(text), years.lowerBound > 1900 {
                rule.years.append(years)
                return true
            }
            return readDate(text)
        }

        private mutating func readWeeks(_ text: String) -> Bool {
            expectsWeeks = false
            let parts = text.split(separator: "/")
            guard let first = parts.first, let range = Self.range(String(first)),
                (1...53).contains(range.lowerBound),
                range.upperBound <= 53, parts.count <= 2
            else { return false }
            let step = parts.count == 2 ? Int(parts[1]) ?? 0 : 1
            guard step > 0 else { return false }
            rule.weeks.append((range, step))
            return true
        }

        /// `apr`, `apr-oct`, and after a month `10`, `10-20`, or `24-jan` with `2` to come.
        private mutating func readDate(_ text: String) -> Bool {
            let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard ends.count <= 2, let first = ends.first else { return false }
            if let from = OpeningHours.months.firstIndex(of: first) {
                let last = ends.count == 2 ? OpeningHours.months.firstIndex(of: ends[1]) : from
                guard let to = last else { return false }
                month = from + 1
                rule.dates.append(((from + 1) * 100 + 1, (to + 1) * 100 + 31))
                return true
            }
            guard let month, let from = Int(first), (1...31).contains(from) else { return false }
            if let start = openRange {
                guard ends.count == 1 else { return false }
                openRange = nil
                rule.dates.append((start, month * 100 + from))
                return true
            }
            // The days take the place of the whole month.
            if let whole = rule.dates.last, whole.from == month * 100 + 1, whole.to == month * 100 + 31 {
                rule.dates.removeLast()
            }
            guard ends.count == 2 else {
                rule.dates.append((month * 100 + from, month * 100 + from))
                return true
            }
            if let next = OpeningHours.months.firstIndex(of: ends[1]) {
                openRange = month * 100 + from
                self.month = next + 1
                return true
            }
            guard let to = Int(ends[1]), (from...31).contains(to) else { return false }
            rule.dates.append((month * 100 + from, month * 100 + to))
            return true
        }

        private static func range(_ text: String) -> ClosedRange<Int>? {
            let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard let first = ends.first, let from = first, let last = ends.last, let to = last,
                ends.count <= 2,
                from <= to
            else { return nil }
            return from...to
        }

        private static func weekdays(_ text: String) -> [Weekdays]? {
            let parts = text.split(separator: "[", maxSplits: 1)
            guard let name = parts.first else { return nil }
            let ends = name.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard ends.count <= 2, let first = ends.first, let last = ends.last,
                let from = OpeningHours.days.firstIndex(of: first),
                let to = OpeningHours.days.firstIndex(of: last)
            else { return nil }
            guard parts.count == 2 else { return [Weekdays(from: from + 1, to: to + 1, number: 0)] }
            guard parts[1].hasSuffix("]"), from == to else { return nil }
            var found: [Weekdays] = []
            for item in parts[1].dropLast().split(separator: ",") {
                let numbers: ClosedRange<Int>
                if let one = Int(item) {
                    numbers = one...one
                } else if let several = range(String(item)) {
                    numbers = several
                } else {
                    return nil
                }
                for number in numbers where number != 0 && abs(number) <= 5 {
                    found.append(Weekdays(from: from + 1, to: to + 1, number: number))
                }
            }
            return found.isEmpty ? nil : found
        }
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let days = ["mo", "tu", "we", "th", "fr", "sa", "su"]
}

extension LocalMoment {
    fileprivate var date: CivilDate? {
        year.flatMap { CivilDate(year: $0, month: month, day: day) }
    }

    /// The ISO week: the one of its Thursday.
    fileprivate var week: Int? {
        guard let date else { return nil }
        let thursday = date.advanced(by: 4 - date.isoWeekday)
        guard let first = CivilDate(year: thursday.year, month: 1, day: 1) else { return nil }
        return (thursday.daysSinceEpoch - first.daysSinceEpoch) / 7 + 1
    }

    /// Whether it is Easter Sunday.
    ///
    /// Method: Meeus, Jones and Butcher (anonymous, 1876).
    fileprivate var isEaster: Bool {
        guard let year else { return false }
        let (a, b, c) = (year % 19, year / 100, year % 100)
        let h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30
        let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7
        let sum = h + l - 7 * ((a + 11 * h + 22 * l) / 451) + 114
        return month == sum / 31 && day == sum % 31 + 1
    }
}
