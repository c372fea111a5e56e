import CivilTime
import Geodesy
import Pictures
import PluginKit

/// A walk under guidance as a value: its rows are the events.
struct GuidanceWalk: FieldedObject, TabularObject {
    let run: GuidanceRun
    let words: SpokenText

    /// The first route.
    var route: GuideRoute { run.routes[0] }
    var samples: [GuidanceRun.Sample] { run.samples }
    private var start: Timestamp {
        samples.first?.walk.fix.time ?? run.events.first?.time ?? Timestamp(milliseconds: 0)
    }

    var table: Rows {
        Rows(rows(run.events[...]), columns: EventRow.columns)
    }

    /// The walk of an input, or those of a list. Throws `E-INPUT-KIND` for other inputs.
    static func all(_ input: Value, for command: String, fix: String) throws -> [GuidanceWalk] {
        let walks = try input.objects(of: GuidanceWalk.self, "a walk", for: command, fix: fix)
        guard !walks.isEmpty else {
            throw CommonErrors.inputKind("`\(command)` takes a walk, not an empty list", fix: fix)
        }
        return walks
    }

    /// Some of the events as rows.
    func rows(_ events: ArraySlice<GuidanceEvent>) -> [Value] {
        events.map { .object(EventRow(event: $0, start: start, words: words)) }
    }

    var typeName: String { "walk" }
    var summary: String {
        "walk of \(route.name), \(samples.count) fixes, \(run.events.count) events"
    }

    static let fields = FieldTable<Self> {
        Field("name") { .text($0.route.name) }
        Field("length") { .quantity(.metres($0.route.length)) }
        Field("duration") { .quantity(.seconds($0.elapsed($0.samples.last))) }
        Field("fixes") { walk in
            .table(
                columns: FixRow.columns,
                rows: walk.samples.map { .object(FixRow(sample: $0, start: walk.start)) })
        }
        Field("events") { .rows($0.table) }
        Field("progress") { .quantity(.share($0.run.state.along / $0.run.route.length)) }
        Field("arrived") { .boolean($0.run.state.hasArrived) }
        Field("offRoute") { .quantity(.seconds($0.secondsOffRoute)) }
        Field("farthest") { .quantity(.metres($0.samples.map(\.distance).max() ?? 0)) }
        Field("reroutes") { .integer($0.run.routes.count - 1) }
        Field("track") { .list($0.samples.map { .coordinate($0.walk.fix.coordinate) }) }
        Field(hidden: "score") { Value($0.run.score) { .record($0.record(named: nil)) } }
        Field(hidden: "line") { .list($0.route.geometry.points.map(Value.coordinate)) }
        Field(hidden: "route") { .text($0.route.name) }
    }

    /// Seconds since the first fix.
    func elapsed(_ sample: GuidanceRun.Sample?) -> Double { sample?.walk.fix.time.seconds(since: start) ?? 0 }

    /// Total time off route, seconds.
    var secondsOffRoute: Double {
        zip(samples, samples.dropFirst()).reduce(0) { sum, pair in
            pair.0.isOffRoute ? sum + pair.1.walk.fix.time.seconds(since: pair.0.walk.fix.time) : sum
        }
    }
}

extension GuidanceWalk: MapDrawable {
    var mapFeatures: [MapFeature] {
        let routes = run.routes.map(\.geometry.points)
        // After rerouting, distances are those of the first route.
        return routes.map { .route($0) } + [.track(samples.map(\.walk.fix.coordinate))]
            + routes.prefix(1).map { .milestones([$0], MapTheme.routeMark) }
            + WayEnds.signs(routes) + run.events.map(GuidanceDrawing.pin)
    }
}

extension GuidanceWalk: MeasuredTrack {
    func measuredSegments(_ measure: TrackMeasure) -> [[MeasuredPoint]]? {
        [samples.map { MeasuredPoint($0.walk.fix.coordinate, time: elapsed($0)) }]
    }
}

extension GuidanceWalk: ChartDrawable {
    /// Distance from the route over time, with the thresholds and their events.
    func chart(units: ScaleUnits) -> Chart {
        let scale = GuidanceDrawing.lengths(units)
        let points = samples.map { ScenePoint(elapsed($0), $0.distance) }
        let changes = run.events.filter { [.offRoute, .backOnRoute, .rerouted].contains($0.kind) }
        return Chart(
            title: "distance from the route", x: .time(longest: points.last?.x ?? 0),
            y: ChartAxis("distance", unit: scale.unit, factor: scale.factor),
            series: [ChartSeries("distance", points: points)],
            marks: changes.map {
                ChartMark(x: $0.time.seconds(since: start), label: $0.kind.rawValue)
            },
            thresholds: [
                ChartThreshold(y: run.settings.offRoute, label: "off route"),
                ChartThreshold(y: run.settings.clear, label: "clear", color: GuidanceDrawing.clear),
            ])
    }
}

/// Colours of guidance on maps and charts.
enum GuidanceDrawing {
    static let prompt = Color(0x2F7DE1)
    static let warning = Color(0xE03131)
    static let good = Color(0x2F9E44)
    static let clear = Color(0x2F9E44)
    static let candidate = Color(0xF08C00)

    static func pin(_ event: GuidanceEvent) -> MapFeature {
        let (color, symbol): (Color, Character) =
            switch event.kind {
            case .approaching: (prompt, "a")
            case .atTurn: (prompt, "t")
            case .offRoute: (warning, "x")
            case .wrongWay: (warning, "w")
            case .turnedRound: (candidate, "u")
            case .noWay: (warning, "n")
            case .passed: (candidate, "p")
            case .backOnRoute: (good, "+")
            case .arrived: (good, "!")
            case .rerouted: (candidate, "r")
            }
        return .point(
            event.coordinate,
            MapPointStyle(color: color, radius: 4, symbol: symbol, label: event.kind.rawValue))
    }

    static func lengths(_ units: ScaleUnits) -> (unit: String, factor: Double) {
        units == .metric ? ("m", 1) : ("ft", 1 / 0.3048)
    }
}
