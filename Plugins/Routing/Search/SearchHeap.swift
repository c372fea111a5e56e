/// A node in a heap with its sort key.
package struct HeapEntry: BitwiseCopyable {
    package var key: Double
    package var node: Int32

    @inlinable @inline(__always)
    package init(key: Double, node: Int32) { (self.key, self.node) = (key, node) }

    /// Ordered by key, then by node, so that results are deterministic.
    @inlinable @inline(__always)
    package static func < (left: HeapEntry, right: HeapEntry) -> Bool {
        left.key < right.key || (left.key == right.key && left.node < right.node)
    }
}

/// A 4-ary heap in unmanaged memory. A node may have several entries; the caller skips outdated ones.
package struct SearchHeap: ~Copyable {
    @usableFromInline var entries: UnsafeMutablePointer<HeapEntry>
    @usableFromInline var capacity: Int
    @usableFromInline package var count = 0

    @inlinable
    package init(capacity: Int = 1024) {
        self.capacity = max(4, capacity)
        entries = .allocate(capacity: self.capacity)
    }

    deinit { entries.deallocate() }

    package var isEmpty: Bool {
        @inlinable @inline(__always) get { count == 0 }
    }

    /// The least key; there must be an entry.
    package var leastKey: Double {
        @inlinable @inline(__always) get { entries[0].key }
    }

    @inlinable @inline(__always)
    package mutating func removeAll() { count = 0 }

    @inlinable @inline(__always)
    package mutating func push(_ entry: HeapEntry) {
        if count == capacity { grow() }
        var hole = count
        count += 1
        while hole > 0 {
            let parent = (hole - 1) >> 2
            guard entry < entries[parent] else { break }
            entries[hole] = entries[parent]
            hole = parent
        }
        entries[hole] = entry
    }

    /// Removes and returns the least entry; the heap must not be empty.
    @inlinable @inline(__always)
    package mutating func pop() -> HeapEntry {
        let top = entries[0]
        count -= 1
        guard count > 0 else { return top }
        let last = entries[count]
        var hole = 0
        while true {
            let first = hole &* 4 &+ 1
            guard first < count else { break }
            var least = first
            let end = min(first &+ 4, count)
            var child = first &+ 1
            while child < end {
                if entries[child] < entries[least] { least = child }
                child &+= 1
            }
            guard entries[least] < last else { break }
            entries[hole] = entries[least]
            hole = least
        }
        entries[hole] = last
        return top
    }

    @usableFromInline mutating func grow() {
        let larger = UnsafeMutablePointer<HeapEntry>.allocate(capacity: capacity * 2)
        larger.update(from: entries, count: count)
        entries.deallocate()
        entries = larger
        capacity *= 2
    }
}
