/// The expected output of one entry.
public struct OutputPattern: Sendable {
    /// One expected line.
    enum Line: Sendable {
        /// The same bytes.
        case exact(String)
        /// Text with patterns.
        case pattern(LinePattern)
        /// `...`: any lines.
        case gap

        /// Whether an actual line matches.
        func matches(_ line: String, _ bindings: [String: String]) -> Bool {
            switch self {
            case .exact(let text): TextBytes.equal(text, line)
            case .pattern(let pattern): pattern.match(line, bindings) != nil
            case .gap: true
            }
        }

        /// Whether it matches any lines.
        var isGap: Bool { if case .gap = self { true } else { false } }

        /// Whether every line matches.
        var takesAnything: Bool {
            guard case .pattern(let pattern) = self else { return false }
            return pattern.tokens.allSatisfy { if case .any = $0.kind { true } else { false } }
        }

        /// Whether it can match other text than its own.
        var isPattern: Bool { if case .exact = self { false } else { true } }
    }

    /// The line that matches any lines.
    static let gap = "..."

    /// The expected lines as written, without trailing blanks and trailing blank lines.
    let written: [String]
    let lines: [Line]
    /// The whole text, if it has no patterns.
    private let text: String?
    private let flags: CellFlags

    /// Parses expected lines; the first is at a line of the file.
    init(lines source: [String], flags: CellFlags, firstLine: Int, captured: Set<String> = []) throws {
        var written = source.map(\.trimmedAtEnd)
        while written.last?.isEmpty == true { written.removeLast() }
        var lines: [Line] = []
        for (index, line) in written.enumerated() {
            lines.append(try Self.line(line, flags, firstLine + index, captured))
        }
        self.written = written
        self.lines = lines
        self.flags = flags
        text = lines.contains(where: \.isPattern) ? nil : written.joined(separator: "\n")
    }

    private static func line(
        _ text: String, _ flags: CellFlags, _ number: Int, _ captured: Set<String>
    ) throws -> Line {
        if text == gap { return .gap }
        let isApprox = flags.contains(.approx)
        guard isApprox || text.utf8.contains(UInt8(ascii: "<")) else { return .exact(text) }
        let reader = PatternReader(line: number, isApprox: isApprox, captured: captured)
        return try reader.pattern(text).map(Line.pattern) ?? .exact(text)
    }

    /// Whether no output is expected.
    public var isEmpty: Bool { lines.isEmpty }

    /// Whether some output would not match: false only for `...` alone.
    var checksSomething: Bool {
        lines.isEmpty || lines.contains { !$0.isGap }
    }

    /// The variables that a match sets.
    var captureNames: [String] {
        lines.flatMap { line -> [String] in
            if case .pattern(let pattern) = line { pattern.captureNames } else { [] }
        }
    }

    /// The captures, or `nil` if the output does not match.
    public func match(_ output: String, bindings: [String: String] = [:]) -> [Capture]? {
        if let text {
            if TextBytes.equal(text, output) { return [] }
            if text.utf8.count > output.utf8.count { return nil }
        }
        let actual = TextBytes.lines(of: output)
        let matcher = OutputMatcher(expected: lines, actual: actual, bindings: bindings)
        guard let pairs = flags.contains(.unordered) ? matcher.unordered() : matcher.ordered() else {
            return nil
        }
        guard !captureNames.isEmpty else { return [] }
        return pairs.flatMap { pair -> [Capture] in
            guard case .pattern(let pattern) = lines[pair.expected] else { return [] }
            return pattern.match(actual[pair.actual], bindings) ?? []
        }
    }
}
