import CivilTime
import Foundation

/// A local day and time of day at which conditional restrictions are evaluated.
package struct LocalMoment: Sendable, Hashable {
    /// 1…12.
    var month: Int
    /// 1…31.
    var day: Int
    /// 1 Monday … 7 Sunday.
    var weekday: Int
    /// Minutes from midnight.
    var minute: Int
    /// `nil` where no condition on years and weeks can be decided.
    var year: Int?
    /// The sun at the place of travel; `nil` where no condition on it can be decided.
    var sun: SunTimes?

    package init(month: Int, day: Int, weekday: Int, minute: Int, year: Int? = nil) {
        self.year = year
        self.month = month
        self.day = day
        self.weekday = weekday
        self.minute = minute
    }

    /// A leap year and another, for a moment without a year.
    static let (leapYear, commonYear) = (2024, 2023)

    /// The same time on the day before; without a year the last of February is the 28th.
    var dayBefore: LocalMoment {
        var before = self
        before.weekday = weekday == 1 ? 7 : weekday - 1
        before.day -= 1
        if day == 1 {
            before.month = month == 1 ? 12 : month - 1
            if month == 1 { before.year = year.map { $0 - 1 } }
            before.day = CivilDate.days(inMonth: before.month, year: before.year ?? Self.commonYear)
        }
        return before
    }
}

