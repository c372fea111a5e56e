/// What the way along an arc is made of: an edge, or two arcs from the rank it leads over.
struct ArcOrigin: BitwiseCopyable {
    /// The arc to the lower of the two ranks, or −1 − (edge and direction).
    var low: Int32
    /// The arc to the higher one.
    var high: Int32
}

/// The costs of arcs while they are worked out.
struct Customising {
    let up: Block<Double>
    let down: Block<Double>
    let upOrigin: Block<ArcOrigin>
    let downOrigin: Block<ArcOrigin>
    private let hierarchy: Hierarchy

    init(_ hierarchy: Hierarchy) {
        self.hierarchy = hierarchy
        up = Block(repeating: .infinity, count: hierarchy.arcCount)
        down = Block(repeating: .infinity, count: hierarchy.arcCount)
        upOrigin = Block(repeating: ArcOrigin(low: -1, high: -1), count: hierarchy.arcCount)
        downOrigin = Block(repeating: ArcOrigin(low: -1, high: -1), count: hierarchy.arcCount)
    }

    /// Gives arcs the costs of the edges they stand for; of several edges the cheapest counts.
    func takeEdges(_ weighted: WeightedGraph) {
        let graph = weighted.graph
        for edge in 0..<graph.edgeCount {
            let arc = Int(hierarchy.edgeArc[edge])
            guard arc >= 0 else { continue }
            let there = (cost: weighted.forward[edge], origin: ArcOrigin(low: Int32(-1 - 2 * edge), high: -1))
            let back = (cost: weighted.backward[edge], origin: ArcOrigin(low: Int32(-2 - 2 * edge), high: -1))
            let rises = hierarchy.rank[graph.source[edge]] < hierarchy.rank[graph.target[edge]]
            let (rising, falling) = rises ? (there, back) : (back, there)
            if rising.cost < up.base[arc] { (up.base[arc], upOrigin.base[arc]) = rising }
            if falling.cost < down.base[arc] { (down.base[arc], downOrigin.base[arc]) = falling }
        }
    }

    /// For each node, the lowest first, the ways over it between its higher neighbours.
    func closeTriangles() {
        let (first, heads) = (hierarchy.firstUp.base, hierarchy.heads.base)
        let (up, down, upOrigin, downOrigin) = (up.base, down.base, upOrigin.base, downOrigin.base)
        for node in 0..<hierarchy.nodeCount {
            let end = Int(first[node + 1])
            var low = Int(first[node])
            while low < end {
                let (rise, fall) = (up[low], down[low])
                guard rise < .infinity || fall < .infinity else {
                    low += 1
                    continue
                }
                var arc = Int(first[Int(heads[low])])
                var high = low + 1
                while high < end {
                    let head = heads[high]
                    while heads[arc] < head { arc &+= 1 }
                    let origin = ArcOrigin(
                        low: Int32(truncatingIfNeeded: low), high: Int32(truncatingIfNeeded: high))
                    let there = fall + up[high]
                    if there < up[arc] { (up[arc], upOrigin[arc]) = (there, origin) }
                    let back = down[high] + rise
                    if back < down[arc] { (down[arc], downOrigin[arc]) = (back, origin) }
                    high &+= 1
                }
                low += 1
            }
        }
    }

    /// For each node, the highest first, lowers the costs of its arcs by ways over higher nodes. Then the costs
    /// are those of the best ways at all, and arcs whose cost fell are of no use to a search.
    func beatArcs() {
        let (first, heads) = (hierarchy.firstUp.base, hierarchy.heads.base)
        let (up, down) = (up.base, down.base)
        for node in stride(from: hierarchy.nodeCount - 1, through: 0, by: -1) {
            let end = Int(first[node + 1])
            var low = Int(first[node])
            while low < end {
                var arc = Int(first[Int(heads[low])])
                var high = low + 1
                while high < end {
                    let head = heads[high]
                    while heads[arc] < head { arc &+= 1 }
                    let (rise, fall) = (up[arc], down[arc])
                    up[high] = min(up[high], up[low] + rise)
                    down[high] = min(down[high], fall + down[low])
                    up[low] = min(up[low], up[high] + fall)
                    down[low] = min(down[low], rise + down[high])
                    high &+= 1
                }
                low += 1
            }
        }
    }
}

/// An arc as a search reads it.
struct ClimbArc: BitwiseCopyable {
    var cost: Double
    var head: Int32
    /// Its index in the hierarchy.
    var arc: Int32
}

/// Where a search goes on from a rank: its parent in the elimination tree, and its arcs on both sides.
struct ClimbRank: BitwiseCopyable {
    var parent: Int32
    var firstForward: Int32
    var firstBackward: Int32
}

/// The arcs that a search uses: those that can be travelled and whose cost is the best there is.
struct ClimbArcs: @unchecked Sendable {
    /// One more than there are ranks.
    let ranks: Block<ClimbRank>
    let forward: Block<ClimbArc>
    let backward: Block<ClimbArc>

    /// The arcs of a customised hierarchy, by the costs of each step.
    init(_ hierarchy: Hierarchy, basic: (up: Column<Double>, down: Column<Double>), best: Customising) {
        let count = hierarchy.nodeCount
        func used(_ arc: Int, _ costs: Column<Double>, _ best: Block<Double>) -> Bool {
            costs[arc] < .infinity && costs[arc] <= best.base[arc]
        }
        let none = ClimbArc(cost: 0, head: 0, arc: 0)
        let arcs = 0..<hierarchy.arcCount
        forward = Block(repeating: none, count: arcs.count { used($0, basic.up, best.up) })
        backward = Block(repeating: none, count: arcs.count { used($0, basic.down, best.down) })
        let root = ClimbRank(parent: Int32(count), firstForward: 0, firstBackward: 0)
        ranks = Block(repeating: root, count: count + 1)
        var (rise, fall) = (0, 0)
        for rank in 0..<count {
            ranks.base[rank] = ClimbRank(
                parent: hierarchy.parent(Int32(rank)), firstForward: Int32(rise), firstBackward: Int32(fall))
            for arc in Int(hierarchy.firstUp[rank])..<Int(hierarchy.firstUp[rank + 1]) {
                let head = hierarchy.heads[arc]
                if used(arc, basic.up, best.up) {
                    forward.base[rise] = ClimbArc(cost: basic.up[arc], head: head, arc: Int32(arc))
                    rise += 1
                }
                if used(arc, basic.down, best.down) {
                    backward.base[fall] = ClimbArc(cost: basic.down[arc], head: head, arc: Int32(arc))
                    fall += 1
                }
            }
        }
        ranks.base[count].firstForward = Int32(rise)
        ranks.base[count].firstBackward = Int32(fall)
    }
}
