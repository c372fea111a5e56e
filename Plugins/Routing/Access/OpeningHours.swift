import CivilTime

/// Evaluates `opening_hours`: rules of years, months, weeks, weekdays and times, of which later ones replace earlier ones.
///
/// Source: OpenStreetMap wiki, "Key:opening_hours/specification". Whether a day is a public or school holiday is unknown; it
/// counts where it would change the answer. So do comments, open ends, and the sun within a few minutes of its rise and set.
struct OpeningHours {
    enum State: Sendable, Hashable {
        case open
        case closed
        case unknown
    }

    enum Settings {
        static let dayMinutes = 1440
        /// Minutes around an event of the sun within which it is unknown whether it is over: the place on the way, the
        /// horizon, and the refraction differ.
        static let sunDoubt = 10
        /// The most days by which a day is moved, as in `easter -2 days`: more is a mistake.
        static let mostShift = 366
    }

    /// The state at a moment; unknown without one.
    static func state(_ text: String, at now: LocalMoment?) -> State {
        if isNeverOpen(text) { return .closed }
        guard let now, let hours = OpeningHours(text) else { return .unknown }
        return hours.state(at: now)
    }

    /// Whether a text says that something is closed at all times.
    static func isNeverOpen(_ text: String) -> Bool { neverOpen.contains(text.lowercased()) }

    private static let neverOpen: Set<String> = ["off", "closed", "24/7 off", "24/7 closed"]

    /// Whether a text is understood, so that it has a state at some moments.
    static func isUnderstood(_ text: String) -> Bool { OpeningHours(text) != nil }

    /// The rules; those of a further group apply where none of the groups before it does.
    let groups: [[Rule]]
    /// Whether a rule says when it is not closed. Rules that only close leave it unsaid when it is open: the evaluators take it
    /// as closed always, their authors mean that it is open otherwise.
    private let saysMore: Bool

    /// `nil` for a text that is not evaluated.
    init?(_ text: String) {
        guard let groups = OpeningHoursReader.groups(text) else { return nil }
        self.groups = groups
        saysMore = groups.contains { $0.contains { $0.state != .closed } }
    }

    func state(at now: LocalMoment) -> State {
        let states = [
            state(on: now, now.minute), state(on: now.dayBefore, now.minute + Settings.dayMinutes),
        ]
        return states.contains(.open) ? .open : states.contains(.unknown) ? .unknown : .closed
    }

    /// The state that the rules of a day give to a minute from its midnight, which may be on the next day.
    private func state(on day: LocalMoment, _ minute: Int) -> State {
        for (number, group) in groups.enumerated() {
            let (state, isDecided) = state(of: group, on: day, minute)
            // What comes after midnight is decided by the next day.
            if isDecided || number == groups.count - 1 || minute >= Settings.dayMinutes { return state }
        }
        return .closed
    }

    /// The state by a group, and whether one of its rules is about the minute.
    private func state(of group: [Rule], on day: LocalMoment, _ minute: Int) -> (State, Bool) {
        // The night after a day is that of the next.
        var state = saysMore || minute >= Settings.dayMinutes ? State.closed : .unknown
        var isDecided = false
        for rule in group {
            let match = rule.matches(day)
            guard match != .no else { continue }
            let covers = rule.covers(minute, on: day)
            var next = state
            switch (rule.state, covers) {
            case (.closed, .yes): next = .closed
            case (.closed, .maybe): if state != .closed { next = .unknown }
            case (.closed, .no): break
            case (let own, .yes): next = own
            case (let own, .maybe): if own != state { next = .unknown }
            case (_, .no): if !rule.isAdditional { next = .closed }
            }
            if covers != .no { isDecided = true }
            state = match == .maybe && next != state ? .unknown : next
        }
        return (state, isDecided)
    }
}

extension OpeningHours {
    enum Match: Sendable {
        case yes
        case no
        case maybe
    }

    struct Weekdays {
        /// 1 Monday … 7 Sunday; a range may go over Sunday.
        var from: Int
        var to: Int
        /// Which of the month from its begin, or with a minus from its end; 0 for each.
        var number: Int
        /// Days after it.
        var shift = 0

        func holds(_ day: LocalMoment) -> Bool {
            var day = day
            if shift != 0 {
                guard let date = day.date else { return false }
                day = LocalMoment(date.advanced(by: -shift))
            }
            let isIn =
                from <= to
                ? day.weekday >= from && day.weekday <= to : day.weekday >= from || day.weekday <= to
            guard isIn, number != 0 else { return isIn }
            let left = CivilDate.days(inMonth: day.month, year: day.year ?? LocalMoment.commonYear) - day.day
            return number > 0 ? (day.day - 1) / 7 + 1 == number : left / 7 + 1 == -number
        }
    }

    /// A day of each year.
    enum DayOfYear {
        /// Month × 100 + day.
        case fixed(Int)
        /// The nth weekday of a month, from its end with a minus.
        case weekday(month: Int, weekday: Int, number: Int)
        /// Days after Easter Sunday.
        case easter(Int)

        /// Month × 100 + day; `nil` where the year is unknown but decides.
        func value(in year: Int?) -> Int? {
            switch self {
            case .fixed(let value): return value
            case .easter(let shift):
                guard let year, let date = CivilDate.easter(of: year)?.advanced(by: shift) else { return nil }
                return date.month * 100 + date.day
            case .weekday(let month, let weekday, let number):
                guard let year else { return nil }
                let length = CivilDate.days(inMonth: month, year: year)
                let days = (1...length).filter {
                    CivilDate(year: year, month: month, day: $0)?.isoWeekday == weekday
                }
                let index = number > 0 ? number - 1 : days.count + number
                return days.indices.contains(index) ? month * 100 + days[index] : nil
            }
        }
    }