/// Values of access that apply under a condition, such as `no @ (Nov-Apr); private @ (Mo-Fr 08:00-18:00)`.
///
/// Source: OpenStreetMap wiki, "Conditional restrictions". Supported conditions are those of `opening_hours` and limits of
/// weight and size that no walker and no bicycle reaches; others (weather, kinds of users) are kept as text.
package enum ConditionalAccess {
    package enum Outcome: Sendable, Hashable {
        /// This value applies.
        case value(String)
        /// No condition applies.
        case otherwise
        /// Undetermined: a condition is not supported, or no time was given.
        case unknown
    }

    /// The value at a time.
    package static func value(_ text: String, at now: LocalMoment?) -> Outcome {
        guard let all = clauses(text) else { return .unknown }
        let clauses = all.filter { !$0.isOfVehicles }
        if clauses.isEmpty { return .otherwise }
        guard let now else { return .unknown }
        // The last clause that applies wins.
        for clause in clauses.reversed() {
            switch clause.state(at: now) {
            case .open: return .value(clause.value)
            case .closed: continue
            case .unknown: return .unknown
            }
        }
        return .otherwise
    }

    /// The values that apply at some time; none of conditions that are not understood.
    package static func values(_ text: String) -> [String] {
        (clauses(text) ?? []).filter { !$0.isOfVehicles && $0.isUnderstood }.map(\.value)
    }

    /// Whether every condition of a text is supported.
    static func isUnderstood(_ text: String) -> Bool {
        clauses(text).map { $0.allSatisfy(\.isUnderstood) } ?? false
    }

    private struct Clause {
        var value: String
        /// All must hold, each by one of its alternatives.
        var conditions: [[Condition]]

        var isOfVehicles: Bool { conditions.contains { $0.contains(where: \.isOfVehicles) } }

        var isUnderstood: Bool { conditions.allSatisfy { $0.allSatisfy(\.isUnderstood) } }

        /// Open where all hold, closed where one does not, else unknown.
        func state(at now: LocalMoment) -> OpeningHours.State {
            let states = conditions.map { alternatives -> OpeningHours.State in
                let states = alternatives.map { $0.state(at: now) }
                return states.contains(.open) ? .open : states.contains(.unknown) ? .unknown : .closed
            }
            return states.contains(.closed) ? .closed : states.contains(.unknown) ? .unknown : .open
        }
    }

    /// Ranges of months with days, of weekdays, and of minutes; an empty list always applies.
    private struct Condition {
        var dates: [(from: Int, to: Int)] = []
        var weekdays: [(from: Int, to: Int)] = []
        var minutes: [(from: Int, to: Int)] = []
        /// Never met by walkers and cyclists.
        var isOfVehicles = false
        /// A text of the grammar of `opening_hours`.
        var hours: String?
        var isUnderstood = true

        var isEmpty: Bool { dates.isEmpty && weekdays.isEmpty && minutes.isEmpty }

        /// Whether a weekday or month, perhaps after a comma, begins another condition: `08:00-10:00 Mo` is one.
        func isComplete(before day: String, isListed: Bool) -> Bool {
            let hasDays = !dates.isEmpty || !weekdays.isEmpty
            if !minutes.isEmpty { return isListed || hasDays }
            return isListed && months.contains(day) && !dates.isEmpty && !weekdays.isEmpty
        }

        func state(at now: LocalMoment) -> OpeningHours.State {
            guard isUnderstood else { return .unknown }
            return hours.map { OpeningHours.state($0, at: now) } ?? (holds(at: now) ? .open : .closed)
        }

        private func holds(at now: LocalMoment) -> Bool {
            guard !minutes.isEmpty else { return holds(on: now) }
            return minutes.contains { range in
                if range.from <= range.to {
                    return now.minute >= range.from && now.minute < range.to && holds(on: now)
                }
                // The hours after midnight belong to the day before.
                return now.minute >= range.from && holds(on: now)
                    || now.minute < range.to && holds(on: now.dayBefore)
            }
        }

        private func holds(on day: LocalMoment) -> Bool {
            Self.holds(dates, day.month * 100 + day.day) && Self.holds(weekdays, day.weekday)
        }

        private static func holds(_ ranges: [(from: Int, to: Int)], _ value: Int) -> Bool {
            ranges.isEmpty
                || ranges.contains { range in
                    range.from <= range.to
                        ? value >= range.from && value <= range.to : value >= range.from || value <= range.to
                }
        }
    }

    private static func clauses(_ text: String) -> [Clause]? {
        var clauses: [Clause] = []
        for part in pieces(text) {
            let sides = part.split(separator: "@", maxSplits: 1)
            guard sides.count == 2 else { return nil }
            let value = sides[0].trimmingCharacters(in: .whitespaces)
            var words = sides[1].trimmingCharacters(in: .whitespaces)
            if words.hasPrefix("("), words.hasSuffix(")"), isOneBracket(words) {
                words = String(words.dropFirst().dropLast())
            }
            var conditions: [[Condition]] = []
            for word in self.conditions(words) { conditions.append(condition(word)) }
            guard !value.isEmpty else { return nil }
            clauses.append(Clause(value: value, conditions: conditions))
        }
        return clauses.isEmpty ? nil : clauses
    }

    /// Whether the first bracket ends with the text, unlike `(Mo-Fr) AND (08:00-10:00)`.
    private static func isOneBracket(_ text: String) -> Bool {
        var depth = 0
        for (index, letter) in text.enumerated() {
            if letter == "(" { depth += 1 }
            if letter == ")" { depth -= 1 }
            if depth == 0, index < text.count - 1 { return false }
        }
        return depth == 0
    }

    /// The conditions that must hold together, whatever the case of AND.
    private static func conditions(_ text: String) -> [String] {
        var conditions = [""]
        for word in text.split(whereSeparator: \.isWhitespace) {
            if word.lowercased() == "and" {
                conditions.append("")
            } else {
                conditions[conditions.count - 1] +=
                    (conditions[conditions.count - 1].isEmpty ? "" : " ") + word
            }
        }
        return conditions
    }

    /// The alternatives of a condition. One that is not understood is unknown at any time.
    private static func condition(_ text: String) -> [Condition] {
        var text = text
        // Brackets around it alone.
        if text.hasPrefix("("), text.hasSuffix(")"), !text.dropFirst().dropLast().contains("(") {
            text = String(text.dropFirst().dropLast())
        }
        if let known = alternatives(text) { return known }
        var condition = Condition()
        if OpeningHours.isUnderstood(text) {
            condition.hours = text
        } else {
            condition.isUnderstood = false
        }
        return [condition]
    }

    /// The clauses: semicolons within brackets belong to a condition.
    private static func pieces(_ text: String) -> [String] {
        var (pieces, depth) = ([""], 0)
        for letter in text {
            if letter == "(" { depth += 1 }
            if letter == ")" { depth -= 1 }
            if letter == ";", depth <= 0 {
                pieces.append("")
            } else {
                pieces[pieces.count - 1].append(letter)
            }
        }
        return pieces.filter { !$0.allSatisfy(\.isWhitespace) }
    }

    private static let months = CalendarNames.monthKeys
    private static let weekdays = CalendarNames.weekdayPairs

    /// A condition of words: months, `Jan 15-Mar 31`, `Mo-Fr`, `08:00-18:00`, in this order; a weekday or month
    /// after a time begins an alternative, as in `Mo 08:00-10:00, Tu 14:00-16:00`.
    private static func alternatives(_ text: String) -> [Condition]? {
        if isLimitOfVehicles(text) { return [Condition(isOfVehicles: true)] }
        var alternatives: [Condition] = []
        var condition = Condition()
        let spaced = text.lowercased().replacing("–", with: "-").replacing(", ", with: ",")
            .replacing(" - ", with: "-")
        var words = spaced.split(whereSeparator: \.isWhitespace).map(String.init)
        // `jan 15-mar 31` is one range: three words.
        if words.count >= 3, months.contains(words[0]), let dash = words[1].firstIndex(of: "-"),
            let from = Int(words[1][..<dash]),
            let month = months.firstIndex(of: String(words[1][words[1].index(after: dash)...])),
            let to = Int(words[2]), let first = months.firstIndex(of: words[0]),
            [(first, from), (month, to)].allSatisfy({ month, day in
                (1...CivilDate.days(inMonth: month + 1, year: LocalMoment.leapYear)).contains(day)
            })
        {
            condition.dates.append(((first + 1) * 100 + from, (month + 1) * 100 + to))
            words.removeFirst(3)
        }
        for word in words {
            for (index, part) in word.split(separator: ",").enumerated() {
                let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
                guard let first = ends.first, let last = ends.last, ends.count <= 2 else { return nil }
                let isDay = (months + weekdays).contains(first)
                if isDay, condition.isComplete(before: first, isListed: index > 0) {
                    alternatives.append(condition)
                    condition = Condition()
                }
                if let from = months.firstIndex(of: first), let to = months.firstIndex(of: last) {
                    condition.dates.append(((from + 1) * 100 + 1, (to + 1) * 100 + 31))
                } else if let from = weekdays.firstIndex(of: first), let to = weekdays.firstIndex(of: last) {
                    condition.weekdays.append((from + 1, to + 1))
                } else if ends.count == 2, let from = minute(first), let to = minute(last) {
                    condition.minutes.append((from, to))
                } else {
                    return nil
                }
            }
        }
        alternatives.append(condition)
        // Whether months apply to a later alternative that names none is not defined.
        let areOfSameKind = alternatives.allSatisfy { $0.dates.isEmpty == condition.dates.isEmpty }
        return condition.isEmpty || !areOfSameKind ? nil : alternatives
    }

    /// Whether a condition requires more tonnes or metres than a bicycle has, such as `weight>7.5`.
    private static func isLimitOfVehicles(_ text: String) -> Bool {
        let sides = text.lowercased().split(separator: ">", maxSplits: 1)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard sides.count == 2, ["weight", "axleload", "height", "width", "length"].contains(sides[0]) else {
            return false
        }
        let number = sides[1].drop { $0 == "=" || $0 == " " }.prefix { $0.isNumber || $0 == "." }
        return (Double(number) ?? 0) >= bicycleLimit
    }

    /// No bicycle is heavier in tonnes or larger in metres.
    private static let bicycleLimit = 2.5

    private static func minute(_ text: String) -> Int? {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]), (0...24).contains(hour),
            (0..<60).contains(minute)
        else { return nil }
        return hour * 60 + minute
    }
}
