import CivilTime
import Foundation
import Geodesy
import PluginKit

/// The names and values available to an expression besides the row.
struct Scope: Sendable {
    var variables: [String: Value]
    /// The references of the expression, resolved before it runs.
    var references: [String: Value]
    /// The values of pipelines in brackets, by start offset; they ran before the expression.
    var pipelines: [Int: Value] = [:]
    /// The values of aggregates, by start offset.
    var aggregates: [Int: Value]?
    var time: TimeContext
    /// The units in which quantities in text are printed.
    var units = UnitSystem.metric
    /// Regular expressions that were compiled for an earlier row.
    let patterns = PatternCache()
}

/// Resolves written times to instants.
struct TimeContext: Sendable {
    var clock: SessionClock
    var timeZone: TimeZone

    func moment(_ time: LocalTime) -> Timestamp { time.moment(now: clock.now, in: timeZone) }

    /// The day and time of an instant in the session's zone.
    func civil(_ moment: Timestamp) -> CivilDateTime { moment.civil(in: timeZone) }

    /// The instant a calendar period later, at the same time of day; `nil` outside the calendar.
    func moment(_ moment: Timestamp, later period: CalendarPeriod) -> Timestamp? {
        let start = civil(moment)
        guard let date = start.date.advanced(by: period), (0...9999).contains(date.year) else { return nil }
        return local(days: date.daysSinceEpoch, milliseconds: start.millisecondsOfDay)
    }

    /// The instant of a wall-clock time in the session's zone.
    func local(days: Int, milliseconds: Int) -> Timestamp {
        LocalTime.dateTime(days: days, milliseconds: milliseconds).moment(now: clock.now, in: timeZone)
    }
}
