import PluginKit

/// Classifies the words of an entry for syntax colouring while it is typed.
///
/// Lexical, in one pass; accepts any text, because most entries are unfinished.
public struct Highlighter: Sendable {
    /// The kind of a range of an entry.
    public enum Kind: Sendable, Hashable, CaseIterable {
        case command, unknownCommand, keyword, option, variable, reference, number, text, function, comment
    }

    /// A range in Unicode scalars of the entry.
    public struct Stretch: Sendable, Hashable {
        /// The range in scalars.
        public let range: Range<Int>
        /// The kind.
        public let kind: Kind
    }

    private let names: Set<String>
    private let firstWords: Set<String>

    /// For the commands with these full names, and the other names that these have.
    public init(commands: some Sequence<String>) {
        let known = Set(commands)
        names = known.union(Habits.commands.filter { known.contains($0.value) }.keys)
        firstWords = Set(names.map { String($0.prefix { $0 != " " }) })
    }

    /// The coloured ranges of an entry in order; the rest is plain.
    public func stretches(of entry: String) -> [Stretch] {
        var scan = Scan(bytes: Array(entry.utf8), names: names, firstWords: firstWords)
        scan.run()
        return Self.inScalars(scan.found, scan.bytes)
    }

    /// Byte ranges, which do not overlap and are in order, as ranges of scalars.
    private static func inScalars(_ found: [(Range<Int>, Kind)], _ bytes: [UInt8]) -> [Stretch] {
        var (byte, scalar) = (0, 0)
        func scalars(before end: Int) -> Int {
            while byte < end {
                if bytes[byte] & 0xC0 != 0x80 { scalar += 1 }
                byte += 1
            }
            return scalar
        }
        return found.map { range, kind in
            let start = scalars(before: range.lowerBound)
            return Stretch(range: start..<scalars(before: range.upperBound), kind: kind)
        }
    }
}

/// The pass over the bytes.
private struct Scan {
    /// Words that are keywords where a value or operator is allowed.
    private static let words: Set<String> = [
        "and", "or", "not", "in", "true", "false", "nothing", "it", "by", "else",
    ]
    /// Statements, which are coloured as keywords.
    private static let statements: Set<String> = ["let", "def", "alias", "if", "for", "source", "args"]

    let bytes: [UInt8]
    let names: Set<String>
    let firstWords: Set<String>
    var found: [(Range<Int>, Highlighter.Kind)] = []
    private var index = 0
    /// Whether a command may begin here, and whether it must.
    private var (mayStart, mustStart) = (true, true)
    /// The statement that the current pipeline belongs to.
    private var statement = ""
    private var open: [UInt8] = []

    init(bytes: [UInt8], names: Set<String>, firstWords: Set<String>) {
        (self.bytes, self.names, self.firstWords) = (bytes, names, firstWords)
    }

    mutating func run() {
        while index < bytes.count { step() }
    }

