import Geodesy
import Pictures
import PluginKit
import TracePictures

/// Draws the junction or corner of a step of turn instructions, with the compared directions.
struct TurnPicturing: TracedMap {
    let line: [Coordinate]
    let surroundings: (@Sendable (BoundingBox) -> [MapFeature])?

    /// Maximum distance in metres over which directions are measured; they are drawn with this length.
    private static let reach = 50.0
    /// Radius in metres around the junction.
    private static let sight = 90.0

    private enum Look {
        static let incoming = MapLineStyle(
            stroke: Stroke(StepPalette.subject, width: 4), layer: MapLayer.track, label: "direction before")
        static let outgoing = MapLineStyle(
            stroke: Stroke(StepPalette.present, width: 4, dash: [8, 4]), layer: MapLayer.track,
            label: "direction after")
        static let ahead = MapLineStyle(
            stroke: Stroke(StepPalette.subject, width: 1.5, dash: [2, 4]), layer: MapLayer.track,
            label: "straight on")
        static let other = MapLineStyle(
            stroke: Stroke(StepPalette.refused, width: 3, dash: [3, 3]), layer: MapLayer.route + 1,
            label: "way not taken")
        static let announced = MapPointStyle(
            color: StepPalette.present, radius: 6, shape: .diamond, symbol: "@", legend: "announced")
        static let dropped = MapPointStyle(
            color: StepPalette.refused, radius: 5, shape: .ring, symbol: "o", legend: "not announced")
    }

    let name = "turn"
    let fieldNames = ["told", "dropped", "at", "in", "out", "delta", "class"]
    /// Larger than in other maps, because a junction is small.
    let nearestZoom = 19.0

    func summary(of steps: ArraySlice<TraceStep>) -> String {
        "\(count("announced", steps)) announced, \(count("dropped", steps)) not announced"
    }

    func value(_ field: String, of steps: ArraySlice<TraceStep>) -> Value {
        switch field {
        case "told": .integer(count("announced", steps))
        case "dropped": .integer(count("dropped", steps))
        default: steps.last?.values[field] ?? .nothing
        }
    }

    func features(of steps: ArraySlice<TraceStep>) -> [MapFeature] {
        guard let step = steps.last, let at = place(step) else { return overview(steps) }
        var features = surroundings?(BoundingBox(center: at, radius: Self.sight)) ?? []
        features.append(.line(near(at), Self.route))
        for bearing in step.numbers("others") {
            features.append(.line([at, at.destination(bearing: bearing, distance: Self.reach)], Look.other))
        }
        if let incoming = step.numbers("in").first {
            let before = at.destination(bearing: incoming + 180, distance: Self.reach)
            features.append(.line([before, at], Look.incoming))
            features.append(.line([at, at.destination(bearing: incoming, distance: Self.reach)], Look.ahead))
        }
        if let outgoing = step.numbers("out").first {
            features.append(
                .line([at, at.destination(bearing: outgoing, distance: Self.reach)], Look.outgoing))
        }
        var style = isAnnounced(step) ? Look.announced : Look.dropped
        style.label = label(step)
        features.append(.point(at, style))
        return features
    }

    private static let route = MapLineStyle(
        stroke: Stroke(Color(0xA5C8F2), width: 8), layer: MapLayer.route, label: "route")

    /// The whole route with the instructions so far, for steps without a coordinate.
    private func overview(_ steps: ArraySlice<TraceStep>) -> [MapFeature] {
        var features: [MapFeature] = [.line(line, Self.route)]
        for step in steps where step.kind == "junction" || step.kind == "corner" {
            guard let at = place(step) else { continue }
            features.append(.point(at, isAnnounced(step) ? Look.announced : Look.dropped))
        }
        return features
    }

    /// The points of the line around a coordinate, at a scale that shows the directions.
    private func near(_ at: Coordinate) -> [Coordinate] {
        let along = Polyline.cumulativeDistances(line)
        guard let nearest = line.indices.min(by: { line[$0].distance(to: at) < line[$1].distance(to: at) })
        else {
            return line
        }
        let inner = line.indices.filter { abs(along[$0] - along[nearest]) <= Self.sight }
        var points = inner.map { line[$0] }
        for (edge, beyond) in [(inner.first, -1), (inner.last, 1)] {
            guard let edge, line.indices.contains(edge + beyond) else { continue }
            let rest = Self.sight - abs(along[edge] - along[nearest])
            let bearing = line[edge].bearing(to: line[edge + beyond])
            let end = line[edge].destination(bearing: bearing, distance: rest)
            if beyond < 0 { points.insert(end, at: 0) } else { points.append(end) }
        }
        return points
    }

    private func label(_ step: TraceStep) -> String {
        var words: [String] = []
        if let delta = step.numbers("delta").first {
            words.append((delta > 0 ? "+" : "") + "\(Int(delta.rounded()))°")
        }
        words += ["class", "name", "text"].compactMap(step.text)
        return words.joined(separator: " ")
    }

    private func isAnnounced(_ step: TraceStep) -> Bool { step.text("outcome") != "dropped" }

    private func count(_ outcome: String, _ steps: ArraySlice<TraceStep>) -> Int {
        steps.count { $0.text("outcome") == outcome }
    }

    private func place(_ step: TraceStep) -> Coordinate? {
        step.coordinate("at")
            ?? (step.kind == "start" ? line.first : step.kind == "arrive" ? line.last : nil)
    }
}
