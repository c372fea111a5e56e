import CivilTime
import Geodesy
import PluginKit
import TrailStores

/// `hike stats`
struct HikeStats: CommandProvider {
    let library: ActiveStore<HikeStore>

    var name: String { "hike stats" }

    var command: Command {
        Command(
            name, "compute statistics of a hike, of all, or by period",
            details: """
                Methods of counting climbs and rests differ by a factor of three on noisy tracks, so the method is shown with \
                the numbers, and can be changed: --threshold, --smoothing, --rest, --pause. `trace hike stats HIKE` shows each \
                climb and rest, counted or not. Without HIKE the \
                stored figures of all hikes are summed.

                With --by the hikes of each day, week, month or year are a row. A hike belongs to the day on which it began, in the \
                session's time zone; weeks are those of ISO 8601. Hikes without times are in the row `unknown`. Climbs are \
                those of hikes with elevations; the last column counts the others. `… | plot period distance` draws it.
                """,
            .optional(
                "hike", .reference("hike", to: HikeObject.self),
                "hike by name or id; default: all hikes"),
            Parameter<Double?>.option(
                "smoothing", .quantity(.length, in: 0...10_000),
                "length of the way over which altitudes are averaged, 0m for none; default: over 10s"),
            .option(
                "threshold", .quantity(.length, in: 0...1000), default: "3m",
                "metres that the way must turn at a peak or valley"),
            .option(
                "rest", .quantity(.speed, in: 0...10), default: "0.3m/s", "maximum speed of a rest"),
            .option(
                "pause", .quantity(.duration, in: 0...86_400), default: "30s",
                "minimum duration of a rest"),
            Parameter<CalendarPeriod.Unit?>.option(
                "by", .choice(of: CalendarPeriod.Unit.self), "length of a period"),
            output: .any, effect: .reads,
            examples: [
                .init("of a hike", "hike stats Walk | get distance", after: HikeExample.setup, gives: "111m"),
                .init(
                    "by another threshold", "hike stats Walk --threshold 20m | get gain",
                    after: HikeExample.setup, gives: "10m"),
                .init("of all", "hike stats | get hikes", after: HikeExample.setup, gives: "1"),
                .init(
                    "by month", "hike stats --by month | get period", after: HikeExample.setup,
                    gives: "2026-02"),
                .init(
                    "by week", "hike stats --by week | get period", after: HikeExample.setup,
                    gives: "2026-W06"),
            ],
            searchTerms: [
                "another program says another climb", "differs from garmin",
                "how many kilometres", "how many kilometers", "how many miles",
                "total ascent",
                "moving time", "how much did i climb", "per month", "this year",
                "statistics", "total", "climb", "gain", "how far", "calories", "speed", "pace",
                "average speed", "calendar", "season", "how far have i walked", "total distance", "weekly",
                "yearly", "mileage", "summary", "longest hike", "breaks", "this month and last", "per week",
                "how often do i hike", "records", "totals by year", "training log",
                "which day did i climb most", "most climb",
            ]
        ) { context, hike, smoothing, threshold, rest, pause, unit in
            let method = HikeStatistics.Method(
                smoothing: smoothing, climbThreshold: threshold,
                restSpeed: rest, restDuration: pause)
            if let unit {
                guard hike == nil else {
                    throw HikeErrors.range(
                        "--by sums all hikes", at: .parameter("by"), fix: "omit the hike, or --by")
                }
                let hikes = try Self.measured(by: method, library.store(context), context)
                return PeriodTable.rows(HikePeriods(hikes, by: unit, zone: context.environment.timeZone))
            }
            guard let hike else {
                return .record(
                    Self.totals(try Self.measured(by: method, library.store(context), context)))
            }
            let recording = try hike.checkedRecording()
            guard let statistics = HikeStatistics(segments: recording.segments, method: method) else {
                throw HikeErrors.noPoints(
                    "hike \(hike.hike.displayName) has no points", at: .parameter("hike"))
            }
            if let tracing = context.tracing {
                var log = TraceLog(limit: tracing.limit)
                statistics.trace(recording.segments, method, into: &log)
                tracing.keep(log, picture: StatisticsPicturing(segments: recording.segments, method: method))
            }
            return .record(Self.record(statistics, recording, method))
        }.deciding("hike stats Walk", after: HikeExample.setup)
    }

