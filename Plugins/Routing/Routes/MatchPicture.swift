import Geodesy
import Pictures
import PluginKit
import TracePictures

/// Draws the state of map matching at a step: the lattice of candidates, each with the arc from its best predecessor, and the
/// chain of the current one.
struct MatchPicturing: SteppedMap {
    let graph: RoutingGraph
    let track: [Coordinate]

    private enum Look {
        static let track = MapLineStyle(
            stroke: Stroke(StepPalette.given, width: 1.5, dash: [3, 3]), layer: MapLayer.route, label: "track"
        )
        static let arc = MapLineStyle(
            stroke: Stroke(StepPalette.subject, width: 1.5), layer: MapLayer.route, label: "best predecessor")
        static let chain = MapLineStyle(
            stroke: Stroke(StepPalette.present, width: 4), layer: MapLayer.track,
            label: "likeliest path to the current candidate")

        static func position(_ label: String) -> MapPointStyle {
            MapPointStyle(
                color: StepPalette.given, radius: 6, shape: .triangle, symbol: "v", label: label,
                legend: "position")
        }
        static func waiting(_ label: String) -> MapPointStyle {
            MapPointStyle(
                color: StepPalette.subject, radius: 4, shape: .ring, symbol: "*", label: label,
                legend: "candidate")
        }
        static func scored(_ label: String) -> MapPointStyle {
            MapPointStyle(
                color: StepPalette.subject, radius: 4, symbol: "o", label: label,
                legend: "candidate with a score")
        }
        static func unreached(_ label: String) -> MapPointStyle {
            MapPointStyle(
                color: StepPalette.refused, radius: 4, shape: .box, symbol: "x", label: label,
                legend: "not reached")
        }
        static func present(_ label: String) -> MapPointStyle {
            MapPointStyle(
                color: StepPalette.present, radius: 6, shape: .diamond, symbol: "@", label: label,
                legend: "current",
                layer: MapLayer.point + 1)
        }
    }

    /// The margin around the track in which the network is drawn, as a share of its size.
    private static let margin = 0.2

    let name = "lattice"
    let fieldNames = ["candidate", "at", "score"]
    var chain: MapLineStyle { Look.chain }

    func summary(of steps: ArraySlice<TraceStep>) -> String {
        "\(steps.count { $0.kind == "candidate" }) candidates with a score"
    }

    func value(_ field: String, of steps: ArraySlice<TraceStep>) -> Value {
        steps.last { $0.kind == "candidate" }?.values[field] ?? .nothing
    }

    func ground(of steps: ArraySlice<TraceStep>) -> [MapFeature] {
        NetworkDrawing(graph: graph).features(around: track, margin: Self.margin) + [
            .line(track.map(\.withoutAltitude), Look.track)
        ]
    }

    func frames(of steps: ArraySlice<TraceStep>) -> [PictureFrame] {
        var lattice = Lattice()
        return steps.map { lattice.frame(of: $0) }
    }

    /// The state of the candidates so far.
    private struct Lattice {
        private var places: [String: Coordinate] = [:]
        private var scores: [String: Double] = [:]
        private var parents: [String: String] = [:]
        private var present: String?

        mutating func frame(of step: TraceStep) -> PictureFrame {
            switch step.kind {
            case "start":
                self = Lattice()
                return PictureFrame([.clearing])
            case "position": return PictureFrame(position(step), present: chain)
            case "candidate", "unreached": return PictureFrame(candidate(step), present: chain)
            case "back":
                let last = step.texts("way").last
                let changes = settle() + [MarkChange("position", [])]
                present = last
                return PictureFrame(changes, present: chain)
            default: return PictureFrame([], present: chain)
            }
        }

        private var chain: [String] { present.map { [$0] } ?? [] }

        private func position(_ step: TraceStep) -> [MarkChange] {
            guard let at = step.coordinate("at"), let number = step.integer("position")
            else { return [] }
            return [MarkChange("position", [.point(at, Look.position("\(number)"))])]
        }

        private mutating func candidate(_ step: TraceStep) -> [MarkChange] {
            guard let name = step.text("candidate"), let at = step.coordinate("at")
            else { return [] }
            places[name] = at
            guard step.kind == "candidate", let score = step.number("score") else {
                return [MarkChange(name, [.point(at, Look.unreached(name))])]
            }
            let before = settle()
            scores[name] = score
            parents[name] = step.text("from")
            present = name
            return before + [mark(name, Look.present(label(name)))]
        }

        /// The previously current candidate becomes an ordinary one.
        private func settle() -> [MarkChange] {
            present.map { [mark($0, Look.scored(label($0)))] } ?? []
        }

        private func mark(_ name: String, _ style: MapPointStyle) -> MarkChange {
            guard let at = places[name] else { return MarkChange(name, []) }
            let arc = parents[name].flatMap { places[$0] }.map { MapFeature.line([$0, at], Look.arc) }
            return MarkChange(name, [arc, .point(at, style)].compactMap(\.self), parent: parents[name])
        }

        private func label(_ name: String) -> String {
            name + (scores[name].map { " \(($0 * 10).rounded() / 10)" } ?? "")
        }
    }
}
