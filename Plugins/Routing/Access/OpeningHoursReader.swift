import CivilTime

/// Reads the text of `opening_hours` word by word.
struct OpeningHoursReader {
    private typealias Hours = OpeningHours
    private var rules: [OpeningHours.Rule] = []
    private var rule = OpeningHours.Rule()
    /// The month that days follow, and the first day of a range that ends in another month.
    private var month: Int?
    private var openRange: OpeningHours.DayOfYear?
    /// The first day of a range that ends in another year, and that year.
    private var openDate: CivilDate?
    private var endYear: Int?
    private var expectsWeeks = false
    /// Days that are to be added to what was read last, as in `easter -2 days`.
    private var shift: Int?
    /// What `days` after a number would move.
    private var last = Last.other
    private var isEmpty = true
    private var hasState = false
    private var hasComment = false

    private enum Last {
        case easter, weekday, holiday, week, other
    }

    /// The rules of each group of a text; `nil` if one is not understood.
    static func groups(_ text: String) -> [[OpeningHours.Rule]]? {
        var groups: [[OpeningHours.Rule]] = []
        for group in OpeningHoursWords.split(OpeningHoursWords.plain(text), at: "||") {
            var rules: [OpeningHours.Rule] = []
            for part in OpeningHoursWords.split(group, at: ";") {
                let words = OpeningHoursWords.words(part)
                guard !words.isEmpty else { continue }
                var reader = OpeningHoursReader()
                for word in words { guard reader.read(word) else { return nil } }
                guard reader.isComplete else { return nil }
                rules += reader.finished
            }
            guard !rules.isEmpty else { return nil }
            groups.append(rules)
        }
        return groups.isEmpty ? nil : groups
    }

    // MARK: Rules

    private var isComplete: Bool {
        !isEmpty && openRange == nil && openDate == nil && !expectsWeeks && shift == nil
    }

    /// A comment without a state says that the state depends on it.
    private var finished: [OpeningHours.Rule] {
        guard hasComment, !hasState else { return rules }
        return rules.map {
            var rule = $0
            rule.state = .unknown
            return rule
        }
    }

    private mutating func keep() {
        if isEmpty { rules.append(rule) } else { rules[rules.count - 1] = rule }
        isEmpty = false
    }

    private static let states: [String: OpeningHours.State] = [
        "off": .closed, "closed": .closed, "open": .open, "24/7": .open, "unknown": .unknown,
    ]

    private mutating func read(_ word: OpeningHoursWords.Word) -> Bool {
        if word.text.hasPrefix("\"") {
            hasComment = true
            keep()
            return word.text.count > 1 && word.text.hasSuffix("\"")
        }
        if let days = shift {
            shift = nil
            let parts = word.text.split(separator: "-", maxSplits: 1).map(String.init)
            guard let unit = parts.first, ["day", "days"].contains(unit), move(by: days) else { return false }
            return parts.count == 1 || openRange(to: parts[1])
        }
        if "+-".contains(word.text.first ?? " "), let days = Int(word.text), last != .other {
            guard days.magnitude <= OpeningHours.Settings.mostShift else { return false }
            shift = days
            return true
        }
        let isTime = Self.isTime(word.text)
        let state = Self.states[word.text]
        if !isTime, state == nil, !rule.times.isEmpty {
            // A day after a time begins another rule after a comma, and is out of order without one.
            guard word.isListed || !rule.hasDays else { return false }
            if word.isListed {
                let before = rule
                rule = OpeningHours.Rule()
                rule.isAdditional = true
                // Whether its months apply here too is understood both ways.
                rule.carried = before.hasDates ? [before] : before.carried
                rules.append(rule)
                month = nil
            }
        }
        if let state {
            rule.state = state
            if word.text != "24/7" { hasState = true }
            keep()
            return true
        }
        if !isTime, !word.isListed, isDayOfHolidays(word.text) { rule.isWithinHolidays = true }
        let isRead = isTime ? readTime(word.text) : readDay(word.text)
        keep()
        return isRead
    }

