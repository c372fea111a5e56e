/// The memory of one query. Only one query at a time has it.
final class HierarchySpace: @unchecked Sendable {
    let forward: HierarchySide
    let backward: HierarchySide
    /// The edges of the way that was found, and pieces that are still to be unpacked.
    var edges = PieceStack()
    var waiting = PieceStack()

    init(depths: Int) {
        forward = HierarchySide(depths: depths)
        backward = HierarchySide(depths: depths)
    }
}

/// What one side of a query knows of the ranks above its ends, by their depth.
struct HierarchySide: Sendable {
    /// The least cost found; infinite between queries.
    let costs: Block<Double>
    /// The depth that it was found from, or −1 − (index of the end).
    let origins: Block<Int32>
    /// The ranks themselves, from the root down.
    let ranks: Block<Int32>

    init(depths: Int) {
        costs = Block(repeating: .infinity, count: depths)
        origins = Block(repeating: -1, count: depths)
        ranks = Block(repeating: -1, count: depths)
    }

    /// Begins at up to two ends, which belong to one edge, so that one of them is an ancestor of the other. Gives the
    /// lower rank.
    func begin(_ ends: [SearchEnd], _ hierarchy: Hierarchy, _ climb: ClimbArcs) -> Int32 {
        var lowest = Int32(hierarchy.nodeCount)
        for end in ends.prefix(2) { lowest = min(lowest, hierarchy.rank[end.node]) }
        for (index, end) in ends.prefix(2).enumerated() {
            let depth = Int(climb.ranks.base[Int(hierarchy.rank[end.node])].depth)
            guard end.cost < costs.base[depth] else { continue }
            costs.base[depth] = end.cost
            origins.base[depth] = Int32(-1 - index)
        }
        return lowest
    }
}

/// A stack of numbers that keeps its memory.
struct PieceStack {
    private var block = Block<Int32>(repeating: 0, count: 1024)
    private(set) var count = 0

    /// What was pushed, in that order.
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
