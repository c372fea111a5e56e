/// Where a search goes on from a rank: its parent in the elimination tree, and its arcs on both sides.
struct ClimbRank: BitwiseCopyable {
    var parent: Int32
    /// How many ancestors it has.
    var depth: Int32
    var firstForward: Int32
    var firstBackward: Int32
}

/// The arcs that a search uses: those that can be travelled and whose cost is the best there is.
///
/// All that a search from a node can reach are the node's ancestors, and of a rank's ancestors each has a depth of its
/// own. So arcs name their heads by depth, and what a search knows fits into a few kilobytes.
struct ClimbArcs: Sendable {
    /// One more than there are ranks.
    let ranks: Block<ClimbRank>
    /// One more than the greatest depth.
    let depths: Int
    let forward: PackedArcs
    let backward: PackedArcs

    /// The arcs of a customised hierarchy, by the costs of each step.
    init(_ hierarchy: Hierarchy, basic: (up: Column<Double>, down: Column<Double>), best: Customising) {
        let count = hierarchy.nodeCount
        func used(_ arc: Int, _ costs: Column<Double>, _ best: Block<Double>) -> Bool {
            costs[arc] < .infinity && costs[arc] <= best.base[arc]
        }
        let arcs = 0..<hierarchy.arcCount
        forward = PackedArcs(count: arcs.count { used($0, basic.up, best.up) })
        backward = PackedArcs(count: arcs.count { used($0, basic.down, best.down) })
        let root = ClimbRank(parent: Int32(count), depth: -1, firstForward: 0, firstBackward: 0)
        ranks = Block(repeating: root, count: count + 1)
        var deepest: Int32 = -1
        for rank in stride(from: count - 1, through: 0, by: -1) {
            let parent = hierarchy.parent(Int32(rank))
            ranks.base[rank].parent = parent
            ranks.base[rank].depth = ranks.base[Int(parent)].depth + 1
            deepest = max(deepest, ranks.base[rank].depth)
        }
        depths = Int(deepest) + 1
        var (rise, fall) = (0, 0)
        for rank in 0..<count {
            ranks.base[rank].firstForward = Int32(rise)
            ranks.base[rank].firstBackward = Int32(fall)
            for arc in Int(hierarchy.firstUp[rank])..<Int(hierarchy.firstUp[rank + 1]) {
                let head = ranks.base[Int(hierarchy.heads[arc])].depth
                if used(arc, basic.up, best.up) {
                    forward.set(rise, cost: basic.up[arc], head: head)
                    rise += 1
                }
                if used(arc, basic.down, best.down) {
                    backward.set(fall, cost: basic.down[arc], head: head)
                    fall += 1
                }
            }
        }
        ranks.base[count].firstForward = Int32(rise)
        ranks.base[count].firstBackward = Int32(fall)
    }
}

/// Costs and heads in turn, twelve bytes an arc: searches wait for nothing as long as for these.
struct PackedArcs: Sendable {
    private static let stride = 12
    private let words: Block<UInt32>

    init(count: Int) { words = Block(repeating: 0, count: 3 * count) }

    func set(_ arc: Int, cost: Double, head: Int32) {
        let place = UnsafeMutableRawPointer(words.base) + Self.stride * arc
        place.storeBytes(of: cost.bitPattern, as: UInt64.self)
        place.storeBytes(of: head, toByteOffset: 8, as: Int32.self)
    }

    /// For loops, which must keep the arcs alive.
    var view: View { View(base: UnsafeRawPointer(words.base)) }

    struct View {
        fileprivate let base: UnsafeRawPointer

        @inline(__always)
        func cost(_ arc: Int) -> Double {
            Double(bitPattern: base.loadUnaligned(fromByteOffset: PackedArcs.stride &* arc, as: UInt64.self))
        }

        /// The depth of the head.
        @inline(__always)
        func head(_ arc: Int) -> Int {
            Int(base.loadUnaligned(fromByteOffset: PackedArcs.stride &* arc &+ 8, as: Int32.self))
        }
    }
}
