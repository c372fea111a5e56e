import CivilTime
import Foundation

/// The services of each day, from calendar and its exceptions.
struct ServiceCalendar: Sendable {
    /// The weekly rule of a service.
    struct Week: Sendable {
        /// Monday in bit 0 … Sunday in bit 6.
        var days: Int
        var start: CivilDate
        var end: CivilDate
    }

    /// Whether a service runs on a day, and the rule behind it.
    enum Verdict: Sendable, Hashable {
        case added, removed, weekday, otherWeekday, outside, unknown

        /// Whether the service runs.
        var runs: Bool { self == .added || self == .weekday }
    }

    private(set) var services = KeyTable()
    private var weeks: [Week?] = []
    /// Exceptions by days since 1970.
    private var exceptions: [Int: [(service: Int32, isAdded: Bool)]] = [:]
    /// The same by services.
    private var exceptionsOf: [[(day: Int, isAdded: Bool)]] = []
    /// The first and the last day with possible service.
    private(set) var span: ClosedRange<CivilDate>?

    /// The number of services.
    var count: Int { services.count }

    /// Adds a row of `calendar`.
    mutating func add(week: Week, of service: UnsafeRawBufferPointer) {
        weeks[index(of: service)] = week
        if week.days & 0x7F != 0, week.start <= week.end {
            widen(to: week.start)
            widen(to: week.end)
        }
    }

    /// Adds a row of `calendar_dates`.
    mutating func add(exception date: CivilDate, isAdded: Bool, of service: UnsafeRawBufferPointer) {
        let index = index(of: service)
        exceptions[date.daysSinceEpoch, default: []].append((Int32(index), isAdded))
        exceptionsOf[index].append((date.daysSinceEpoch, isAdded))
        if isAdded { widen(to: date) }
    }

    private mutating func index(of service: UnsafeRawBufferPointer) -> Int {
        let found = services.add(service)
        if found.isNew {
            weeks.append(nil)
            exceptionsOf.append([])
        }
        return found.index
    }

    private mutating func widen(to date: CivilDate) {
        guard let known = span else {
            span = date...date
            return
        }
        span = min(known.lowerBound, date)...max(known.upperBound, date)
    }

    /// The services that run on a day, by their numbers.
    func active(on date: CivilDate) -> ActiveServices {
        var runs = weeks.map { week in week.map { Self.covers($0, date) } ?? false }
        for exception in exceptions[date.daysSinceEpoch] ?? [] {
            runs[Int(exception.service)] = exception.isAdded
        }
        return ActiveServices(runs: runs, count: runs.count { $0 })
    }

    /// The first day, from a given day on, on which one of some services runs; `nil` if there is none.
    ///
    /// Derived from the rules instead of day by day, so that years without service cost nothing.
    func firstDay(from date: CivilDate, of services: some Sequence<Int>) -> CivilDate? {
        services.compactMap { firstDay(from: date, of: $0) }.min()
    }

    private func firstDay(from date: CivilDate, of service: Int) -> CivilDate? {
        let first = date.daysSinceEpoch
        // As in `active(on:)`, the last of several exceptions for a day is used.
        let rules = Dictionary(
            exceptionsOf[service].lazy.filter { $0.day >= first }.map { ($0.day, $0.isAdded) },
            uniquingKeysWith: { _, last in last })
        var found = rules.lazy.filter(\.value).map(\.key).min()
        if let week = weeks[service], week.days & 0x7F != 0 {
            let end = min(week.end.daysSinceEpoch, found ?? .max)
            var day = max(first, week.start.daysSinceEpoch)
            // At most a week plus the removed days.
            while day <= end {
                if rules[day] == nil, Self.covers(week, CivilDate(daysSinceEpoch: day)) {
                    found = day
                    break
                }
                day += 1
            }
        }
        return found.map { CivilDate(daysSinceEpoch: $0) }
    }

    private static func covers(_ week: Week, _ date: CivilDate) -> Bool {
        week.start <= date && date <= week.end && week.days >> date.weekday & 1 == 1
    }

    /// Whether a service runs on a day, and the rule behind it.
    func verdict(_ service: String, on date: CivilDate) -> (verdict: Verdict, week: Week?) {
        guard let index = services.find(service) else { return (.unknown, nil) }
        let week = weeks[index]
        if let exception = exceptions[date.daysSinceEpoch]?.last(where: { $0.service == Int32(index) }) {
            return (exception.isAdded ? .added : .removed, week)
        }
        guard let week else { return (.unknown, nil) }
        guard week.start <= date && date <= week.end else { return (.outside, week) }
        return (Self.covers(week, date) ? .weekday : .otherWeekday, week)
    }
}

/// The services of one day.
struct ActiveServices: Sendable {
    /// By service number.
    let runs: [Bool]
    /// The number of services.
    let count: Int
}