    private func byte(_ offset: Int = 0) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }

    private var isAtWordStart: Bool {
        index == 0 || " \t\r\n|;([{,=<>!~+-*/%".utf8.contains(bytes[index - 1])
    }

    private mutating func mark(_ start: Int, _ kind: Highlighter.Kind) {
        if start < index { found.append((start..<index, kind)) }
    }

    private mutating func step() {
        let start = index
        switch byte() {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index += 1
        case UInt8(ascii: "\n"): endPipeline()
        case UInt8(ascii: ";"): endPipeline()
        case UInt8(ascii: "|"):
            index += 1
            (mayStart, mustStart) = (true, true)
        case UInt8(ascii: "#") where isAtWordStart:
            while index < bytes.count, byte() != UInt8(ascii: "\n") { index += 1 }
            mark(start, .comment)
        case UInt8(ascii: "'") where isAtWordStart: rawText(from: start)
        case UInt8(ascii: "\"") where isAtWordStart: text(from: start)
        case UInt8(ascii: "$"):
            variable()
            mark(start, .variable)
            value()
        case UInt8(ascii: "@") where isAtWordStart: reference(from: start)
        case UInt8(ascii: "-")
        where byte(1) == UInt8(ascii: "-") && NumberScanner.isLetter(byte(2)) && isAtWordStart:
            index += 2
            while Self.isNameByte(byte()) || byte() == UInt8(ascii: "-") { index += 1 }
            mark(start, .option)
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): openBracket()
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
            index += 1
            _ = open.popLast()
            value()
        case UInt8(ascii: "=") where ["let", "alias"].contains(statement) && byte(1) != UInt8(ascii: "="):
            index += 1
            (mayStart, mustStart, statement) = (true, true, "")
        case let first where isAtWordStart && (NumberScanner.isDigit(first) || startsSignedNumber):
            index = max(index + 1, NumberScanner.literalEnd(bytes, from: index))
            mark(start, .number)
            value()
        case let first where Self.isNameByte(first): word(from: start)
        default:
            index += 1
            value()
        }
    }

    private var startsSignedNumber: Bool {
        "+-.".utf8.contains(byte()) && NumberScanner.startsNumber(bytes, at: index)
    }

    /// A word after a value is not a command.
    private mutating func value() { (mayStart, mustStart) = (false, false) }

    private mutating func endPipeline() {
        index += 1
        guard open.isEmpty || open.last == UInt8(ascii: "{") else { return }
        (mayStart, mustStart, statement) = (true, true, "")
    }

    private mutating func openBracket() {
        let bracket = byte()
        index += 1
        open.append(bracket)
        // A block of a statement contains commands; brackets may contain a pipeline or an expression.
        let isBlock = bracket == UInt8(ascii: "{") && ["def", "if", "for"].contains(statement)
        (mayStart, mustStart) = (isBlock || bracket == UInt8(ascii: "("), isBlock)
        if isBlock { statement = "if" }
    }

    private mutating func rawText(from start: Int) {
        index += 1
        while index < bytes.count, byte() != UInt8(ascii: "'") { index += 1 }
        index = min(index + 1, bytes.count)
        mark(start, .text)
        value()
    }

    private mutating func text(from start: Int) {
        index += 1
        var from = start
        while index < bytes.count, byte() != UInt8(ascii: "\"") {
            switch byte() {
            case UInt8(ascii: "\\"): index = min(index + 2, bytes.count)
            case UInt8(ascii: "$"):
                mark(from, .text)
                from = index
                if byte(1) == UInt8(ascii: "{") {
                    while index < bytes.count, byte() != UInt8(ascii: "}") { index += 1 }
                    index = min(index + 1, bytes.count)
                } else {
                    variable()
                }
                mark(from, .variable)
                from = index
            default: index += 1
            }
        }
        index = min(index + 1, bytes.count)
        mark(from, .text)
        value()
    }

    private mutating func variable() {
        index += 1
        while Self.isNameByte(byte()) || (byte() == UInt8(ascii: ".") && Self.isNameByte(byte(1))) {
            index += 1
        }
    }

    private mutating func reference(from start: Int) {
        index += 1
        if byte() == UInt8(ascii: "\"") {
            index += 1
            while index < bytes.count, byte() != UInt8(ascii: "\"") { index += 1 }
            index = min(index + 1, bytes.count)
        } else {
            index = NumberScanner.referenceEnd(bytes, from: index)
        }
        mark(start, .reference)
        value()
    }

    private mutating func word(from start: Int) {
        let (isStart, isSure) = (mayStart, mustStart)
        value()
        readName(withDashes: isStart)
        let word = text(start, index)
        if byte() == UInt8(ascii: "("), !(isStart && firstWords.contains(word)) {
            if FunctionLibrary.named(word) != nil || FunctionLibrary.isAggregate(word) {
                mark(start, .function)
            }
            return
        }
        if isStart, command(word, from: start, isSure: isSure) { return }
        if Self.words.contains(word) { mark(start, .keyword) }
    }

    /// A command of one word or two; returns `false` for a word that need not be one.
    private mutating func command(_ word: String, from start: Int, isSure: Bool) -> Bool {
        guard firstWords.contains(word) else {
            // Unfinished, so not an error yet.
            let mayGoOn = index == bytes.count && firstWords.contains { $0.hasPrefix(word) }
            if isSure, !mayGoOn { mark(start, .unknownCommand) }
            return isSure
        }
        if Self.statements.contains(word) {
            statement = word
            mark(start, .keyword)
            return true
        }
        let end = index
        while byte() == UInt8(ascii: " ") { index += 1 }
        let second = index
        readName(withDashes: true)
        if second < index, names.contains(word + " " + text(second, index)) {
            mark(start, .command)
            return true
        }
        index = end
        // In brackets a field's name is as likely as a command's.
        let next = second < bytes.count ? bytes[second] : 0
        if isSure || (names.contains(word) && second > end && !"=<>!+-*/%)".utf8.contains(next)) {
            mark(start, .command)
        }
        return true
    }

    private mutating func readName(withDashes: Bool) {
        while Self.isNameByte(byte())
            || (withDashes && byte() == UInt8(ascii: "-") && Self.isNameByte(byte(1)))
        {
            index += 1
        }
    }

    private func text(_ start: Int, _ end: Int) -> String {
        String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        NumberScanner.isLetter(byte) || NumberScanner.isDigit(byte) || byte == UInt8(ascii: "_")
            || byte >= 0x80
    }
}
