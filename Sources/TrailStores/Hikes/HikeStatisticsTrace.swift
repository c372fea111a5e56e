import CivilTime
import Core
import Geodesy
import PluginKit

extension HikeStatistics {
    /// Records how climbs and rests are counted, by the same rules.
    public func trace<T: TraceRecorder>(
        _ segments: [[TrackPoint]], _ method: Method, into log: inout T
    ) {
        log.record(
            .start(
                [
                    ("points", .integer(segments.reduce(0) { $0 + $1.count })),
                    ("segments", .integer(segments.count)),
                    ("smoothing", .integer(method.smoothingPoints)),
                    ("threshold", .quantity(.metres(method.climbThreshold))),
                    ("restSpeed", .quantity(.metresPerSecond(method.restSpeed))),
                    ("pause", .quantity(.seconds(method.restDuration))),
                ], why: "receivers are noisy: \(method.description)"))
        var first = 0
        for points in segments {
            Self.traceClimbs(points, from: first, method, &log)
            Self.traceRests(points, from: first, method, &log)
            first += points.count
        }
        log.record(
            .end(
                [
                    ("distance", .quantity(.metres(distance))),
                    ("gain", knowsClimb ? .quantity(.altitude(gain)) : .nothing),
                    ("loss", knowsClimb ? .quantity(.altitude(loss)) : .nothing),
                    ("walking", .quantity(.seconds(walkingTime))),
                    ("resting", .quantity(.seconds(restingTime))),
                ],
                why: knowsClimb
                    ? "the climbs, descents and rests that count are summed"
                    : "fewer than two elevations are known: the climb is unknown, not zero"))
    }

    private static func traceClimbs<T: TraceRecorder>(
        _ points: [TrackPoint], from first: Int, _ method: Method, _ log: inout T
    ) {
        let known = points.indices.filter { points[$0].coordinate.altitude != nil }
        let heights = known.compactMap { points[$0].coordinate.altitude }
        let smooth = Climb.smoothed(heights, over: method.smoothingPoints)
        guard var anchor = smooth.first else { return }
        for (index, height) in smooth.enumerated() {
            let change = height - anchor
            let counts = abs(change) >= method.climbThreshold
            if index == 0 || (!counts && change == 0) { continue }
            let from = anchor
            log.record(
                TraceStep(
                    "climb",
                    [
                        ("point", .integer(first + known[index] + 1)),
                        ("measured", .quantity(.altitude(heights[index]))),
                        ("smoothed", .quantity(.altitude(height))), ("anchor", .quantity(.altitude(from))),
                        ("change", .quantity(.altitude(change))), ("counts", .boolean(counts)),
                    ],
                    why: counts
                        ? "the move from the anchor reaches the threshold: it counts, and the anchor moves here"
                        : "less than the threshold from the anchor: it may be noise, and the anchor stays"))
            if counts { anchor = height }
        }
    }

    private static func traceRests<T: TraceRecorder>(
        _ points: [TrackPoint], from first: Int, _ method: Method, _ log: inout T
    ) {
        var (slow, way) = (0.0, 0.0)
        var start: Timestamp?
        func ended(at index: Int, _ log: inout T) {
            guard slow > 0 else { return }
            let isRest = slow >= method.restDuration
            let seconds = slow
            log.record(
                TraceStep(
                    "rest",
                    [
                        ("point", .integer(first + index + 1)), ("lasted", .quantity(.seconds(seconds))),
                        ("counts", .boolean(isRest)),
                    ],
                    why: isRest
                        ? "slower than the limit for long enough: a rest"
                        : "slower than the limit, but too short for a rest: it counts as walking"))
        }
        for (index, point) in points.enumerated() {
            if index > 0 { way += points[index - 1].coordinate.distance(to: point.coordinate) }
            guard let end = point.time else { continue }
            let seconds = start.map { end.seconds(since: $0) } ?? 0
            let speed = seconds > 0 ? way / seconds : 0
            (start, way) = (end, 0)
            guard seconds > 0 else { continue }
            if speed < method.restSpeed {
                slow += seconds
            } else {
                ended(at: index, &log)
                slow = 0
            }
        }
        ended(at: points.count - 1, &log)
    }

    /// Altitudes of the points in order, measured and smoothed; `nil` if none is known.
    public static func altitudes(_ segments: [[TrackPoint]], _ method: Method) -> [(
        measured: Double, smoothed: Double
    )?] {
        segments.flatMap { points -> [(measured: Double, smoothed: Double)?] in
            let known = points.indices.filter { points[$0].coordinate.altitude != nil }
            let heights = known.compactMap { points[$0].coordinate.altitude }
            let smooth = Climb.smoothed(heights, over: method.smoothingPoints)
            var all = [(measured: Double, smoothed: Double)?](repeating: nil, count: points.count)
            for (index, point) in known.enumerated() { all[point] = (heights[index], smooth[index]) }
            return all
        }
    }
}
