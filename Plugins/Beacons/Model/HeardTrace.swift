import Geodesy
import Pictures
import PluginKit
import TracePictures

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

/// Draws the listener, the heading, and the directions decided so far, seen from above with north up, all at one distance as
/// they are heard.
struct HeardPicturing: TracedMap {
    let pose: Pose
    let sources: [Source]

    private enum Look {
        static let heading = MapLineStyle(
            stroke: Stroke(StepPalette.fixed, width: 4), layer: MapLayer.track, label: "heading")
        static let bearing = MapLineStyle(
            stroke: Stroke(StepPalette.subject, width: 2), layer: MapLayer.route, label: "bearing")
        static let behind = MapLineStyle(
            stroke: Stroke(StepPalette.lesser, width: 2, dash: [4, 3]), layer: MapLayer.route,
            label: "bearing of a source behind")
        static let listener = MapPointStyle(
            color: StepPalette.fixed, radius: 7, shape: .triangle, symbol: "^", label: "listener")

        static func source(_ label: String, isPresent: Bool) -> MapPointStyle {
            isPresent
                ? MapPointStyle(
                    color: StepPalette.present, radius: 7, shape: .diamond, symbol: "@", label: label,
                    legend: "current")
                : MapPointStyle(
                    color: StepPalette.subject, radius: 5, symbol: "o", label: label, legend: "source")
        }
    }

    /// Metres at which directions are drawn.
    private static let reach = 100.0

    let name = "directions"
    let fieldNames = ["placed", "beacon"]

    func summary(of steps: ArraySlice<TraceStep>) -> String {
        "\(placed(steps).count) of \(sources.count) sources placed"
    }

    /// The newest bearing of each source, in the order of the steps.
    private func placed(_ steps: ArraySlice<TraceStep>) -> [(name: String, bearing: Double)] {
        var found: [(name: String, bearing: Double)] = []
        for step in steps where step.kind == "bearing" {
            guard let name = step.text("beacon"), let bearing = step.number("bearing") else { continue }
            found.removeAll { $0.name == name }
            found.append((name, bearing))
        }
        return found
    }

    func value(_ field: String, of steps: ArraySlice<TraceStep>) -> Value {
        field == "placed"
            ? .integer(placed(steps).count) : Value(steps.last?.text("beacon"), Value.text)
    }

    func features(of steps: ArraySlice<TraceStep>) -> [MapFeature] {
        let present = steps.last?.text("beacon")
        let center = pose.coordinate.withoutAltitude
        func end(_ bearing: Double, _ share: Double = 1) -> Coordinate {
            center.destination(bearing: bearing, distance: Self.reach * share)
        }
        var features: [MapFeature] = [
            .line([center, end(pose.heading, 0.6)], Look.heading), .point(center, Look.listener),
        ]
        for (name, bearing) in placed(steps) {
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
