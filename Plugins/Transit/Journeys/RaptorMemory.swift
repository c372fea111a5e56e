/// The labels of a search in unmanaged memory: checks for each of some million accesses would cost more
/// than the accesses.
///
/// Reused by the next search: allocating it can take as long as a search.
///
/// Unchecked: only one search at a time uses it.
final class RaptorMemory: @unchecked Sendable {
    /// The run by which a stop was reached, and where it was boarded and left.
    struct RideParent: BitwiseCopyable {
        var line: Int32 = -1
        var run: Int32 = 0
        var from: Int32 = 0
        var to: Int32 = 0
    }

    /// The time of an unreached stop.
    static let never = Int.max / 4

    let labels: Int
    let stops: Int
    let lines: Int
    /// By stop and round: the earliest arrival of a ride, and the earliest time to board the next.
    let arrived: UnsafeMutablePointer<Int>
    let ready: UnsafeMutablePointer<Int>
    let rideParents: UnsafeMutablePointer<RideParent>
    let walkParents: UnsafeMutablePointer<Int32>
    /// Seconds from each stop to the target; negative if there is no walk.
    let egress: UnsafeMutablePointer<Int32>
    /// The last step that marked each stop, counted over all searches.
    let stamps: UnsafeMutablePointer<Int32>
    var stamp: Int32 = 0
    /// The first call to scan on each line; `Int32.max` for lines that are not in the queue.
    let positions: UnsafeMutablePointer<Int32>
    /// The lines in the queue, as a bit set.
    let queued: UnsafeMutablePointer<UInt64>

    init(labels: Int, stops: Int, lines: Int) {
        (self.labels, self.stops, self.lines) = (labels, stops, lines)
        arrived = Self.allocate(labels, Self.never)
        ready = Self.allocate(labels, Self.never)
        rideParents = Self.allocate(labels, RideParent())
        walkParents = Self.allocate(labels, -1)
        egress = Self.allocate(stops, -1)
        stamps = Self.allocate(stops, 0)
        positions = Self.allocate(lines, .max)
        queued = Self.allocate(lines / 64 + 1, 0)
    }

    deinit {
        arrived.deallocate()
        ready.deallocate()
        rideParents.deallocate()
        walkParents.deallocate()
        egress.deallocate()
        stamps.deallocate()
        positions.deallocate()
        queued.deallocate()
    }

    private static func allocate<Element: BitwiseCopyable>(
        _ count: Int, _ value: Element
    ) -> UnsafeMutablePointer<Element> {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, count))
        memory.initialize(repeating: value, count: count)
        return memory
    }

    /// Whether it is large enough for a search of some size.
    func fits(labels: Int, stops: Int, lines: Int) -> Bool {
        self.labels >= labels && self.stops >= stops && self.lines >= lines && stamp < Int32.max / 2
    }
}
