import Geodesy
import Pictures
import PluginKit

/// Draws the frontier of a route search at a step.
struct SearchPicturing: TracePicturing {
    let graph: RoutingGraph
    let places: [Coordinate]

    func picture(after steps: ArraySlice<TraceStep>) -> any DomainObject {
        var state = SearchState()
        for step in steps { state.take(step) }
        return SearchPicture(graph: graph, places: places, state: state)
    }
}

/// The state of a search after some of its steps.
struct SearchState: Sendable {
    /// The settled nodes with their parents, in order.
    private(set) var settled: [(node: Int, parent: Int?)] = []
    /// Nodes that were reached and not settled yet, with the node they were reached from.
    private(set) var frontier: [Int: Int] = [:]
    /// The values of the last settled node.
    private(set) var last: Record?
    private var known: Set<Int> = []

    mutating func take(_ step: TraceStep) {
        guard case .integer(let node)? = step.values["node"] else { return }
        switch step.kind {
        case "settle":
            var parent: Int?
            if case .integer(let id)? = step.values["parent"] { parent = id }
            settled.append((node, parent))
            known.insert(node)
            frontier[node] = nil
            last = step.values
        case "relax":
            guard case .text(let outcome)? = step.values["outcome"],
                outcome == "reached" || outcome == "improved",
                case .integer(let from)? = step.values["from"], !known.contains(node)
            else { return }
            frontier[node] = from
        default: break
        }
    }
}

/// A search at one of its steps, as it can be drawn.
struct SearchPicture: DomainObject, MapDrawable {
    private enum Look {
        static let tree = MapLineStyle(
            stroke: Stroke(Color(0x2F7DE1), width: 3), layer: MapLayer.route, label: "settled")
        static let edge = MapLineStyle(
            stroke: Stroke(Color(0xF08C00), width: 2, dash: [4, 3]), layer: MapLayer.route, label: "frontier")
        static let best = MapLineStyle(
            stroke: Stroke(Color(0xE03131), width: 5), layer: MapLayer.track, label: "way to the present node"
        )
        static let settled = Color(0x2F7DE1)
        static let frontier = Color(0xF08C00)
        static let present = Color(0xE03131)
        static let ends = Color(0x2B3440)
        static let dot = 2.5
        /// Part of the search's size that is drawn of the network around it.
        static let margin = 0.3
    }

    let graph: RoutingGraph
    let places: [Coordinate]
    let state: SearchState

    var typeName: String { "frontier" }
    var fieldNames: [String] { ["settled", "frontier", "node", "at", "f", "g", "h"] }
    var summary: String { "\(state.settled.count) settled, \(state.frontier.count) in the frontier" }

    func field(_ name: String) -> Value? {
        switch name {
        case "settled": .integer(state.settled.count)
        case "frontier": .integer(state.frontier.count)
        case "node", "at", "f", "g", "h": state.last?[name] ?? .nothing
        default: nil
        }
    }

    var mapFeatures: [MapFeature] {
        var lines: [MapFeature] = []
        var points: [MapFeature] = []
        for (node, parent) in state.settled {
            if let line = parent.map({ self.line(from: $0, to: node) }) ?? partLine(to: node) {
                lines.append(.line(line, Look.tree))
            }
            if let at = place(node) { points.append(Self.dot(at, Look.settled, "o")) }
        }
        for (node, parent) in state.frontier.sorted(by: { $0.key < $1.key }) {
            if let line = line(from: parent, to: node) { lines.append(.line(line, Look.edge)) }
            if let at = place(node) { points.append(Self.dot(at, Look.frontier, "*")) }
        }
        lines += bestWay
        if let node = state.settled.last?.node, let at = place(node) {
            points.append(.point(at, MapPointStyle(color: Look.present, radius: 5, symbol: "@", label: "")))
        }
        let all = lines + points + ends
        let box = BoundingBox(around: all.flatMap(\.coordinates))?.padded(by: Look.margin)
        return (box.map { NetworkDrawing(graph: graph).features(in: NetworkDrawing.frame(around: $0)) } ?? [])
            + all
    }

    private var ends: [MapFeature] {
        let names = ["start"] + places.dropFirst().dropLast().map { _ in "via" } + ["end"]
        let symbols: [String: Character] = ["start": "A", "via": "V", "end": "B"]
        return zip(places, names).map { place, name in
            .point(
                place.withoutAltitude,
                MapPointStyle(color: Look.ends, radius: 5, symbol: symbols[name] ?? "o", label: name))
        }
    }

    /// The way by which the present node was settled.
    private var bestWay: [MapFeature] {
        let parents = Dictionary(state.settled.map { ($0.node, $0.parent) }) { first, _ in first }
        guard var node = state.settled.last?.node else { return [] }
        var features: [MapFeature] = []
        while let parent = parents[node] ?? nil, features.count < state.settled.count {
            if let line = line(from: parent, to: node) { features.append(.line(line, Look.best)) }
            node = parent
        }
        if let line = partLine(to: node) { features.append(.line(line, Look.best)) }
        return features
    }

    /// The part of the way between the start, or the end for a search from there, and a node that it was found by.
    private func partLine(to id: Int) -> [Coordinate]? {
        guard let node = graph.node(id: Int64(id)), let first = places.first, let last = places.last else {
            return nil
        }
        for place in [first, last] {
            let near = Snapper(graph) { _ in true }.nearest(
                to: place, within: RoutingSettings.snapRadius, limit: 1)
            guard let stop = near.first else { continue }
            let isReversed = Int(graph.source[stop.edge]) == node
            guard isReversed || Int(graph.target[stop.edge]) == node else { continue }
            let enter = isReversed ? 1 - stop.fraction : stop.fraction
            guard enter < 1 else { return nil }
            return graph.line(of: PathEdge(edge: stop.edge, isReversed: isReversed, enter: enter))
                .map(\.withoutAltitude)
        }
        return nil
    }

    private static func dot(_ at: Coordinate, _ color: Color, _ symbol: Character) -> MapFeature {
        .point(at, MapPointStyle(color: color, radius: Look.dot, symbol: symbol))
    }

    private func place(_ id: Int) -> Coordinate? {
        graph.node(id: Int64(id)).map { graph.coordinate(of: $0).withoutAltitude }
    }

    /// The line of the shortest edge between two nodes.
    private func line(from: Int, to: Int) -> [Coordinate]? {
        guard let tail = graph.node(id: Int64(from)), let head = graph.node(id: Int64(to)) else { return nil }
        let arcs = graph.arcRange(of: tail).map { graph.arcs[$0] }.filter { Int($0.head) == head }
        guard let arc = arcs.min(by: { graph.distance[$0.edge] < graph.distance[$1.edge] }) else {
            return nil
        }
        return graph.line(of: arc.edge, isReversed: arc.isReversed).map(\.withoutAltitude)
    }
}
