import Foundation
import PluginKit
import Synchronization

/// A graph with the costs of a profile.
package final class WeightedGraph: Sendable {
    package let graph: RoutingGraph
    package let profile: CostProfile
    /// A lower bound of the cost per metre of straight line, on this graph with this profile.
    package let leastPerMetre: Double
    /// The cost of an edge from → to and back; infinite if impassable.
    package let forward: Column<Double>
    package let backward: Column<Double>
    /// Owns the memory of the columns.
    private let owners: [any AnyObject & Sendable]
    /// The file that the costs were read from, if they were.
    let stored: StoredCosts?
    /// Whether the costs are those of the database's columns.
    private let isStored: Bool
    /// The costs of each kind of edge, four numbers per kind.
    let kindCosts: Column<Double>
    /// Costs by arcs, and the connected components; computed on first use.
    private let knownArcs = Mutex<ArcCosts?>(nil)
    private let knownComponents = Mutex<NetworkComponents?>(nil)
    /// Reusable memory of searches.
    let spaces = SearchSpacePool()

    /// The cost of an arc away from its node, by its index in the graph's `arcs`.
    package var out: Column<Double> { arcs.out.column }
    /// The cost of an arc towards its node.
    package var into: Column<Double> { arcs.into.column }

    private var arcs: ArcCosts {
        knownArcs.withLock { known in
            if let known { return known }
            let made = ArcCosts(graph, forward, backward)
            known = made
            return made
        }
    }

    /// The cost of the most expensive passable edge; 0 without any.
    var dearestEdge: Double {
        var dearest = 0.0
        for costs in [forward, backward] {
            for edge in 0..<costs.count where costs[edge].isFinite { dearest = max(dearest, costs[edge]) }
        }
        return dearest
    }

    /// Computes the costs of a profile; `check` throws to cancel.
    package convenience init(
        _ graph: RoutingGraph, profile: CostProfile, check: () throws -> Void
    ) rethrows {
        let count = graph.edgeCount
        let forward = Block<Double>(repeating: .infinity, count: count)
        let backward = Block<Double>(repeating: .infinity, count: count)
        let known = graph.kinds
        let kinds = known.map(profile.kindCost)
        let isStored = profile.usesStoredCosts
        let open = known.map { !profile.isBeyondLimit($0) }
        let ways = known.map { kind in
            (there: profile.mayGo(kind, isReversed: false), back: profile.mayGo(kind, isReversed: true))
        }
        // If tags are unknown, an app's stored costs indicate where walkers are not allowed.
        let asksStored = known.map { $0.tags == nil && profile.mode == .hiking }
        for edge in 0..<count {
            if edge % RoutingSettings.rowStep == 0 { try check() }
            let kind = Int(graph.kind[edge])
            if isStored {
                guard open[kind] else { continue }
                forward.base[edge] = graph.cost[edge]
                backward.base[edge] = graph.reverseCost[edge]
                continue
            }
            let cost = kinds[kind]
            guard cost.factor.isFinite else { continue }
            let distance = Double(graph.distance[edge])
            let (gain, loss) = (Double(graph.gain[edge]), Double(graph.loss[edge]))
            if ways[kind].there, !asksStored[kind] || graph.cost[edge].isFinite {
                forward.base[edge] = profile.cost(distance: distance, gain: gain, loss: loss, cost)
            }
            if ways[kind].back, !asksStored[kind] || graph.reverseCost[edge].isFinite {
                backward.base[edge] = profile.cost(distance: distance, gain: loss, loss: gain, cost)
            }
        }
        try check()
        self.init(
            graph, profile: profile, forward: forward, backward: backward, kinds: kinds.flatMap(\.numbers))
    }

    /// The same without cancellation.
    package convenience init(_ graph: RoutingGraph, profile: CostProfile) {
        self.init(graph, profile: profile, check: {})
    }

    /// The same graph with the costs of some edges multiplied.
    convenience init(_ other: WeightedGraph, multiplying edges: some Sequence<Int>, by factor: Double) {
        let forward = Block<Double>(copying: other.forward)
        let backward = Block<Double>(copying: other.backward)
        for edge in edges {
            forward.base[edge] *= factor
            backward.base[edge] *= factor
        }
        self.init(
            other.graph, profile: other.profile, forward: forward, backward: backward,
            kinds: Array(other.kindCosts.buffer))
    }

    /// The same graph with some edges closed.
    convenience init(_ other: WeightedGraph, closing edges: some Sequence<Int>) {
        let forward = Block<Double>(copying: other.forward)
        let backward = Block<Double>(copying: other.backward)
        for edge in edges {
            forward.base[edge] = .infinity
            backward.base[edge] = .infinity
        }
        self.init(
            other.graph, profile: other.profile, forward: forward, backward: backward,
            kinds: Array(other.kindCosts.buffer))
    }

    /// The costs of edges, and those of each kind, which are computed unless given.
    init(
        _ graph: RoutingGraph, profile: CostProfile, forward: Block<Double>, backward: Block<Double>,
        kinds: [Double]? = nil
    ) {
        self.graph = graph
        self.profile = profile
        isStored = profile.usesStoredCosts
        let kinds = kinds ?? graph.kinds.map(profile.kindCost).flatMap(\.numbers)
        let table = Block<Double>(repeating: 0, count: kinds.count)
        for (index, number) in kinds.enumerated() { table.base[index] = number }
        (self.forward, self.backward, kindCosts) = (forward.column, backward.column, table.column)
        (owners, stored) = ([forward, backward, table], nil)
        leastPerMetre = Self.least(graph, profile, forward.column, backward.column)
    }

    /// The costs of a file.
    init(_ graph: RoutingGraph, profile: CostProfile, stored: StoredCosts) {
        self.graph = graph
        self.profile = profile
        isStored = profile.usesStoredCosts
        (forward, backward, kindCosts) = (stored.forward, stored.backward, stored.kindCosts)
        (owners, self.stored, leastPerMetre) = ([stored], stored, stored.leastPerMetre)
        knownComponents.withLock { $0 = stored.components }
    }

    /// Throws if any data of the graph or the costs that was read is damaged.
    func checkSound() throws(RutterError) {
        try graph.image.checkSound()
        try stored?.image.checkSound()
    }

    /// The least cost per metre of straight line on any edge.
    private static func least(
        _ graph: RoutingGraph, _ profile: CostProfile, _ forward: Column<Double>, _ backward: Column<Double>
    ) -> Double {
        var least = Double.infinity
        for edge in 0..<graph.edgeCount {
            let cost = min(forward[edge], backward[edge])
            guard cost < .infinity else { continue }
            let line = graph.straightLine(Int(graph.source[edge]), Int(graph.target[edge]))
            if cost < least * line { least = cost / line }
        }
        // A sum of rounded costs can be below the exact one by a few units in the last place.
        return least.isFinite ? least * (1 - 1e-9) : 0
    }

    /// The connected components of the network.
    package var components: NetworkComponents {
        if let known = knownComponents.withLock({ $0 }) { return known }
        let made = NetworkComponents(self)
        knownComponents.withLock { $0 = made }
        return made
    }

    /// The turns that must not be taken; `nil` for none.
    var turns: TurnRestrictions? {
        profile.mode == .cycling && !profile.isBareDistance ? graph.turns(at: profile.moment) : nil
    }

    /// The cost of an edge in a direction.
    package func cost(of edge: Int, isReversed: Bool) -> Double {
        isReversed ? backward[edge] : forward[edge]
    }

    /// Seconds for an edge in a direction, without preferences.
    package func seconds(of edge: Int, isReversed: Bool) -> Double {
        // Costs without preferences are times.
        if isStored { return cost(of: edge, isReversed: isReversed) / profile.speed }
        let kind = CostProfile.KindCost(kindCosts, Int(graph.kind[edge]))
        let (gain, loss) = (Double(graph.gain[edge]), Double(graph.loss[edge]))
        return profile.seconds(
            distance: Double(graph.distance[edge]), gain: isReversed ? loss : gain,
            loss: isReversed ? gain : loss, kind)
    }

    /// Whether an edge is passable in any direction.
    func isPassable(_ edge: Int) -> Bool {
        forward[edge].isFinite || backward[edge].isFinite
    }
}

