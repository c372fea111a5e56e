import Geodesy
import PluginKit

/// The lines between the nodes that steps name.
struct SearchNetwork: Sendable {
    let graph: RoutingGraph
    let names: NodeNames
    let places: [Coordinate]

    /// The coordinate of a node.
    func place(_ name: Value?) -> Coordinate? {
        node(name).map { graph.coordinate(of: $0).withoutAltitude }
    }

    /// The line of the shortest edge between two nodes.
    func line(from: Value?, to: Value?) -> [Coordinate]? {
        guard let tail = node(from), let head = node(to) else { return nil }
        let arcs = graph.arcRange(of: tail).map { graph.arcs[$0] }.filter { Int($0.head) == head }
        guard let arc = arcs.min(by: { graph.distance[$0.edge] < graph.distance[$1.edge] }) else {
            return nil
        }
        return graph.line(of: arc.edge, isReversed: arc.isReversed).map(\.withoutAltitude)
    }

    /// The straight line between two nodes.
    func straight(from: Value?, to: Value?) -> [Coordinate]? {
        guard let from = place(from), let to = place(to) else { return nil }
        return [from, to]
    }

    /// The part of an edge between the start or the end and the adjacent node.
    func part(to name: Value?, of side: SearchSide) -> [Coordinate]? {
        guard let node = node(name), let place = side == .forward ? places.first : places.last else {
            return nil
        }
        let near = Snapper(graph) { _ in true }.nearest(
            to: place, within: RoutingSettings.snapRadius, limit: 1)
        guard let stop = near.first else { return nil }
        let isReversed = Int(graph.source[stop.edge]) == node
        guard isReversed || Int(graph.target[stop.edge]) == node else { return nil }
        let enter = isReversed ? 1 - stop.fraction : stop.fraction
        guard enter < 1 else { return nil }
        return graph.line(of: PathEdge(edge: stop.edge, isReversed: isReversed, enter: enter))
            .map(\.withoutAltitude)
    }

    private func node(_ name: Value?) -> Int? { names.id(name).flatMap(graph.node(id:)) }
}