    /// A time of day: minutes from midnight, or from an event of the sun.
    struct Moment {
        var event: SunTimes.Event?
        var minutes: Int

        func value(on day: LocalMoment) -> Int? {
            guard let event else { return minutes }
            guard let date = day.date, let sun = day.sun?.minute(of: event, on: date) else { return nil }
            return sun + minutes
        }
    }

    /// Times of a day; the end may be after midnight.
    struct Span {
        var from: Moment
        var to: Moment
        /// Whether it is not known if it is over earlier.
        var isOpenEnd = false

        func covers(_ minute: Int, on day: LocalMoment) -> Match {
            guard let start = from.value(on: day), var end = to.value(on: day) else { return .maybe }
            if end <= start { end += Settings.dayMinutes }
            for (bound, moment) in [(start, from), (end, to)]
            where moment.event != nil && abs(minute - bound) <= Settings.sunDoubt { return .maybe }
            guard minute >= start, minute < end else { return .no }
            return isOpenEnd ? .maybe : .yes
        }
    }

    struct Rule {
        var years: [(range: ClosedRange<Int>, step: Int)] = []
        var dates: [(from: DayOfYear, to: DayOfYear)] = []
        /// Ranges that begin in one year and end in another.
        var spans: [ClosedRange<CivilDate>] = []
        var weeks: [(range: ClosedRange<Int>, step: Int)] = []
        var weekdays: [Weekdays] = []
        var hasHolidays = false
        /// Whether its weekdays are meant only where they are holidays, as in `SH Mo-Fr`; after a comma both are meant.
        var isWithinHolidays = false
        var times: [Span] = []
        var state = State.open
        /// Whether it adds to the rules before instead of replacing them.
        var isAdditional = false
        /// The rule before, if this one may be limited to its dates.
        var carried: [Rule] = []

        var hasDays: Bool { hasDates || !weekdays.isEmpty || hasHolidays }
        var hasDates: Bool { !years.isEmpty || !dates.isEmpty || !spans.isEmpty || !weeks.isEmpty }

        /// Whether a minute from the midnight of a day is in its times. A day that is off has no night after it either.
        func covers(_ minute: Int, on day: LocalMoment) -> Match {
            if times.isEmpty { return state == .closed || minute < Settings.dayMinutes ? .yes : .no }
            let all = times.map { $0.covers(minute, on: day) }
            return all.contains(.yes) ? .yes : all.contains(.maybe) ? .maybe : .no
        }

        func matches(_ day: LocalMoment) -> Match {
            let own = holds(day)
            guard own == .yes, !hasDates, let before = carried.first else { return own }
            return before.dates(day) == .yes ? .yes : .maybe
        }

        private func holds(_ day: LocalMoment) -> Match {
            let dates = dates(day)
            guard dates == .yes else { return dates }
            guard !weekdays.isEmpty || hasHolidays else { return .yes }
            if weekdays.contains(where: { $0.holds(day) }) { return isWithinHolidays ? .maybe : .yes }
            return hasHolidays && !isWithinHolidays ? .maybe : .no
        }

        private func dates(_ day: LocalMoment) -> Match {
            if !years.isEmpty || !weeks.isEmpty || !spans.isEmpty, day.date == nil { return .maybe }
            if let date = day.date, spans.contains(where: { $0.contains(date) }) { return .yes }
            if !spans.isEmpty, dates.isEmpty { return .no }
            func isIn(_ value: Int, _ ranges: [(range: ClosedRange<Int>, step: Int)]) -> Bool {
                ranges.contains { $0.range.contains(value) && (value - $0.range.lowerBound) % $0.step == 0 }
            }
            if !years.isEmpty, let year = day.year, !isIn(year, years) { return .no }
            if !weeks.isEmpty, let week = day.week, !isIn(week, weeks) { return .no }
            if !dates.isEmpty {
                let value = day.month * 100 + day.day
                let all = dates.map { span -> Match in
                    guard let from = span.from.value(in: day.year), let to = span.to.value(in: day.year)
                    else {
                        return .maybe
                    }
                    let isIn = from <= to ? value >= from && value <= to : value >= from || value <= to
                    return isIn ? .yes : .no
                }
                return all.contains(.yes) ? .yes : all.contains(.maybe) ? .maybe : .no
            }
            return .yes
        }
    }
}

extension LocalMoment {
    /// The day; `nil` without a year.
    var date: CivilDate? {
        year.flatMap { CivilDate(year: $0, month: month, day: day) }
    }

    fileprivate init(_ date: CivilDate) {
        self.init(month: date.month, day: date.day, weekday: date.isoWeekday, minute: 0, year: date.year)
    }

    /// The ISO week: the one of its Thursday.
    fileprivate var week: Int? {
        guard let date else { return nil }
        let thursday = date.advanced(by: 4 - date.isoWeekday)
        guard let first = CivilDate(year: thursday.year, month: 1, day: 1) else { return nil }
        return (thursday.daysSinceEpoch - first.daysSinceEpoch) / 7 + 1
    }
}

extension CivilDate {
    /// Easter Sunday of the Gregorian calendar.
    ///
    /// Method: Meeus, Jones and Butcher (anonymous, 1876).
    fileprivate static func easter(of year: Int) -> CivilDate? {
        let (a, b, c) = (year % 19, year / 100, year % 100)
        let h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30
        let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7
        let sum = h + l - 7 * ((a + 11 * h + 22 * l) / 451) + 114
        return CivilDate(year: year, month: sum / 31, day: sum % 31 + 1)
    }
}
