import Geodesy
import Pictures
import PluginKit

/// Draws the routes that the search for alternatives has found at a step.
struct AlternativesPicturing: TracePicturing {
    let graph: RoutingGraph
    let places: [Coordinate]

    func picture(after steps: ArraySlice<TraceStep>) -> any DomainObject {
        AlternativesPicture(graph: graph, places: places, steps: Array(steps))
    }
}

/// The best route, the kept ones, the rejected ones, and the current one. Dashes and widths duplicate the
/// meaning of colours.
struct AlternativesPicture: DomainObject, SteppedPicture {
    let graph: RoutingGraph
    let places: [Coordinate]
    let steps: [TraceStep]

    private enum Look {
        static let best = MapLineStyle(
            stroke: Stroke(Color(0x1C6DD0), width: 6), layer: MapLayer.route, label: "best route")
        static let kept = MapLineStyle(
            stroke: Stroke(Color(0x2B8A3E), width: 4, dash: [10, 4]), layer: MapLayer.route + 1, label: "kept"
        )
        static let refused = MapLineStyle(
            stroke: Stroke(Color(0x6B7280), width: 2, dash: [3, 3]), layer: MapLayer.route, label: "not kept")
        static let present = MapLineStyle(
            stroke: Stroke(Color(0xC92A2A), width: 2), layer: MapLayer.track, label: "current route")
    }

    /// The margin around the routes in which the network is drawn, as a share of their size.
    private static let margin = 0.2

    var typeName: String { "alternatives" }
    var fieldNames: [String] { ["kept", "refused", "outcome", "shared", "stretch"] }
    var summary: String { "\(count("kept")) kept, \(count("refused")) not kept" }

    func field(_ name: String) -> Value? {
        switch name {
        case "kept", "refused": .integer(count(name))
        case "outcome", "shared", "stretch": steps.last?.values[name] ?? .nothing
        default: nil
        }
    }

    private func count(_ what: String) -> Int {
        steps.count { step in
            guard case .text(let outcome)? = step.values["outcome"] else { return false }
            return (outcome == "kept") == (what == "kept")
        }
    }

    var chainStyle: MapLineStyle { Look.present }

    var ground: [MapFeature] {
        let network = NetworkDrawing(graph: graph).features(
            around: places + steps.flatMap(Self.line), margin: Self.margin)
        let ends = zip(["start", "end"], [places.first, places.last]).compactMap { word, place in
            place.map { MapFeature.point($0.withoutAltitude, SearchLook.end(word, label: word)) }
        }
        return network + ends
    }

    var frames: [PictureFrame] {
        steps.map { step in
            let line = Self.line(step)
            switch step.kind {
            case "start": return PictureFrame([.clearing])
            case "best":
                return PictureFrame([MarkChange("best", [.line(line, Look.best)])], present: ["best"])
            case "attempt":
                guard case .integer(let number)? = step.values["attempt"],
                    case .text(let outcome)? = step.values["outcome"]
                else { return PictureFrame() }
                let key = "attempt \(number)"
                let style = outcome == "kept" ? Look.kept : Look.refused
                return PictureFrame([MarkChange(key, [.line(line, style)])], present: [key])
            default: return PictureFrame()
            }
        }
    }

    private static func line(_ step: TraceStep) -> [Coordinate] {
        guard case .list(let list)? = step.values["line"] else { return [] }
        return list.compactMap { if case .coordinate(let place) = $0 { place } else { nil } }
    }
}
