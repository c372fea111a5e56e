/// A number of days, weeks, months or years of the calendar, which are of different lengths.
public struct CalendarPeriod: Sendable, Hashable {
    /// What is counted.
    public enum Unit: String, Sendable, CaseIterable {
        /// Days of the calendar: 23 to 25 hours where clocks are changed.
        case day
        /// Seven days.
        case week
        /// Months; the 31st becomes the last day of a shorter one.
        case month
        /// Years; 29 February becomes the 28th.
        case year

        /// A unit as written: `month` or `months`.
        public init?(word: String) {
            guard let unit = Unit(rawValue: word.hasSuffix("s") ? String(word.dropLast()) : word) else {
                return nil
            }
            self = unit
        }
    }

    /// How many; negative for the past.
    public var count: Int
    /// The unit that is counted.
    public var unit: Unit

    /// A period.
    public init(count: Int, unit: Unit) {
        self.count = count
        self.unit = unit
    }
}

extension CivilDate {
    /// The day a period later; or the month's last day if it is too short. `nil` outside the years -9999 to 9999.
    public func advanced(by period: CalendarPeriod) -> CivilDate? {
        guard abs(period.count) < 4_000_000 else { return nil }
        switch period.unit {
        case .day: return checked(advanced(by: period.count))
        case .week: return checked(advanced(by: 7 * period.count))
        case .month, .year:
            let months = year * 12 + month - 1 + period.count * (period.unit == .year ? 12 : 1)
            let (newYear, newMonth) = (
                Int((Double(months) / 12).rounded(.down)), ((months % 12) + 12) % 12 + 1
            )
            let lastDay = CivilDate.days(inMonth: newMonth, year: newYear)
            return CivilDate(year: newYear, month: newMonth, day: min(day, lastDay)).flatMap(checked)
        }
    }

    private func checked(_ date: CivilDate) -> CivilDate? { abs(date.year) <= 9999 ? date : nil }

    /// The day of the week by ISO 8601: 1 is Monday, 7 is Sunday.
    public var isoWeekday: Int { ((daysSinceEpoch + 3) % 7 + 7) % 7 + 1 }
}
