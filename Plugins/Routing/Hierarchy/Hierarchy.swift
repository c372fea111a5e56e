import Foundation
import PluginKit

/// The node order of a graph and the shortcuts for arbitrary costs: built once per graph, valid for every
/// profile.
///
/// Method: customizable contraction hierarchies (Dibbelt, Strasser, Wagner 2016). Nodes are identified by
/// their rank here. Each arc leads from a node to one of higher rank; the lowest neighbour above a node is
/// its parent in the elimination tree, and all nodes that an upward search can reach are its ancestors.
package final class Hierarchy: Sendable {
    enum Tag: UInt32 {
        case rank = 1, node, firstUp, heads, edgeArc
    }

    package let image: MemoryImage
    /// The rank of a node.
    let rank: Column<Int32>
    /// The node of a rank.
    let node: Column<Int32>
    /// The start of each rank's arcs; one more than there are ranks.
    let firstUp: Column<Int32>
    /// The ranks that arcs lead up to, in order for each rank.
    let heads: Column<Int32>
    /// The arc of an edge; −1 for loops.
    let edgeArc: Column<Int32>

    package var nodeCount: Int { rank.count }
    package var arcCount: Int { heads.count }

    init(image: MemoryImage) {
        self.image = image
        rank = image.column(Tag.rank.rawValue, as: Int32.self)
        node = image.column(Tag.node.rawValue, as: Int32.self)
        firstUp = image.column(Tag.firstUp.rawValue, as: Int32.self)
        heads = image.column(Tag.heads.rawValue, as: Int32.self)
        edgeArc = image.column(Tag.edgeArc.rawValue, as: Int32.self)
    }

    /// Builds the hierarchy of a graph; `check` throws to cancel.
    package convenience init(
        _ graph: RoutingGraph, check: () throws -> Void = { try Interruption.check() }
    ) throws {
        var builder = try Self.sections(of: graph, check)
        self.init(image: builder.takeImage(stamp: graph.image.stamp, check: {}))
    }

    /// Builds the hierarchy in a file; throws if the file cannot be written.
    convenience init(_ graph: RoutingGraph, in url: URL, check: () throws -> Void) throws {
        var builder = try Self.sections(of: graph, check)
        guard let image = try builder.takeMapped(url, check: check) else {
            throw CommonErrors.fileAccess("\(url.lastPathComponent) cannot be written")
        }
        self.init(image: image)
    }

    private static func sections(
        of graph: RoutingGraph, _ check: () throws -> Void
    ) throws -> MemoryImage.Builder {
        let taken = try NodeOrder(graph, check).nodes
        let contracted = try Self.contract(graph, order: taken, rank: Self.ranks(taken), check)
        try check()
        let (order, arcs) = try EliminationTree(contracted).inPostorder(taken, check)
        let rank = Self.ranks(order)
        var builder = MemoryImage.Builder()
        builder.add(Tag.rank.rawValue, rank)
        builder.add(Tag.node.rawValue, order)
        builder.add(Tag.firstUp.rawValue, arcs.first)
        builder.add(Tag.heads.rawValue, arcs.heads)
        builder.add(Tag.edgeArc.rawValue, try Self.edgeArcs(graph, rank: rank, arcs, check))
        return builder
    }

    /// For each node its index in an order.
    private static func ranks(_ order: [Int32]) -> [Int32] {
        var rank = [Int32](repeating: 0, count: order.count)
        for (index, node) in order.enumerated() { rank[Int(node)] = Int32(index) }
        return rank
    }

    /// Contracts the nodes in order; the higher neighbours of each become neighbours of each other.
    private static func contract(
        _ graph: RoutingGraph, order: [Int32], rank: [Int32], _ check: () throws -> Void
    ) throws -> ArcTopology {
        let count = order.count
        var (first, heads): ([Int32], [Int32]) = ([0], [])
        var child = [Int32](repeating: -1, count: count)
        var sibling = [Int32](repeating: -1, count: count)
        var mark = [Int32](repeating: -1, count: count)
        var above: [Int32] = []
        for index in 0..<Int32(count) {
            if Int(index) % RoutingSettings.rowStep == 0 { try check() }
            above.removeAll(keepingCapacity: true)
            mark[Int(index)] = index
            func add(_ head: Int32) {
                guard head > index, mark[Int(head)] != index else { return }
                mark[Int(head)] = index
                above.append(head)
            }
            for slot in graph.arcRange(of: Int(order[Int(index)])) { add(rank[Int(graph.arcs[slot].head)]) }
            var below = child[Int(index)]
            while below >= 0 {
                for slot in Int(first[Int(below)])..<Int(first[Int(below) + 1]) { add(heads[slot]) }
                below = sibling[Int(below)]
            }
            above.sort()
            heads += above
            first.append(Int32(heads.count))
            if let parent = above.first {
                sibling[Int(index)] = child[Int(parent)]
                child[Int(parent)] = index
            }
        }
        return ArcTopology(first: first, heads: heads)
    }

    private static func edgeArcs(
        _ graph: RoutingGraph, rank: [Int32], _ arcs: ArcTopology, _ check: () throws -> Void
    ) rethrows -> [Int32] {
        try arcs.heads.withUnsafeBufferPointer { heads in
            try (0..<graph.edgeCount).map { edge in
                if edge % RoutingSettings.rowStep == 0 { try check() }
                let (one, other) = (rank[Int(graph.source[edge])], rank[Int(graph.target[edge])])
                guard one != other else { return -1 }
                let (low, high) = (Int(min(one, other)), max(one, other))
                return Int32(search(heads, Int(arcs.first[low]), Int(arcs.first[low + 1]), high))
            }
        }
    }

    /// The index of a head among the sorted ones of a range, which must contain it.
    @inline(__always)
    static func search(_ heads: UnsafeBufferPointer<Int32>, _ from: Int, _ to: Int, _ head: Int32) -> Int {
        var (low, high) = (from, to)
        while low < high {
            let middle = (low + high) / 2
            if heads[middle] < head { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The parent in the elimination tree; the node count for a root.
    @inline(__always)
    func parent(_ rank: Int32) -> Int32 {
        let first = Int(firstUp[rank])
        return first < Int(firstUp[Int(rank) + 1]) ? heads[first] : Int32(nodeCount)
    }
}
