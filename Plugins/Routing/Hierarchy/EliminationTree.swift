/// Arcs from each rank up to others.
struct ArcTopology {
    /// The start of each rank's arcs; one more than there are ranks.
    var first: [Int32]
    /// The ranks that arcs lead up to, in order for each rank.
    var heads: [Int32]
}

/// The elimination tree: the parent of a rank is the lowest rank that it has an arc to.
///
/// Any order in which children precede their parents yields the same arcs (Liu 1990). The postorder has the
/// best locality: the ancestors of a node are close together in memory, and a climb along the largest
/// branch visits consecutive ranks.
struct EliminationTree {
    private let arcs: ArcTopology
    private var count: Int { arcs.first.count - 1 }

    init(_ arcs: ArcTopology) { self.arcs = arcs }

    /// Nodes and arcs renumbered to postorder ranks. `check` throws to cancel.
    func inPostorder(
        _ order: [Int32], _ check: () throws -> Void
    ) rethrows -> (order: [Int32], arcs: ArcTopology) {
        let place = postorder()
        var old = [Int32](repeating: 0, count: count)
        for rank in 0..<count { old[Int(place[rank])] = Int32(rank) }
        var sorted = ArcTopology(first: [0], heads: [])
        sorted.first.reserveCapacity(count + 1)
        sorted.heads.reserveCapacity(arcs.heads.count)
        for (index, rank) in old.enumerated() {
            if index % RoutingSettings.rowStep == 0 { try check() }
            // The heads are ancestors of each other, so they keep their order.
            for slot in Int(arcs.first[Int(rank)])..<Int(arcs.first[Int(rank) + 1]) {
                sorted.heads.append(place[Int(arcs.heads[slot])])
            }
            sorted.first.append(Int32(sorted.heads.count))
        }
        return (old.map { order[Int($0)] }, sorted)
    }

    /// The parent of a rank; the number of ranks for a root.
    private func parent(_ rank: Int) -> Int {
        let slot = arcs.first[rank]
        return slot < arcs.first[rank + 1] ? Int(arcs.heads[Int(slot)]) : count
    }

    /// For each rank its index in a postorder in which the largest branch of each rank comes last.
    private func postorder() -> [Int32] {
        // The virtual root of all roots has the number `count`.
        var size = [Int32](repeating: 1, count: count + 1)
        var largest = [Int32](repeating: -1, count: count + 1)
        for rank in 0..<count {
            let parent = parent(rank)
            size[parent] += size[rank]
            if largest[parent] < 0 || size[rank] > size[Int(largest[parent])] {
                largest[parent] = Int32(rank)
            }
        }
        var place = [Int32](repeating: 0, count: count)
        // The start of the next branch of each rank, except for the largest, which ends directly below the
        // rank.
        var next = [Int32](repeating: 0, count: count + 1)
        for rank in stride(from: count - 1, through: 0, by: -1) {
            let parent = parent(rank)
            let top = parent < count ? place[parent] : Int32(count)
            let start: Int32
            if Int(largest[parent]) == rank {
                start = top - size[rank]
            } else {
                start = next[parent]
                next[parent] += size[rank]
            }
            next[rank] = start
            place[rank] = start + size[rank] - 1
        }
        return place
    }
}
