/// Writes values as bytes: little-endian words, texts and lists after their length.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ value: UInt64) {
        var word = value
        for _ in 0..<8 {
            bytes.append(UInt8(truncatingIfNeeded: word))
            word >>= 8
        }
    }

    mutating func add(_ value: Int64) { add(UInt64(bitPattern: value)) }

    mutating func add(byte: UInt8) { bytes.append(byte) }

    /// A number in seven-bit groups, the lowest first.
    mutating func add(count: Int) {
        var rest = UInt64(count)
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func add(_ content: [UInt8]) {
        add(count: content.count)
        bytes += content
    }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 {
            add(count: $0.count)
            bytes.append(contentsOf: $0)
        }
    }
}

/// Reads what a `ByteWriter` wrote; gives `nil` where the bytes are something else.
struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        position += 1
        return bytes[position - 1]
    }

    mutating func word() -> UInt64? {
        guard bytes.count - position >= 8 else { return nil }
        var word: UInt64 = 0
        for index in (0..<8).reversed() { word = word << 8 | UInt64(bytes[position + index]) }
        position += 8
        return word
    }

    mutating func count() -> Int? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let next = byte(), shift < 63 {
            value |= UInt64(next & 0x7f) << shift
            if next < 0x80 { return Int(exactly: value) }
            shift += 7
        }
        return nil
    }

    mutating func content() -> [UInt8]? {
        guard let count = count(), count <= bytes.count - position else { return nil }
        defer { position += count }
        return Array(bytes[position..<(position + count)])
    }

    mutating func text() -> String? {
        guard let count = count(), count <= bytes.count - position else { return nil }
        defer { position += count }
        return String(decoding: bytes[position..<(position + count)], as: UTF8.self)
    }
}
