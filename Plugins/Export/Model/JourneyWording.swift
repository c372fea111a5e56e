import CivilTime
import Foundation
import Geodesy
import PluginKit

/// Formats numbers and times in reports.
struct JourneyWording: Sendable {
    /// Metres and kilometres, or feet and miles.
    let units: UnitSystem
    /// The time zone of written times.
    let timeZone: TimeZone
    /// Placeholder of a value that was not recorded.
    static let missing = "N/A"

    private static let feet = 0.3048
    private static let mile = 1609.344
    private static let months = CalendarNames.months

    func distance(_ metres: Double?) -> String {
        guard let metres, metres.isFinite else { return Self.missing }
        switch units {
        case .metric: return metres < 1000 ? fixed(metres, 0) + " m" : fixed(metres / 1000, 2) + " km"
        case .imperial:
            let miles = metres / Self.mile
            return miles < 0.1 ? fixed(metres / Self.feet, 0) + " ft" : fixed(miles, 2) + " mi"
        }
    }

    func height(_ metres: Double?) -> String {
        guard let metres, metres.isFinite else { return Self.missing }
        return units == .metric ? fixed(metres, 0) + " m" : fixed(metres / Self.feet, 0) + " ft"
    }

    func speed(_ metresPerSecond: Double?) -> String {
        guard let speed = metresPerSecond, speed.isFinite else { return Self.missing }
        return units == .metric
            ? fixed(speed * 3.6, 1) + " km/h" : fixed(speed * 3600 / Self.mile, 1) + " mph"
    }

    func heartRate(_ beats: Double?) -> String {
        guard let beats, beats.isFinite else { return Self.missing }
        return fixed(beats, 0) + " bpm"
    }

    func calories(_ kilocalories: Double?) -> String {
        guard let kilocalories, kilocalories.isFinite else { return Self.missing }
        return fixed(kilocalories, 0) + " kcal"
    }

    func duration(_ seconds: Double?) -> String {
        guard let seconds, seconds.isFinite, seconds >= 0, seconds < 1e11 else { return Self.missing }
        let whole = Int(seconds.rounded())
        if whole < 60 { return "\(whole) s" }
        let minutes = (whole + 30) / 60
        if minutes < 60 { return "\(minutes) min" }
        return "\(minutes / 60) h \(Self.two(minutes % 60)) min"
    }

    func place(_ coordinate: Coordinate) -> String {
        let decimals = ExportSettings.shownAngleDecimals
        return "\(fixed(coordinate.latitude, decimals)), \(fixed(coordinate.longitude, decimals))"
    }

    /// `6 February 2026`
    func day(_ moment: Timestamp) -> String {
        let date = local(moment).date
        return "\(date.day) \(Self.months[max(0, min(11, date.month - 1))]) \(date.year)"
    }

    /// `2026-02-06`
    func isoDay(_ moment: Timestamp) -> String {
        local(moment).date.text
    }

    /// `08:15`
    func time(_ moment: Timestamp) -> String {
        let minutes = local(moment).minutesOfDay
        return "\(Self.two(minutes / 60)):\(Self.two(minutes % 60))"
    }

    /// `08:15` on the day of the start, `7 Feb 08:15` later in that year, otherwise `2027-02-06`: short, for
    /// tables.
    func time(_ moment: Timestamp, from start: Timestamp?) -> String {
        let date = local(moment).date
        guard let begin = start.map({ local($0).date }), begin.year == date.year else {
            return isoDay(moment)
        }
        if begin == date { return time(moment) }
        return "\(date.day) \(Self.months[max(0, min(11, date.month - 1))].prefix(3)) \(time(moment))"
    }

    /// `6 February 2026, 08:15 to 14:02 (UTC)`
    func span(_ start: Timestamp, _ end: Timestamp) -> String {
        let zone = " (\(zone(start)))"
        let begin = "\(day(start)), \(time(start))"
        if day(start) == day(end) {
            return time(start) == time(end) ? begin + zone : "\(begin) to \(time(end))\(zone)"
        }
        return "\(begin) to \(day(end)), \(time(end))\(zone)"
    }

    /// `UTC`, `UTC+01:00`
    private func zone(_ moment: Timestamp) -> String {
        let minutes = offset(moment) / 60
        if minutes == 0 { return "UTC" }
        let sign = minutes < 0 ? "−" : "+"
        return "UTC\(sign)\(Self.two(abs(minutes) / 60)):\(Self.two(abs(minutes) % 60))"
    }

    private func offset(_ moment: Timestamp) -> Int {
        timeZone.offset(at: moment) / 60 * 60
    }

    private func local(_ moment: Timestamp) -> CivilDateTime { moment.civil(offset: offset(moment)) }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    private func fixed(_ value: Double, _ decimals: Int) -> String {
        DecimalText.fixed(value, decimals: decimals)
    }
}
