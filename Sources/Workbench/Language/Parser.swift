import PluginKit

/// Makes a script of an entry. Knows the registry only through a look-up.
struct Parser {
    /// Finds a command by its full name.
    typealias LookUp = (String) -> (any Command)?

    /// How deep brackets and nested pipelines may go; keeps hostile input off the stack's end.
    static let deepest = 100

    var cursor: Cursor
    let lookUp: LookUp
    let names: () -> [String]
    var depth = 0
    /// Inside brackets an expression goes on over line ends.
    var bracketDepth = 0

    /// Parses a whole entry.
    static func parse(
        _ entry: String, lookUp: @escaping LookUp, names: @escaping () -> [String]
    ) throws(RutterError) -> Script {
        var parser = Parser(cursor: Cursor(entry), lookUp: lookUp, names: names)
        return try parser.script()
    }

    private mutating func script() throws(RutterError) -> Script {
        var pipelines: [Pipeline] = []
        while true {
            cursor.skipBlanks(lines: true)
            while cursor.skip(";") { cursor.skipBlanks(lines: true) }
            if cursor.isAtEnd { return Script(pipelines: pipelines) }
            pipelines.append(try pipeline())
            cursor.skipBlanks()
            if cursor.isAtEnd || cursor.peek() == UInt8(ascii: "\n") || cursor.peek() == UInt8(ascii: ";") {
                continue
            }
            throw LanguageErrors.syntax("`\(currentCharacter)` does not belong here", at: here)
        }
    }

    /// A pipeline up to `;`, a line end or the end.
    mutating func pipeline() throws(RutterError) -> Pipeline {
        try enter()
        defer { depth -= 1 }
        let start = cursor.position
        var head: Expression?
        var calls: [Call] = []
        if startsExpression {
            head = try expression()
            cursor.skipBlanks()
            guard cursor.isAtCommandEnd else {
                throw LanguageErrors.syntax(
                    "`\(currentCharacter)` cannot follow a value", at: here,
                    fix: "join a command with `|`, operands with an operator such as `+`")
            }
        } else {
            calls.append(try call())
        }
        while true {
            cursor.skipBlanks()
            guard cursor.skip("|") else { break }
            cursor.skipBlanks(lines: true)
            if cursor.isAtEnd { throw LanguageErrors.unfinished("a command must follow `|`", at: here) }
            calls.append(try call())
        }
        return Pipeline(head: head, calls: calls, span: SourceSpan(start, cursor.position))
    }

    private var startsExpression: Bool {
        let byte = cursor.peek()
        return NumberScanner.isDigit(byte) || "+-'\"$([.@".utf8.contains(byte)
    }

    // MARK: Commands

    private mutating func call() throws(RutterError) -> Call {
        let start = cursor.position
        let (command, nameSpan) = try commandName()
        var call = Call(command: command, nameSpan: nameSpan, positionals: [], options: [], span: nameSpan)
        let positionals = command.spec.positionals
        while true {
            cursor.skipBlanks()
            if cursor.isAtCommandEnd { break }
            if let option = try option(of: command.spec) {
                call.options.append(option)
                continue
            }
            let next = call.positionals.count
            let parameter = next < positionals.count ? positionals[next] : positionals.last
            if next < positionals.count || parameter?.repeats == true, let kind = parameter?.kind {
                call.positionals.append(try word(for: kind))
            } else {
                call.positionals.append(try word())
            }
        }
        call.span = SourceSpan(start, call.lastEnd)
        return call
    }

    /// One or two words; two win where both are commands.
    private mutating func commandName() throws(RutterError) -> (any Command, SourceSpan) {
        let start = cursor.position
        guard let first = commandWord() else {
            throw LanguageErrors.syntax(
                "a command must stand here, not `\(currentCharacter)`", at: here,
                fix: "commands start with a letter")
        }
        let firstEnd = cursor.position
        cursor.skipBlanks()
        let second = commandWord()
        if let second, let command = lookUp(first + " " + second) {
            return (command, SourceSpan(start, cursor.position))
        }
        let secondEnd = cursor.position
        cursor.position = firstEnd
        if let command = lookUp(first) { return (command, SourceSpan(start, firstEnd)) }
        throw unknownCommand(first, second, SourceSpan(start, firstEnd), SourceSpan(start, secondEnd))
    }

