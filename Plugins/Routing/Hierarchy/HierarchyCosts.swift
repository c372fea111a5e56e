import PluginKit
import Synchronization

/// A hierarchy with the costs of a profile: what each arc costs upwards and downwards, and what it stands for.
package final class HierarchyCosts: @unchecked Sendable {
    package let hierarchy: Hierarchy
    package let weighted: WeightedGraph
    let up: Block<Double>
    let down: Block<Double>
    /// What the way along an arc is: the rank it leads over, or −1 − (edge and direction).
    let upVia: Block<Int32>
    let downVia: Block<Int32>
    private let spaces = Mutex(IdleSpaces())

    private struct IdleSpaces: @unchecked Sendable {
        var all: [HierarchySpace] = []
    }

    /// Customises a hierarchy: works out the costs of all arcs.
    package init(_ hierarchy: Hierarchy, _ weighted: WeightedGraph) {
        self.hierarchy = hierarchy
        self.weighted = weighted
        up = Block(repeating: .infinity, count: hierarchy.arcCount)
        down = Block(repeating: .infinity, count: hierarchy.arcCount)
        upVia = Block(repeating: -1, count: hierarchy.arcCount)
        downVia = Block(repeating: -1, count: hierarchy.arcCount)
        takeEdges()
        closeTriangles()
    }

    private func takeEdges() {
        let graph = weighted.graph
        for edge in 0..<graph.edgeCount {
            let arc = Int(hierarchy.edgeArc[edge])
            guard arc >= 0 else { continue }
            let there = (cost: weighted.forward[edge], via: Int32(-1 - 2 * edge))
            let back = (cost: weighted.backward[edge], via: Int32(-2 - 2 * edge))
            let rises = hierarchy.rank[graph.source[edge]] < hierarchy.rank[graph.target[edge]]
            let (rising, falling) = rises ? (there, back) : (back, there)
            if rising.cost < up.base[arc] { (up.base[arc], upVia.base[arc]) = rising }
            if falling.cost < down.base[arc] { (down.base[arc], downVia.base[arc]) = falling }
        }
    }

    /// For each node, the ways over it between its higher neighbours.
    private func closeTriangles() {
        let (first, heads) = (hierarchy.firstUp.base, hierarchy.heads.base)
        let (up, down, upVia, downVia) = (self.up.base, self.down.base, self.upVia.base, self.downVia.base)
        for node in 0..<Int32(hierarchy.nodeCount) {
            let end = Int(first[Int(node) + 1])
            var left = Int(first[Int(node)])
            while left < end {
                let (rise, fall) = (up[left], down[left])
                guard rise < .infinity || fall < .infinity else {
                    left += 1
                    continue
                }
                var arc = Int(first[Int(heads[left])])
                var right = left + 1
                while right < end {
                    let head = heads[right]
                    while heads[arc] < head { arc &+= 1 }
                    let there = fall + up[right]
                    if there < up[arc] { (up[arc], upVia[arc]) = (there, node) }
                    let back = down[right] + rise
                    if back < down[arc] { (down[arc], downVia[arc]) = (back, node) }
                    right &+= 1
                }
                left += 1
            }
        }
    }

    /// Lends the memory of a query.
    func withSpace<T>(_ body: (HierarchySpace) throws -> T) rethrows -> T {
        let box = HierarchySpaceBox()
        spaces.withLock { box.space = $0.all.popLast() }
        let space = box.space ?? HierarchySpace(count: hierarchy.nodeCount)
        defer {
            box.space = space
            spaces.withLock { if let space = box.space { $0.all.append(space) } }
        }
        return try body(space)
    }
}

/// Carries a space across the lock.
private final class HierarchySpaceBox: @unchecked Sendable {
    var space: HierarchySpace?
}

/// What a query knows of a rank on one side.
struct HierarchyLabel: BitwiseCopyable {
    /// Infinite between queries.
    var cost: Double
    /// The arc it was reached by, or −1 − (index of the seed).
    var arc: Int32
    /// The rank it was reached from.
    var from: Int32
}

/// The memory of one query.
final class HierarchySpace {
    let forward: Block<HierarchyLabel>
    let backward: Block<HierarchyLabel>

    init(count: Int) {
        let empty = HierarchyLabel(cost: .infinity, arc: -1, from: -1)
        forward = Block(repeating: empty, count: count)
        backward = Block(repeating: empty, count: count)
    }
}
