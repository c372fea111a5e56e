import Geodesy
import PluginKit
import TrailStores

/// `hike despike`
struct DespikeHike: CommandProvider {
    let library: ActiveStore<HikeStore>

    var name: String { "hike despike" }

    var command: Command {
        Command(
            name, "remove impossibly distant points",
            details: """
                A point that is reached and left faster than --speed (without times: over more than 5km) is removed. If \
                the recording continues at the distant point, a new segment begins: the route between is unknown.
                """,
            HikeOptions.hike,
            .option(
                "speed", .quantity(.speed, in: 1...1000),
                "maximum speed; default: 12.5m/s on foot, otherwise 70m/s"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "nothing to remove", "expect-error E-HIKE-NOCHANGE hike despike Walk",
                    after: HikeExample.setup,
                    gives: "hike Walk: no jump")
            ],
            searchTerms: [
                "points jump", "dots jump", "wild points", "zigzag line",
                "spike", "spikes in a gpx", "jump in a track",
                "wrong positions",
                "remove bad points", "zigzag",
                "jump", "noise", "outlier", "repair", "gps errors", "clean track", "outliers", "jumps",
                "standing still", "drift", "wrong points",
            ]
        ) { context, hike, speed in
            let recording = try hike.checkedRecording()
            let fastest = speed ?? RecordingSettings.fastest(of: recording.line.type)
            var log = TraceLog(limit: context.tracing?.limit ?? 0)
            guard let result = RecordingEdits.despiked(recording, fastest: fastest, trace: &log) else {
                throw HikeEditing.unchanged(hike, "no jump")
            }
            context.tracing?.keep(
                "points and the speed to each",
                from: .start(
                    [("fastest", .quantity(.metresPerSecond(fastest)))],
                    why: "a point reached faster than this is a jump"), candidates: log.steps,
                to: .end([("change", .text(result.summary))], why: "all points are checked"))
            return try HikeEditing(library: library, context: context).apply(hike, result)
        }.deciding("hike despike Spike", after: HikeExample.spike)
    }
}

/// `hike simplify`
struct SimplifyHike: CommandProvider {
    let library: ActiveStore<HikeStore>

    var name: String { "hike simplify" }

    var command: Command {
        Command(
            name, "remove points within a tolerance",
            details: """
                Douglas and Peucker 1973, by segment. The result states the largest distance of a removed point from \
                the line. Elevations, times and sensor values of removed points are lost.
                """,
            HikeOptions.hike,
            .option("tolerance", .quantity(.length, in: 0...10_000), default: "5m", "largest distance"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "nothing to remove", "expect-error E-HIKE-NOCHANGE hike simplify Walk",
                    after: HikeExample.setup,
                    gives: "hike Walk: every point is needed")
            ],
            searchTerms: [
                "smaller file", "reduce points",
                "make a file smaller", "fewer points", "too many points", "smooth", "reduce", "thin",
                "douglas", "peucker",
            ]
        ) { context, hike, tolerance in
            var recording = try hike.checkedRecording()
            let before = recording.line.pointCount
            var error = 0.0
            var log = TraceLog(limit: context.tracing?.limit ?? 0)
            recording.line.segments = try recording.line.segments.map { segment in
                try context.checkCancelled()
                let (kept, distance) = LineSimplification.simplified(
                    segment, tolerance: tolerance, trace: &log)
                error = max(error, distance)
                return kept
            }
            let after = recording.line.pointCount
            guard after < before else { throw HikeEditing.unchanged(hike, "every point is needed") }
            let largest = (error * 100).rounded() / 100
            let summary =
                "simplified: \(after) of \(before) points kept, at most \(Literal.number(largest))m from the line"
            context.tracing?.keep(
                "the farthest point of each piece",
                from: .start(
                    [("points", .integer(before)), ("tolerance", .quantity(.metres(tolerance)))],
                    why:
                        "the ends of a segment are kept; the point farthest from the straight line between them decides"
                ), candidates: log.steps,
                to: .end(
                    [("kept", .integer(after)), ("largest", .quantity(.metres(largest)))],
                    why: "no piece has a point beyond the tolerance"))
            return try HikeEditing(library: library, context: context).apply(
                hike, .init(recording: recording, summary: summary))
        }.deciding("hike simplify Spike --tolerance 10km", after: HikeExample.spike)
    }
}

/// `hike reverse`
struct ReverseHike: CommandProvider {
    let library: ActiveStore<HikeStore>

    var name: String { "hike reverse" }

    var command: Command {
        Command(
            name, "reverse the direction of a hike",
            details:
                "Times, laps and speeds are removed, since they would be wrong. Heart rates keep their points.",
            HikeOptions.hike,
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "the way back", "hike reverse Walk | get change", after: HikeExample.setup,
                    gives: "reversed; times, laps and speeds removed")
            ], searchTerms: ["other direction", "back", "direction"]
        ) { context, hike in
            try HikeEditing(library: library, context: context).apply(
                hike, RecordingEdits.reversed(hike.checkedRecording()))
        }
    }
}

/// `hike shift`
struct ShiftHike: CommandProvider {
    let library: ActiveStore<HikeStore>

    var name: String { "hike shift" }

    var command: Command {
        Command(
            name, "shift the times of a hike",
            details: "For a device whose clock was wrong. Waypoints keep their times.",
            HikeOptions.hike,
            .option("time", .quantity(.duration, in: -1e10...1e10), "duration to add; negative subtracts"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "an hour later", "hike shift Walk --time 1h | get change", after: HikeExample.setup,
                    gives: "times shifted: 1h later")
            ],
            searchTerms: [
                "wrong time zone", "wrong hour", "clock was wrong",
                "summer time", "hour off",
                "clock", "offset", "zone", "wrong clock", "wrong time", "camera time zone", "fix timestamps",
                "wrong year", "wrong date", "wrong day",
            ]
        ) { context, hike, seconds in
            guard let seconds, seconds != 0 else { throw HikeEditing.unchanged(hike, "the shift is 0") }
            let recording = try hike.checkedRecording()
            guard recording.hasTimes else {
                throw HikeErrors.noTimes("hike \(hike.hike.displayName) has no times", at: .parameter("hike"))
            }
            return try HikeEditing(library: library, context: context).apply(
                hike, RecordingEdits.shifted(recording, by: seconds))
        }
    }
}
