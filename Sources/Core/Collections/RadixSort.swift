/// Sorting of whole numbers by their bytes: stable, and linear in the count.
package enum RadixSort {
    /// Sorts by key; equal keys keep their order.
    package static func sort(_ values: inout [(key: UInt64, index: UInt32)]) { sort(&values, {}) }

    /// Sorts by key; `check` throws to cancel.
    package static func sort(
        _ values: inout [(key: UInt64, index: UInt32)], _ check: () throws -> Void
    ) rethrows {
        try sort(&values, check) { $0.key }
    }

    /// Sorts numbers; `check` throws to cancel.
    package static func sort(_ values: inout [UInt64], _ check: () throws -> Void) rethrows {
        try sort(&values, check) { $0 }
    }

    /// Eleven bits a pass: the counts of a pass stay in the fastest cache.
    private static let bits: UInt64 = 11
    private static let buckets = 1 << Int(bits)
    /// Values between two checks: a few milliseconds.
    private static let step = 1 << 19

    @inline(__always)
    private static func sort<T: BitwiseCopyable>(
        _ values: inout [T], _ check: () throws -> Void, _ key: (T) -> UInt64
    ) rethrows {
        guard let first = values.first, values.count > 1 else { return }
        guard values.count > few else { return insert(&values, key) }
        var varying: UInt64 = 0
        for value in values { varying |= key(value) ^ key(first) }
        guard varying != 0 else { return }
        try check()
        var other = values
        for shift in stride(from: UInt64(0), to: 64, by: Int(bits))
        where varying >> shift & UInt64(buckets - 1) != 0 {
            try pass(values, into: &other, check) { Int(key($0) >> shift & UInt64(buckets - 1)) }
            swap(&values, &other)
        }
    }

    /// Maximum number of values for which insertion sort is faster than counting.
    private static let few = 96

    @inline(__always)
    private static func insert<T: BitwiseCopyable>(_ values: inout [T], _ key: (T) -> UInt64) {
        values.withUnsafeMutableBufferPointer { values in
            for index in 1..<values.count {
                let value = values[index]
                var slot = index
                while slot > 0, key(values[slot - 1]) > key(value) {
                    values[slot] = values[slot - 1]
                    slot -= 1
                }
                values[slot] = value
            }
        }
    }

    @inline(__always)
    private static func pass<T: BitwiseCopyable>(
        _ values: [T], into other: inout [T], _ check: () throws -> Void, _ bucket: (T) -> Int
    ) rethrows {
        var starts = [Int](repeating: 0, count: buckets + 1)
        try values.withUnsafeBufferPointer { from in
            try other.withUnsafeMutableBufferPointer { to in
                try starts.withUnsafeMutableBufferPointer { starts in
                    for start in stride(from: 0, to: from.count, by: step) {
                        try check()
                        for value in from[start..<min(start + step, from.count)] {
                            starts[bucket(value) + 1] += 1
                        }
                    }
                    for index in 1...buckets { starts[index] += starts[index - 1] }
                    for start in stride(from: 0, to: from.count, by: step) {
                        try check()
                        for value in from[start..<min(start + step, from.count)] {
                            let bucket = bucket(value)
                            to[starts[bucket]] = value
                            starts[bucket] += 1
                        }
                    }
                }
            }
        }
    }
}
