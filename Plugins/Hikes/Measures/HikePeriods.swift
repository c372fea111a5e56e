import CivilTime
import Foundation
import TrailStores

/// Hikes grouped by days, weeks, months or years of their start, in a time zone.
struct HikePeriods {
    /// A period with its hikes.
    struct Period {
        /// Its first day; `nil` for hikes without times.
        let start: CivilDate?
        /// The displayed name: `2026-02`.
        let name: String
        var hikes: [Hike]

        var distance: Double { hikes.reduce(0) { $0 + $1.distance } }
        var longest: Double { hikes.map(\.distance).max() ?? 0 }
        /// Hikes with elevations.
        var climbing: [Hike] { hikes.filter(\.isClimbKnown) }
        /// Hikes with times.
        var timed: [Hike] { hikes.filter(\.areTimesKnown) }
    }

    /// Oldest first; hikes without times last.
    let periods: [Period]

    init(_ hikes: [Hike], by unit: CalendarPeriod.Unit, zone: TimeZone) {
        var groups: [CivilDate: [Hike]] = [:]
        for hike in hikes where hike.areTimesKnown {
            groups[Self.start(of: Self.day(hike, zone), unit), default: []].append(hike)
        }
        let untimed = hikes.filter { !$0.areTimesKnown }
        periods =
            groups.sorted { $0.key < $1.key }.map {
                Period(start: $0.key, name: Self.name($0.key, unit), hikes: $0.value)
            } + (untimed.isEmpty ? [] : [Period(start: nil, name: "unknown", hikes: untimed)])
    }

    /// The day on which a hike began.
    static func day(_ hike: Hike, _ zone: TimeZone) -> CivilDate {
        hike.startTime.civil(in: zone).date
    }

    private static func start(of day: CivilDate, _ unit: CalendarPeriod.Unit) -> CivilDate {
        switch unit {
        case .day: day
        case .week: day.advanced(by: 1 - day.isoWeekday)
        case .month: CivilDate(year: day.year, month: day.month, day: 1) ?? day
        case .year: CivilDate(year: day.year, month: 1, day: 1) ?? day
        }
    }

    /// `2026`, `2026-02`, `2026-W06` (ISO 8601: the week belongs to the year of its Thursday), `2026-02-06`.
    private static func name(_ start: CivilDate, _ unit: CalendarPeriod.Unit) -> String {
        switch unit {
        case .day: return start.text
        case .month: return String(start.text.dropLast(3))
        case .year: return String(format: "%04d", start.year)
        case .week:
            let thursday = start.advanced(by: 3)
            let first = CivilDate(year: thursday.year, month: 1, day: 1) ?? thursday
            let week = (thursday.daysSinceEpoch - first.daysSinceEpoch) / 7 + 1
            return String(format: "%04d-W%02d", thursday.year, week)
        }
    }
}
