/// A trail that leads round: each place of it has two ways.
struct TrailRing {
    /// Places on the ring that a walk round passes in this order; the last is the first again.
    let stops: [Int]

    /// The ring that edges of a graph form; `nil` if they form none, or one of fewer than three places.
    init?(_ edges: [Int], _ graph: RoutingGraph) {
        var ends: [Int: [Int]] = [:]
        for edge in edges {
            ends[Int(graph.source[edge]), default: []].append(edge)
            ends[Int(graph.target[edge]), default: []].append(edge)
        }
        guard ends.count > 2, let first = edges.first, ends.values.allSatisfy({ $0.count == 2 }) else {
            return nil
        }
        let start = Int(graph.source[first])
        var places: [(node: Int, along: Double)] = [(start, 0)]
        var (node, edge) = (start, first)
        repeat {
            let (from, to) = (Int(graph.source[edge]), Int(graph.target[edge]))
            let next = node == from ? to : from
            places.append((next, places[places.count - 1].along + Double(graph.distance[edge])))
            node = next
            edge = ends[node]?.first { $0 != edge } ?? edge
        } while node != start && places.count <= edges.count
        guard node == start, places.count == edges.count + 1, let length = places.last?.along else {
            return nil
        }
        // Between thirds the shorter way is the one along the ring.
        let inner = places.dropFirst().dropLast()
        guard let third = inner.min(by: { abs($0.along - length / 3) < abs($1.along - length / 3) }),
            let far = inner.min(by: {
                abs($0.along - length * 2 / 3) < abs($1.along - length * 2 / 3)
            }), third.node != far.node
        else { return nil }
        stops = [start, third.node, far.node, start]
    }
}
