/// A notebook's text as lines with their line endings, so that an update changes nothing else.
struct SourceText: Sendable, Equatable {
    /// One line.
    struct Line: Sendable, Equatable {
        /// The text without its ending; a carriage return is part of the ending.
        let text: String
        /// `\n`, `\r\n`, `\r` where the text has no other, or empty for an unterminated last line.
        let ending: String
    }

    /// Whether the file began with a byte order mark.
    let hasByteOrderMark: Bool
    /// The lines; the text after the last newline is not a line.
    var lines: [Line]

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let newline: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D

    /// Splits bytes into lines. Throws for a line that is not UTF-8.
    init(bytes: [UInt8]) throws {
        hasByteOrderMark = bytes.starts(with: Self.byteOrderMark)
        // Old editors end lines with a carriage return alone.
        let terminator: UInt8 = bytes.contains(Self.newline) ? Self.newline : Self.carriageReturn
        var lines: [Line] = []
        var start = hasByteOrderMark ? Self.byteOrderMark.count : 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: terminator)
            lines.append(
                try Self.line(
                    bytes[start..<(end ?? bytes.count)], terminator: end.map { bytes[$0] }, lines.count))
            start = (end ?? bytes.count) + 1
        }
        self.lines = lines
    }

    /// A line; `terminator` is the byte behind it, `nil` at the end of the text.
    private static func line(
        _ bytes: ArraySlice<UInt8>, terminator: UInt8?, _ index: Int
    ) throws -> Line {
        let hasReturn = bytes.last == carriageReturn && terminator == newline
        guard let text = String(validating: hasReturn ? bytes.dropLast() : bytes, as: UTF8.self) else {
            throw NotebookError(
                .encoding, line: index + 1, "the text is not UTF-8", suggestion: "save the file as UTF-8")
        }
        let ending =
            switch terminator {
            case newline: hasReturn ? "\r\n" : "\n"
            case nil: ""
            default: "\r"
            }
        return Line(text: text, ending: ending)
    }

    /// The original text.
    var text: String {
        var text = hasByteOrderMark ? "\u{FEFF}" : ""
        for line in lines {
            text += line.text
            text += line.ending
        }
        return text
    }
}
