/// Operations of a device that follow each other and got tags that do as well. A device counts its operations and a zone its
/// changes, so most of those that were sent together are one.
struct OperationRun: Hashable, Sendable {
    /// The number of the first operation.
    let first: UInt64
    /// Its tag.
    let tag: Int64
    /// How many there are.
    private(set) var count: Int64

    /// A run of one operation.
    init(_ number: UInt64, tag: Int64) {
        (first, count) = (number, 1)
        self.tag = tag
    }

    /// A run as stored; `nil` if no zone can have issued it.
    init?(first: Int64, tag: Int64, count: Int64) {
        guard ZoneNumbers.all.contains(tag), ZoneNumbers.all.contains(count), count > 0 else { return nil }
        self.first = UInt64(bitPattern: first)
        self.tag = tag
        self.count = count
    }

    /// The number after the last.
    var end: UInt64 { first &+ UInt64(count) }

    /// The tag that an operation got; `nil` for one that is not in it.
    func tag(of number: UInt64) -> Int64? {
        number >= first && number - first < UInt64(count) ? tag + Int64(number - first) : nil
    }

    /// Appends the operation after the last, if it has the tag after the last.
    mutating func extend(by number: UInt64, tag: Int64) -> Bool {
        guard number == end, tag == self.tag + count else { return false }
        count += 1
        return true
    }
}
