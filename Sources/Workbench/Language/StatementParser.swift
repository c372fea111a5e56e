import PluginKit

/// Parses the parts of statements such as `if`, `for`, `def` and `alias`.
extension Parser {
    /// `{ … }`, parsed now and run later; after `else` also a statement that begins with `if`.
    mutating func blockWord() throws(RutterError) -> Word {
        let start = cursor.position
        guard cursor.skip("{") else {
            if cursor.starts(with: "if "), lookUp("if") != nil {
                let pipeline = try pipeline()
                return made(.block(Script(pipelines: [pipeline])), from: start)
            }
            if cursor.isAtEnd { throw LanguageErrors.unfinished("expected `{`", at: here) }
            throw misplaced("expected `{`, not \(shownCharacter)", fix: "a block is written { … }")
        }
        try enter()
        blockDepth += 1
        let outerBrackets = bracketDepth
        bracketDepth = 0
        defer {
            depth -= 1
            blockDepth -= 1
            bracketDepth = outerBrackets
        }
        let script = try script()
        guard cursor.skip("}") else {
            throw LanguageErrors.unfinished("`{` is not closed", at: .span(SourceSpan(start, start + 1)))
        }
        return made(.block(script), from: start)
    }

    /// Text that is parsed later, as written: between brackets or braces, or else up to the end of the command.
    mutating func sourceWord() throws(RutterError) -> Word {
        let start = cursor.position
        let opening = cursor.peek()
        let isBracketed = opening == UInt8(ascii: "[") || opening == UInt8(ascii: "{")
        let end =
            isBracketed
            ? SourceScan.closing(cursor.bytes, from: start) : SourceScan.commandEnd(cursor.bytes, from: start)
        guard let end else {
            throw LanguageErrors.unfinished(
                isBracketed ? "`\(currentCharacter)` is not closed" : "a quote or bracket is not closed",
                at: .span(SourceSpan(start, start + 1)))
        }
        cursor.position = end
        let text = isBracketed ? cursor.text(start + 1, end - 1) : cursor.text(start, end)
        return made(.text(text), from: start)
    }

    /// `region --help`, for a group of commands.
    mutating func groupHelpCall(from start: Int) -> Call? {
        let before = cursor
        if let first = commandWord() {
            cursor.skipBlanks()
            if cursor.starts(with: "--help") || cursor.starts(with: "-h"), lookUp(first) == nil,
                names().contains(where: { $0.hasPrefix(first + " ") }),
                let help = helpCall(about: first, from: start)
            {
                return help
            }
        }
        cursor = before
        return nil
    }

    /// `COMMAND --help` is `help COMMAND`, regardless of other words, and so is `COMMAND -h` at its end: elsewhere it may be a
    /// field with a sign. Without a command, it is `help`.
    mutating func helpCall(about name: String, options: [ParameterSpec] = [], from start: Int) -> Call? {
        guard let length = lengthOfHelpOption, !options.contains(where: { $0.name == "help" }),
            let help = lookUp("help")
        else { return nil }
        cursor.position += length
        let span = SourceSpan(start, cursor.position)
        while !isAtCommandEnd { cursor.position += 1 }
        return Call(
            command: help, nameSpan: span,
            positionals: name.isEmpty ? [] : [Word(content: .text(name), span: span, source: name)],
            options: [],
            span: span)
    }
}

extension Parser {
    /// The length of `--help` or of a last `-h` here; `nil` for anything else.
    private var lengthOfHelpOption: Int? {
        if cursor.starts(with: "--help"), !NumberScanner.isWordByte(cursor.peek(6)),
            cursor.peek(6) != UInt8(ascii: "-"), cursor.peek(6) != UInt8(ascii: "=")
        {
            return 6
        }
        var ahead = self
        guard cursor.starts(with: "-h"), !NumberScanner.isWordByte(cursor.peek(2)) else { return nil }
        ahead.cursor.position += 2
        ahead.cursor.skipBlanks()
        return ahead.isAtCommandEnd ? 2 : nil
    }
}

/// Finds the end of unparsed text.
enum SourceScan {
    /// The position after the bracket that closes the one at `start`; `nil` when it is open.
    static func closing(_ bytes: [UInt8], from start: Int) -> Int? { closing(bytes, from: start, depth: 0) }

    /// Deepest nesting of quotes within interpolations; deeper text counts as unfinished.
    private static let deepest = 32

    private static func closing(_ bytes: [UInt8], from start: Int, depth: Int) -> Int? {
        var brackets = Brackets()
        var index = start
        while index < bytes.count {
            if brackets.take(bytes[index]), brackets.isEmpty { return index + 1 }
            guard let next = after(bytes, index, depth: depth) else { return nil }
            index = next
        }
        return nil
    }

    /// The end of a command: `|`, `;`, a line end or a bracket that closes what was opened before. `nil` for an open
    /// quote or bracket.
    static func commandEnd(_ bytes: [UInt8], from start: Int) -> Int? {
        var brackets = Brackets()
        var index = start
        while index < bytes.count {
            if brackets.isEmpty, "|;\n)]}".utf8.contains(bytes[index]) { return trimmed(bytes, start, index) }
            _ = brackets.take(bytes[index])
            guard let next = after(bytes, index) else { return nil }
            index = next
        }
        return brackets.isEmpty ? trimmed(bytes, start, bytes.count) : nil
    }

    /// The open brackets. A mismatched bracket closes none, so that `{ count ]` stays open.
    private struct Brackets {
        private var open: [UInt8] = []

        var isEmpty: Bool { open.isEmpty }

        /// Processes a character; returns whether it closed a bracket.
        mutating func take(_ byte: UInt8) -> Bool {
            let kinds: String
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "("):
                open.append(byte)
                return false
            case UInt8(ascii: "]"), UInt8(ascii: ")"): kinds = "(["
            case UInt8(ascii: "}"): kinds = "{"
            default: return false
            }
            guard let innermost = open.last, kinds.utf8.contains(innermost) else { return false }
            open.removeLast()
            return true
        }
    }

    private static func trimmed(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int {
        var end = end
        while end > start, " \t\r".utf8.contains(bytes[end - 1]) { end -= 1 }
        return end
    }

    /// The position after a byte, or after the quoted text, the comment or the continued line end that begins there;
    /// `nil` for an open quote.
    private static func after(_ bytes: [UInt8], _ index: Int, depth: Int = 0) -> Int? {
        let previous = index > 0 ? bytes[index - 1] : UInt8(ascii: " ")
        switch bytes[index] {
        case UInt8(ascii: "'") where !NumberScanner.isWordByte(previous):
            return bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "'")).map { $0 + 1 }
        case UInt8(ascii: "\"") where !NumberScanner.isWordByte(previous):
            var end = index + 1
            while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
                if bytes[end...].starts(with: "${".utf8) {
                    guard depth < deepest, let closed = closing(bytes, from: end + 1, depth: depth + 1) else {
                        return nil
                    }
                    end = closed
                } else {
                    end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
                }
            }
            return end < bytes.count ? end + 1 : nil
        case UInt8(ascii: "#") where " \t\r\n|;([{".utf8.contains(previous):
            return bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        case UInt8(ascii: "$")
        where NumberScanner.isWordByte(previous) && bytes[index...].starts(with: "${".utf8):
            return index + 2
        case UInt8(ascii: "\\") where bytes[(index + 1)...].starts(with: "\n".utf8): return index + 2
        case UInt8(ascii: "\\") where bytes[(index + 1)...].starts(with: "\r\n".utf8): return index + 3
        default: return index + 1
        }
    }
}
