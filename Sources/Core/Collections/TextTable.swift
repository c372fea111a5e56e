import Foundation

/// Interned texts by number. Look-up by bytes allocates nothing.
package struct TextTable: Sendable {
    /// All texts, concatenated.
    package private(set) var bytes: [UInt8] = []
    /// The start of each text; one more than there are texts.
    package private(set) var offsets: [Int32] = [0]
    /// Numbers by hash; −1 for free slots.
    private var slots = [Int32](repeating: -1, count: 1024)

    package init() {}

    package var count: Int { offsets.count - 1 }

    /// The number of a text, which is added if it is new.
    package mutating func index(of text: UnsafeRawBufferPointer) -> Int32 {
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

    /// Calls `body` with the bytes of a text.
    package func withText<T>(_ index: Int32, _ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T {
        let (start, end) = (Int(offsets[Int(index)]), Int(offsets[Int(index) + 1]))
        return try bytes.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[start..<end])) }
    }

    private func equals(_ index: Int32, _ text: UnsafeRawBufferPointer) -> Bool {
        let (start, end) = (Int(offsets[Int(index)]), Int(offsets[Int(index) + 1]))
        guard end - start == text.count else { return false }
        guard let wanted = text.baseAddress, !text.isEmpty else { return true }
        return bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            return memcmp(base + start, wanted, text.count) == 0
        }
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
