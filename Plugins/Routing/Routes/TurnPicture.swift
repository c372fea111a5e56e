import Geodesy
import Pictures
import PluginKit

/// Draws the junction or corner of a step of turn instructions.
struct TurnPicturing: TracePicturing {
    let line: [Coordinate]
    let surroundings: (@Sendable (BoundingBox) -> [MapFeature])?

    func picture(after steps: ArraySlice<TraceStep>) -> any DomainObject {
        TurnPicture(line: line, surroundings: surroundings, steps: Array(steps))
    }
}

/// A junction with the compared directions.
struct TurnPicture: DomainObject, MapDrawable {
    let line: [Coordinate]
    let surroundings: (@Sendable (BoundingBox) -> [MapFeature])?
    /// From the first step on; the last is drawn.
    let steps: [TraceStep]

    /// Maximum distance in metres over which directions are measured; they are drawn with this length.
    private static let reach = 50.0
    /// Radius in metres around the junction.
    private static let sight = 90.0

    private enum Look {
        static let incoming = MapLineStyle(
            stroke: Stroke(Color(0x1C6DD0), width: 4), layer: MapLayer.track, label: "direction before")
        static let outgoing = MapLineStyle(
            stroke: Stroke(Color(0xC92A2A), width: 4, dash: [8, 4]), layer: MapLayer.track,
            label: "direction after")
        static let ahead = MapLineStyle(
            stroke: Stroke(Color(0x1C6DD0), width: 1.5, dash: [2, 4]), layer: MapLayer.track,
            label: "straight on")
        static let other = MapLineStyle(
            stroke: Stroke(Color(0x6B7280), width: 3, dash: [3, 3]), layer: MapLayer.route + 1,
            label: "way not taken")
        static let announced = MapPointStyle(
            color: Color(0xC92A2A), radius: 6, shape: .diamond, symbol: "@", legend: "announced")
        static let dropped = MapPointStyle(
            color: Color(0x6B7280), radius: 5, shape: .ring, symbol: "o", legend: "not announced")
    }

    var typeName: String { "turn" }
    var fieldNames: [String] { ["told", "dropped", "at", "in", "out", "delta", "class"] }
    var summary: String { "\(count("announced")) announced, \(count("dropped")) not announced" }

    func field(_ name: String) -> Value? {
        switch name {
        case "told": .integer(count("announced"))
        case "dropped": .integer(count("dropped"))
        case "at", "in", "out", "delta", "class": steps.last?.values[name] ?? .nothing
        default: nil
        }
    }

    var mapFeatures: [MapFeature] {
        guard let step = steps.last, let at = place(step) else { return overview }
        var features = surroundings?(BoundingBox(center: at, radius: Self.sight)) ?? []
        features.append(.line(near(at), Self.route))
        for bearing in degrees(step, "others") {
            features.append(.line([at, at.destination(bearing: bearing, distance: Self.reach)], Look.other))
        }
        if let incoming = degrees(step, "in").first {
            let before = at.destination(bearing: incoming + 180, distance: Self.reach)
            features.append(.line([before, at], Look.incoming))
            features.append(.line([at, at.destination(bearing: incoming, distance: Self.reach)], Look.ahead))
        }
        if let outgoing = degrees(step, "out").first {
            features.append(
                .line([at, at.destination(bearing: outgoing, distance: Self.reach)], Look.outgoing))
        }
        var style = isAnnounced(step) ? Look.announced : Look.dropped
        style.label = label(step)
        features.append(.point(at, style))
        return features
    }

    /// The largest zoom that shows a whole picture: larger than in other maps, because a junction is small.
    var nearestZoom: Double { 19 }

    private static let route = MapLineStyle(
        stroke: Stroke(Color(0xA5C8F2), width: 8), layer: MapLayer.route, label: "route")

    /// The whole route with the instructions so far, for steps without a coordinate.
    private var overview: [MapFeature] {
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
        if let delta = degrees(step, "delta").first {
            words.append((delta > 0 ? "+" : "") + "\(Int(delta.rounded()))°")
        }
        for key in ["class", "name", "text"] {
            if case .text(let text)? = step.values[key] { words.append(text) }
        }
        return words.joined(separator: " ")
    }

    private func isAnnounced(_ step: TraceStep) -> Bool {
        if case .text(let outcome)? = step.values["outcome"] { return outcome != "dropped" }
        return true
    }

    private func count(_ outcome: String) -> Int {
        steps.count { step in
            if case .text(outcome)? = step.values["outcome"] { true } else { false }
        }
    }

    private func place(_ step: TraceStep) -> Coordinate? {
        switch step.values["at"] {
        case .coordinate(let place): place
        default: step.kind == "start" ? line.first : step.kind == "arrive" ? line.last : nil
        }
    }

    private func degrees(_ step: TraceStep, _ key: String) -> [Double] {
        switch step.values[key] {
        case .quantity(let quantity): [quantity.value]
        case .list(let list): list.compactMap { if case .quantity(let one) = $0 { one.value } else { nil } }
        default: []
        }
    }
}
