import CivilTime
import Foundation
import PluginKit

/// What a rider has to know on days on which the clocks change.
enum ClockNotes {
    /// That no clock shows the time that was typed, or that clocks show it twice; `nil` for other times.
    static func typed(_ written: WrittenTime?, _ context: Context, in zone: TimeZone) -> String? {
        guard case .local(let local)? = written else { return nil }
        let now = context.clock.now
        let used = local.moment(now: now, in: zone)
        switch local.clockChange(now: now, in: zone) {
        case nil: return nil
        case .skipped:
            return "no clock shows the time asked for: clocks go forward, and \(text(used, zone)) is used"
        case .repeated(let second):
            return "clocks show the time asked for twice: \(text(used, zone)) is used, the other is "
                + text(second, zone)
        }
    }

    /// A planned time as shown, and as the timetable has it.
    struct Shown {
        /// Seconds since 1970.
        var moment: Int
        /// The zone of the clock that shows it.
        var zone: TimeZone
        /// Seconds of the service day, and the zone in which the timetable counts them; `nil` if the timetable does not have it.
        var scheduled: (seconds: Int, zone: TimeZone)?
    }

    /// That clocks show some of the times twice, or others than the timetable; empty on other days.
    static func shown(_ times: [Shown]) -> [String] {
        var notes: [String] = []
        if let twice = times.first(where: { isRepeated($0.moment, in: $0.zone) }) {
            let (day, clock) = (
                ServiceDay.date(of: twice.moment, in: twice.zone),
                ServiceDay.clock(twice.moment, in: twice.zone)
            )
            notes.append("clocks go back on \(day.text): they show \(clock) twice")
        }
        let other = times.first { time in
            guard let (seconds, zone) = time.scheduled else { return false }
            let local = Timestamp(milliseconds: Int64(time.moment) * 1000).civil(in: zone)
            return (local.millisecondsOfDay / 1000 - seconds) % 86_400 != 0
        }
        if let other, let (seconds, zone) = other.scheduled {
            let last = ServiceDay.date(of: other.moment, in: zone)
            let days = (0...max(0, seconds) / 86_400 + 1).map { last.advanced(by: -$0) }
            let change = days.first { StopBoard.bounds(of: $0, in: zone).count != 86_400 }
            notes.append(
                "clocks change on \((change ?? last).text): \(ServiceDay.scheduled(seconds)) of the timetable, counted from noon "
                    + "minus 12 h, is \(ServiceDay.clock(other.moment, in: zone))")
        }
        return notes
    }

    /// Whether clocks show the time of an instant at another instant, too.
    private static func isRepeated(_ moment: Int, in zone: TimeZone) -> Bool {
        func offset(_ seconds: Int) -> Int {
            zone.offset(at: Timestamp(milliseconds: Int64(seconds) * 1000))
        }
        let (before, after) = (offset(moment - 86_400), offset(moment + 86_400))
        guard before > after else { return false }
        let other = offset(moment) == before ? moment + before - after : moment - before + after
        return offset(other) != offset(moment)
    }

    /// `2026-10-25T02:30+02:00`
    private static func text(_ moment: Timestamp, _ zone: TimeZone) -> String {
        let seconds = Int(moment.seconds.rounded(.down))
        let offset = zone.offset(at: moment) / 60
        let parts = [abs(offset) / 60, abs(offset) % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(ServiceDay.date(of: seconds, in: zone).text)T\(ServiceDay.clock(seconds, in: zone))"
            + (offset < 0 ? "-" : "+") + parts.joined(separator: ":")
    }
}

extension [Departure] {
    /// Its planned times for the notes on clocks.
    func shownTimes(_ feed: Feed) -> [ClockNotes.Shown] {
        map { departure in
            let row = departure.row
            let isPlanned = departure.live?.kind != .added && departure.live?.kind != .changed
            return ClockNotes.Shown(
                moment: row.time, zone: departure.zone,
                scheduled: isPlanned
                    ? (row.start + row.call.offset, feed.zone(ofRoute: row.call.route)) : nil)
        }
    }
}
