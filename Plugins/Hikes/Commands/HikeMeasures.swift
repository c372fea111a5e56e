import CivilTime
import Foundation
import PluginKit
import TrailStores

/// `hike splits`
struct HikeSplits: CommandProvider {
    private static let columns = [
        "split", "distance", "time", "pace", "flatPace", "gain", "loss", "heartRate",
    ]

    var name: String { "hike splits" }

    var command: Command {
        Command(
            name, "list pace, climb and heart rate by distance",
            details: """
                Parts of --every; the last one is shorter. pace is the time per kilometre or mile; flatPace is that on flat ground for the \
                same effort (energy cost of walking, or of running if that is the activity: Minetti 2002, slopes over 50m). \
                Gaps do not count as distance. Values that were not recorded are empty. `… | plot distance pace` draws them.
                """,
            HikeOptions.hike,
            .option("every", .quantity(.length, in: 10...1e7), default: "1km", "length of a part"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "every 50 m", "hike splits Walk --every 50m | get time", after: HikeExample.setup,
                    gives: "40s\n40s\n9s")
            ],
            searchTerms: [
                "speed per kilometre", "each kilometre",
                "per mile", "lap times",
                "pace", "kilometre", "grade", "gap", "fastest kilometre", "pace per kilometre", "laps",
                "elevation gain per kilometre", "each mile", "lap times by distance", "pace per mile",
            ]
        ) { _, hike, length in
            let recording = try hike.checkedRecording()
            guard recording.line.pointCount > 0 else {
                throw HikeErrors.noPoints(
                    "hike \(hike.hike.displayName) has no points", at: .parameter("hike"))
            }
            func pace(_ secondsPerMetre: Double?) -> Value {
                Value(secondsPerMetre) { .quantity(.secondsPerMetre($0)) }
            }
            return .table(
                columns: Self.columns,
                cells: SplitTable(recording, length: length).parts.enumerated().map { index, part in
                    [
                        .integer(index + 1), .quantity(.metres(part.end)),
                        Value(part.seconds) { .quantity(.duration($0)) },
                        pace(part.pace),
                        pace(part.flatPace), Value(part.gain) { .quantity(.altitude($0.rounded())) },
                        Value(part.loss) { .quantity(.altitude($0.rounded())) },
                        Value(part.heartRate) { .number($0.rounded()) },
                    ]
                })
        }
    }
}

/// `hike laps`
struct HikeLaps: CommandProvider {
    private static let columns = [
        "lap", "start", "time", "distance", "heartRate", "maxHeartRate", "calories", "trigger",
    ]

    var name: String { "hike laps" }

    var command: Command {
        Command(
            name, "list the laps of the device",
            details: """
                The figures are the device's, from FIT and TCX; other recordings have no laps. Of heart rates that the device does not state, \
                mean and maximum are those of its measurements from the start of the lap until the next one.
                """,
            HikeOptions.hike,
            output: .rows(Self.columns), effect: .reads,
            examples: [.init("none in GPX", "hike laps Walk | count", after: HikeExample.setup, gives: "0")],
            searchTerms: ["interval", "lap", "interval training", "lap button"]
        ) { _, hike in
            let line = try hike.checkedRecording().line
            let rates = SensorSeries.of(.heartRate, line)
            let starts = line.laps.compactMap(\.start)
            return .table(
                columns: Self.columns,
                cells: line.laps.enumerated().map { index, lap in
                    let next = lap.start.flatMap { start in starts.filter { $0 > start }.min() }
                    let own = lap.start.map { SensorSeries.of(rates, from: $0, until: next) } ?? []
                    let mean = lap.averageHeartRate ?? RateMean.of(own).map { $0.rounded() }
                    let most = lap.maximumHeartRate ?? own.joined().compactMap(\.value).max()
                    return [
                        .integer(index + 1), Value(lap.start) { .date($0) },
                        Value(lap.seconds ?? lap.elapsed) { .quantity(.duration($0)) },
                        Value(lap.distance) { .quantity(.metres($0)) },
                        Value(mean) { .number($0) }, Value(most) { .number($0) },
                        Value(lap.calories) { .number($0) },
                        Value(lap.trigger) { .text($0) },
                    ]
                })
        }
    }
}

/// `hike zones`
struct HikeZones: CommandProvider {
    private static let columns = ["zone", "from", "to", "time", "share"]
    /// Lower bounds of the five zones in percent of the maximum.
    private static let percents = [50.0, 60, 70, 80, 90]

    var name: String { "hike zones" }

