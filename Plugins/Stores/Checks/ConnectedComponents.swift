/// The connected components of a graph, as a union-find forest (path halving).
struct ConnectedComponents {
    private var parent: [Int64: Int64] = [:]
    private var touched: Set<Int64> = []

    /// A graph without edges.
    init(_ nodes: some Collection<Int64>) {
        parent.reserveCapacity(nodes.count)
        for node in nodes { parent[node] = node }
    }

    /// Adds an edge; an edge to a missing node is ignored.
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

    /// Nodes without an edge.
    var alone: [Int64] { parent.keys.filter { !touched.contains($0) } }

    /// Number of nodes of each component, without isolated nodes.
    var sizes: [Int] {
        var copy = self
        var counts: [Int64: Int] = [:]
        for node in touched { counts[copy.root(node), default: 0] += 1 }
        return Array(counts.values)
    }
}
