import PluginKit

extension Parser {
    /// A word for a parameter; expressions, pipelines and raw words take the rest of the command.
    ///
    /// A bare word also ends at the sign `upTo`, where one is given.
    mutating func word(
        for kind: ParameterKind, upTo sign: Unicode.Scalar? = nil
    ) throws(RutterError) -> Word {
        let start = cursor.position
        switch kind {
        case .expression:
            let expression = try expression()
            return made(.expression(expression), from: start)
        case .pipeline:
            let pipeline = try pipeline()
            return made(.pipeline(pipeline), from: start)
        case .words: return try rawWords()
        case .assignments:
            let assignments = try assignments()
            return made(.assignments(assignments), from: start)
        case .summary:
            let summary = try summary()
            return made(.summary(summary), from: start)
        case .block: return try blockWord()
        case .source: return try sourceWord()
        default: return try separateWord(upTo: sign)
        }
    }

    /// One word of any form, followed by a valid separator.
    mutating func separateWord(upTo sign: Unicode.Scalar? = nil) throws(RutterError) -> Word {
        let start = cursor.position
        let word = try word(upTo: sign)
        let isAtSign = sign.map { cursor.peek() == UInt8(ascii: $0) } ?? false
        if cursor.isAtBlank || isAtCommandEnd || isAtSign { return word }
        throw misplaced(
            "\(shownCharacter) cannot follow a word",
            fix: coordinateWithoutLabel(from: start) ?? "separate words by spaces, or quote the whole")
    }

    /// The advice for `@21.5,152.9`: quoted, it would be a label that names nothing.
    private func coordinateWithoutLabel(from start: Int) -> String? {
        guard cursor.bytes[start] == UInt8(ascii: "@") else { return nil }
        let bytes = cursor.bytes[(start + 1)...].prefix { !" \t\r\n|;".utf8.contains($0) }
        let text = String(decoding: bytes, as: UTF8.self)
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 2, numbers.allSatisfy({ $0 != nil }) else { return nil }
        return "a coordinate has no `@`: \(text)"
    }

    private mutating func word(upTo sign: Unicode.Scalar? = nil) throws(RutterError) -> Word {
        let start = cursor.position
        switch cursor.peek() {
        case UInt8(ascii: "'"):
            let text = try rawText()
            return made(.text(text), from: start)
        case UInt8(ascii: "\""):
            let pieces = try interpolatedText()
            return made(plainText(pieces).map { .text($0) } ?? .interpolated(pieces), from: start)
        case UInt8(ascii: "$"), UInt8(ascii: "("):
            let expression = try postfix()
            return made(.expression(expression), from: start)
        case let byte where NumberScanner.isLetter(byte) && startsKnownFunction:
            let expression = try postfix()
            return made(.expression(expression), from: start)
        case UInt8(ascii: "@"):
            let name = try referenceName()
            return made(.reference(name), from: start)
        case UInt8(ascii: "["): return try listWord()
        case UInt8(ascii: "{"):
            let expression = try postfix()
            return made(.expression(expression), from: start)
        default: return try bareWord(upTo: sign)
        }
    }

    /// A word from `start` to here. Parse the word's content before calling this, not in its arguments: the
    /// cursor would be read before it advances.
    func made(_ content: Word.Content, from start: Int) -> Word {
        Word(
            content: content, span: SourceSpan(start, cursor.position),
            source: cursor.text(start, cursor.position))
    }

    private mutating func bareWord(upTo sign: Unicode.Scalar?) throws(RutterError) -> Word {
        let start = cursor.position
        while !cursor.isAtEnd, !" \t\r\n|;)]([".utf8.contains(cursor.peek()) {
            if let sign, cursor.peek() == UInt8(ascii: sign) { break }
            if blockDepth > 0, cursor.peek() == UInt8(ascii: "}") { break }
            if Cursor.isQuote(cursor.peek()), !NumberScanner.isWordByte(cursor.bytes[cursor.position - 1]) {
                throw LanguageErrors.syntax(
                    "a quote inside a word", at: here, fix: "quote the whole word")
            }
            if cursor.isAtContinuation || cursor.isAtOpenEnd { break }
            cursor.position += 1
        }
        guard cursor.position > start else { throw misplaced("\(shownCharacter) is unexpected here") }
        if cursor.isAtOpenEnd { throw misplaced("") }
        if cursor.peek() == UInt8(ascii: "(") || cursor.peek() == UInt8(ascii: "[") {
            throw LanguageErrors.syntax(
                "a bracket inside a word", at: here, fix: "quote the whole word")
        }
        return made(.bare(cursor.text(start, cursor.position)), from: start)
    }

