import Geodesy
import Pictures
import PluginKit

/// The overlay of a watch: next turn, distance, progress, off-route warning.
struct Overlay: SelfRendering {
    /// A position away from the line.
    struct Warning: Sendable, Hashable {
        /// Metres to the line.
        var distance: Double
        /// Whether the route counts as left; otherwise the position may be an outlier.
        var isOffRoute: Bool

        var text: String { isOffRoute ? "Off route" : "Position unclear" }
    }

    static let fields = [
        "arrow", "text", "distance", "progress", "remaining", "time", "warning", "route", "state", "along",
        "next", "toNext", "fromRoute", "fixes",
    ]

    /// The next turn; `nil` before the first fix.
    var direction: TurnDirection?
    var text: String
    /// Metres to it; `nil` if undefined.
    var distance: Double?
    /// Share of the route, 0…1.
    var progress: Double
    /// Remaining distance, metres.
    var remaining: Double
    /// Remaining time, seconds.
    var time: Double
    /// The warning while the position is away from the line.
    var warning: Warning?
    /// The state of guidance; `nil` for a frame of a played walk.
    var status: GuidanceStatus?
    /// The map around the position.
    var map: WatchMap?

    var typeName: String { "overlay" }
    var fieldNames: [String] { Self.fields }
    var summary: String { text }

    func field(_ name: String) -> Value? {
        switch name {
        case "arrow": .text(OverlayGlyphs.arrow(direction, unicode: true))
        case "text": .text(text)
        case "distance": Value(distance) { .quantity(.metres($0)) }
        case "progress": .quantity(.share(progress))
        case "remaining": .quantity(.metres(remaining))
        case "time": .quantity(.seconds(time))
        case "warning":
            Value(warning) {
                .text("\($0.text.lowercased()), \(Literal.quantity(.metres($0.distance))) to the line")
            }
        default: status?.field(name)
        }
    }

    func rendered(in environment: Environment) -> String {
        OverlayLines(overlay: self, environment: environment).lines.joined(separator: "\n")
    }
}

extension Overlay {
    /// The overlay before the first fix.
    init(waiting route: GuideRoute) {
        self.init(
            direction: nil, text: "Waiting for a position on \(route.name)", distance: nil, progress: 0,
            remaining: route.length, time: route.duration, warning: nil,
            status: GuidanceStatus(waitingOn: route, fixes: 0),
            map: WatchMap(
                line: route.geometry.points, center: route.geometry.points[0], isPosition: false))
    }

    /// The overlay at a fix.
    init(_ sample: GuidanceRun.Sample, on route: GuideRoute) {
        let stop = route.stops.indices.contains(sample.next) ? route.stops[sample.next] : nil
        self.init(
            direction: sample.hasArrived ? .arrive : stop?.turn.direction,
            text: sample.hasArrived ? "You have arrived" : stop?.turn.description ?? "Arrive",
            distance: sample.hasArrived
                ? nil : stop.map { $0.along - sample.along }.flatMap { $0 >= 0 ? $0 : nil },
            progress: sample.along / route.length, remaining: sample.remaining,
            time: route.duration * sample.remaining / route.length,
            warning: sample.isOffRoute || sample.isUnclear
                ? Warning(distance: sample.distance, isOffRoute: sample.isOffRoute) : nil)
    }

    /// The overlay at the last fix of a run.
    init(_ run: GuidanceRun) {
        guard !run.samples.isEmpty else {
            self.init(waiting: run.route)
            return
        }
        self.init(run, at: run.samples.count - 1)
    }

    /// The overlay at a fix of a run, with the map around it.
    init(_ run: GuidanceRun, at index: Int) {
        var sample = run.samples[index]
        var route = run.routes[sample.leg]
        let isLast = index == run.samples.count - 1
        let fixes = isLast ? run.state.fixes : index + 1
        let isRerouted = isLast && sample.leg < run.routes.count - 1
        if isRerouted {
            // A new route begins at the current position.
            route = run.route
            sample.along = 0
            sample.next = 0
            sample.remaining = route.length
            (sample.isOffRoute, sample.isUnclear) = (false, false)
        }
        self.init(sample, on: route)
        status =
            isRerouted
            ? GuidanceStatus(waitingOn: route, fixes: fixes)
            : GuidanceStatus(sample, on: route, fixes: fixes)
        map = WatchMap(run, at: index, on: route)
    }
}

extension WatchMap {
    /// The map around a fix of a run.
    init(_ run: GuidanceRun, at index: Int, on route: GuideRoute) {
        let fix = run.samples[index].walk.fix
        let before = index > 0 ? run.samples[index - 1].walk.fix.coordinate : nil
        self.init(
            line: route.geometry.points,
            walked: run.samples[...index].map(\.walk.fix.coordinate), center: fix.coordinate,
            heading: fix.course ?? before.map { $0.bearing(to: fix.coordinate) }, accuracy: fix.accuracy)
    }
}

extension Overlay: MapPicture {
    var mapFeatures: [MapFeature] { face(.metric)?.ground.features ?? [] }
    var mapView: MapView {
        face(.metric)?.view ?? MapView(center: Coordinate(latitude: 0, longitude: 0), zoom: 0)
    }

    /// The face of a watch.
    func mapScene(units: ScaleUnits, on base: any MapBacking) throws -> Scene {
        guard let face = face(units == .imperial ? .imperial : .metric) else {
            throw GuidanceErrors.idle("the overlay has no position to draw", fix: "guide show | map")
        }
        return try face.scene(on: base)
    }

    /// The overlay above the map.
    func mapText(columns: Int, style: TerminalStyle, units: ScaleUnits) throws -> String {
        var environment = Environment.notebook
        environment.width = columns
        environment.unicode = style.glyphs != .plain
        environment.color = style.colors != .none
        environment.units = units == .imperial ? .imperial : .metric
        let top = OverlayLines(overlay: self, environment: environment).lines
        guard let face = face(environment.units) else { return top.joined(separator: "\n") }
        let ground = face.ground.terminal(columns: columns, style: style)
        return (top + [ground]).joined(separator: "\n")
    }

    private func face(_ units: UnitSystem) -> WatchFace? {
        map.map { WatchFace(overlay: self, map: $0, units: units) }
    }
}
