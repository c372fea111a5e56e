import CivilTime
import PluginKit

/// Parses an entry into a script. Uses the registry only through a look-up closure.
struct Parser {
    /// Finds a command by its full name.
    typealias LookUp = (String) -> (Command)?

    /// Deepest nesting of brackets and pipelines; prevents stack overflow on hostile input.
    static let deepest = 100

    var cursor: Cursor
    let lookUp: LookUp
    let names: () -> [String]
    var depth = 0
    /// Inside brackets an expression continues over line ends.
    var bracketDepth = 0
    /// Inside `{ }` of a statement a `}` ends a command.
    var blockDepth = 0
    /// Commands that the entry defines itself.
    var defined: [String: Command] = [:]
    /// How often bracketed text was parsed again.
    var retries = 0
    /// Number of parsed commands that change the set of commands.
    var changes = 0
    /// Whether an earlier pipeline changes the set of commands, so that an unknown name may become valid.
    var expectsNewCommands = false

    /// Parses an entry, or what follows a position: the rest of the entry, or of the block in which the position is.
    static func parse(
        _ entry: String, from position: Int = 0, isBlock: Bool = false, lookUp: @escaping LookUp,
        names: @escaping () -> [String]
    ) throws(RutterError) -> Script {
        var parser = Parser(cursor: Cursor(entry), lookUp: lookUp, names: names)
        parser.cursor.position = position
        if isBlock { parser.blockDepth = 1 }
        return try parser.script()
    }

    /// Whether the current byte ends a command: `|`, `;`, a line end, a closing bracket or the end.
    var isAtCommandEnd: Bool {
        cursor.isAtCommandEnd || (blockDepth > 0 && cursor.peek() == UInt8(ascii: "}"))
    }

    /// Pipelines up to the end, or within a block up to its `}`.
    mutating func script() throws(RutterError) -> Script {
        let outer = expectsNewCommands
        defer { expectsNewCommands = outer }
        var script = Script(pipelines: [], isBlock: blockDepth > 0)
        while true {
            cursor.skipBlanks(lines: true)
            while cursor.skip(";") { cursor.skipBlanks(lines: true) }
            if cursor.isAtEnd || (blockDepth > 0 && cursor.peek() == UInt8(ascii: "}")) { return script }
            let pipeline = try pipeline()
            script.pipelines.append(pipeline)
            expectsNewCommands = expectsNewCommands || pipeline.changesCommands
            cursor.skipBlanks()
            if blockDepth > 0, cursor.peek() == UInt8(ascii: "}") { continue }
            if cursor.isAtEnd || cursor.peek() == UInt8(ascii: "\n") || cursor.peek() == UInt8(ascii: ";") {
                continue
            }
            throw misplaced("\(shownCharacter) is unexpected here")
        }
    }

    /// A pipeline up to `;`, a line end or the end.
    mutating func pipeline() throws(RutterError) -> Pipeline {
        try enter()
        defer { depth -= 1 }
        let start = cursor.position
        let changesBefore = changes
        var head: Expression?
        var calls: [Call] = []
        if let help = helpCall(about: "", from: start) {
            calls.append(help)
        } else if startsExpression {
            head = try expression()
            cursor.skipBlanks()
            guard isAtCommandEnd else {
                throw misplaced("\(shownCharacter) cannot follow a value", fix: fixAfterValue(from: start))
            }
        } else {
            calls.append(try call())
        }
        calls += try pipedCalls()
        return Pipeline(
            head: head, calls: calls, span: SourceSpan(start, cursor.position),
            changesCommands: changes > changesBefore)
    }

    /// Commands, each after a `|`.
    mutating func pipedCalls() throws(RutterError) -> [Call] {
        var calls: [Call] = []
        while true {
            cursor.skipBlanks()
            guard cursor.skip("|") else { return calls }
            cursor.skipBlanks(lines: true)
            if cursor.isAtEnd { throw LanguageErrors.unfinished("a command must follow `|`", at: here) }
            calls.append(try call())
        }
    }

    private var startsExpression: Bool {
        let byte = cursor.peek()
        return NumberScanner.isDigit(byte) || "+-'\"$([.@{".utf8.contains(byte) || startsFunction
    }

    /// Whether the name of a known function and `(` follow: in a word, other names are not functions.
    var startsKnownFunction: Bool {
        var ahead = cursor
        guard startsFunction, let name = ahead.name() else { return false }
        return FunctionLibrary.named(name) != nil
    }

