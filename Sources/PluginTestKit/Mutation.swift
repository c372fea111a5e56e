/// A change of some bytes of a file, as damage and other programs make them. A seed gives the same one on every run.
package struct Mutation: CustomStringConvertible, Sendable {
    /// Kinds of change.
    package enum Kind: String, CaseIterable, Sendable {
        case bit, byte, insert, delete, token, repeated, zeros
        /// Of whole files only.
        case cut, swapped, doubled
    }

    /// What stands where a number, a name or a tag is expected.
    private static let tokens = [
        "nan", "-inf", "1e999", "-", "99999999999999999999", "-9223372036854775808", "0x1p5", "1,5", "&#0;",
        "&x;", "<", ">", "]]>", "\"", "'", "{", "]", ",", ";", "\n", "\r\n", "\0", "\u{202E}", "é", "<!--",
        "0000-00-00T00:00:00Z", "9999-12-31T23:59:60Z", "180.0000001", "-0", "Infinity", "null",
    ].map { Array($0.utf8) }
    /// Bytes that are no UTF-8, begin a byte order mark, or are the extremes of numbers.
    private static let bytes: [UInt8] = [0, 0x7F, 0x80, 0xC3, 0xFE, 0xFF]
    /// Bytes that a change repeats or overwrites at most.
    private static let longest = 24

    /// The kind of the change.
    package let kind: Kind
    /// The first changed byte.
    package let place: Int

    package var description: String { "\(kind.rawValue) at \(place)" }

    /// Changes bytes of a range. `isWhole` allows the kinds for whole files, `keepsLength` only those that move nothing.
    package init(
        _ data: inout [UInt8], in range: Range<Int>, _ random: inout SplitMix, isWhole: Bool = false,
        keepsLength: Bool = false
    ) {
        let kinds: [Kind] =
            keepsLength
            ? [.bit, .byte, .zeros]
            : [.bit, .byte, .insert, .delete, .token, .repeated]
                + (isWhole ? [.zeros, .cut, .swapped, .doubled] : [])
        kind = random.pick(kinds)
        place = range.lowerBound + random.below(max(1, range.count))
        guard place < data.count else { return }
        let length = min(1 + random.below(Self.longest), range.upperBound - place)
        let value = random.below(2) == 0 ? random.pick(Self.bytes) : UInt8(random.below(256))
        switch kind {
        case .bit: data[place] ^= 1 << UInt8(random.below(8))
        case .byte: data[place] = value
        case .insert: data.insert(value, at: place)
        case .delete: data.removeSubrange(place..<place + length)
        case .token:
            data.replaceSubrange(place..<place + random.below(length), with: random.pick(Self.tokens))
        case .repeated: data.insert(contentsOf: data[place..<place + length], at: place)
        case .zeros: for index in place..<place + length { data[index] = value & 1 == 0 ? 0 : 0xFF }
        case .cut: data.removeSubrange(place...)
        case .swapped: data = Array(data[place...] + data[..<place])
        case .doubled: data += data
        }
    }
}
