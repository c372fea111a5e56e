import PluginKit

/// The contraction order of a hierarchy.
///
/// Nodes with at most two neighbours come first, in rounds of pairwise non-adjacent nodes. The rest is
/// bisected recursively; separators come after both halves (nested dissection).
struct NodeOrder {
    /// Nodes by their rank, the least important first.
    private(set) var nodes: [Int32] = []
    private let graph: RoutingGraph
    private var neighbours: SmallGraph

    init(_ graph: RoutingGraph, _ check: () throws -> Void) throws {
        self.graph = graph
        neighbours = try SmallGraph(graph, check)
        nodes.reserveCapacity(graph.nodeCount)
        try peel(check)
        try check()
        let rest = core()
        try check()
        neighbours = SmallGraph()
        var dissection = Dissection(graph)
        try dissection.order(rest, check)
        nodes += dissection.nodes
    }

    /// Removes nodes with at most two neighbours, and joins the two.
    private mutating func peel(_ check: () throws -> Void) throws {
        var round = (0..<Int32(graph.nodeCount)).filter { neighbours.degree[Int($0)] <= 2 }
        var touched = [Int32](repeating: -1, count: graph.nodeCount)
        var number: Int32 = 0
        while !round.isEmpty {
            try check()
            var next: [Int32] = []
            for (index, node) in round.enumerated() where neighbours.degree[Int(node)] >= 0 {
                if index % RoutingSettings.rowStep == 0 { try check() }
                guard neighbours.degree[Int(node)] <= 2 else { continue }
                if touched[Int(node)] == number {
                    next.append(node)
                    continue
                }
                let around = neighbours.takeOut(node)
                nodes.append(node)
                for other in around {
                    touched[Int(other)] = number
                    if neighbours.degree[Int(other)] <= 2 { next.append(other) }
                }
            }
            round = next
            number += 1
        }
    }

    /// The graph of the nodes that remain after peeling.
    private func core() -> Cell {
        var local = [Int32](repeating: -1, count: graph.nodeCount)
        var cell = Cell()
        for node in 0..<graph.nodeCount where neighbours.degree[node] > 0 {
            local[node] = Int32(cell.nodes.count)
            cell.nodes.append(Int32(node))
        }
        for node in cell.nodes {
            for other in neighbours.around(node) { cell.heads.append(local[Int(other)]) }
            cell.first.append(Int32(cell.heads.count))
        }
        return cell
    }
}

/// Undirected adjacency without duplicates and loops, from which nodes can be removed.
struct SmallGraph {
    private var first: [Int32]
    private var heads: [Int32]
    /// The degree of a node; −1 if it is removed.
    private(set) var degree: [Int32]

    /// An empty one.
    init() { (first, heads, degree) = ([0], [], []) }

    /// `check` throws to cancel.
    init(_ graph: RoutingGraph, _ check: () throws -> Void) rethrows {
        let count = graph.nodeCount
        first = [0]
        heads = []
        degree = []
        first.reserveCapacity(count + 1)
        heads.reserveCapacity(graph.arcs.count)
        degree.reserveCapacity(count)
        for node in 0..<count {
            if node % RoutingSettings.rowStep == 0 { try check() }
            let start = heads.count
            for index in graph.arcRange(of: node) {
                let head = graph.arcs[index].head
                if Int(head) != node, !heads[start...].contains(head) { heads.append(head) }
            }
            degree.append(Int32(heads.count - start))
            first.append(Int32(heads.count))
        }
    }

    func around(_ node: Int32) -> ArraySlice<Int32> {
        let start = Int(first[Int(node)])
        return heads[start..<start + Int(max(0, degree[Int(node)]))]
    }

    /// Removes a node with at most two neighbours, joins them and returns them.
    mutating func takeOut(_ node: Int32) -> [Int32] {
        let around = Array(around(node))
        degree[Int(node)] = -1
        if around.count == 2 {
            replace(node, by: around[1], at: around[0])
            replace(node, by: around[0], at: around[1])
        } else if let only = around.first {
            remove(node, at: only)
        }
        return around
    }

    private mutating func replace(_ old: Int32, by new: Int32, at node: Int32) {
        if self.around(node).contains(new) { return remove(old, at: node) }
        if let index = self.around(node).firstIndex(of: old) { heads[index] = new }
    }

    private mutating func remove(_ old: Int32, at node: Int32) {
        guard let index = around(node).firstIndex(of: old) else { return }
        let last = Int(first[Int(node)]) + Int(degree[Int(node)]) - 1
        heads.swapAt(index, last)
        degree[Int(node)] -= 1
    }
}

/// A subgraph with local node numbers.
struct Cell {
    /// The nodes of the whole graph.
    var nodes: [Int32] = []
    /// The start of each node's neighbours; one more than there are nodes.
    var first: [Int32] = [0]
    var heads: [Int32] = []

    /// The subgraph of the nodes for which a predicate holds.
    func part(_ sides: [UInt8], _ side: UInt8) -> Cell {
        var local = [Int32](repeating: -1, count: nodes.count)
        var part = Cell()
        for index in nodes.indices where sides[index] == side {
            local[index] = Int32(part.nodes.count)
            part.nodes.append(nodes[index])
        }
        for index in nodes.indices where sides[index] == side {
            for slot in Int(first[index])..<Int(first[index + 1]) where local[Int(heads[slot])] >= 0 {
                part.heads.append(local[Int(heads[slot])])
            }
            part.first.append(Int32(part.heads.count))
        }
        return part
    }
}
