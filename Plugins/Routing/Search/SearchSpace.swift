import Synchronization

/// The search state of a node.
struct NodeLabel: BitwiseCopyable {
    /// The least cost found so far.
    var g: Double
    /// The estimate of the remaining cost.
    var h: Double
    /// The arc it was reached by, as an index into the graph's arcs; negative for a seed: −1 for the
    /// first, −2 for the second.
    var arc: Int32
    /// Twice the number of the search that reached it, plus one if it is settled.
    var stamp: UInt32
}

/// The memory of one search. It is cleared by incrementing a counter instead of writing.
///
/// Unchecked: only one search at a time uses it.
final class SearchSpace: @unchecked Sendable {
    let labels: UnsafeMutablePointer<NodeLabel>
    let count: Int
    /// Behind a pointer, so that loops avoid checks of exclusive access.
    let heap: UnsafeMutablePointer<SearchHeap>
    private(set) var stamp: UInt32 = 0

    init(count: Int) {
        self.count = count
        labels = .allocate(capacity: max(1, count))
        labels.initialize(repeating: NodeLabel(g: .infinity, h: 0, arc: -1, stamp: 0), count: count)
        heap = .allocate(capacity: 1)
        heap.initialize(to: SearchHeap())
    }

    deinit {
        labels.deallocate()
        heap.deinitialize(count: 1)
        heap.deallocate()
    }

    /// Starts a new search and returns its stamp.
    func begin() -> UInt32 {
        if stamp > UInt32.max - 4 {
            labels.update(repeating: NodeLabel(g: .infinity, h: 0, arc: -1, stamp: 0), count: count)
            stamp = 0
        }
        stamp += 2
        heap.pointee.removeAll()
        return stamp
    }

    /// The least cost found by the current search; infinite for an unreached node.
    func cost(of node: Int) -> Double { labels[node].stamp >> 1 == stamp >> 1 ? labels[node].g : .infinity }

    /// Whether the current search settled a node.
    func isSettled(_ node: Int) -> Bool { labels[node].stamp == stamp + 1 }
}

/// Unused spaces.
final class SearchSpacePool: Sendable {
    private let idle = Mutex<[SearchSpace]>([])

    /// Runs a search in an unused space, or in a new one.
    func withSpace<T>(count: Int, _ body: (SearchSpace) throws -> T) rethrows -> T {
        let space = idle.withLock { $0.popLast() } ?? SearchSpace(count: count)
        defer { idle.withLock { $0.append(space) } }
        return try body(space)
    }
}
