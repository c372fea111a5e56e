import Geodesy
import Pictures
import PluginKit
import TracePictures

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
struct NearPicturing: TracedMap {
    let center: Coordinate
    let radius: Double

    private enum Look {
        static let box = MapLineStyle(
            stroke: Stroke(StepPalette.refused, width: 1.5, dash: [4, 3]), layer: MapLayer.route,
            label: "box of the index")
        static let circle = MapLineStyle(
            stroke: Stroke(StepPalette.subject, width: 2), layer: MapLayer.route, label: "radius")
        static let center = MapPointStyle(
            color: StepPalette.fixed, radius: 6, shape: .triangle, symbol: ">", label: "centre")

        static func candidate(_ label: String, isNear: Bool, isPresent: Bool) -> MapPointStyle {
            if isPresent {
                return MapPointStyle(
                    color: StepPalette.present, radius: 6, shape: .diamond, symbol: "@", label: label,
                    legend: "current")
            }
            return isNear
                ? MapPointStyle(
                    color: StepPalette.subject, radius: 4, symbol: "o", label: label,
                    legend: "within the radius")
                : MapPointStyle(
                    color: StepPalette.refused, radius: 4, shape: .box, symbol: "x", label: label,
                    legend: "in the box only")
        }
    }

    /// Number of corners of the drawn circle.
    private static let corners = 72

    let name = "near"
    let fieldNames = ["candidates", "within"]

    func summary(of steps: ArraySlice<TraceStep>) -> String {
        let candidates = candidates(steps)
        return "\(candidates.count) candidates, \(candidates.count(where: isNear)) within the radius"
    }

    private func candidates(_ steps: ArraySlice<TraceStep>) -> [TraceStep] {
        steps.filter { $0.kind == "candidate" }
    }

    private func isNear(_ step: TraceStep) -> Bool { step.number("distance").map { $0 <= radius } ?? false }

    func value(_ field: String, of steps: ArraySlice<TraceStep>) -> Value {
        let candidates = candidates(steps)
        return .integer(field == "within" ? candidates.count(where: isNear) : candidates.count)
    }

    func features(of steps: ArraySlice<TraceStep>) -> [MapFeature] {
        let candidates = candidates(steps)
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
            guard let at = step.coordinate("at"), let label = step.text("label"),
                let distance = step.number("distance")
            else { return nil }
            return .point(
                at,
                Look.candidate(
                    "\(label) \(Literal.quantity(.metres(distance)))", isNear: isNear(step),
                    isPresent: index == candidates.count - 1 && steps.last?.kind == "candidate"))
        }
        return [.line(corners, Look.box), .line(circle, Look.circle), .point(center, Look.center)] + points
    }
}