    /// Whether a function's name and `(` follow: `round(3.7)`.
    var startsFunction: Bool {
        guard NumberScanner.isLetter(cursor.peek()) else { return false }
        var ahead = cursor
        return ahead.name() != nil && ahead.peek() == UInt8(ascii: "(")
    }

    /// The fix for a token that cannot follow a value.
    private func fixAfterValue(from start: Int) -> String {
        let isAfterDigit = cursor.position > 0 && NumberScanner.isDigit(cursor.bytes[cursor.position - 1])
        switch cursor.peek() {
        case UInt8(ascii: ",") where isAfterDigit:
            return "a coordinate is one word without spaces: 46.5012,7.9876"
        case UInt8(ascii: ":") where isAfterDigit: return "a time of day has two digits each: 08:15"
        case UInt8(ascii: "="): return "`==` compares; to set a variable: let x = 5"
        case let byte where NumberScanner.isDigit(byte) || NumberScanner.isLetter(byte):
            return joinedFix(from: start)
        default: return "join a command with `|`, operands with an operator such as `+`"
        }
    }

    /// `5 km` is `5km`, `1 000` is `1_000`; any other two words are not one value.
    private func joinedFix(from start: Int) -> String {
        var end = cursor.position
        while end < cursor.bytes.count, NumberScanner.isWordByte(cursor.bytes[end]) { end += 1 }
        let (before, after) = (cursor.text(start, cursor.position), cursor.text(cursor.position, end))
        let number = String(before.reversed().drop { $0 == " " }.reversed())
        if number.allSatisfy({ $0.isNumber || $0 == "." || $0 == "-" }), !number.isEmpty {
            if MeasureUnit.named(after) != nil { return "a quantity is one word: \(number)\(after)" }
            if after.count == 3, after.allSatisfy(\.isNumber) {
                return "a number is one word: \(number)_\(after)"
            }
        }
        return "join a command with `|`, operands with an operator such as `+`"
    }

    // MARK: Commands

    private mutating func call() throws(RutterError) -> Call {
        let start = cursor.position
        if let help = groupHelpCall(from: start) { return help }
        let (command, nameSpan) = try commandName()
        if command.spec.changesCommands { changes += 1 }
        var call = Call(command: command, nameSpan: nameSpan, positionals: [], options: [], span: nameSpan)
        let positionals = command.spec.positionals
        while true {
            try checkNoQuote()
            cursor.skipBlanks()
            if isAtCommandEnd { break }
            if let help = helpCall(about: command.spec.name, options: command.spec.options, from: start) {
                return help
            }
            if call.positionals.count < positionals.count,
                case .source = positionals[call.positionals.count].kind
            {
                call.positionals.append(try sourceWord())
                continue
            }
            if let option = try option(of: command.spec) {
                call.options.append(option)
                continue
            }
            if call.positionals.count < positionals.count,
                case .words = positionals[call.positionals.count].kind
            {
                call.positionals.append(try rawWords(before: command.spec.options))
                continue
            }
            call.positionals.append(try positional(call.positionals.count, of: positionals))
        }
        call.span = SourceSpan(start, call.lastEnd)
        noteDefinition(call)
        return call
    }

    /// A name that the entry defines is a command in the rest of it. Its body is known when it runs.
    private mutating func noteDefinition(_ call: Call) {
        guard ["def", "alias"].contains(call.command.spec.name), call.positionals.count >= 3,
            case .bare(let name) = call.positionals[0].content, lookUp(name) == nil
        else { return }
        var parameters: [ParameterSpec]?
        if call.command.spec.name == "alias" {
            parameters = Self.furtherWords
        } else if case .text(let signature) = call.positionals[1].content {
            parameters = (try? Signature(signature))?.parameters
        }
        guard let parameters else { return }
        defined[name] = Self.notYetKnown(name, parameters: parameters)
    }

    private static let furtherWords = [
        ParameterSpec(name: "arguments", style: .positional, kind: .source, help: "further words")
    ]

    /// A command that must be defined before it runs; running it earlier is an error.
    private static func notYetKnown(_ name: String, parameters: [ParameterSpec]) -> Command {
        Command(
            definition: CommandSpec(
                name, "your definition", parameters: parameters, input: .optional(.any), output: .any,
                effect: .changes, examples: [])
        ) { _, _, _ in
            throw LanguageErrors.unknownCommand("`\(name)` is not defined yet")
        }
    }

