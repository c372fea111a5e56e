import Foundation
import PluginKit

/// A graph with the costs of a profile.
package final class WeightedGraph: Sendable {
    package let graph: RoutingGraph
    package let profile: CostProfile
    /// No metre of straight line costs less than this, on this graph with this profile.
    package let leastPerMetre: Double
    /// The cost of an edge from → to and back; infinite if impassable.
    private let forwardCosts: Block<Double>
    private let backwardCosts: Block<Double>
    /// The cost of an arc away from its node, and towards it, by its index in the graph's `arcs`.
    private let outCosts: Block<Double>
    private let inCosts: Block<Double>
    /// Memory of searches, used again and again.
    let spaces = SearchSpacePool()

    package var forward: Column<Double> { forwardCosts.column }
    package var backward: Column<Double> { backwardCosts.column }
    package var out: Column<Double> { outCosts.column }
    package var into: Column<Double> { inCosts.column }

    /// The cost of the most expensive passable edge; 0 without any.
    var dearestEdge: Double {
        var dearest = 0.0
        for costs in [forward, backward] {
            for edge in 0..<costs.count where costs[edge].isFinite { dearest = max(dearest, costs[edge]) }
        }
        return dearest
    }

    /// Works out the costs of a profile.
    package convenience init(_ graph: RoutingGraph, profile: CostProfile) {
        let count = graph.edgeCount
        let forward = Block<Double>(repeating: .infinity, count: count)
        let backward = Block<Double>(repeating: .infinity, count: count)
        let factors = graph.kinds.map { profile.factor(of: $0) }
        let open = graph.kinds.map { !profile.isBeyondLimit($0) }
        let oneways = graph.kinds.map { $0.isOneway && profile.mode == .cycling }
        let isStored = profile.usesStoredCosts
        for edge in 0..<count {
            let kind = Int(graph.kind[edge])
            if isStored {
                guard open[kind] else { continue }
                forward.base[edge] = graph.cost[edge]
                backward.base[edge] = graph.reverseCost[edge]
                continue
            }
            guard factors[kind].isFinite else { continue }
            let distance = Double(graph.distance[edge])
            let (gain, loss) = (Double(graph.gain[edge]), Double(graph.loss[edge]))
            let flat = distance * factors[kind]
            if profile.mode == .cycling || graph.cost[edge].isFinite {
                forward.base[edge] = flat + profile.climbing(distance: distance, gain: gain, loss: loss)
            }
            if profile.mode == .cycling ? !oneways[kind] : graph.reverseCost[edge].isFinite {
                backward.base[edge] = flat + profile.climbing(distance: distance, gain: loss, loss: gain)
            }
        }
        self.init(graph, profile: profile, forward: forward, backward: backward)
    }

    /// The same graph with the costs of some edges multiplied.
    convenience init(_ other: WeightedGraph, multiplying edges: some Sequence<Int>, by factor: Double) {
        let forward = Block<Double>(copying: other.forward)
        let backward = Block<Double>(copying: other.backward)
        for edge in edges {
            forward.base[edge] *= factor
            backward.base[edge] *= factor
        }
        self.init(other.graph, profile: other.profile, forward: forward, backward: backward)
    }

    init(
        _ graph: RoutingGraph, profile: CostProfile, forward: Block<Double>, backward: Block<Double>
    ) {
        self.graph = graph
        self.profile = profile
        (forwardCosts, backwardCosts) = (forward, backward)
        outCosts = Block(repeating: .infinity, count: graph.arcs.count)
        inCosts = Block(repeating: .infinity, count: graph.arcs.count)
        let (away, towards) = (outCosts.base, inCosts.base)
        for index in 0..<graph.arcs.count {
            let arc = graph.arcs[index]
            let (there, back) = (forward.base[arc.edge], backward.base[arc.edge])
            away[index] = arc.isReversed ? back : there
            towards[index] = arc.isReversed ? there : back
        }
        leastPerMetre = Self.least(graph, profile, forward.column, backward.column)
    }

    /// The least cost per metre of straight line: the profile's, or less where a database stores shorter edges.
    private static func least(
        _ graph: RoutingGraph, _ profile: CostProfile, _ forward: Column<Double>, _ backward: Column<Double>
    ) -> Double {
        var least = profile.leastPerMetre
        for edge in 0..<graph.edgeCount {
            let cost = min(forward[edge], backward[edge])
            let line = graph.straightLine(Int(graph.source[edge]), Int(graph.target[edge]))
            if cost < least * line { least = cost / line }
        }
        // A sum of rounded costs can lie below the exact one by a few units in the last place.
        return least * (1 - 1e-9)
    }

    /// The cost of an edge in a direction.
    package func cost(of edge: Int, isReversed: Bool) -> Double {
        isReversed ? backward[edge] : forward[edge]
    }

    /// Whether an edge may be travelled at all.
    package func isPassable(_ edge: Int) -> Bool {
        forward[edge].isFinite || backward[edge].isFinite
    }
}

extension Block where Element == Double {
    convenience init(copying other: Column<Double>) {
        self.init(repeating: 0, count: other.count)
        base.update(from: other.base, count: other.count)
    }
}

extension RoutingGraph {
    /// Metres between two nodes straight through the ground: never more than along any way.
    @inline(__always)
    package func straightLine(_ a: Int, _ b: Int) -> Double {
        let x = space[3 * a] - space[3 * b]
        let y = space[3 * a + 1] - space[3 * b + 1]
        let z = space[3 * a + 2] - space[3 * b + 2]
        return (x * x + y * y + z * z).squareRoot()
    }
}