    /// Whether weekdays follow holidays, or holidays weekdays.
    private func isDayOfHolidays(_ text: String) -> Bool {
        ["ph", "sh"].contains(text)
            ? !rule.weekdays.isEmpty : last == .holiday && Self.weekdays(text) != nil
    }

    private mutating func move(by days: Int) -> Bool {
        switch last {
        case .easter:
            guard case .easter = rule.dates.last?.to else { return false }
            // `apr 01-easter +1 day` moves the end only.
            let isDay = if case .easter(0)? = rule.dates.last?.from { true } else { false }
            rule.dates[rule.dates.count - 1].to = .easter(days)
            if isDay { rule.dates[rule.dates.count - 1].from = .easter(days) }
        case .weekday:
            guard !rule.weekdays.isEmpty else { return false }
            rule.weekdays[rule.weekdays.count - 1].shift = days
        // Which day it is moved from is unknown anyway.
        case .holiday: break
        case .week, .other: return false
        }
        last = .other
        keep()
        return true
    }

    /// Makes the day read last the first of a range, as in `easter -2 days-easter`, of which the end or its month was read.
    private mutating func openRange(to end: String) -> Bool {
        guard openRange == nil, case (.easter, .easter)? = rule.dates.last else { return false }
        openRange = rule.dates.removeLast().from
        if let next = Self.months.firstIndex(of: end) {
            month = next + 1
            return true
        }
        return readDay(end)
    }

    // MARK: Times

    private static func isTime(_ text: String) -> Bool {
        text.contains(":") || SunTimes.Event.allCases.contains { text.contains($0.rawValue) }
    }

    private mutating func readTime(_ text: String) -> Bool {
        last = .other
        var text = text[...]
        let isOpenEnd = text.hasSuffix("+")
        if isOpenEnd { text = text.dropLast() }
        var (ends, depth) = ([""], 0)
        for letter in text {
            if letter == "(" { depth += 1 }
            if letter == ")" { depth -= 1 }
            if letter == "-", depth == 0 {
                ends.append("")
            } else {
                ends[ends.count - 1].append(letter)
            }
        }
        let moments = ends.compactMap(Self.moment)
        guard moments.count == ends.count, ends.count <= 2, let from = moments.first,
            from.minutes <= OpeningHours.Settings.dayMinutes
        else { return false }
        let midnight = OpeningHours.Moment(event: nil, minutes: OpeningHours.Settings.dayMinutes)
        guard ends.count == 2 else {
            // A single time is no span, unless it goes on for a time that is not said.
            guard isOpenEnd else { return false }
            rule.times.append(OpeningHours.Span(from: from, to: midnight, isOpenEnd: true))
            return true
        }
        rule.times.append(OpeningHours.Span(from: from, to: moments[1]))
        if isOpenEnd {
            rule.times.append(OpeningHours.Span(from: moments[1], to: midnight, isOpenEnd: true))
        }
        return true
    }