    /// The word for a positional parameter. A sign such as the `=` of `let` needs no blanks around it.
    private mutating func positional(_ index: Int, of parameters: [ParameterSpec]) throws(RutterError) -> Word
    {
        guard index < parameters.count else {
            if let last = parameters.last, last.repeats { return try word(for: last.kind) }
            return try separateWord()
        }
        if let sign = parameters[index].kind.sign, cursor.skip(sign) {
            let span = SourceSpan(cursor.position - 1, cursor.position)
            return Word(content: .bare(String(sign)), span: span, source: String(sign))
        }
        let next = index + 1 < parameters.count ? parameters[index + 1].kind.sign : nil
        return try word(for: parameters[index].kind, upTo: next)
    }

    /// One or two words; two win where both are commands.
    private mutating func commandName() throws(RutterError) -> (Command, SourceSpan) {
        let start = cursor.position
        guard let first = commandWord() else {
            // A file of tracks or places that was piped in or pasted.
            let isMarkup = cursor.peek() == UInt8(ascii: "<")
            throw misplaced(
                "expected a command, not \(shownCharacter)",
                fix: isMarkup
                    ? "markup is data, not an entry: import FILE"
                    : cursor.peek() == UInt8(ascii: "|")
                        ? "one bar leads to the next command; `;` separates commands"
                        : "commands start with a letter")
        }
        let firstEnd = cursor.position
        cursor.skipBlanks()
        let second = commandWord()
        if let second, let command = lookUp(first + " " + second) {
            return (command, SourceSpan(start, cursor.position))
        }
        let secondEnd = cursor.position
        cursor.position = firstEnd
        let span = SourceSpan(start, firstEnd)
        if let command = lookUp(first) ?? defined[first] { return (command, span) }
        if expectsNewCommands { return (Self.notYetKnown(first, parameters: Self.furtherWords), span) }
        throw unknownCommand(first, second, span, SourceSpan(start, secondEnd))
    }

    mutating func commandWord() -> String? {
        guard NumberScanner.isLetter(cursor.peek()) else { return nil }
        let start = cursor.position
        while NumberScanner.isWordByte(cursor.peek()) || cursor.peek() == UInt8(ascii: "-") {
            cursor.position += 1
        }
        return cursor.text(start, cursor.position)
    }

    // MARK: Options

    private mutating func option(of spec: CommandSpec) throws(RutterError) -> Call.Option? {
        guard cursor.peek() == UInt8(ascii: "-") else { return nil }
        let start = cursor.position
        if let flag = otherFlag(of: spec) { return flag }
        if let error = shortOption(of: spec) { throw error }
        guard cursor.starts(with: "--"), NumberScanner.isLetter(cursor.peek(2)) else { return nil }
        cursor.position += 2
        let name = optionName()
        let span = SourceSpan(start, cursor.position)
        guard let parameter = spec.options.first(where: { $0.name == name }) else {
            let known = spec.options.map(\.name)
            throw LanguageErrors.unknownOption(
                "`\(spec.name)` has no option `--\(name)`", at: .span(span),
                fix: Habits.fix(forOption: name, valueAhead, of: spec)
                    ?? (known.isEmpty
                        ? "it takes no options"
                        : "its options are " + known.map { "--\($0)" }.joined(separator: ", ")),
                suggestion: Habits.suggestion(forOption: name, of: spec).map { "--\($0)" })
        }
        if parameter.style == .flag {
            if cursor.peek() == UInt8(ascii: "=") {
                throw LanguageErrors.extraArgument(
                    "`--\(name)` takes no value", at: here, fix: "write --\(name), or leave it out")
            }
            return Call.Option(name: name, nameSpan: span)
        }
        try checkNoQuote()
        let isJoined = cursor.skip("=")
        if !isJoined { cursor.skipBlanks() }
        if isAtCommandEnd || (isJoined && cursor.isAtBlank)
            || (cursor.starts(with: "--") && NumberScanner.isLetter(cursor.peek(2)))
        {
            throw LanguageErrors.missingArgument(
                "`--\(name)` needs a value", at: .span(span), fix: "--\(name) \(parameter.kind.placeholder)")
        }
        return Call.Option(name: name, nameSpan: span, value: try word(for: parameter.kind))
    }

    /// A flag by a name that it has in other programs.
    private mutating func otherFlag(of spec: CommandSpec) -> Call.Option? {
        for (written, name) in Habits.flags[spec.name] ?? [:] where cursor.starts(with: written) {
            let end = cursor.position + written.utf8.count
            let next = cursor.peek(written.utf8.count)
            guard !NumberScanner.isWordByte(next), next != UInt8(ascii: "-") else { continue }
            defer { cursor.position = end }
            return Call.Option(name: name, nameSpan: SourceSpan(cursor.position, end))
        }
        return nil
    }

