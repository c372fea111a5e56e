/// Interned texts by number. Look-up by bytes allocates nothing.
struct TextTable {
    /// All texts, concatenated.
    private(set) var bytes: [UInt8] = []
    /// The start of each text; one more than there are texts.
    private(set) var offsets: [Int32] = [0]
    /// Numbers by hash; −1 for free slots.
    private var slots = [Int32](repeating: -1, count: 1024)

    var count: Int { offsets.count - 1 }

    /// The number of a text, which is added if it is new.
    mutating func index(of text: UnsafeRawBufferPointer) -> Int32 {
        if count * 2 >= slots.count { grow() }
        var slot = Int(truncatingIfNeeded: Checksum.of(text)) & (slots.count - 1)
        while slots[slot] >= 0 {
            if equals(slots[slot], text) { return slots[slot] }
            slot = (slot + 1) & (slots.count - 1)
        }
        let index = Int32(count)
        slots[slot] = index
        // The pointer of an empty buffer may be invalid, and optimised code reads one byte of it.
        if !text.isEmpty { bytes.append(contentsOf: text) }
        offsets.append(Int32(bytes.count))
        return index
    }

    /// Lends the bytes of a text.
    func withText<T>(_ index: Int32, _ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T {
        let (start, end) = (Int(offsets[Int(index)]), Int(offsets[Int(index) + 1]))
        return try bytes.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[start..<end])) }
    }

    private func equals(_ index: Int32, _ text: UnsafeRawBufferPointer) -> Bool {
        let (start, end) = (Int(offsets[Int(index)]), Int(offsets[Int(index) + 1]))
        guard end - start == text.count else { return false }
        return bytes.withUnsafeBytes { $0[start..<end].elementsEqual(text) }
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 4)
        for index in 0..<Int32(count) {
            let (start, end) = (Int(offsets[Int(index)]), Int(offsets[Int(index) + 1]))
            let hash = bytes.withUnsafeBytes {
                Checksum.of(UnsafeRawBufferPointer(rebasing: $0[start..<end]))
            }
            var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = index
        }
    }
}

/// Indexes by id, in one block of memory.
struct IDTable {
    private var slots: [(id: Int64, index: Int32)]
    private let mask: Int

    /// Builds the table; for duplicate ids the first index is used.
    init(_ ids: [Int64]) {
        var size = 16
        while size < ids.count * 2 { size *= 2 }
        mask = size - 1
        slots = [(id: Int64, index: Int32)](repeating: (0, -1), count: size)
        for (index, id) in ids.enumerated() {
            var slot = Self.hash(id) & mask
            while slots[slot].index >= 0, slots[slot].id != id { slot = (slot + 1) & mask }
            if slots[slot].index < 0 { slots[slot] = (id, Int32(index)) }
        }
    }

    /// The index of an id; −1 if it is missing.
    @inline(__always)
    func index(of id: Int64) -> Int32 {
        var slot = Self.hash(id) & mask
        while slots[slot].index >= 0 {
            if slots[slot].id == id { return slots[slot].index }
            slot = (slot + 1) & mask
        }
        return -1
    }

    @inline(__always)
    private static func hash(_ id: Int64) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15) >> 29)
    }
}
