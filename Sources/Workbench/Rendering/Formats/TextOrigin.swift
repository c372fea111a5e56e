import PluginKit

/// Where text comes from, so that errors can say where in it something is wrong.
struct TextOrigin: Sendable {
    /// The file's name; `nil` for text from the pipe.
    let file: String?

    /// An error at a line and column, counted from 1.
    func error(
        _ kind: ErrorKind, _ message: String, line: Int, column: Int? = nil, fix: String? = nil
    ) -> RutterError {
        if let file { return kind(message, at: .file(path: file, line: line, column: column), fix: fix) }
        let place = "line \(line)" + (column.map { ", column \($0)" } ?? "")
        return kind("\(place): \(message)", fix: fix)
    }

    /// An error at a byte of a text that is all there.
    func error(_ kind: ErrorKind, _ message: String, at offset: Int, in bytes: [UInt8]) -> RutterError {
        let before = bytes[..<min(offset, bytes.count)]
        let newline = UInt8(ascii: "\n")
        let line = before.reduce(1) { $1 == newline ? $0 + 1 : $0 }
        let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
        // Continuation bytes belong to the character before them.
        let column = before[start...].reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
        return error(kind, message, line: line, column: column)
    }

    /// Text of bytes that must be UTF-8.
    func text(_ bytes: [UInt8]) throws(RutterError) -> String {
        let body = bytes.starts(with: UTF8Check.byteOrderMark) ? bytes[3...] : bytes[...]
        if let text = String(validating: body, as: UTF8.self) { return text }
        throw error(
            DataErrors.encoding, "this is not UTF-8", at: UTF8Check.firstInvalid(bytes) ?? 0, in: bytes)
    }
}

/// Finds what is wrong in bytes that are not UTF-8.
enum UTF8Check {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The first byte that does not belong to well-formed UTF-8 (RFC 3629, section 4).
    static func firstInvalid(_ bytes: [UInt8]) -> Int? {
        var index = 0
        while index < bytes.count {
            let length = sequenceLength(bytes[index...])
            if length == 0 { return index }
            index += length
        }
        return nil
    }

    /// How many bytes the character at the beginning has; 0 when it is none.
    private static func sequenceLength(_ bytes: ArraySlice<UInt8>) -> Int {
        guard let first = bytes.first else { return 0 }
        if first < 0x80 { return 1 }
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch first {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: (0, 0...0)
            }
        let rest = bytes.dropFirst().prefix(max(0, length - 1))
        guard length > 0, rest.count == length - 1, let next = rest.first, second.contains(next),
            rest.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 })
        else { return 0 }
        return length
    }
}
