import Foundation

/// Maps texts to numbers in order of first appearance and back, without a `String` for each.
///
/// Open addressing over one array of bytes. The hash is Swift's seeded one, so that a crafted feed cannot
/// provoke collisions.
struct KeyTable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var hashes: [UInt32] = []
    private var slots: [Int32]
    private var mask: Int

    /// The number of texts.
    var count: Int { ends.count }

    /// An empty table.
    init() {
        slots = Array(repeating: -1, count: 64)
        mask = 63
    }

    /// The number of a text; `nil` if it is not in the table.
    func find(_ key: UnsafeRawBufferPointer) -> Int? {
        let found = slots[slot(of: key, hash: Self.hash(key))]
        return found < 0 ? nil : Int(found)
    }

    /// The number of a text; adds it if it is new.
    mutating func add(_ key: UnsafeRawBufferPointer) -> (index: Int, isNew: Bool) {
        let hash = Self.hash(key)
        let slot = slot(of: key, hash: hash)
        if slots[slot] >= 0 { return (Int(slots[slot]), false) }
        bytes.append(contentsOf: key)
        ends.append(bytes.count)
        hashes.append(hash)
        slots[slot] = Int32(ends.count - 1)
        if ends.count * 4 > slots.count * 3 { grow() }
        return (ends.count - 1, true)
    }

    /// The bytes of the text with a number.
    func withKey<T>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T {
        let start = index == 0 ? 0 : ends[index - 1]
        let end = ends[index]
        return try bytes.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[start..<end])) }
    }

    /// Whether a number's text equals this one.
    @inline(__always)
    func equals(_ index: Int, _ key: UnsafeRawBufferPointer) -> Bool {
        let start = index == 0 ? 0 : ends[index - 1]
        guard ends[index] - start == key.count else { return false }
        guard let other = key.baseAddress else { return true }
        return bytes.withUnsafeBytes { all in
            all.baseAddress.map { memcmp($0 + start, other, key.count) == 0 } ?? true
        }
    }

    /// Whether a number's text precedes that of another, by bytes.
    func precedes(_ left: Int, _ right: Int) -> Bool {
        bytes.withUnsafeBytes { all in
            let (a, b) = (range(left), range(right))
            guard let base = all.baseAddress else { return false }
            let order = memcmp(base + a.lowerBound, base + b.lowerBound, min(a.count, b.count))
            return order == 0 ? a.count < b.count : order < 0
        }
    }

    private func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

    /// The text with a number.
    func text(_ index: Int) -> String { withKey(index) { String(decoding: $0, as: UTF8.self) } }

    private func slot(of key: UnsafeRawBufferPointer, hash: UInt32) -> Int {
        var slot = Int(hash) & mask
        while true {
            let found = slots[slot]
            if found < 0 { return slot }
            if hashes[Int(found)] == hash, equals(Int(found), key) { return slot }
            slot = (slot + 1) & mask
        }
    }

    private mutating func grow() {
        mask = slots.count * 2 - 1
        slots = Array(repeating: -1, count: mask + 1)
        for index in hashes.indices {
            var slot = Int(hashes[index]) & mask
            while slots[slot] >= 0 { slot = (slot + 1) & mask }
            slots[slot] = Int32(index)
        }
    }

    @inline(__always)
    private static func hash(_ key: UnsafeRawBufferPointer) -> UInt32 {
        var hasher = Hasher()
        hasher.combine(bytes: key)
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }
}

extension KeyTable {
    @inline(__always)
    func find(_ key: FieldBytes) -> Int? { find(UnsafeRawBufferPointer(key)) }
    @inline(__always)
    mutating func add(_ key: FieldBytes) -> (index: Int, isNew: Bool) { add(UnsafeRawBufferPointer(key)) }
    func find(_ key: String) -> Int? { Array(key.utf8).withUnsafeBytes { find($0) } }
}
