import Geodesy
import Pictures
import PluginKit
import TracePictures

/// Draws the routes that the search for alternatives has found at a step: the best route, the kept ones, the rejected ones,
/// and the current one. Dashes and widths duplicate the meaning of colours.
struct AlternativesPicturing: SteppedMap {
    let graph: RoutingGraph
    let places: [Coordinate]

    private enum Look {
        static let best = MapLineStyle(
            stroke: Stroke(StepPalette.subject, width: 6), layer: MapLayer.route, label: "best route")
        static let kept = MapLineStyle(
            stroke: Stroke(StepPalette.accepted, width: 4, dash: [10, 4]), layer: MapLayer.route + 1,
            label: "kept"
        )
        static let refused = MapLineStyle(
            stroke: Stroke(StepPalette.refused, width: 2, dash: [3, 3]), layer: MapLayer.route,
            label: "not kept")
        static let present = MapLineStyle(
            stroke: Stroke(StepPalette.present, width: 2), layer: MapLayer.track, label: "current route")
    }

    /// The margin around the routes in which the network is drawn, as a share of their size.
    private static let margin = 0.2

    let name = "alternatives"
    let fieldNames = ["kept", "refused", "outcome", "shared", "stretch"]
    var chain: MapLineStyle { Look.present }

    func summary(of steps: ArraySlice<TraceStep>) -> String {
        "\(count("kept", steps)) kept, \(count("refused", steps)) not kept"
    }

    func value(_ field: String, of steps: ArraySlice<TraceStep>) -> Value {
        switch field {
        case "kept", "refused": .integer(count(field, steps))
        default: steps.last?.values[field] ?? .nothing
        }
    }

    private func count(_ what: String, _ steps: ArraySlice<TraceStep>) -> Int {
        steps.count { step in step.text("outcome").map { ($0 == "kept") == (what == "kept") } ?? false }
    }

    func ground(of steps: ArraySlice<TraceStep>) -> [MapFeature] {
        let network = NetworkDrawing(graph: graph).features(
            around: places + steps.flatMap { $0.coordinates("line") }, margin: Self.margin)
        let ends = zip(["start", "end"], [places.first, places.last]).compactMap { word, place in
            place.map { MapFeature.point($0.withoutAltitude, SearchLook.end(word, label: word)) }
        }
        return network + ends
    }

    func frames(of steps: ArraySlice<TraceStep>) -> [PictureFrame] {
        steps.map { step in
            let line = step.coordinates("line")
            switch step.kind {
            case "start": return PictureFrame([.clearing])
            case "best":
                return PictureFrame([MarkChange("best", [.line(line, Look.best)])], present: ["best"])
            case "attempt":
                guard let number = step.integer("attempt"), let outcome = step.text("outcome")
                else { return PictureFrame() }
                let key = "attempt \(number)"
                let style = outcome == "kept" ? Look.kept : Look.refused
                return PictureFrame([MarkChange(key, [.line(line, style)])], present: [key])
            default: return PictureFrame()
            }
        }
    }
}
