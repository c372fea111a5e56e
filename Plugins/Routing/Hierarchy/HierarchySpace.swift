/// The working memory of one query.
///
/// Unchecked: only one query at a time uses it.
final class HierarchySpace: @unchecked Sendable {
    let forward: HierarchySide
    let backward: HierarchySide
    /// The edges of the path found, and the pieces still to unpack.
    var edges = PieceStack()
    var waiting = PieceStack()
    /// The arcs of the upward part.
    var steps = PieceStack()

    init(depths: Int) {
        forward = HierarchySide(depths: depths)
        backward = HierarchySide(depths: depths)
    }
}

/// The labels of one side of a query, by the depth of the ancestors of its ends.
struct HierarchySide: Sendable {
    /// The least cost found and the depth of its origin, packed by `CostPacking`; an end is its own origin.
    /// Infinite between queries.
    let labels: Block<Int64>
    /// The final label of each visited rank, from the root down.
    let trail: Block<FinalLabel>

    struct FinalLabel: BitwiseCopyable {
        var rank: Int32 = -1
        /// The depth of its cost's origin; its own for an end.
        var origin: Int32 = -1
    }

    init(depths: Int) {
        labels = Block(repeating: CostPacking.infinity, count: depths)
        trail = Block(repeating: FinalLabel(), count: depths)
    }

    /// Starts at up to two ends, which belong to one edge, so one of them is an ancestor of the other.
    /// Returns the lower rank.
    func begin(_ ends: [SearchEnd], _ hierarchy: Hierarchy, _ climb: UpwardArcs) -> Int32 {
        var lowest = Int32(hierarchy.nodeCount)
        for end in ends.prefix(2) {
            let rank = hierarchy.rank[end.node]
            lowest = min(lowest, rank)
            let depth = Int(climb.ranks[rank].depth)
            labels.base[depth] = min(labels.base[depth], climb.words.word(end.cost, depth: depth))
        }
        return lowest
    }

    /// The index of the end at a depth; the cheaper one if both are there.
    func end(at depth: Int, _ ends: [SearchEnd], _ hierarchy: Hierarchy, _ climb: UpwardArcs) -> Int {
        guard ends.count > 1 else { return 0 }
        let isThere = ends.prefix(2).map {
            Int(climb.ranks[hierarchy.rank[$0.node]].depth) == depth
        }
        guard isThere[0], isThere[1] else { return isThere[0] ? 0 : 1 }
        return ends[0].cost <= ends[1].cost ? 0 : 1
    }
}

/// A stack of numbers that keeps its memory.
struct PieceStack {
    private var block = Block<Int32>(repeating: 0, count: 1024)
    private(set) var count = 0

    /// The pushed pieces, in that order.
    var values: [Int32] { Array(UnsafeBufferPointer(start: block.base, count: count)) }

    mutating func removeAll() { count = 0 }

    @inline(__always)
    mutating func push(_ value: Int32) {
        if count == block.count { grow() }
        block.base[count] = value
        count &+= 1
    }

    @inline(__always)
    mutating func pop() -> Int32? {
        guard count > 0 else { return nil }
        count &-= 1
        return block.base[count]
    }

    private mutating func grow() {
        let larger = Block<Int32>(repeating: 0, count: 2 * block.count)
        larger.base.update(from: block.base, count: count)
        block = larger
    }
}
