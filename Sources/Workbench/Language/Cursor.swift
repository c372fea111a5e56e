import PluginKit

/// A position in an entry's UTF-8 bytes, with the small steps that both parsers share.
struct Cursor {
    let bytes: [UInt8]
    var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { position >= bytes.count }

    /// The byte at an offset from the position, 0 past the end.
    func peek(_ offset: Int = 0) -> UInt8 {
        let index = position + offset
        return index < bytes.count ? bytes[index] : 0
    }

    func starts(with text: String) -> Bool { bytes[min(position, bytes.count)...].starts(with: text.utf8) }

    func text(_ start: Int, _ end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard !isAtEnd, peek() == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Blanks, comments and continued lines; also line ends when `lines` is set.
    mutating func skipBlanks(lines: Bool = false) {
        while !isAtEnd {
            switch peek() {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
            case UInt8(ascii: "\n") where lines: position += 1
            case UInt8(ascii: "\\") where isAtContinuation: position += peek(1) == UInt8(ascii: "\n") ? 2 : 3
            case UInt8(ascii: "#") where isAtWordStart: skipLine()
            default: return
            }
        }
    }

    /// Whether a `\` and a line end follow.
    var isAtContinuation: Bool {
        guard peek() == UInt8(ascii: "\\") else { return false }
        return peek(1) == UInt8(ascii: "\n")
            || (peek(1) == UInt8(ascii: "\r") && peek(2) == UInt8(ascii: "\n"))
    }

    /// Whether a `\` ends the input: the next line has not been entered yet.
    var isAtOpenEnd: Bool { peek() == UInt8(ascii: "\\") && position == bytes.count - 1 }

    /// Whether a blank, a line end or a continued line follows.
    var isAtBlank: Bool { " \t\r\n".utf8.contains(peek()) || isAtContinuation }

    static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") }

    private var isAtWordStart: Bool {
        position == 0 || " \t\r\n|;([{".utf8.contains(bytes[position - 1])
    }

    private mutating func skipLine() {
        while !isAtEnd, peek() != UInt8(ascii: "\n") { position += 1 }
    }

    /// Whether the current byte ends a command: `|`, `;`, a line end, a closing bracket or the end.
    var isAtCommandEnd: Bool { isAtEnd || "|;\n)]".utf8.contains(peek()) }

    /// A name `[letter_][letters digits _]*`; nothing is consumed when there is no name.
    mutating func name() -> String? {
        let start = position
        guard !isAtEnd, NumberScanner.isWordByte(peek()), !NumberScanner.isDigit(peek()) else { return nil }
        while !isAtEnd, NumberScanner.isWordByte(peek()) { position += 1 }
        return text(start, position)
    }
}
