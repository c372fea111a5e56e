extension RandomAccessCollection {
    /// The first index whose element satisfies a condition, for a collection partitioned so that all later
    /// elements satisfy it, too; `endIndex` if none does. O(log n) evaluations; the result is meaningless for
    /// an unpartitioned collection.
    @inlinable
    public func partitionIndex(where isAfter: (Element) throws -> Bool) rethrows -> Index {
        var start = startIndex
        var length = count
        while length > 0 {
            let half = length / 2
            let middle = index(start, offsetBy: half)
            if try isAfter(self[middle]) {
                length = half
            } else {
                start = index(after: middle)
                length -= half + 1
            }
        }
        return start
    }
}
