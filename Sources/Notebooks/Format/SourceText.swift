/// A notebook's text as lines with their line endings, so that an update changes nothing else.
struct SourceText: Sendable, Equatable {
    /// One line.
    struct Line: Sendable, Equatable {
        /// The text without its ending; a carriage return is part of the ending.
        let text: String
        /// `\n`, `\r\n`, or empty for an unterminated last line.
        let ending: String
    }

    /// Whether the file began with a byte order mark.
    let hasByteOrderMark: Bool
    /// The lines; the text after the last newline is not a line.
    var lines: [Line]

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Splits bytes into lines. Throws for a line that is not UTF-8.
    init(bytes: [UInt8]) throws {
        hasByteOrderMark = bytes.starts(with: Self.byteOrderMark)
        var lines: [Line] = []
        var start = hasByteOrderMark ? Self.byteOrderMark.count : 0
        while start < bytes.count {
            let newline = bytes[start...].firstIndex(of: 0x0A)
            lines.append(
                try Self.line(bytes[start..<(newline ?? bytes.count)], ended: newline != nil, lines.count))
            start = (newline ?? bytes.count) + 1
        }
        self.lines = lines
    }

    private static func line(_ bytes: ArraySlice<UInt8>, ended: Bool, _ index: Int) throws -> Line {
        let hasReturn = bytes.last == 0x0D && ended
        guard let text = String(validating: hasReturn ? bytes.dropLast() : bytes, as: UTF8.self) else {
            throw NotebookError(
                .encoding, line: index + 1, "the text is not UTF-8", suggestion: "save the file as UTF-8")
        }
        return Line(text: text, ending: ended ? (hasReturn ? "\r\n" : "\n") : "")
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