    /// The remaining words as written, up to an option of the command; a single quoted word is its text.
    mutating func rawWords(before options: [ParameterSpec] = []) throws(RutterError) -> Word {
        let start = cursor.position
        let first = try separateWord()
        var end = cursor.position
        while true {
            cursor.skipBlanks()
            if isAtCommandEnd || options.contains(where: { cursor.starts(with: "--\($0.name)") }) { break }
            _ = try separateWord()
            end = cursor.position
        }
        if end == first.span.end, case .text = first.content { return first }
        let source = cursor.text(start, end)
        return Word(content: .text(source), span: SourceSpan(start, end), source: source)
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
            items.append(try listItem())
        }
    }

    /// A word of a list; a comma after it is allowed.
    private mutating func listItem() throws(RutterError) -> Word {
        var item = try separateWord()
        if case .bare(let text) = item.content, text.count > 1, text.hasSuffix(",") {
            item.content = .bare(String(text.dropLast()))
            item.span.end -= 1
            item.source.removeLast()
        }
        return item
    }

    // MARK: Quoted text

    /// Text between single quotes, in which no character is special.
    mutating func rawText() throws(RutterError) -> String {
        let start = cursor.position
        try checkBeginsWord()
        cursor.position += 1
        while !cursor.isAtEnd {
            if cursor.skip("'") { return cursor.text(start + 1, cursor.position - 1) }
            cursor.position += 1
        }
        throw LanguageErrors.unfinished("the quote is not closed", at: .span(SourceSpan(start, start + 1)))
    }

    /// Text between double quotes, with `$x`, `${x.name}` and the escapes `\n \t \r \" \\ \$ \u{1F6B6}`.
    mutating func interpolatedText() throws(RutterError) -> [Word.Piece] {
        let start = cursor.position
        try checkBeginsWord()
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
            case UInt8(ascii: "\\"): text += try escape()
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

    /// No quote opens directly after a word, so that the prompt can detect unfinished entries without the grammar.
    private func checkBeginsWord() throws(RutterError) {
        guard cursor.position > 0, NumberScanner.isWordByte(cursor.bytes[cursor.position - 1]) else { return }
        try checkNoQuote()
    }

    private mutating func escape() throws(RutterError) -> [UInt8] {
        let known: [UInt8: UInt8] = [
            UInt8(ascii: "n"): 10, UInt8(ascii: "t"): 9, UInt8(ascii: "r"): 13, UInt8(ascii: "\""): 34,
            UInt8(ascii: "\\"): 92, UInt8(ascii: "$"): 36,
        ]
        guard cursor.position + 1 < cursor.bytes.count else {
            throw LanguageErrors.unfinished("the quote is not closed", at: here)
        }
        if let scalar = scalar() { return Array(String(scalar).utf8) }
        guard let byte = known[cursor.peek(1)] else {
            throw LanguageErrors.syntax(
                "unknown escape sequence", at: .span(SourceSpan(cursor.position, cursor.position + 2)),
                fix:
                    "valid are \\n \\t \\r \\\" \\\\ \\$ \\u{1F6B6}; in single quotes a backslash is literal")
        }
        cursor.position += 2
        return [byte]
    }

    /// A character by its number, `\u{1F6B6}`, as a pipe shows characters that a terminal would act on.
    private mutating func scalar() -> Unicode.Scalar? {
        guard cursor.peek(1) == UInt8(ascii: "u"), cursor.peek(2) == UInt8(ascii: "{"),
            let end = cursor.bytes[cursor.position...].firstIndex(of: UInt8(ascii: "}"))
        else { return nil }
        let digits = String(decoding: cursor.bytes[(cursor.position + 3)..<end], as: UTF8.self)
        guard let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) else { return nil }
        cursor.position = end + 1
        return scalar
    }

    private mutating func interpolation() throws(RutterError) -> Expression {
        let start = cursor.position
        guard cursor.peek(1) == UInt8(ascii: "{") else { return try variable(withPath: false) }
        cursor.position += 2
        guard let name = cursor.name() else {
            let kind = cursor.isAtEnd ? LanguageErrors.unfinished : LanguageErrors.syntax
            throw kind("a variable's name must follow `${`", at: here)
        }
        let base = Expression(content: .variable(name), span: SourceSpan(start, cursor.position))
        let expression = try path(from: base)
        if cursor.skip("}") { return expression }
        let kind = cursor.isAtEnd ? LanguageErrors.unfinished : LanguageErrors.syntax
        throw kind("`${` is not closed by `}`", at: .span(SourceSpan(start, cursor.position)))
    }

    func plainText(_ pieces: [Word.Piece]) -> String? {
        var all = ""
        for piece in pieces {
            guard case .text(let text) = piece else { return nil }
            all += text
        }
        return all
    }

    // MARK: References

    /// The name after `@`: bare up to a blank or a bracket, or in quotes. A colon between letters or digits is part of it, as in
    /// `@feed:1:A`.
    mutating func referenceName() throws(RutterError) -> String {
        let start = cursor.position
        cursor.position += 1
        switch cursor.peek() {
        case UInt8(ascii: "'"): return try rawText()
        case UInt8(ascii: "\""):
            guard let text = plainText(try interpolatedText()) else {
                throw LanguageErrors.syntax(
                    "a reference's name cannot contain variables",
                    at: .span(SourceSpan(start, cursor.position)))
            }
            return text
        default:
            let nameStart = cursor.position
            cursor.position = NumberScanner.referenceEnd(cursor.bytes, from: nameStart)
            guard cursor.position > nameStart else {
                throw LanguageErrors.syntax(
                    "a name must follow `@`", at: here, fix: "@Hut or @\"Refugi de Juclà\"")
            }
            return cursor.text(nameStart, cursor.position)
        }
    }
}