    /// `08:00`, `sunset`, `(sunrise+01:30)`.
    private static func moment(_ text: String) -> OpeningHours.Moment? {
        if let event = SunTimes.Event(rawValue: text) { return OpeningHours.Moment(event: event, minutes: 0) }
        // A plus is also understood without brackets; a minus would be that of a range.
        let isBracketed = text.hasPrefix("(") && text.hasSuffix(")")
        if isBracketed || text.contains("+") {
            let inner = isBracketed ? text.dropFirst().dropLast() : text[...]
            guard let sign = inner.firstIndex(where: { "+-".contains($0) }),
                let event = SunTimes.Event(rawValue: String(inner[..<sign])),
                let minutes = minute(inner[inner.index(after: sign)...])
            else { return nil }
            return OpeningHours.Moment(event: event, minutes: inner[sign] == "-" ? -minutes : minutes)
        }
        return minute(text[...]).map { OpeningHours.Moment(event: nil, minutes: $0) }
    }

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]), parts[1].count == 2,
            (0...48).contains(hour), (0..<60).contains(minute)
        else { return nil }
        return hour * 60 + minute
    }

    // MARK: Days

    private mutating func readDay(_ text: String) -> Bool {
        if last == .week, Int(text.prefix(1)) != nil { return readWeeks(text) }
        last = .other
        if expectsWeeks { return readWeeks(text) }
        if let openDate { return readEnd(text, after: openDate) }
        switch text {
        case "week":
            expectsWeeks = true
            return true
        case "ph", "sh":
            rule.hasHolidays = true
            last = .holiday
            return true
        default: break
        }
        if let start = openRange, let day = dayOfYear(text) {
            openRange = nil
            rule.dates.append((start, day))
            if case .easter = day { last = .easter }
            return true
        }
        if readVariableDate(text) { return true }
        if openRange == nil, let day = Self.weekdays(text) {
            rule.weekdays += day
            last = .weekday
            return true
        }
        if text.count >= 4, text.first?.isNumber == true, let years = Self.stepped(text, endless: true),
            years.range.lowerBound > 1900
        {
            rule.years.append(years)
            return true
        }
        return readDate(text)
    }

    /// The end of a range: a day of the month read before, `easter`, or the nth weekday of that month.
    private func dayOfYear(_ text: String) -> OpeningHours.DayOfYear? {
        if text == "easter" { return .easter(0) }
        guard let month else { return nil }
        if let day = Int(text), (1...Self.longest(month)).contains(day) { return .fixed(month * 100 + day) }
        guard let day = Self.weekdays(text)?.first, day.number != 0 else { return nil }
        return .weekday(month: month, weekday: day.from, number: day.number)
    }

    /// `easter`, and ranges from or to days that differ by year: `easter-oct`, `su[-1]-oct` after a month.
    private mutating func readVariableDate(_ text: String) -> Bool {
        if text == "easter" {
            rule.dates.append((.easter(0), .easter(0)))
            last = .easter
            return true
        }
        let ends = text.split(separator: "-", maxSplits: 1).map(String.init)
        // A minus may be in the brackets.
        let parts = text.split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
        if ends.count == 2, ends[0] == "easter", let next = Self.months.firstIndex(of: ends[1]) {
            (openRange, month) = (.easter(0), next + 1)
            return true
        }
        if let month, parts.count == 2, parts[1].hasPrefix("-"),
            let next = Self.months.firstIndex(of: String(parts[1].dropFirst())),
            let day = Self.weekdays(String(parts[0]) + "]")?.first, day.number != 0
        {
            dropWholeMonth()
            (openRange, self.month) = (
                .weekday(month: month, weekday: day.from, number: day.number), next + 1
            )
            return true
        }
        return false
    }

    private mutating func readWeeks(_ text: String) -> Bool {
        expectsWeeks = false
        guard let weeks = Self.stepped(text), (1...53).contains(weeks.range.lowerBound),
            weeks.range.upperBound <= 53
        else { return false }
        rule.weeks.append(weeks)
        // `week 1,3` goes on.
        last = .week
        return true
    }

    /// `5`, `5-9`, `5-9/2`, and `5+` where numbers have no end.
    private static func stepped(_ text: String, endless: Bool = false) -> (
        range: ClosedRange<Int>, step: Int
    )? {
        if endless, text.hasSuffix("+"), let from = Int(text.dropLast()) { return (from...Int.max, 1) }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let range = range(String(first)) else { return nil }
        let step = parts.count == 2 ? Int(parts[1]) ?? 0 : 1
        return step > 0 ? (range, step) : nil
    }

    /// The days of a month in the longest year.
    private static func longest(_ month: Int) -> Int {
        CivilDate.days(inMonth: month, year: LocalMoment.leapYear)
    }

    private mutating func dropWholeMonth() {
        // The days take the place of the whole month.
        guard let month, case .fixed(month * 100 + 1) = rule.dates.last?.from,
            case .fixed(month * 100 + 31) = rule.dates.last?.to
        else { return }
        rule.dates.removeLast()
    }

    /// `apr`, `apr-oct`, and after a month `10`, `10-20`, or `24-jan` with `2` to come.
    private mutating func readDate(_ text: String) -> Bool {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard ends.count <= 2, let first = ends.first else { return false }
        if let from = Self.months.firstIndex(of: first) {
            if ends.count == 2, ends[1] == "easter" {
                rule.dates.append((.fixed((from + 1) * 100 + 1), .easter(0)))
                last = .easter
                return true
            }
            let end = ends.count == 2 ? Self.months.firstIndex(of: ends[1]) : from
            guard let to = end else { return false }
            month = from + 1
            rule.dates.append((.fixed((from + 1) * 100 + 1), .fixed((to + 1) * 100 + 31)))
            return true
        }
        guard let month, openRange == nil,
            let from = Int(first.hasSuffix("+") ? String(first.dropLast()) : first),
            (1...Self.longest(month)).contains(from)
        else { return false }
        dropWholeMonth()
        if first.hasSuffix("+") {
            rule.dates.append((.fixed(month * 100 + from), .fixed(1231)))
            return ends.count == 1
        }
        guard ends.count == 2 else {
            rule.dates.append((.fixed(month * 100 + from), .fixed(month * 100 + from)))
            return true
        }
        if ends[1] == "easter" {
            rule.dates.append((.fixed(month * 100 + from), .easter(0)))
            last = .easter
            return true
        }
        if let year = Self.year(ends[1]), let first = rule.years.last?.range, first.count == 1 {
            rule.years.removeLast()
            // In `2025,2026 Dec 20-2027 Jan 10` it is not certain what the first year means.
            guard rule.years.isEmpty else { return false }
            (openDate, endYear) = (CivilDate(year: first.lowerBound, month: month, day: from), year)
            // The end has a month of its own.
            self.month = nil
            return openDate != nil
        }
        if let next = Self.months.firstIndex(of: ends[1]) {
            openRange = .fixed(month * 100 + from)
            self.month = next + 1
            return true
        }
        let parts = ends[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let to = Int(parts[0]), (from...Self.longest(month)).contains(to) else {
            return false
        }
        guard parts.count == 2 else {
            rule.dates.append((.fixed(month * 100 + from), .fixed(month * 100 + to)))
            return true
        }
        // Each nth day, as in `jan 02-30/2`.
        guard let step = Int(parts[1]), step > 0, step <= Self.longest(month) else { return false }
        for day in stride(from: from, through: to, by: step) {
            rule.dates.append((.fixed(month * 100 + day), .fixed(month * 100 + day)))
        }
        return true
    }

    /// The month and the day at the end of a range that begins in another year: `2026 dec 20-2027 jan 10`.
    private mutating func readEnd(_ text: String, after first: CivilDate) -> Bool {
        if let next = Self.months.firstIndex(of: text) {
            month = next + 1
            return true
        }
        guard let month, let endYear, let day = Int(text),
            let end = CivilDate(year: endYear, month: month, day: day), first <= end
        else { return false }
        rule.spans.append(first...end)
        (openDate, self.endYear) = (nil, nil)
        return true
    }

    private static func year(_ text: String) -> Int? {
        text.count == 4 ? Int(text).flatMap { $0 > 1900 ? $0 : nil } : nil
    }

    /// `3` or `3-5`.
    static func range(_ text: String) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard let first = ends.first, let from = first, let last = ends.last, let to = last,
            ends.count <= 2,
            from <= to
        else { return nil }
        return from...to
    }

    private static let months = CalendarNames.monthKeys
}
