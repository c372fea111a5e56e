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
