/// Finds invalid bytes in UTF-8.
public enum UTF8Check {
    /// The byte order mark that some programs write before UTF-8 text.
    public static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The index of the first byte that is not well-formed UTF-8 (RFC 3629, section 4); `nil` if all are.
    public static func firstInvalid(_ bytes: [UInt8]) -> Int? { bytes.withUnsafeBufferPointer(firstInvalid) }

    /// The same in a buffer. A character cut off by the end of the buffer is invalid as well.
    public static func firstInvalid(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let raw = UnsafeRawBufferPointer(bytes)
        var index = 0
        while index < bytes.count {
            // Eight bytes of ASCII at a time.
            if index + 8 <= bytes.count,
                raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                index += 8
                continue
            }
            if bytes[index] < 0x80 {
                index += 1
                continue
            }
            let length = sequenceLength(bytes, index)
            if length == 0 { return index }
            index += length
        }
        return nil
    }

    /// The number of bytes of the character at an index; 0 if it is invalid.
    static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch bytes[index] {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: (0, 0...0)
            }
        guard length > 0, index + length <= bytes.count, second.contains(bytes[index + 1]),
            (index + 2..<index + length).allSatisfy({ bytes[$0] & 0xC0 == 0x80 })
        else { return 0 }
        return length
    }
}

/// A position in text; line and column count from 1, the column in characters (Unicode scalars).
public struct TextPosition: Sendable, Hashable {
    /// The line.
    public var line: Int
    /// The column.
    public var column: Int

    /// The position of a byte; lines end with a line feed.
    public init(of offset: Int, in bytes: some RandomAccessCollection<UInt8>) {
        let before = bytes.prefix(offset)
        let newline = UInt8(ascii: "\n")
        line = before.reduce(1) { $1 == newline ? $0 + 1 : $0 }
        let start = before.lastIndex(of: newline).map(before.index(after:)) ?? before.startIndex
        // Continuation bytes belong to the previous character; the byte order mark is not a character of the
        // text.
        let mark = line == 1 && before.starts(with: UTF8Check.byteOrderMark) ? 1 : 0
        column = before[start...].reduce(1 - mark) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }
}
