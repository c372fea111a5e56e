import Geodesy
import PluginKit

/// The overlay of a watch: next turn, distance, progress, off-route warning.
struct Overlay: SelfRendering {
    static let fields = [
        "arrow", "text", "distance", "progress", "remaining", "time", "warning",
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
    /// Metres to the route while off route.
    var warning: Double?

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
        case "warning": Value(warning) { .text("off route, \(Literal.quantity(.metres($0))) to the line") }
        default: nil
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
            remaining: route.length, time: route.duration, warning: nil)
    }

    /// The overlay at a fix.
    init(_ sample: Journey.Sample, on route: GuideRoute) {
        let stop = route.stops.indices.contains(sample.next) ? route.stops[sample.next] : nil
        self.init(
            direction: sample.hasArrived ? .arrive : stop?.turn.direction,
            text: sample.hasArrived ? "You have arrived" : stop?.turn.description ?? "Arrive",
            distance: sample.hasArrived
                ? nil : stop.map { $0.along - sample.along }.flatMap { $0 >= 0 ? $0 : nil },
            progress: sample.along / route.length, remaining: sample.remaining,
            time: route.duration * sample.remaining / route.length,
            warning: sample.isOffRoute ? sample.distance : nil)
    }

    /// The overlay at the last fix of a journey.
    init(_ journey: Journey) {
        guard var sample = journey.samples.last else {
            self.init(waiting: journey.route)
            return
        }
        if sample.leg < journey.routes.count - 1 {
            // A new route begins at the current position.
            sample.along = 0
            sample.next = 0
            sample.remaining = journey.route.length
            sample.isOffRoute = false
        }
        self.init(sample, on: journey.route)
    }
}
