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
                    (
                        "smoothing",
                        .quantity(method.smoothing.map { .metres($0) } ?? .seconds(Settings.damping))
                    ),
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
                    ("moving", .quantity(.seconds(walkingTime))),
                    ("resting", .quantity(.seconds(restingTime))),
                ],
                why: knowsClimb
                    ? "the climbs, descents and rests that count are summed"
                    : "fewer than two elevations are known: the climb is unknown, not zero"))
    }

    private static func traceClimbs<T: TraceRecorder>(
        _ points: [TrackPoint], from first: Int, _ method: Method, _ log: inout T
    ) {
        for profile in HeightProfile.parts(points, method) { traceClimbs(profile, from: first, &log) }
    }

    private static func traceClimbs<T: TraceRecorder>(
        _ profile: HeightProfile, from first: Int, _ log: inout T
    ) {
        let turns = Climb.turns(profile)
        for (from, turn) in zip(turns, turns.dropFirst()) {
            let change = turn.height - from.height
            let isEnd = turn.place == profile.smoothed.count - 1
            log.record(
                TraceStep(
                    "climb",
                    [
                        ("point", .integer(first + profile.places[turn.place] + 1)),
                        ("measured", .quantity(.altitude(profile.measured[turn.place]))),
                        ("counted", .quantity(.altitude(turn.height))),
                        ("from", .quantity(.altitude(from.height))),
                        ("change", .quantity(.altitude(change))), ("counts", .boolean(true)),
                    ],
                    why: isEnd
                        ? "the last height: what is left counts, so that gain and loss add up"
                        : "a \(change > 0 ? "peak" : "valley"): from here the way turns by the threshold or more"
                ))
        }
    }

    private static func traceRests<T: TraceRecorder>(
        _ points: [TrackPoint], from first: Int, _ method: Method, _ log: inout T
    ) {
        var slow = 0.0
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
                        ? "slower than the limit, or about one place, for long enough: a rest"
                        : "slower than the limit, but too short for a rest: it counts as motion"))
        }
        Motion.moves(points, steps(points), Motion.stays(points, method), method) { move in
            if move.isSlow {
                slow += move.seconds
            } else {
                ended(at: move.end, &log)
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
            let profile = HeightProfile(points, method)
            var all = [(measured: Double, smoothed: Double)?](repeating: nil, count: points.count)
            for (index, place) in profile.places.enumerated() {
                all[place] = (profile.measured[index], profile.smoothed[index])
            }
            return all
        }
    }
}
