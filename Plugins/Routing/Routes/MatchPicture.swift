import Geodesy
import Pictures
import PluginKit

/// Draws the state of map matching at a step.
struct MatchPicturing: TracePicturing {
    let graph: RoutingGraph
    let track: [Coordinate]

    func picture(after steps: ArraySlice<TraceStep>) -> any DomainObject {
        MatchPicture(graph: graph, track: track, steps: Array(steps))
    }
}

/// The lattice of candidates up to a step: each with the arc from its best predecessor, and the chain of
/// the current one.
struct MatchPicture: DomainObject, SteppedPicture {
    let graph: RoutingGraph
    let track: [Coordinate]
    let steps: [TraceStep]

    private enum Look {
        static let blue = Color(0x1C6DD0)
        static let red = Color(0xC92A2A)
        static let grey = Color(0x6B7280)
        static let track = MapLineStyle(
            stroke: Stroke(Color(0xE8590C), width: 1.5, dash: [3, 3]), layer: MapLayer.route, label: "track")
        static let arc = MapLineStyle(
            stroke: Stroke(blue, width: 1.5), layer: MapLayer.route, label: "best predecessor")
        static let chain = MapLineStyle(
            stroke: Stroke(red, width: 4), layer: MapLayer.track,
            label: "likeliest path to the current candidate")

        static func position(_ label: String) -> MapPointStyle {
            MapPointStyle(
                color: Color(0xE8590C), radius: 6, shape: .triangle, symbol: "v", label: label,
                legend: "position")
        }
        static func waiting(_ label: String) -> MapPointStyle {
            MapPointStyle(
                color: blue, radius: 4, shape: .ring, symbol: "*", label: label, legend: "candidate")
        }
        static func scored(_ label: String) -> MapPointStyle {
            MapPointStyle(color: blue, radius: 4, symbol: "o", label: label, legend: "candidate with a score")
        }
        static func unreached(_ label: String) -> MapPointStyle {
            MapPointStyle(
                color: grey, radius: 4, shape: .box, symbol: "x", label: label, legend: "not reached")
        }
        static func present(_ label: String) -> MapPointStyle {
            MapPointStyle(
                color: red, radius: 6, shape: .diamond, symbol: "@", label: label, legend: "current",
                layer: MapLayer.point + 1)
        }
    }

    /// The margin around the track in which the network is drawn, as a share of its size.
    private static let margin = 0.2

    var typeName: String { "lattice" }
    var fieldNames: [String] { ["candidate", "at", "score"] }
    var summary: String { "\(steps.count { $0.kind == "candidate" }) candidates with a score" }

    func field(_ name: String) -> Value? {
        guard fieldNames.contains(name) else { return nil }
        return steps.last { $0.kind == "candidate" }?.values[name] ?? .nothing
    }

    var chainStyle: MapLineStyle { Look.chain }

    var ground: [MapFeature] {
        NetworkDrawing(graph: graph).features(around: track, margin: Self.margin) + [
            .line(track.map(\.withoutAltitude), Look.track)
        ]
    }

    var frames: [PictureFrame] {
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
                let last = MatchPicture.texts(step, "way").last
                let changes = settle() + [MarkChange("position", [])]
                present = last
                return PictureFrame(changes, present: chain)
            default: return PictureFrame([], present: chain)
            }
        }

        private var chain: [String] { present.map { [$0] } ?? [] }

        private func position(_ step: TraceStep) -> [MarkChange] {
            guard case .coordinate(let at)? = step.values["at"],
                case .integer(let number)? = step.values["position"]
            else { return [] }
            return [MarkChange("position", [.point(at, Look.position("\(number)"))])]
        }

        private mutating func candidate(_ step: TraceStep) -> [MarkChange] {
            guard let name = MatchPicture.text(step.values["candidate"]),
                case .coordinate(let at)? = step.values["at"]
            else { return [] }
            places[name] = at
            guard step.kind == "candidate", case .number(let score)? = step.values["score"] else {
                return [MarkChange(name, [.point(at, Look.unreached(name))])]
            }
            let before = settle()
            scores[name] = score
            parents[name] = MatchPicture.text(step.values["from"])
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

    private static func text(_ value: Value?) -> String? {
        if case .text(let text)? = value { text } else { nil }
    }

    private static func texts(_ step: TraceStep, _ key: String) -> [String] {
        guard case .list(let list)? = step.values[key] else { return [] }
        return list.compactMap(text)
    }
}