    private mutating func commandWord() -> String? {
        guard NumberScanner.isLetter(cursor.peek()) else { return nil }
        let start = cursor.position
        while NumberScanner.isWordByte(cursor.peek()) || cursor.peek() == UInt8(ascii: "-") {
            cursor.position += 1
        }
        return cursor.text(start, cursor.position)
    }

    private func unknownCommand(
        _ first: String, _ second: String?, _ firstSpan: SourceSpan, _ bothSpan: SourceSpan
    ) -> RutterError {
        let all = names()
        let group = all.filter { $0.hasPrefix(first + " ") }.map { String($0.dropFirst(first.count + 1)) }
        guard group.isEmpty else {
            let list = group.joined(separator: ", ")
            guard let second else {
                return LanguageErrors.unknownCommand(
                    "`\(first)` needs a second word", at: .span(firstSpan), fix: "one of: \(list)")
            }
            return LanguageErrors.unknownCommand(
                "there is no command `\(first) \(second)`", at: .span(bothSpan), fix: "one of: \(list)",
                suggestion: Suggestion.nearest(to: second, in: group).map { "\(first) \($0)" })
        }
        let firstWords = Set(all.flatMap { [$0, String($0.prefix { $0 != " " })] }).sorted()
        let both = second.map { "\(first) \($0)" }
        let suggestion =
            both.flatMap { both in Suggestion.nearest(to: both, in: all.filter { $0.contains(" ") }) }
            ?? Suggestion.nearest(to: first, in: firstWords)
        return LanguageErrors.unknownCommand(
            "there is no command `\(first)`", at: .span(firstSpan),
            fix: suggestion == nil ? "`commands` lists all of them" : nil, suggestion: suggestion)
    }

    // MARK: Options

    private mutating func option(of spec: CommandSpec) throws(RutterError) -> Call.Option? {
        guard cursor.peek() == UInt8(ascii: "-") else { return nil }
        let start = cursor.position
        if NumberScanner.isLetter(cursor.peek(1)) {
            cursor.position += 1
            let name = optionName()
            throw LanguageErrors.unknownOption(
                "`-\(name)` is no option", at: .span(SourceSpan(start, cursor.position)),
                fix: "options begin with two dashes: --\(name)")
        }
        guard cursor.starts(with: "--"), NumberScanner.isLetter(cursor.peek(2)) else { return nil }
        cursor.position += 2
        let name = optionName()
        let span = SourceSpan(start, cursor.position)
        guard let parameter = spec.options.first(where: { $0.name == name }) else {
            let known = spec.options.map(\.name)
            throw LanguageErrors.unknownOption(
                "`\(spec.name)` has no option `--\(name)`", at: .span(span),
                fix: known.isEmpty
                    ? "it takes no options" : "it has " + known.map { "--\($0)" }.joined(separator: ", "),
                suggestion: Suggestion.nearest(to: name, in: known).map { "--\($0)" })
        }
        if parameter.style == .flag { return Call.Option(name: name, nameSpan: span) }
        if !cursor.skip("=") { cursor.skipBlanks() }
        if cursor.isAtCommandEnd || (cursor.starts(with: "--") && NumberScanner.isLetter(cursor.peek(2))) {
            throw LanguageErrors.missingArgument(
                "`--\(name)` needs a value", at: .span(span), fix: "--\(name) \(parameter.kind.placeholder)")
        }
        return Call.Option(name: name, nameSpan: span, value: try word(for: parameter.kind))
    }

    private mutating func optionName() -> String {
        let start = cursor.position
        while NumberScanner.isWordByte(cursor.peek()) || cursor.peek() == UInt8(ascii: "-") {
            cursor.position += 1
        }
        return cursor.text(start, cursor.position)
    }

    // MARK: Helpers

    mutating func enter() throws(RutterError) {
        depth += 1
        if depth > Self.deepest { throw LanguageErrors.depth("brackets are nested too deeply", at: here) }
    }

    /// The place of the present character.
    var here: RutterError.Place {
        .span(
            SourceSpan(
                cursor.position,
                min(cursor.bytes.count, cursor.position + max(1, currentCharacter.utf8.count))))
    }

    var currentCharacter: String {
        guard !cursor.isAtEnd else { return "" }
        return String(String(decoding: cursor.bytes[cursor.position...].prefix(16), as: UTF8.self).prefix(1))
    }
}

extension Call {
    fileprivate var lastEnd: Int {
        let words = positionals.map(\.span.end) + options.map { $0.value?.span.end ?? $0.nameSpan.end }
        return words.reduce(nameSpan.end, max)
    }
}
