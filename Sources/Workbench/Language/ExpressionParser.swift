import CivilTime
import PluginKit

extension Parser {
    /// Parses an expression up to the first token that cannot be part of it.
    mutating func expression() throws(RutterError) -> Expression { try operand(above: 0) }

    /// Precedence climbing: operands joined by operators that bind more strongly than `floor`.
    private mutating func operand(above floor: Int) throws(RutterError) -> Expression {
        try enter()
        defer { depth -= 1 }
        var left = try prefix()
        var links: [Expression.Link] = []
        // This loop handles only operators that bind no more strongly than the preceding one.
        while true {
            cursor.skipBlanks(lines: bracketDepth > 0)
            let start = cursor.position
            try checkHabits()
            guard let found = binaryOperator(), found.precedence > floor else {
                cursor.position = start
                return joined(left, links)
            }
            if let last = links.last, last.op.precedence != found.precedence {
                left = joined(left, links)
                links = []
            }
            if found.isComparison && !links.isEmpty {
                throw LanguageErrors.syntax(
                    "comparisons cannot be chained", at: .span(SourceSpan(start, cursor.position)),
                    fix: "join them with `and`")
            }
            cursor.skipBlanks(lines: bracketDepth > 0)
            links.append(Expression.Link(op: found, operand: try operand(above: found.precedence)))
        }
    }

    private func joined(_ first: Expression, _ links: [Expression.Link]) -> Expression {
        guard let last = links.last else { return first }
        return Expression(content: .chain(first, links), span: first.span.union(last.operand.span))
    }

    private mutating func binaryOperator() -> BinaryOperator? {
        guard let (found, length) = operatorHere else { return nil }
        cursor.position += length
        return found
    }

    /// Throws for an operator of another language, with the one that is meant.
    private func checkHabits() throws(RutterError) {
        guard OperatorHabits.starts.contains(cursor.peek()),
            let (written, meant) = OperatorHabits.all.first(where: { isHabit($0.written) })
        else { return }
        throw LanguageErrors.syntax(
            written == "=" ? "`=` cannot follow a value" : "`\(written)` is not an operator",
            at: .span(SourceSpan(cursor.position, cursor.position + written.utf8.count)), fix: meant)
    }

    private func isHabit(_ written: String) -> Bool {
        guard cursor.starts(with: written) else { return false }
        let next = cursor.peek(written.utf8.count)
        if written == "=" { return next != UInt8(ascii: "=") && next != UInt8(ascii: "~") }
        guard NumberScanner.isLetter(cursor.peek()) else { return true }
        return next == UInt8(ascii: " ") && cursor.peek(written.utf8.count + 1) != UInt8(ascii: "=")
    }

    private var operatorHere: (BinaryOperator, Int)? {
        let isBeforeEqualSign = cursor.peek(1) == UInt8(ascii: "=")
        switch cursor.peek() {
        case UInt8(ascii: "+"): return (.plus, 1)
        case UInt8(ascii: "-"): return (.minus, 1)
        case UInt8(ascii: "*"): return (.times, 1)
        case UInt8(ascii: "/"): return (.divided, 1)
        case UInt8(ascii: "%"): return (.remainder, 1)
        case UInt8(ascii: "<"): return isBeforeEqualSign ? (.lessOrEqual, 2) : (.less, 1)
        case UInt8(ascii: ">"): return isBeforeEqualSign ? (.greaterOrEqual, 2) : (.greater, 1)
        case UInt8(ascii: "!"): return isBeforeEqualSign ? (.notEqual, 2) : nil
        case UInt8(ascii: "="):
            if isBeforeEqualSign { return (.equal, 2) }
            return cursor.peek(1) == UInt8(ascii: "~") ? (.matches, 2) : nil
        case UInt8(ascii: "a"): return startsWord("and") ? (.and, 3) : nil
        case UInt8(ascii: "o"): return startsWord("or") ? (.or, 2) : nil
        case UInt8(ascii: "i"): return startsWord("in") ? (.isIn, 2) : nil
        default: return nil
        }
    }

