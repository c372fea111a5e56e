import Geodesy
import Pictures
import PluginKit

/// Draws a step of guidance: the line, the position, the candidates so far, and the chosen match.
struct GuidancePicturing: TracePicturing {
    let line: [Coordinate]

    func picture(after steps: ArraySlice<TraceStep>) -> any DomainObject {
        let start = steps.lastIndex { $0.kind == "fix" } ?? steps.startIndex
        return GuidancePicture(line: line, steps: Array(steps[start...]))
    }
}

/// The state of matching at a step.
struct GuidancePicture: DomainObject {
    let line: [Coordinate]
    /// The steps of one fix, from its first.
    let steps: [TraceStep]

    var typeName: String { "guidancePicture" }
    var fieldNames: [String] { ["position", "candidates", "chosen"] }
    var summary: String { "guidance at a fix" }

    func field(_ name: String) -> Value? {
        switch name {
        case "position": Value(position, Value.coordinate)
        case "candidates": .integer(steps.count { $0.kind == "candidate" })
        case "chosen": Value(chosen, Value.coordinate)
        default: nil
        }
    }

    private var position: Coordinate? { steps.first { $0.kind == "fix" }.flatMap(Self.coordinate) }
    private var chosen: Coordinate? { steps.last { $0.kind == "projection" }.flatMap(Self.coordinate) }

    /// Length of line shown ahead of and behind the position, metres.
    private static let sight = 200.0

    /// The line around the position, at a scale that shows the distances.
    private func nearby(_ geometry: RouteGeometry) -> [Coordinate] {
        guard let position else { return geometry.points }
        let middle = geometry.nearest(position).along
        let (from, to) = (max(0, middle - Self.sight), min(geometry.length, middle + Self.sight))
        let inner = geometry.points.indices.filter { geometry.along[$0] > from && geometry.along[$0] < to }
        return [geometry.coordinate(at: from)] + inner.map { geometry.points[$0] }
            + [geometry.coordinate(at: to)]
    }

    private static func coordinate(_ step: TraceStep) -> Coordinate? {
        if case .coordinate(let coordinate)? = step.values["at"] { return coordinate }
        return nil
    }
}

extension GuidancePicture: MapDrawable {
    var mapFeatures: [MapFeature] {
        var features: [MapFeature] = []
        if let geometry = RouteGeometry(line) {
            features.append(.route(nearby(geometry)))
            for step in steps where step.kind == "candidate" {
                guard case .quantity(let along)? = step.values["along"] else { continue }
                features.append(
                    .point(
                        geometry.coordinate(at: along.value),
                        MapPointStyle(color: GuidanceDrawing.candidate, radius: 3, symbol: "c")))
            }
        }
        if let position {
            features.append(.position(position, heading: nil, accuracy: nil))
            if let chosen {
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