    var command: Command {
        Command(
            name, "list the time in each heart-rate zone",
            details: """
                Five zones from 50, 60, 70, 80 and 90 percent of --max. A point's heart rate counts until the next point of its \
                segment; time without one is in the row `unknown`.
                """,
            HikeOptions.hike,
            .option("max", .number(60...260), default: "190", "maximum heart rate in beats per minute"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "none recorded", "expect-error E-HIKE-NOSENSOR hike zones Walk", after: HikeExample.setup,
                    gives: "hike Walk has no heart rates")
            ],
            searchTerms: [
                "heart", "pulse", "training", "heart rate zones", "intensity", "training zones", "effort",
            ]
        ) { _, hike, most in
            let recording = try hike.checkedRecording()
            let series = SensorSeries.of(.heartRate, recording.line)
            guard series.contains(where: { $0.contains { $0.value != nil } }) else {
                throw HikeErrors.noSensor(
                    "hike \(hike.hike.displayName) has no heart rates", at: .parameter("hike"))
            }
            let bounds = Self.percents.map { $0 * most / 100 }
            // Below the first zone, the five zones, unknown.
            var seconds = [Double](repeating: 0, count: bounds.count + 2)
            for segment in series {
                for (point, next) in zip(segment, segment.dropFirst()) {
                    guard let start = point.time, let end = next.time, end > start else { continue }
                    let zone = point.value.map { rate in bounds.count { rate >= $0 } }
                    seconds[zone ?? seconds.count - 1] += end.seconds(since: start)
                }
            }
            let total = seconds.reduce(0, +)
            func row(_ name: String, _ from: Double?, _ to: Double?, _ time: Double) -> [Value] {
                [
                    .text(name), Value(from) { .number($0) }, Value(to) { .number($0) },
                    .quantity(.duration(time)),
                    total > 0 ? .number((time / total * 1000).rounded() / 1000) : .nothing,
                ]
            }
            var rows = [row("below", nil, bounds[0], seconds[0])]
            for index in bounds.indices {
                let upper = index + 1 < bounds.count ? bounds[index + 1] : nil
                rows.append(row("\(index + 1)", bounds[index], upper, seconds[index + 1]))
            }
            rows.append(row("unknown", nil, nil, seconds[seconds.count - 1]))
            return .table(columns: Self.columns, cells: rows)
        }
    }
}

/// `hike best`
struct HikeBest: CommandProvider {
    private static let columns = ["distance", "time", "pace", "from"]
    private static let lengths = [400.0, 1000, 1609.344, 5000, 10_000, 21_097.5, 42_195]

    var name: String { "hike best" }

    var command: Command {
        Command(
            name, "list the fastest stretches of a hike",
            details:
                "Within segments; ends between points are interpolated. Lengths longer than the hike are omitted.",
            HikeOptions.hike,
            .option("over", .quantity(.length, in: 1...1e7), "only this length; default: 400m to a marathon"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "over 100 m", "hike best Walk --over 100m | get time", after: HikeExample.setup,
                    gives: "1min21s")
            ],
            searchTerms: [
                "fastest mile", "best mile", "my fastest",
                "personal record", "fastest 5 km", "record", "fastest", "effort", "fastest kilometre",
                "personal best", "best effort", "record times", "fastest 5k",
            ]
        ) { context, hike, length in
            let recording = try hike.checkedRecording()
            guard !recording.points.isEmpty else {
                throw HikeErrors.noPoints(
                    "hike \(hike.hike.displayName) has no positions, so that its stretches are unknown",
                    at: .parameter("hike"))
            }
            guard recording.hasTimes else {
                throw HikeErrors.noTimes("hike \(hike.hike.displayName) has no times", at: .parameter("hike"))
            }
            var rows: [[Value]] = []
            var log = TraceLog(limit: context.tracing?.limit ?? 0)
            for length in length.map({ [$0] }) ?? Self.lengths {
                try context.checkCancelled()
                guard let best = BestEfforts.fastest(recording, over: length, trace: &log) else { continue }
                rows.append([
                    .quantity(.metres(length)), .quantity(.seconds(best.seconds.rounded())),
                    .quantity(.secondsPerMetre(best.seconds / length)),
                    .quantity(.metres(best.from)),
                ])
            }
            context.tracing?.keep(
                "stretches by time",
                from: .start(
                    [("points", .integer(recording.points.count))],
                    why:
                        "the fastest stretch of a length begins or ends at a recorded point: its time is linear between"
                ), candidates: log.steps,
                to: .end(
                    [("lengths", .integer(rows.count))], why: "all stretches of these lengths are compared"
                ))
            return .table(columns: Self.columns, cells: rows)
        }.deciding("hike best Walk --over 100m", after: HikeExample.setup)
    }
}
