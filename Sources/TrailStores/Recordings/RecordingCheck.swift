import CivilTime
import Formats
import Geodesy
import PluginKit

/// Looks for what cannot be right in a recording: jumps, times that run backwards, impossible elevations.
public struct RecordingCheck: Sendable {
    /// Doubts in words, each with the point (counted from 1).
    public let warnings: [String]

    /// Checks a line.
    public init(_ line: GPXLine) {
        var jumps: [String] = []
        var backwards: [String] = []
        var heights: [String] = []
        var untimed = 0
        var unknown = 0
        var first: Timestamp?
        var latest: Timestamp?
        var number = 0
        let isOnFoot = ["hiking", "walking", "running"].contains(line.type?.lowercased() ?? "")
        let fastest = isOnFoot ? RecordingSettings.fastestOnFoot : RecordingSettings.fastest
        for segment in line.segments {
            var last: GPXPoint?
            for point in segment {
                number += 1
                if let time = point.time {
                    first = min(first ?? time, time)
                    latest = max(latest ?? time, time)
                } else {
                    untimed += 1
                }
                if point.coordinate.altitude == nil { unknown += 1 }
                if let height = point.coordinate.altitude, !RecordingSettings.elevations.contains(height) {
                    heights.append("elevation of \(Literal.number(height.rounded()))m at point \(number)")
                }
                if let last {
                    let step = last.coordinate.distance(to: point.coordinate)
                    let seconds = last.time.flatMap { start in point.time.map { $0.seconds(since: start) } }
                    if let seconds, seconds < 0 {
                        backwards.append("time runs back by \(Literal.duration(-seconds)) at point \(number)")
                    }
                    if Self.isJump(step, seconds, fastest) {
                        let length = Literal.quantity(.metres(step.rounded()))
                        let time = seconds.map { " in \(Literal.duration(max(0, $0)))" } ?? ""
                        jumps.append("jump of \(length)\(time) to point \(number)")
                    }
                }
                last = point
            }
        }
        var all = Self.listed(jumps, "jumps") + Self.listed(backwards, "points whose time runs back")
        all += Self.listed(heights, "impossible elevations")
        if number > 0, untimed == number {
            all.append("no times: start, end and speed are unknown")
        } else if untimed > 0 {
            all.append("\(untimed) of \(number) points have no time")
        }
        if let first, let latest { all += Self.clock(first, latest, of: number - untimed) }
        if number > 0, unknown == number {
            all.append("no elevations: gain and loss are unknown")
        } else if unknown > 0 {
            all.append("\(unknown) of \(number) points have no elevation")
        }
        warnings = all
    }

    /// Doubts about the times as a whole: a clock that was never set, or that stood still.
    private static func clock(_ first: Timestamp, _ last: Timestamp, of count: Int) -> [String] {
        var doubts: [String] = []
        if let year = RecordingSettings.strangeYear(first) ?? RecordingSettings.strangeYear(last) {
            doubts.append("times in the year \(year): the clock was not set")
        }
        if first == last, count > 1 {
            doubts.append("all \(count) times are the same: duration and speed are unknown")
        }
        return doubts
    }

    /// Whether a step is faster than possible; without times, whether it is too long.
    public static func isJump(_ step: Double, _ seconds: Double?, _ fastest: Double) -> Bool {
        guard let seconds, seconds > 0 else { return step > RecordingSettings.longestStep }
        return step > RecordingSettings.leastJump && step / seconds > fastest
    }

    private static func listed(_ found: [String], _ what: String) -> [String] {
        guard found.count > RecordingSettings.listedWarnings else { return found }
        return found.prefix(RecordingSettings.listedWarnings)
            + ["\(found.count - RecordingSettings.listedWarnings) more \(what)"]
    }
}