    /// Why what begins with one dash is no option; `nil` for numbers, which are arguments, and for what has two.
    private mutating func shortOption(of spec: CommandSpec) -> RutterError? {
        let start = cursor.position
        let isLimit = spec.name == "first" || spec.name == "last"
        if isLimit, NumberScanner.isDigit(cursor.peek(1)) {
            let digits = cursor.bytes[(start + 1)...].prefix(while: NumberScanner.isDigit)
            let number = cursor.text(digits.startIndex, digits.endIndex)
            return LanguageErrors.unknownOption(
                "`-\(number)` is not an option", at: .span(SourceSpan(start, digits.endIndex)),
                fix: "the number follows the command: … | \(spec.name) \(number)")
        }
        guard NumberScanner.isLetter(cursor.peek(1)) else { return nil }
        cursor.position += 1
        let name = optionName()
        let meant = spec.options.map(\.name).first { $0.hasPrefix(name) }
        let fix =
            switch (spec.name, meant) {
            case ("sort", nil): name == "r" ? "write --descending" : "sort \(name) --descending"
            case _ where isLimit && name == "n": "the number follows the command: … | \(spec.name) 10"
            case ("select", nil): "to leave a field out: reject \(name)"
            case (_, let meant?): "options begin with two dashes: --\(meant)"
            default:
                spec.options.isEmpty
                    ? "`\(spec.name)` takes no options; quote text that begins with a dash: '-\(name)'"
                    : "its options are " + spec.options.map { "--\($0.name)" }.joined(separator: ", ")
            }
        return LanguageErrors.unknownOption(
            "`-\(name)` is not an option", at: .span(SourceSpan(start, cursor.position)), fix: fix)
    }

    /// The word behind an option that is not known, as it is written; `nil` where there is none.
    private var valueAhead: String? {
        var ahead = self
        _ = ahead.cursor.skip("=")
        ahead.cursor.skipBlanks()
        guard !ahead.isAtCommandEnd, ahead.cursor.peek() != UInt8(ascii: "-") else { return nil }
        return (try? ahead.separateWord())?.source
    }

    private mutating func optionName() -> String {
        let start = cursor.position
        while NumberScanner.isWordByte(cursor.peek()) || cursor.peek() == UInt8(ascii: "-") {
            cursor.position += 1
        }
        return cursor.text(start, cursor.position)
    }

    // MARK: Helpers

    /// A quote directly after a word does not open a quotation, so that it is obvious where quotations begin.
    func checkNoQuote() throws(RutterError) {
        guard Cursor.isQuote(cursor.peek()) else { return }
        throw misplaced("\(shownCharacter) cannot follow a word", fix: "put a space before the quote")
    }

    mutating func enter() throws(RutterError) {
        depth += 1
        if depth > Self.deepest { throw LanguageErrors.depth("the line is nested too deeply", at: here) }
    }

    /// The location of the current character.
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

    /// The current character as messages name it.
    var shownCharacter: String {
        if cursor.isAtEnd { return "the end" }
        if cursor.peek() == UInt8(ascii: "\n") || cursor.peek() == UInt8(ascii: "\r") {
            return "the end of the line"
        }
        return "`\(currentCharacter)`"
    }

    /// An error at the current character. A `\` at the end of the entry is not an error but requests another line.
    func misplaced(_ message: String, fix: String? = nil) -> RutterError {
        if cursor.isAtOpenEnd {
            return LanguageErrors.unfinished("a line must follow the `\\`", at: here)
        }
        return LanguageErrors.syntax(message, at: here, fix: fix)
    }
}

extension ParameterKind {
    /// The character that a single-character choice represents, such as the `=` of `let`.
    fileprivate var sign: Unicode.Scalar? {
        guard case .choice(let choices) = self, choices.count == 1, choices[0].word.utf8.count == 1,
            let sign = choices[0].word.unicodeScalars.first, !sign.properties.isAlphabetic
        else { return nil }
        return sign
    }
}

extension Call {
    fileprivate var lastEnd: Int {
        let words = positionals.map(\.span.end) + options.map { $0.value?.span.end ?? $0.nameSpan.end }
        return words.reduce(nameSpan.end, max)
    }
}
