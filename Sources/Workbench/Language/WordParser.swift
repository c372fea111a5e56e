import PluginKit

extension Parser {
    /// A word for a parameter; expressions, pipelines and raw words take all that is left of the command.
    mutating func word(for kind: ParameterKind) throws(RutterError) -> Word {
        let start = cursor.position
        switch kind {
        case .expression:
            let expression = try expression()
            return made(.expression(expression), from: start)
        case .pipeline:
            let pipeline = try pipeline()
            return made(.pipeline(pipeline), from: start)
        case .words: return try rawWords()
        default: return try word()
        }
    }

    /// One word of any form.
    mutating func word() throws(RutterError) -> Word {
        let start = cursor.position
        switch cursor.peek() {
        case UInt8(ascii: "'"): return made(.text(try rawText()), from: start)
        case UInt8(ascii: "\""):
            let pieces = try interpolatedText()
            return made(plainText(pieces).map { .text($0) } ?? .interpolated(pieces), from: start)
        case UInt8(ascii: "$"), UInt8(ascii: "("):
            let expression = try postfix()
            return made(.expression(expression), from: start)
        case UInt8(ascii: "@"): return made(.reference(try referenceName()), from: start)
        case UInt8(ascii: "["): return try listWord()
        default: return try bareWord()
        }
    }

    private func made(_ content: Word.Content, from start: Int) -> Word {
        Word(
            content: content, span: SourceSpan(start, cursor.position),
            source: cursor.text(start, cursor.position))
    }

    private mutating func bareWord() throws(RutterError) -> Word {
        let start = cursor.position
        while !cursor.isAtEnd, !" \t\r\n|;)](".utf8.contains(cursor.peek()) {
            if "'\"".utf8.contains(cursor.peek()),
                !NumberScanner.isWordByte(cursor.bytes[cursor.position - 1])
            {
                throw LanguageErrors.syntax(
                    "a quote inside of a word", at: here, fix: "put the whole word into quotes")
            }
            if cursor.peek() == UInt8(ascii: "\\"), cursor.peek(1) == UInt8(ascii: "\n") { break }
            cursor.position += 1
        }
        guard cursor.position > start else {
            throw LanguageErrors.syntax("`\(currentCharacter)` does not belong here", at: here)
        }
        if cursor.peek() == UInt8(ascii: "(") {
            throw LanguageErrors.syntax(
                "a bracket inside of a word", at: here, fix: "put the whole word into quotes")
        }
        return made(.bare(cursor.text(start, cursor.position)), from: start)
    }

    private mutating func rawWords() throws(RutterError) -> Word {
        let start = cursor.position
        while !cursor.isAtEnd, !"|;\n".utf8.contains(cursor.peek()) { cursor.position += 1 }
        let text = cursor.text(start, cursor.position)
        let trimmed = text.trimmingSuffix(while: \.isWhitespace)
        return Word(
            content: .text(trimmed), span: SourceSpan(start, start + trimmed.utf8.count), source: trimmed)
    }

    private mutating func listWord() throws(RutterError) -> Word {
        let start = cursor.position
        try enter()
        defer { depth -= 1 }
        cursor.position += 1
        var items: [Word] = []
        while true {
            cursor.skipBlanks(lines: true)
            if cursor.skip("]") { return made(.list(items), from: start) }
            if cursor.isAtEnd {
                throw LanguageErrors.unfinished("`[` is not closed", at: .span(SourceSpan(start, start + 1)))
            }
            items.append(try word())
        }
    }

    // MARK: Quoted text

    /// Text between single quotes, in which nothing has a meaning.
    mutating func rawText() throws(RutterError) -> String {
        let start = cursor.position
        cursor.position += 1
        while !cursor.isAtEnd {
            if cursor.skip("'") { return cursor.text(start + 1, cursor.position - 1) }
            cursor.position += 1
        }
        throw LanguageErrors.unfinished("the quote is not closed", at: .span(SourceSpan(start, start + 1)))
    }

    /// Text between double quotes, with `$x`, `${x.name}` and the escapes `\n \t \r \" \\ \$`.
    mutating func interpolatedText() throws(RutterError) -> [Word.Piece] {
        let start = cursor.position
        cursor.position += 1
        var pieces: [Word.Piece] = []
        var text: [UInt8] = []
        func flush() {
            if !text.isEmpty { pieces.append(.text(String(decoding: text, as: UTF8.self))) }
            text = []
        }
        while !cursor.isAtEnd {
            switch cursor.peek() {
            case UInt8(ascii: "\""):
                cursor.position += 1
                flush()
                return pieces
            case UInt8(ascii: "\\"): text.append(try escape())
            case UInt8(ascii: "$"):
                flush()
                pieces.append(.value(try interpolation()))
            default:
                text.append(cursor.peek())
                cursor.position += 1
            }
        }
        throw LanguageErrors.unfinished("the quote is not closed", at: .span(SourceSpan(start, start + 1)))
    }

    private mutating func escape() throws(RutterError) -> UInt8 {
        let known: [UInt8: UInt8] = [
            UInt8(ascii: "n"): 10, UInt8(ascii: "t"): 9, UInt8(ascii: "r"): 13, UInt8(ascii: "\""): 34,
            UInt8(ascii: "\\"): 92, UInt8(ascii: "$"): 36,
        ]
        guard let byte = known[cursor.peek(1)] else {
            throw LanguageErrors.syntax(
                "this escape is not known", at: .span(SourceSpan(cursor.position, cursor.position + 2)),
                fix: "known are \\n \\t \\r \\\" \\\\ \\$; in single quotes a backslash is just a backslash")
        }
        cursor.position += 2
        return byte
    }

    private mutating func interpolation() throws(RutterError) -> Expression {
        let start = cursor.position
        guard cursor.peek(1) == UInt8(ascii: "{") else { return try variable(withPath: false) }
        cursor.position += 2
        guard let name = cursor.name() else {
            throw LanguageErrors.syntax("a variable's name must follow `${`", at: here)
        }
        let base = Expression(content: .variable(name), span: SourceSpan(start, cursor.position))
        let expression = try path(from: base)
        guard cursor.skip("}") else {
            throw LanguageErrors.syntax(
                "`${` is not closed by `}`", at: .span(SourceSpan(start, cursor.position)))
        }
        return expression
    }

    private func plainText(_ pieces: [Word.Piece]) -> String? {
        var all = ""
        for piece in pieces {
            guard case .text(let text) = piece else { return nil }
            all += text
        }
        return all
    }

    // MARK: References

    /// The name after `@`: bare up to a blank or a bracket, or in quotes.
    mutating func referenceName() throws(RutterError) -> String {
        let start = cursor.position
        cursor.position += 1
        switch cursor.peek() {
        case UInt8(ascii: "'"): return try rawText()
        case UInt8(ascii: "\""):
            guard let text = plainText(try interpolatedText()) else {
                throw LanguageErrors.syntax(
                    "a reference's name holds no variables", at: .span(SourceSpan(start, cursor.position)))
            }
            return text
        default:
            let nameStart = cursor.position
            while NumberScanner.isWordByte(cursor.peek()) || cursor.peek() == UInt8(ascii: "-") {
                cursor.position += 1
            }
            guard cursor.position > nameStart else {
                throw LanguageErrors.syntax(
                    "a name must follow `@`", at: here, fix: "@Hut or @\"Refugi de Juclà\"")
            }
            return cursor.text(nameStart, cursor.position)
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(while matches: (Character) -> Bool) -> String {
        var end = endIndex
        while end > startIndex, matches(self[index(before: end)]) { end = index(before: end) }
        return String(self[..<end])
    }
}
