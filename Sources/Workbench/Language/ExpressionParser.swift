import PluginKit

extension Parser {
    /// An expression up to something that cannot belong to it.
    mutating func expression() throws(RutterError) -> Expression { try operand(above: 0) }

    /// Precedence climbing: operands joined by operators that bind more strongly than `floor`.
    private mutating func operand(above floor: Int) throws(RutterError) -> Expression {
        try enter()
        defer { depth -= 1 }
        var left = try prefix()
        while true {
            cursor.skipBlanks(lines: bracketDepth > 0)
            let start = cursor.position
            guard let found = binaryOperator(), found.precedence > floor else {
                cursor.position = start
                return left
            }
            if found.isComparison, case .binary(let inner, _, _) = left.content, inner.isComparison,
                cursor.bytes[left.span.start] != UInt8(ascii: "(")
            {
                throw LanguageErrors.syntax(
                    "comparisons cannot be chained", at: .span(SourceSpan(start, cursor.position)),
                    fix: "join them with `and`")
            }
            cursor.skipBlanks(lines: bracketDepth > 0)
            let right = try operand(above: found.precedence)
            left = Expression(content: .binary(found, left, right), span: left.span.union(right.span))
        }
    }

    private mutating func binaryOperator() -> BinaryOperator? {
        for candidate in BinaryOperator.allCases where cursor.starts(with: candidate.rawValue) {
            let length = candidate.rawValue.utf8.count
            if NumberScanner.isLetter(cursor.peek()), NumberScanner.isWordByte(cursor.peek(length)) {
                continue
            }
            cursor.position += length
            return candidate
        }
        return nil
    }

    private mutating func prefix() throws(RutterError) -> Expression {
        let start = cursor.position
        if startsWord("not") {
            cursor.position += 3
            cursor.skipBlanks(lines: bracketDepth > 0)
            let inner = try operand(above: 3)
            return Expression(content: .not(inner), span: SourceSpan(start, inner.span.end))
        }
        let isSign = cursor.peek() == UInt8(ascii: "-") || cursor.peek() == UInt8(ascii: "+")
        if isSign, !NumberScanner.startsNumber(cursor.bytes, at: cursor.position) {
            let isMinus = cursor.peek() == UInt8(ascii: "-")
            cursor.position += 1
            cursor.skipBlanks(lines: bracketDepth > 0)
            try enter()
            defer { depth -= 1 }
            let inner = try prefix()
            if !isMinus { return inner }
            return Expression(content: .negate(inner), span: SourceSpan(start, inner.span.end))
        }
        return try postfix()
    }

    private func startsWord(_ word: String) -> Bool {
        cursor.starts(with: word) && !NumberScanner.isWordByte(cursor.peek(word.utf8.count))
    }

    /// A primary with its fields and indexes.
    mutating func postfix() throws(RutterError) -> Expression { try path(from: try primary()) }

    /// `.name` and `[index]` after a value.
    mutating func path(from base: Expression) throws(RutterError) -> Expression {
        var result = base
        while true {
            let start = cursor.position
            if cursor.peek() == UInt8(ascii: "."), !NumberScanner.isDigit(cursor.peek(1)) {
                cursor.position += 1
                guard let name = cursor.name() else {
                    // A full stop after a variable ends a sentence inside of a text.
                    cursor.position = start
                    return result
                }
                result = Expression(
                    content: .field(result, name), span: SourceSpan(base.span.start, cursor.position))
            } else if cursor.peek() == UInt8(ascii: "["), result.canBeIndexed {
                cursor.position += 1
                let index = try bracketed(closing: "]", opened: start)
                result = Expression(
                    content: .index(result, index), span: SourceSpan(base.span.start, cursor.position))
            } else {
                return result
            }
        }
    }

    private mutating func bracketed(closing: Unicode.Scalar, opened: Int) throws(RutterError) -> Expression {
        bracketDepth += 1
        defer { bracketDepth -= 1 }
        cursor.skipBlanks(lines: true)
        if cursor.isAtEnd {
            throw LanguageErrors.unfinished(
                "the bracket is not closed", at: .span(SourceSpan(opened, opened + 1)))
        }
        let inner = try expression()
        cursor.skipBlanks(lines: true)
        guard cursor.skip(closing) else {
            if cursor.isAtEnd {
                throw LanguageErrors.unfinished(
                    "the bracket is not closed", at: .span(SourceSpan(opened, opened + 1)))
            }
            throw LanguageErrors.syntax(
                "`\(currentCharacter)` does not belong here", at: here, fix: "`\(closing)` closes the bracket"
            )
        }
        return inner
    }

