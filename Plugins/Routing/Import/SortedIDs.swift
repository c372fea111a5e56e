import Core

/// Sorted unique ids with their numbers.
struct SortedIDs {
    private(set) var all: [Int64] = []
    /// The index of the last hit: consecutive look-ups usually have ids near each other.
    private var last = 0

    /// `check` throws to cancel.
    init(_ ids: [Int64], _ check: () throws -> Void) rethrows {
        // Ids may be negative; with the top bit flipped they sort as unsigned numbers.
        var keys = ids.map { UInt64(bitPattern: $0) ^ (1 << 63) }
        try check()
        try RadixSort.sort(&keys, check)
        var count = 0
        for (index, key) in keys.enumerated() where index == 0 || key != keys[index - 1] { count += 1 }
        all.reserveCapacity(count)
        for key in keys {
            let id = Int64(bitPattern: key ^ (1 << 63))
            if all.last != id { all.append(id) }
        }
    }

    /// The index of an id; −1 if it is missing.
    mutating func number(of id: Int64) -> Int32 {
        var last = last
        defer { self.last = last }
        return all.withUnsafeBufferPointer { all in
            // Most nodes of a way follow each other.
            if last + 1 < all.count, all[last + 1] == id {
                last += 1
                return Int32(last)
            }
            var (low, high, step) = (0, all.count, 1)
            if last < high, all[last] <= id {
                low = last
                while low + step < high, all[low + step] <= id {
                    low += step
                    step *= 2
                }
                high = min(high, low + step)
            } else if last < high {
                high = last
                while high > step, all[high - step] > id {
                    high -= step
                    step *= 2
                }
                low = max(0, high - step)
            }
            while low < high {
                let middle = (low + high) / 2
                if all[middle] < id { low = middle + 1 } else { high = middle }
            }
            guard low < all.count, all[low] == id else { return -1 }
            last = low
            return Int32(low)
        }
    }
}
