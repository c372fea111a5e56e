import Geodesy
import Pictures
import PluginKit

/// The first and last steps of placing sounds around a listener.
enum HeardSteps {
    static func started(_ pose: Pose, _ lineup: AudibleSources) -> TraceStep {
        .start(
            [
                ("at", .coordinate(pose.coordinate.withoutAltitude)),
                ("heading", .quantity(.direction(pose.heading))),
                ("sources", .integer(lineup.sources.count)), ("omitted", .integer(lineup.leftOut.count)),
            ],
            why: lineup.leftOut.isEmpty
                ? "each source is placed around the listener, north first"
                : "more than the maximum number of sources: the farthest are omitted, the others are placed, north first"
        )
    }

    static func ended(_ count: Int) -> TraceStep {
        .end([("placed", .integer(count))], why: "every source has its direction, level and timbre")
    }
}

/// Draws the listener, the heading, and the directions decided so far.
struct HeardPicturing: TracePicturing {
    let pose: Pose
    let sources: [Source]

    func picture(after steps: ArraySlice<TraceStep>) -> any DomainObject {
        HeardPicture(pose: pose, sources: sources, steps: Array(steps))
    }
}

/// The directions of sources around a listener, seen from above with north up, all at one distance as they are heard.
struct HeardPicture: DomainObject, MapDrawable {
    let pose: Pose
    let sources: [Source]
    let steps: [TraceStep]

    private enum Look {
        static let red = Color(0xC92A2A)
        static let ink = Color(0x2B3440)
        static let heading = MapLineStyle(
            stroke: Stroke(ink, width: 4), layer: MapLayer.track, label: "heading")
        static let bearing = MapLineStyle(
            stroke: Stroke(Color(0x1C6DD0), width: 2), layer: MapLayer.route, label: "bearing")
        static let behind = MapLineStyle(
            stroke: Stroke(Color(0x8A5A00), width: 2, dash: [4, 3]), layer: MapLayer.route,
            label: "bearing of a source behind")
        static let listener = MapPointStyle(
            color: ink, radius: 7, shape: .triangle, symbol: "^", label: "listener")

        static func source(_ label: String, isPresent: Bool) -> MapPointStyle {
            isPresent
                ? MapPointStyle(
                    color: red, radius: 7, shape: .diamond, symbol: "@", label: label, legend: "current")
                : MapPointStyle(
                    color: Color(0x1C6DD0), radius: 5, symbol: "o", label: label, legend: "source")
        }
    }

    /// Metres at which directions are drawn.
    private static let reach = 100.0

    let typeName = "directions"
    let fieldNames = ["placed", "beacon"]
    var summary: String { "\(placed.count) of \(sources.count) sources placed" }

    /// The newest bearing of each source, in the order of the steps.
    private var placed: [(name: String, bearing: Double)] {
        var found: [(name: String, bearing: Double)] = []
        for step in steps where step.kind == "bearing" {
            guard case .text(let name)? = step.values["beacon"],
                case .quantity(let bearing)? = step.values["bearing"]
            else { continue }
            found.removeAll { $0.name == name }
            found.append((name, bearing.value))
        }
        return found
    }

    private var present: String? {
        if case .text(let name)? = steps.last?.values["beacon"] { name } else { nil }
    }

    func field(_ name: String) -> Value? {
        switch name {
        case "placed": .integer(placed.count)
        case "beacon": Value(present, Value.text)
        default: nil
        }
    }

    var mapFeatures: [MapFeature] {
        let center = pose.coordinate.withoutAltitude
        func end(_ bearing: Double, _ share: Double = 1) -> Coordinate {
            center.destination(bearing: bearing, distance: Self.reach * share)
        }
        var features: [MapFeature] = [
            .line([center, end(pose.heading, 0.6)], Look.heading), .point(center, Look.listener),
        ]
        for (name, bearing) in placed {
            let relative = Angle.normalized(bearing - pose.heading)
            let isBehind = BeaconSettings.behind.contains(relative)
            features.append(.line([center, end(bearing)], isBehind ? Look.behind : Look.bearing))
            features.append(
                .point(
                    end(bearing),
                    Look.source(
                        "\(name) \(DecimalText.trimmed(relative, decimals: 0))°", isPresent: name == present))
            )
        }
        return features
    }
}