    // MARK: Primaries

    private mutating func primary() throws(RutterError) -> Expression {
        let start = cursor.position
        if NumberScanner.startsNumber(cursor.bytes, at: start) { return try literal() }
        switch cursor.peek() {
        case UInt8(ascii: "("):
            cursor.position += 1
            var inner = try bracketed(closing: ")", opened: start)
            inner.span = SourceSpan(start, cursor.position)
            return inner
        case UInt8(ascii: "["): return try listExpression()
        case UInt8(ascii: "$"): return try variable()
        case UInt8(ascii: "@"):
            let name = try referenceName()
            return Expression(content: .reference(name), span: SourceSpan(start, cursor.position))
        case UInt8(ascii: "'"):
            let text = try rawText()
            return Expression(content: .literal(.text(text)), span: SourceSpan(start, cursor.position))
        case UInt8(ascii: "\""):
            let pieces = try interpolatedText()
            return Expression(content: .interpolated(pieces), span: SourceSpan(start, cursor.position))
        default: return try nameExpression()
        }
    }

    private mutating func nameExpression() throws(RutterError) -> Expression {
        let start = cursor.position
        guard let name = cursor.name() else {
            if cursor.isAtEnd { throw LanguageErrors.unfinished("a value must stand here", at: here) }
            throw LanguageErrors.syntax("a value must stand here, not `\(currentCharacter)`", at: here)
        }
        let span = SourceSpan(start, cursor.position)
        let content: Expression.Content =
            switch name {
            case "true": .literal(.boolean(true))
            case "false": .literal(.boolean(false))
            case "nothing": .literal(.nothing)
            default: .name(name)
            }
        return Expression(content: content, span: span)
    }

    private mutating func literal() throws(RutterError) -> Expression {
        let start = cursor.position
        let end = NumberScanner.literalEnd(cursor.bytes, from: start)
        cursor.position = end
        let span = SourceSpan(start, end)
        do {
            switch try LiteralParser.parse(cursor.text(start, end)) {
            case .value(let value): return Expression(content: .literal(value), span: span)
            case .localTime(let time): return Expression(content: .localTime(time), span: span)
            }
        } catch {
            throw error.located(at: .span(span))
        }
    }

    /// `$name`, and its fields unless it stands in a text, where a full stop may follow; `$_` is the last value.
    mutating func variable(withPath: Bool = true) throws(RutterError) -> Expression {
        let start = cursor.position
        cursor.position += 1
        guard let name = cursor.name() else {
            throw LanguageErrors.syntax(
                "a variable's name must follow `$`", at: .span(SourceSpan(start, cursor.position)),
                fix: "in double quotes a plain `$` is written \\$")
        }
        let base = Expression(content: .variable(name), span: SourceSpan(start, cursor.position))
        return withPath ? try path(from: base) : base
    }

    private mutating func listExpression() throws(RutterError) -> Expression {
        let start = cursor.position
        try enter()
        bracketDepth += 1
        defer {
            depth -= 1
            bracketDepth -= 1
        }
        cursor.position += 1
        var items: [Expression] = []
        while true {
            cursor.skipBlanks(lines: true)
            while cursor.skip(",") { cursor.skipBlanks(lines: true) }
            if cursor.skip("]") {
                return Expression(content: .list(items), span: SourceSpan(start, cursor.position))
            }
            if cursor.isAtEnd {
                throw LanguageErrors.unfinished("`[` is not closed", at: .span(SourceSpan(start, start + 1)))
            }
            // Items are single values: `[1 -2]` holds two, `[(1 - 2)]` one.
            items.append(try prefix())
        }
    }
}

extension Expression {
    /// Whether `[` after it is an index: a literal followed by a bracket is more likely a mistake.
    fileprivate var canBeIndexed: Bool {
        switch content {
        case .literal, .localTime: false
        default: true
        }
    }
}
