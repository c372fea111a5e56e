import Geodesy
import Pictures
import PluginKit
import TracePictures

/// Draws a step of guidance: the line, the position, the candidates so far, and the chosen match. The steps of a picture are those of
/// its fix.
struct GuidancePicturing: TracedMap {
    let line: [Coordinate]

    let name = "guidancePicture"
    let fieldNames = ["position", "candidates", "chosen"]

    func summary(of steps: ArraySlice<TraceStep>) -> String { "guidance at a fix" }

    func value(_ field: String, of steps: ArraySlice<TraceStep>) -> Value {
        let steps = Self.fix(steps)
        return switch field {
        case "position": Value(Self.position(steps), Value.coordinate)
        case "candidates": .integer(steps.count { $0.kind == "candidate" })
        default: Value(Self.chosen(steps), Value.coordinate)
        }
    }

    /// The steps of the last fix, from its first.
    private static func fix(_ steps: ArraySlice<TraceStep>) -> ArraySlice<TraceStep> {
        steps[(steps.lastIndex { $0.kind == "fix" } ?? steps.startIndex)...]
    }

    private static func position(_ steps: ArraySlice<TraceStep>) -> Coordinate? {
        steps.first { $0.kind == "fix" }?.coordinate("at")
    }

    private static func chosen(_ steps: ArraySlice<TraceStep>) -> Coordinate? {
        steps.last { $0.kind == "projection" }?.coordinate("at")
    }

    /// Length of line shown ahead of and behind the position, metres.
    private static let sight = 200.0

    /// The line around the position, at a scale that shows the distances.
    private func nearby(_ position: Coordinate?, _ geometry: RouteGeometry) -> [Coordinate] {
        guard let position else { return geometry.points }
        let middle = geometry.nearest(position).along
        let (from, to) = (max(0, middle - Self.sight), min(geometry.length, middle + Self.sight))
        let inner = geometry.points.indices.filter { geometry.along[$0] > from && geometry.along[$0] < to }
        return [geometry.coordinate(at: from)] + inner.map { geometry.points[$0] }
            + [geometry.coordinate(at: to)]
    }

    func features(of steps: ArraySlice<TraceStep>) -> [MapFeature] {
        let steps = Self.fix(steps)
        let position = Self.position(steps)
        var features: [MapFeature] = []
        if let geometry = RouteGeometry(line) {
            features.append(.route(nearby(position, geometry)))
            for step in steps where step.kind == "candidate" {
                guard let along = step.number("along") else { continue }
                features.append(
                    .point(
                        geometry.coordinate(at: along),
                        MapPointStyle(color: GuidanceDrawing.candidate, radius: 3, symbol: "c")))
            }
        }
        if let position {
            features.append(.position(position, heading: nil, accuracy: nil))
            if let chosen = Self.chosen(steps) {
                features.append(
                    .line(
                        [position, chosen],
                        MapLineStyle(stroke: Stroke(GuidanceDrawing.warning, width: 2), label: "distance")))
                features.append(
                    .point(
                        chosen,
                        MapPointStyle(color: GuidanceDrawing.good, radius: 5, symbol: "P", label: "chosen")))
            }
        }
        return features
    }
}
