/// Consecutive operations of a device with consecutive tags. A device counts its operations and a zone its
/// changes, so most operations sent together form one run.
struct OperationRun: Hashable, Sendable {
    /// The number of the first operation.
    let first: UInt64
    /// Its tag.
    let tag: Int64
    /// The number of operations.
    private(set) var count: Int64

    /// A run of one operation.
    init(_ number: UInt64, tag: Int64) {
        (first, count) = (number, 1)
        self.tag = tag
    }

    /// A stored run; `nil` if no zone can have issued it.
    init?(first: Int64, tag: Int64, count: Int64) {
        guard ZoneNumbers.all.contains(tag), ZoneNumbers.all.contains(count), count > 0 else { return nil }
        self.first = UInt64(bitPattern: first)
        self.tag = tag
        self.count = count
    }

    /// The number after the last.
    var end: UInt64 { first &+ UInt64(count) }

    /// The tag of an operation; `nil` if it is not in the run.
    func tag(of number: UInt64) -> Int64? {
        number >= first && number - first < UInt64(count) ? tag + Int64(number - first) : nil
    }

    /// Appends the next operation if it has the next tag.
    mutating func extend(by number: UInt64, tag: Int64) -> Bool {
        guard number == end, tag == self.tag + count else { return false }
        count += 1
        return true
    }
}