    /// All hikes, measured anew by another method than that of their import.
    private static func measured(
        by method: HikeStatistics.Method, _ store: HikeStore, _ context: Context
    ) throws -> [Hike] {
        let hikes = try store.all()
        guard method != .standard else { return hikes }
        return try hikes.map { hike in
            try context.checkCancelled()
            let recording = try HikeObject(hike, in: store).checkedRecording()
            guard let statistics = HikeStatistics(segments: recording.segments, method: method) else {
                return hike
            }
            var hike = hike
            (hike.gain, hike.loss) = (statistics.gain, statistics.loss)
            (hike.walkingTime, hike.restingTime) = (statistics.walkingTime, statistics.restingTime)
            return hike
        }
    }

    private static func record(
        _ statistics: HikeStatistics, _ recording: Recording, _ method: HikeStatistics.Method
    ) -> Record {
        let points = recording.points
        let heights = points.compactMap(\.coordinate.altitude)
        let hasTimes = recording.hasTimes
        let total = statistics.walkingTime + statistics.restingTime
        func climb(_ metres: Double) -> Value {
            statistics.knowsClimb ? .quantity(.altitude(metres.rounded())) : .nothing
        }
        return Record([
            ("points", .integer(points.count)), ("segments", .integer(recording.line.segments.count)),
            ("distance", .quantity(.metres(statistics.distance))),
            ("gain", climb(statistics.gain)), ("loss", climb(statistics.loss)),
            ("lowest", Value(heights.min()) { .quantity(.altitude($0.rounded())) }),
            ("highest", Value(heights.max()) { .quantity(.altitude($0.rounded())) }),
            ("unknownElevations", .integer(points.count - heights.count)),
            ("moving", hasTimes ? .quantity(.seconds(statistics.walkingTime)) : .nothing),
            ("resting", hasTimes ? .quantity(.seconds(statistics.restingTime)) : .nothing),
            ("speed", speed(statistics.walkedDistance, statistics.walkingTime)),
            ("overall", speed(statistics.timedDistance, total)),
            ("heartRate", Value(statistics.averageHeartRate) { .number($0.rounded()) }),
            ("maxHeartRate", Value(statistics.maximumHeartRate) { .number($0.rounded()) }),
            ("method", .text(method.description)),
        ])
    }

    private static func totals(_ hikes: [Hike]) -> Record {
        func sum(_ measure: (Hike) -> Double) -> Double { hikes.reduce(0) { $0 + measure($1) } }
        let timed = hikes.filter(\.areTimesKnown)
        let (distance, walking) = (sum(\.distance), timed.reduce(0) { $0 + $1.walkingTime })
        // Time without a known distance gives no speed.
        let measured = timed.filter(\.isDistanceKnown)
        let unknownClimbs = hikes.count { !$0.isClimbKnown }
        let unknownDistances = hikes.count { !$0.isDistanceKnown }
        /// A sum of which no part is known is unknown.
        func known(_ sum: Double, without unknown: Int, _ value: (Double) -> Value) -> Value {
            unknown == hikes.count && unknown > 0 ? .nothing : value(sum)
        }
        return Record([
            ("hikes", .integer(hikes.count)),
            ("distance", known(distance, without: unknownDistances) { .quantity(.metres($0)) }),
            ("gain", known(sum(\.gain).rounded(), without: unknownClimbs) { .quantity(.altitude($0)) }),
            ("loss", known(sum(\.loss).rounded(), without: unknownClimbs) { .quantity(.altitude($0)) }),
            ("withoutElevations", .integer(unknownClimbs)),
            ("withoutDistances", .integer(unknownDistances)),
            ("withoutTimes", .integer(hikes.count - timed.count)),
            ("moving", .quantity(.seconds(walking))),
            ("resting", .quantity(.seconds(timed.reduce(0) { $0 + $1.restingTime }))),
            (
                "speed",
                speed(measured.reduce(0) { $0 + $1.distance }, measured.reduce(0) { $0 + $1.walkingTime })
            ),
            ("first", Value(timed.map(\.startTime).min()) { .date($0) }),
            ("last", Value(timed.map(\.startTime).max()) { .date($0) }),
        ])
    }

    private static func speed(_ distance: Double, _ seconds: Double) -> Value {
        seconds > 0 ? .quantity(.metresPerSecond(distance / seconds)) : .nothing
    }
}
