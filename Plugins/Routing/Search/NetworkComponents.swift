/// The connected components of a network for a profile, ignoring directions.
package struct NetworkComponents: Sendable {
    /// The component of each node, identified by its lowest node.
    let parts: Column<Int32>
    /// The number of nodes of each component, by its lowest node.
    let sizes: Column<Int32>
    /// The component with the most metres of way: nodes are dense on platforms and few on long streets.
    let main: Int32
    /// Owns the memory of the columns.
    private let owners: [any AnyObject & Sendable]

    /// Components that were computed before.
    init(parts: Column<Int32>, sizes: Column<Int32>, main: Int32, owner: any AnyObject & Sendable) {
        (self.parts, self.sizes, self.main, owners) = (parts, sizes, main, [owner])
    }

    /// The components of a graph over passable edges.
    ///
    /// Method: union by index with path halving.
    init(_ weighted: WeightedGraph) {
        let graph = weighted.graph
        let (roots, counts) = (
            Block<Int32>(repeating: 0, count: graph.nodeCount),
            Block<Int32>(repeating: 0, count: graph.nodeCount)
        )
        let (parent, sizes) = (roots.base, counts.base)
        for node in 0..<graph.nodeCount { parent[node] = Int32(node) }
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
        // The first of equally long ones.
        var main: Int32 = 0
        let lengths = Block<Double>(repeating: 0, count: graph.nodeCount)
        for node in 0..<graph.nodeCount {
            let own = root(Int32(node))
            parent[node] = own
            sizes[Int(own)] += 1
        }
        for edge in 0..<graph.edgeCount where weighted.isPassable(edge) {
            lengths.base[Int(parent[Int(graph.source[edge])])] += Double(graph.distance[edge])
        }
        for node in 0..<graph.nodeCount where lengths.base[node] > lengths.base[Int(main)] {
            main = Int32(node)
        }
        (parts, self.sizes, self.main, owners) = (roots.column, counts.column, main, [roots, counts])
    }

    /// The component of a node.
    package func part(of node: Int32) -> Int32 { parts[node] }

    /// The number of nodes of a component.
    package func size(of part: Int32) -> Int { Int(sizes[part]) }
}