    /// A single value with its sign, without operators after it.
    mutating func prefixed() throws(RutterError) -> Expression { try prefix() }

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
        // A quote directly after a letter is part of the word, as everywhere.
        let next = cursor.peek(word.utf8.count)
        return !NumberScanner.isWordByte(next) && !Cursor.isQuote(next) && cursor.starts(with: word)
    }

    /// A primary with its fields and indexes.
    mutating func postfix() throws(RutterError) -> Expression { try path(from: try primary()) }

    /// `.name` and `[index]` after a value.
    mutating func path(from base: Expression) throws(RutterError) -> Expression {
        var steps: [Expression.Step] = []
        while true {
            let start = cursor.position
            if cursor.peek() == UInt8(ascii: "."), !NumberScanner.isDigit(cursor.peek(1)) {
                cursor.position += 1
                guard let name = cursor.name() else {
                    // In text, a full stop after a variable ends a sentence.
                    cursor.position = start
                    break
                }
                steps.append(Expression.Step(kind: .field(name), end: cursor.position))
            } else if cursor.peek() == UInt8(ascii: "["), !steps.isEmpty || base.canBeIndexed {
                cursor.position += 1
                let index = try bracketed(closing: "]", opened: start)
                steps.append(Expression.Step(kind: .index(index), end: cursor.position))
            } else {
                break
            }
        }
        if steps.isEmpty { return base }
        return Expression(content: .path(base, steps), span: SourceSpan(base.span.start, cursor.position))
    }

    mutating func bracketed(closing: Unicode.Scalar, opened: Int) throws(RutterError) -> Expression {
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
            throw misplaced("\(shownCharacter) is unexpected here", fix: "`\(closing)` closes the bracket")
        }
        return inner
    }

    // MARK: Primaries

    private mutating func primary() throws(RutterError) -> Expression {
        let start = cursor.position
        if NumberScanner.startsNumber(cursor.bytes, at: start) { return try literal() }
        switch cursor.peek() {
        case UInt8(ascii: "("): return try parenthesized()
        case UInt8(ascii: "{"): return try recordExpression()
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
            if cursor.isAtEnd && bracketDepth > 0 {
                throw LanguageErrors.unfinished("expected a value", at: here)
            }
            if cursor.isAtEnd { throw LanguageErrors.syntax("expected a value", at: here) }
            if cursor.peek() == UInt8(ascii: "!") {
                throw LanguageErrors.syntax("expected a value, not `!`", at: here, fix: "write not (…)")
            }
            if cursor.position > 0, cursor.bytes[cursor.position - 1] == cursor.peek(),
                let meant = OperatorHabits.doubled[cursor.peek()]
            {
                throw LanguageErrors.syntax(
                    "expected a value, not \(shownCharacter)", at: here, fix: meant)
            }
            throw misplaced("expected a value, not \(shownCharacter)")
        }
        if cursor.peek() == UInt8(ascii: "(") { return try functionCall(name, from: start) }
        let span = SourceSpan(start, cursor.position)
        let content: Expression.Content =
            switch name {
            case "true": .literal(.boolean(true))
            case "false": .literal(.boolean(false))
            case "nothing", "null", "none": .literal(.nothing)
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
            case .value(.integer(let count)):
                if let unit = periodUnit() {
                    return Expression(
                        content: .period(CalendarPeriod(count: count, unit: unit)),
                        span: SourceSpan(start, cursor.position))
                }
                return Expression(content: .literal(.integer(count)), span: span)
            case .value(let value): return Expression(content: .literal(value), span: span)
            case .localTime(let time): return Expression(content: .localTime(time), span: span)
            }
        } catch {
            throw error.located(at: .span(span))
        }
    }

    /// `$name` and its fields, except in text, where a full stop may follow; `$_` is the last value.
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

    /// `[10,20]` is most likely meant as two numbers, and would be one coordinate.
    private func checkNotJoined(_ item: Expression) throws(RutterError) {
        guard case .literal(let value) = item.content else { return }
        switch value {
        case .coordinate, .box: break
        default: return
        }
        let text = cursor.text(item.span.start, item.span.end)
        guard text.allSatisfy({ $0.isNumber || $0 == "," || $0 == "-" }) else { return }
        throw LanguageErrors.coordinate(
            "`\(text)` in a list is one coordinate, not \(text.split(separator: ",").count) numbers",
            at: .span(item.span),
            fix: "numbers: [\(text.replacingOccurrences(of: ",", with: " "))]; a coordinate has decimals: "
                + "[\(text.split(separator: ",").map { $0 + ".0" }.joined(separator: ","))]")
    }

    private func ambiguousItem() -> RutterError {
        misplaced(
            "\(shownCharacter) cannot separate the items of a list",
            fix: "put computations in brackets: [(2 - 1) 3]")
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
                if items.count == 1 { try checkNotJoined(items[0]) }
                return Expression(content: .list(items), span: SourceSpan(start, cursor.position))
            }
            if cursor.isAtEnd {
                throw LanguageErrors.unfinished("`[` is not closed", at: .span(SourceSpan(start, start + 1)))
            }
            // Items are single values: `[1 -2]` has two, `[(1 - 2)]` one. `[1 - 2]` and `[1-2]` could mean either.
            if "+-".utf8.contains(cursor.peek()), " \t\r\n".utf8.contains(cursor.peek(1)) {
                throw ambiguousItem()
            }
            items.append(try prefix())
            try checkNoQuote()
            guard cursor.isAtBlank || cursor.isAtEnd || ",])}\n#".utf8.contains(cursor.peek()) else {
                throw ambiguousItem()
            }
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
