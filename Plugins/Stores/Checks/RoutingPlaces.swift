import Geodesy
import PluginKit
import TrailStores

/// Edges that are shorter than the straight line between their ends. If all edges of a node are, the node is in the wrong
/// place, not each of the edges too short.
struct RoutingPlaces {
    struct Edge {
        let row: Int64
        let from: Int64
        let to: Int64
        let length: Double
    }

    private var short: [Edge] = []
    private var good: [Int64: Int] = [:]

    mutating func add(_ edge: Edge, isShort: Bool) {
        if isShort {
            short.append(edge)
        } else {
            good[edge.from, default: 0] += 1
            good[edge.to, default: 0] += 1
        }
    }

    /// The nodes that explain several short edges and have no other, each with its edges.
    func culprits() -> [(node: Int64, edges: [Edge])] {
        var edges: [Int64: [Edge]] = [:]
        for edge in short {
            edges[edge.from, default: []].append(edge)
            if edge.to != edge.from { edges[edge.to, default: []].append(edge) }
        }
        let candidates = edges.filter { $0.value.count > 1 && good[$0.key, default: 0] == 0 }
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        var explained: Set<Int64> = []
        var found: [(node: Int64, edges: [Edge])] = []
        for (node, edges) in candidates {
            let rest = edges.filter { !explained.contains($0.row) }
            guard rest.count > 1 else { continue }
            explained.formUnion(rest.map(\.row))
            found.append((node, rest))
        }
        return found.sorted { $0.node < $1.node }
    }

    /// Adds the nodes in a wrong place, and the other short edges.
    func report(_ coordinates: [Int64: Coordinate], _ run: CheckRun) {
        var explained: Set<Int64> = []
        for (node, edges) in culprits() {
            guard let place = coordinates[node] else { continue }
            explained.formUnion(edges.map(\.row))
            let others = edges.compactMap { coordinates[$0.from == node ? $0.to : $0.from] }
            let turned = Coordinate(latitude: place.longitude, longitude: place.latitude)
            let isSwapped =
                turned.isValid
                && zip(edges, others).allSatisfy {
                    turned.distance(to: $1) <= $0.length * (1 + CheckSettings.lengthShare)
                        + CheckSettings.lengthTolerance
                }
            let apart = Literal.quantity(.metres((others.map(place.distance).max() ?? 0).rounded()))
            let longest = Literal.quantity(.metres((edges.map(\.length).max() ?? 0).rounded()))
            run.add(
                RoutingFindings.far, table: "routing_nodes", row: node,
                "node \(node) is up to \(apart) from the other ends of its \(edges.count) edges, of which none is longer than \(longest)"
                    + (isSwapped ? ": latitude and longitude are swapped" : ""),
                repair: isSwapped
                    ? "UPDATE routing_nodes SET latitude = longitude, longitude = latitude WHERE id = \(node)"
                    : nil)
        }
        for edge in short where !explained.contains(edge.row) {
            let line = coordinates[edge.from].flatMap { from in
                coordinates[edge.to].map { from.distance(to: $0) }
            }
            run.add(
                RoutingFindings.length, table: "routing_edges", row: edge.row,
                "distance is \(Literal.number(edge.length)), the straight line \(Literal.quantity(.metres(line ?? 0)))"
            )
        }
    }
}
