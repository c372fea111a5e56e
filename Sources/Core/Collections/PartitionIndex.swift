extension RandomAccessCollection {
    /// The first index whose element satisfies a condition that no element before it satisfies and every one after it does;
    /// `endIndex` where none does. O(log n) questions; the answer means nothing where the elements are not ordered so.
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
