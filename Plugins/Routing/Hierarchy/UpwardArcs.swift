/// The upward search graph: for each rank its parent in the elimination tree and its arcs in both
/// directions.
struct UpwardRank: BitwiseCopyable {
    var parent: Int32
    /// The number of its ancestors.
    var depth: Int32
    var firstForward: Int32
    var firstBackward: Int32
}

/// The arcs for searches: those that can be travelled and have the shortest-path cost.
///
/// A search from a node reaches only its ancestors, and each ancestor of a rank has a unique depth. So arcs
/// store their heads by depth, and the labels of a search fit into a few kilobytes.
struct UpwardArcs: Sendable {
    /// One more than there are ranks.
    let ranks: Column<UpwardRank>
    /// One more than the greatest depth.
    let depths: Int
    let forward: PackedArcs
    let backward: PackedArcs
    /// The encoding of costs.
    let words: CostPacking
    /// Owns the memory of the columns.
    private let owners: [any AnyObject & Sendable]

    /// The arcs of a file.
    init(
        ranks: Column<UpwardRank>, depths: Int, forward: PackedArcs, backward: PackedArcs, words: CostPacking,
        owner: any AnyObject & Sendable
    ) {
        (self.ranks, self.depths, self.forward, self.backward) = (ranks, depths, forward, backward)
        (self.words, owners) = (words, [owner])
    }

    /// The search arcs of a customised hierarchy, by the costs of each arc. `dearest` is the greatest cost
    /// at an end of a search. `check` throws to cancel.
    init(
        _ hierarchy: Hierarchy, basic: (up: Column<Double>, down: Column<Double>), best: Customisation,
        dearest: Double, _ check: () throws -> Void
    ) rethrows {
        let count = hierarchy.nodeCount
        func used(_ arc: Int, _ costs: Column<Double>, _ best: Block<Double>) -> Bool {
            costs[arc] < .infinity && costs[arc] <= best.base[arc]
        }
        let arcs = 0..<hierarchy.arcCount
        let upward = ArcPacking(count: arcs.count { used($0, basic.up, best.up) })
        let downward = ArcPacking(count: arcs.count { used($0, basic.down, best.down) })
        let root = UpwardRank(parent: Int32(count), depth: -1, firstForward: 0, firstBackward: 0)
        let ranks = Block(repeating: root, count: count + 1)
        var deepest: Int32 = -1
        for rank in stride(from: count - 1, through: 0, by: -1) {
            let parent = hierarchy.parent(Int32(rank))
            ranks.base[rank].parent = parent
            ranks.base[rank].depth = ranks.base[Int(parent)].depth + 1
            deepest = max(deepest, ranks.base[rank].depth)
        }
        depths = Int(deepest) + 1
        // The most expensive path up from each rank.
        let rises = Block(repeating: 0.0, count: count + 1)
        var highest = 0.0
        for rank in stride(from: count - 1, through: 0, by: -1) {
            if rank % RoutingSettings.rowStep == 0 { try check() }
            for arc in Int(hierarchy.firstUp[rank])..<Int(hierarchy.firstUp[rank + 1]) {
                let above = rises.base[Int(hierarchy.heads[arc])]
                for costs in [(basic.up, best.up), (basic.down, best.down)] where used(arc, costs.0, costs.1)
                {
                    rises.base[rank] = max(rises.base[rank], above + costs.0[arc])
                }
            }
            highest = max(highest, rises.base[rank])
        }
        words = CostPacking(greatest: highest + dearest, depths: depths)
        var (rise, fall) = (0, 0)
        for rank in 0..<count {
            if rank % RoutingSettings.rowStep == 0 { try check() }
            ranks.base[rank].firstForward = Int32(rise)
            ranks.base[rank].firstBackward = Int32(fall)
            for arc in Int(hierarchy.firstUp[rank])..<Int(hierarchy.firstUp[rank + 1]) {
                let head = Int(ranks.base[Int(hierarchy.heads[arc])].depth)
                if used(arc, basic.up, best.up) {
                    upward.set(rise, words.word(basic.up[arc], depth: head), .up(arc))
                    rise += 1
                }
                if used(arc, basic.down, best.down) {
                    downward.set(fall, words.word(basic.down[arc], depth: head), .down(arc))
                    fall += 1
                }
            }
        }
        ranks.base[count].firstForward = Int32(rise)
        ranks.base[count].firstBackward = Int32(fall)
        (self.ranks, forward, backward) = (ranks.column, upward.arcs, downward.arcs)
        owners = [ranks, upward.words, upward.codes, downward.words, downward.codes]
    }
}

/// The arcs of one side.
struct PackedArcs: Sendable {
    /// The cost of each arc and the depth of its head.
    let words: Column<Int64>
    /// The piece of each arc; read only for the arcs of the path.
    let codes: Column<Int32>
}

/// The arcs of one side during construction.
private struct ArcPacking {
    let words: Block<Int64>
    let codes: Block<Int32>

    init(count: Int) {
        words = Block(repeating: 0, count: count)
        codes = Block(repeating: 0, count: count)
    }

    var arcs: PackedArcs { PackedArcs(words: words.column, codes: codes.column) }

    func set(_ arc: Int, _ word: Int64, _ piece: ArcPiece) {
        words.base[arc] = word
        codes.base[arc] = piece.code
    }
}
