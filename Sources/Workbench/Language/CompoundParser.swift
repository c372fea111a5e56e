import CivilTime
import PluginKit

/// Expressions that contain others: brackets, records, calls of functions, and calendar periods.
extension Parser {
    /// `( expression )`, or a pipeline in brackets: text that begins with a command's name and is not an expression.
    mutating func parenthesized() throws(RutterError) -> Expression {
        let start = cursor.position
        let before = self
        cursor.position += 1
        let failure: RutterError
        do throws(RutterError) {
            return try bracketedValue(openedAt: start)
        } catch {
            failure = error
        }
        let spent = max(retries, before.retries) + 1
        let present = self
        self = before
        retries = spent
        cursor.position += 1
        cursor.skipBlanks(lines: true)
        // Each retry parses the rest again; the limit prevents exponential work on nested brackets.
        guard startsCommand, spent <= Self.mostRetries else {
            self = present
            throw failure
        }
        bracketDepth = 0
        defer { bracketDepth = before.bracketDepth }
        let pipeline = try pipeline()
        return try closed(.pipeline(pipeline), openedAt: start)
    }

    /// Maximum number of retries of one entry.
    private static let mostRetries = 64

    private mutating func bracketedValue(openedAt start: Int) throws(RutterError) -> Expression {
        bracketDepth += 1
        defer { bracketDepth -= 1 }
        cursor.skipBlanks(lines: true)
        if cursor.isAtEnd { throw unclosed("(", start) }
        let headStart = cursor.position
        let isCommand = startsCommand
        if isCommand, namesFile { throw misplaced("a command follows") }
        let inner = try expression()
        cursor.skipBlanks(lines: true)
        // `count | …` can only be the command: expressions contain no pipes.
        if isCommand, cursor.peek() == UInt8(ascii: "|") { throw misplaced("a command follows") }
        guard cursor.peek() == UInt8(ascii: "|") else {
            var whole = try closed(inner.content, openedAt: start)
            whole.span = SourceSpan(start, cursor.position)
            return whole
        }
        let outer = bracketDepth
        bracketDepth = 0
        defer { bracketDepth = outer }
        let calls = try pipedCalls()
        let pipeline = Pipeline(
            head: inner, calls: calls, span: SourceSpan(headStart, cursor.position))
        return try closed(.pipeline(pipeline), openedAt: start)
    }

    private mutating func closed(
        _ content: Expression.Content, openedAt start: Int
    ) throws(RutterError) -> Expression {
        cursor.skipBlanks(lines: true)
        guard cursor.skip(")") else {
            if cursor.isAtEnd {
                throw LanguageErrors.unfinished(
                    "the bracket is not closed", at: .span(SourceSpan(start, start + 1)))
            }
            let isList = cursor.peek() == UInt8(ascii: ",")
            throw misplaced(
                "\(shownCharacter) is unexpected here",
                fix: isList ? "a list is written in square brackets: [AD FR]" : "`)` closes the bracket")
        }
        return Expression(content: content, span: SourceSpan(start, cursor.position))
    }

    /// Whether the first word is followed by a path: `open /tmp/a.csv` is not a division.
    private var namesFile: Bool {
        var ahead = cursor
        guard ahead.name() != nil, ahead.peek() == UInt8(ascii: " ") else { return false }
        ahead.skipBlanks()
        return ahead.peek() == UInt8(ascii: "/") && !" \t\r\n".utf8.contains(ahead.peek(1))
    }

    /// Whether a command's name follows.
    private var startsCommand: Bool {
        var ahead = cursor
        guard let first = ahead.name() else { return false }
        if expectsNewCommands || lookUp(first) != nil { return true }
        return names().contains { $0.hasPrefix(first + " ") || $0.hasPrefix(first + "-") }
    }

    /// `{name: value, …}`
    mutating func recordExpression() throws(RutterError) -> Expression {
        let start = cursor.position
        try enter()
        bracketDepth += 1
        defer {
            depth -= 1
            bracketDepth -= 1
        }
        cursor.position += 1
        var fields: [(String, Expression)] = []
        while true {
            cursor.skipBlanks(lines: true)
            while cursor.skip(",") { cursor.skipBlanks(lines: true) }
            if cursor.skip("}") {
                return Expression(content: .record(fields), span: SourceSpan(start, cursor.position))
            }
            let keyStart = cursor.position
            let key = try recordKey(openedAt: start)
            if fields.contains(where: { $0.0 == key }) {
                throw LanguageErrors.syntax(
                    "duplicate field `\(key)`", at: .span(SourceSpan(keyStart, cursor.position)),
                    fix: "name each field once")
            }
            cursor.skipBlanks(lines: true)
            guard cursor.skip(":") else {
                if cursor.isAtEnd { throw unclosed("{", start) }
                throw misplaced(
                    "expected `:` after the field's name, not \(shownCharacter)",
                    fix: "a record is written {name: 'Hut', beds: 50}")
            }
            cursor.skipBlanks(lines: true)
            if cursor.isAtEnd { throw unclosed("{", start) }
            fields.append((key, try expression()))
            try checkNoQuote()
        }
    }

