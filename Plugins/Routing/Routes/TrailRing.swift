/// A trail that leads round: each place of it has two ways.
struct TrailRing {
    /// Places on the ring that a walk round passes in this order; the last is the first again.
    let stops: [Int]
    /// Its length in metres.
    let length: Double

    /// The ring that edges of a graph form; `nil` if they form none, or one of fewer than three places.
    init?(_ edges: [Int], _ graph: RoutingGraph) {
        // At an obstacle, edges end at copies of one node.
        func place(_ node: Int) -> Int64 { RegionNetwork.original(graph.nodeID[node]) }
        func places(of edge: Int) -> (from: Int64, to: Int64) {
            (place(Int(graph.source[edge])), place(Int(graph.target[edge])))
        }
        let edges = edges.filter { edge in
            let (from, to) = places(of: edge)
            return graph.distance[edge] > 0 || from != to
        }
        var ends: [Int64: [Int]] = [:]
        for edge in edges {
            let (from, to) = places(of: edge)
            ends[from, default: []].append(edge)
            ends[to, default: []].append(edge)
        }
        guard ends.count > 2, let first = edges.first, ends.values.allSatisfy({ $0.count == 2 }) else {
            return nil
        }
        let start = Int(graph.source[first])
        var passed: [(node: Int, along: Double)] = [(start, 0)]
        var (node, edge) = (start, first)
        repeat {
            let (from, to) = (Int(graph.source[edge]), Int(graph.target[edge]))
            let next = place(node) == place(from) ? to : from
            passed.append((next, passed[passed.count - 1].along + Double(graph.distance[edge])))
            node = next
            edge = ends[place(node)]?.first { $0 != edge } ?? edge
        } while place(node) != place(start) && passed.count <= edges.count
        guard place(node) == place(start), passed.count == edges.count + 1, let length = passed.last?.along
        else {
            return nil
        }
        // Between thirds the shorter way is the one along the ring.
        let inner = passed.dropFirst().dropLast()
        guard let third = inner.min(by: { abs($0.along - length / 3) < abs($1.along - length / 3) }),
            let far = inner.min(by: {
                abs($0.along - length * 2 / 3) < abs($1.along - length * 2 / 3)
            }), third.node != far.node
        else { return nil }
        self.length = length
        stops = [start, third.node, far.node, start]
    }
}
