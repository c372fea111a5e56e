import PluginKit
import Synchronization

/// A hierarchy with the costs of a profile.
///
/// First every arc gets the cost of the best way over lower ranks (basic customisation); then arcs that a way over
/// higher ranks beats are left out of the search (perfect customisation), which reads only a few of them.
package final class HierarchyCosts: @unchecked Sendable {
    package let hierarchy: Hierarchy
    package let weighted: WeightedGraph
    /// The arcs that searches use.
    let climb: ClimbArcs
    /// What the way up along an arc stands for, and the way down.
    let upOrigin: Block<ArcOrigin>
    let downOrigin: Block<ArcOrigin>
    private let spaces = Mutex(IdleSpaces())

    private struct IdleSpaces: Sendable {
        var all: [HierarchySpace] = []
    }

    /// Customises a hierarchy: works out the costs of all arcs.
    package init(_ hierarchy: Hierarchy, _ weighted: WeightedGraph) {
        self.hierarchy = hierarchy
        self.weighted = weighted
        let customising = Customising(hierarchy)
        customising.takeEdges(weighted)
        customising.closeTriangles()
        upOrigin = customising.upOrigin
        downOrigin = customising.downOrigin
        let basic = (Block(copying: customising.up.column), Block(copying: customising.down.column))
        customising.beatArcs()
        climb = ClimbArcs(hierarchy, basic: (basic.0.column, basic.1.column), best: customising)
    }

    /// Lends the memory of a query.
    func withSpace<T>(_ body: (HierarchySpace) throws -> T) rethrows -> T {
        let space = spaces.withLock { $0.all.popLast() } ?? HierarchySpace(count: hierarchy.nodeCount)
        defer { spaces.withLock { $0.all.append(space) } }
        return try body(space)
    }
}

/// What a query knows of a rank, on both sides. Costs are infinite between queries.
struct HierarchyLabel: BitwiseCopyable {
    var forward = Double.infinity
    var backward = Double.infinity
    /// The arc the rank was reached by, or −1 − (index of the end); and the rank it was reached from.
    var forwardArc: Int32 = -1
    var forwardFrom: Int32 = -1
    var backwardArc: Int32 = -1
    var backwardFrom: Int32 = -1

    /// Takes a way over an arc from a rank that cost so much from the start, if it is the cheapest.
    @inline(__always)
    mutating func reach(forward cost: Double, _ arc: ClimbArc, from rank: Int32) {
        guard cost + arc.cost < forward else { return }
        (forward, forwardArc, forwardFrom) = (cost + arc.cost, arc.arc, rank)
    }

    /// The same towards the end.
    @inline(__always)
    mutating func reach(backward cost: Double, _ arc: ClimbArc, from rank: Int32) {
        guard cost + arc.cost < backward else { return }
        (backward, backwardArc, backwardFrom) = (cost + arc.cost, arc.arc, rank)
    }
}

/// The memory of one query. Only one query at a time has it.
final class HierarchySpace: Sendable {
    let labels: Block<HierarchyLabel>

    init(count: Int) { labels = Block(repeating: HierarchyLabel(), count: count) }
}