    private mutating func recordKey(openedAt start: Int) throws(RutterError) -> String {
        if cursor.isAtEnd { throw unclosed("{", start) }
        switch cursor.peek() {
        case UInt8(ascii: "'"): return try rawText()
        case UInt8(ascii: "\""):
            let from = cursor.position
            if let text = plainText(try interpolatedText()) { return text }
            throw LanguageErrors.syntax(
                "a field's name cannot contain variables", at: .span(SourceSpan(from, cursor.position)))
        default:
            if let name = cursor.name() { return name }
            throw misplaced(
                "expected a field's name, not \(shownCharacter)",
                fix: "a record is written {name: 'Hut', beds: 50}")
        }
    }

    private func unclosed(_ bracket: String, _ start: Int) -> RutterError {
        LanguageErrors.unfinished("`\(bracket)` is not closed", at: .span(SourceSpan(start, start + 1)))
    }

    /// `name(a, b)`; the name is already consumed.
    mutating func functionCall(_ name: String, from start: Int) throws(RutterError) -> Expression {
        try enter()
        bracketDepth += 1
        defer {
            depth -= 1
            bracketDepth -= 1
        }
        let opened = cursor.position
        cursor.position += 1
        var arguments: [Expression] = []
        cursor.skipBlanks(lines: true)
        while !cursor.skip(")") {
            if cursor.isAtEnd { throw unclosed("(", opened) }
            arguments.append(try expression())
            cursor.skipBlanks(lines: true)
            if cursor.skip(",") {
                cursor.skipBlanks(lines: true)
            } else if cursor.peek() != UInt8(ascii: ")"), !cursor.isAtEnd {
                throw misplaced(
                    "\(shownCharacter) is unexpected here",
                    fix: "arguments are separated by commas: \(name)(a, b)")
            }
        }
        return Expression(content: .call(name, arguments), span: SourceSpan(start, cursor.position))
    }

    /// The unit of a calendar period after a number and blanks; nothing is consumed when there is none.
    mutating func periodUnit() -> CalendarPeriod.Unit? {
        let before = cursor.position
        while cursor.peek() == UInt8(ascii: " ") { cursor.position += 1 }
        if cursor.position > before, let name = cursor.name(), cursor.peek() != UInt8(ascii: "("),
            let unit = CalendarPeriod.Unit(word: name)
        {
            return unit
        }
        cursor.position = before
        return nil
    }

    // MARK: Words of commands

    /// `name=EXPRESSION`, repeated.
    mutating func assignments() throws(RutterError) -> [Word.Assignment] {
        var found: [Word.Assignment] = []
        while !isAtCommandEnd {
            let start = cursor.position
            guard let name = try assignedName() else {
                throw misplaced(
                    "expected NAME=EXPRESSION, not \(shownCharacter)",
                    fix: "write a name, `=` and an expression: km=distance in km")
            }
            found.append(try assignment(name, from: start))
            cursor.skipBlanks()
        }
        return found
    }

    /// `name=` before an expression; nothing is consumed when it does not follow.
    private mutating func assignedName() throws(RutterError) -> String? {
        let start = cursor.position
        let name = cursor.peek() == UInt8(ascii: "'") ? try rawText() : cursor.name()
        cursor.skipBlanks()
        if let name, cursor.peek() == UInt8(ascii: "="), cursor.peek(1) != UInt8(ascii: "="),
            cursor.peek(1) != UInt8(ascii: "~")
        {
            cursor.position += 1
            cursor.skipBlanks()
            return name
        }
        cursor.position = start
        return nil
    }

    private mutating func assignment(_ name: String, from start: Int) throws(RutterError) -> Word.Assignment {
        let expression = try expression()
        return Word.Assignment(
            name: name, expression: expression, span: SourceSpan(start, cursor.position),
            source: cursor.text(expression.span.start, expression.span.end))
    }

    /// `AGGREGATE(…) … by KEY …`
    mutating func summary() throws(RutterError) -> Word.Summary {
        var summary = Word.Summary(columns: [], keys: [])
        var isKey = false
        while !isAtCommandEnd {
            let start = cursor.position
            if !isKey, let word = cursor.name(), word == "by", cursor.isAtBlank || isAtCommandEnd {
                isKey = true
                cursor.skipBlanks()
                if isAtCommandEnd { throw misplaced("a key must follow `by`", fix: "… by category") }
                continue
            }
            cursor.position = start
            let name = try assignedName()
            // Keys are single values; blanks separate them.
            let expression = isKey ? try prefixed() : try self.expression()
            let made = Word.Assignment(
                name: name ?? Self.columnName(of: expression), expression: expression,
                span: SourceSpan(start, cursor.position),
                source: cursor.text(expression.span.start, expression.span.end))
            if isKey { summary.keys.append(made) } else { summary.columns.append(made) }
            cursor.skipBlanks()
            if cursor.skip(",") { cursor.skipBlanks() }
        }
        return summary
    }

    /// The default column name of a computed value: `mean(distance)` is meanDistance.
    static func columnName(of expression: Expression) -> String {
        switch expression.content {
        case .name(let name): return name
        case .path(_, let steps):
            if case .field(let name)? = steps.last?.kind { return name }
            return "value"
        case .call(let function, let arguments):
            guard let first = arguments.first, arguments.count == 1 else { return function }
            switch first.content {
            case .name, .path:
                let name = columnName(of: first)
                return FunctionLibrary.isAggregate(function)
                    ? function + name.prefix(1).uppercased() + name.dropFirst() : function
            default: return function
            }
        default: return "value"
        }
    }
}
