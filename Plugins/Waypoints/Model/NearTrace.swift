import Geodesy
import Pictures
import PluginKit

/// The first and last steps of a search around a coordinate.
enum NearSteps {
    static func started(_ coordinate: Coordinate, _ radius: Double) -> TraceStep {
        .start(
            [
                ("at", .coordinate(coordinate.withoutAltitude)), ("radius", .quantity(.metres(radius))),
                ("box", .box(BoundingBox(center: coordinate, radius: radius))),
            ],
            why:
                "the index takes boxes, not circles: first all waypoints of the box around the circle, then their distances"
        )
    }

    static func ended(_ count: Int, _ limit: Int?) -> TraceStep {
        .end(
            [("found", .integer(count))],
            why: count == limit
                ? "the limit is reached; the nearest come first" : "all waypoints in the box are checked")
    }
}

/// Draws the box, the circle, and the candidates decided so far.
struct NearPicturing: TracePicturing {
    let center: Coordinate
    let radius: Double

    func picture(after steps: ArraySlice<TraceStep>) -> any DomainObject {
        NearPicture(center: center, radius: radius, steps: Array(steps))
    }
}

/// A search around a coordinate up to one of its steps.
struct NearPicture: DomainObject, MapDrawable {
    let center: Coordinate
    let radius: Double
    let steps: [TraceStep]

    private enum Look {
        static let blue = Color(0x1C6DD0)
        static let grey = Color(0x6B7280)
        static let red = Color(0xC92A2A)
        static let box = MapLineStyle(
            stroke: Stroke(grey, width: 1.5, dash: [4, 3]), layer: MapLayer.route, label: "box of the index")
        static let circle = MapLineStyle(
            stroke: Stroke(blue, width: 2), layer: MapLayer.route, label: "radius")
        static let center = MapPointStyle(
            color: Color(0x2B3440), radius: 6, shape: .triangle, symbol: ">", label: "centre")

        static func candidate(_ label: String, isNear: Bool, isPresent: Bool) -> MapPointStyle {
            if isPresent {
                return MapPointStyle(
                    color: red, radius: 6, shape: .diamond, symbol: "@", label: label, legend: "current")
            }
            return isNear
                ? MapPointStyle(
                    color: blue, radius: 4, symbol: "o", label: label, legend: "within the radius")
                : MapPointStyle(
                    color: grey, radius: 4, shape: .box, symbol: "x", label: label,
                    legend: "in the box only")
        }
    }

    /// Number of corners of the drawn circle.
    private static let corners = 72

    let typeName = "near"
    let fieldNames = ["candidates", "within"]
    var summary: String { "\(candidates.count) candidates, \(within) within the radius" }

    private var candidates: [TraceStep] { steps.filter { $0.kind == "candidate" } }
    private var within: Int { candidates.count(where: isNear) }

    private func isNear(_ step: TraceStep) -> Bool {
        guard case .quantity(let distance)? = step.values["distance"] else { return false }
        return distance.value <= radius
    }

    func field(_ name: String) -> Value? {
        switch name {
        case "candidates": .integer(candidates.count)
        case "within": .integer(within)
        default: nil
        }
    }

    var mapFeatures: [MapFeature] {
        let box = BoundingBox(center: center, radius: radius)
        let corners = [
            Coordinate(latitude: box.south, longitude: box.west),
            Coordinate(latitude: box.south, longitude: box.east),
            Coordinate(latitude: box.north, longitude: box.east),
            Coordinate(latitude: box.north, longitude: box.west),
            Coordinate(latitude: box.south, longitude: box.west),
        ]
        let circle = (0...Self.corners).map {
            center.destination(bearing: Double($0) * 360 / Double(Self.corners), distance: radius)
        }
        let points = candidates.enumerated().compactMap { index, step -> MapFeature? in
            guard case .coordinate(let at)? = step.values["at"],
                case .text(let label)? = step.values["label"],
                case .quantity(let distance)? = step.values["distance"]
            else { return nil }
            return .point(
                at,
                Look.candidate(
                    "\(label) \(Literal.quantity(distance))", isNear: isNear(step),
                    isPresent: index == candidates.count - 1 && steps.last?.kind == "candidate"))
        }
        return [.line(corners, Look.box), .line(circle, Look.circle), .point(center, Look.center)] + points
    }
}