/// The costs of a graph by its arcs.
private final class ArcCosts: Sendable {
    let out: Block<Double>
    let into: Block<Double>

    init(_ graph: RoutingGraph, _ forward: Column<Double>, _ backward: Column<Double>) {
        out = Block(repeating: .infinity, count: graph.arcs.count)
        into = Block(repeating: .infinity, count: graph.arcs.count)
        let (arcs, forward, backward) = (graph.arcs.base, forward.base, backward.base)
        for index in 0..<graph.arcs.count {
            let arc = arcs[index]
            let (there, back) = (forward[arc.edge], backward[arc.edge])
            out.base[index] = arc.isReversed ? back : there
            into.base[index] = arc.isReversed ? there : back
        }
    }
}

extension CostProfile.KindCost {
    /// The layout in a column.
    var numbers: [Double] { [factor, fixed, effort, climbs ? 1 : 0] }

    init(_ numbers: Column<Double>, _ kind: Int) {
        self.init(
            factor: numbers[4 * kind], fixed: numbers[4 * kind + 1], effort: numbers[4 * kind + 2],
            climbs: numbers[4 * kind + 3] != 0)
    }
}

extension Block where Element == Double {
    convenience init(copying other: Column<Double>) {
        self.init(repeating: 0, count: other.count)
        base.update(from: other.base, count: other.count)
    }
}

extension RoutingGraph {
    /// The straight-line distance in metres between two nodes: a lower bound of any path.
    @inline(__always)
    func straightLine(_ a: Int, _ b: Int) -> Double {
        let x = space[3 * a] - space[3 * b]
        let y = space[3 * a + 1] - space[3 * b + 1]
        let z = space[3 * a + 2] - space[3 * b + 2]
        return (x * x + y * y + z * z).squareRoot()
    }
}
