/// The parts of a graph that edges join, by a forest of nodes (union by path halving).
struct GraphParts {
    private var parent: [Int64: Int64] = [:]
    private var touched: Set<Int64> = []

    /// A graph without edges.
    init(_ nodes: some Collection<Int64>) {
        parent.reserveCapacity(nodes.count)
        for node in nodes { parent[node] = node }
    }

    /// Adds an edge; one to a node that is not there is left out.
    mutating func join(_ from: Int64, _ to: Int64) {
        for node in [from, to] where parent[node] != nil { touched.insert(node) }
        guard parent[from] != nil, parent[to] != nil else { return }
        let (a, b) = (root(from), root(to))
        if a != b { parent[max(a, b)] = min(a, b) }
    }

    private mutating func root(_ node: Int64) -> Int64 {
        var node = node
        while let up = parent[node], up != node {
            let further = parent[up] ?? up
            parent[node] = further
            node = further
        }
        return node
    }

    /// Nodes that no edge touches.
    var alone: [Int64] { parent.keys.filter { !touched.contains($0) } }

    /// How many nodes each part has, of those that an edge touches.
    var sizes: [Int] {
        var copy = self
        var counts: [Int64: Int] = [:]
        for node in touched { counts[copy.root(node), default: 0] += 1 }
        return Array(counts.values)
    }
}
