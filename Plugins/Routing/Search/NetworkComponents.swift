/// The parts of a network that hang together for a profile, whatever the direction of travel.
package struct NetworkComponents: Sendable {
    /// The part of each node, by its lowest node.
    private let part: [Int32]
    /// The number of nodes of each part, by its lowest node.
    private let sizes: [Int32: Int]
    /// The largest part.
    package let main: Int32

    /// The parts of a graph over passable edges.
    ///
    /// Method: union by index with path halving.
    init(_ weighted: WeightedGraph) {
        let graph = weighted.graph
        var parent = (0..<Int32(graph.nodeCount)).map { $0 }
        func root(_ node: Int32) -> Int32 {
            var node = node
            while parent[Int(node)] != node {
                parent[Int(node)] = parent[Int(parent[Int(node)])]
                node = parent[Int(node)]
            }
            return node
        }
        for edge in 0..<graph.edgeCount where weighted.isPassable(edge) {
            let (a, b) = (root(graph.source[edge]), root(graph.target[edge]))
            if a != b { parent[Int(max(a, b))] = min(a, b) }
        }
        var sizes: [Int32: Int] = [:]
        for node in parent.indices {
            let own = root(Int32(node))
            parent[node] = own
            sizes[own, default: 0] += 1
        }
        part = parent
        self.sizes = sizes
        // Of equally large ones the first.
        main = sizes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
    }

    /// The part that a node belongs to.
    package func part(of node: Int32) -> Int32 { part[Int(node)] }

    /// The number of nodes of a part.
    package func size(of part: Int32) -> Int { sizes[part] ?? 0 }
}
