/// An expected line with patterns.
struct LinePattern: Sendable {
    let tokens: [PatternToken]

    /// The parts that capture.
    var captureNames: [String] { tokens.compactMap(\.capture) }

    /// The captures of the line's parts, or `nil` if the line does not match. Considers every division of the
    /// line among the parts, in time proportional to its length for each part.
    func match(_ line: String, _ bindings: [String: String] = [:]) -> [Capture]? {
        let scanner = ScalarScanner(Array(line.unicodeScalars))
        var reached = Array(repeating: false, count: scanner.line.count + 1)
        reached[0] = true
        var layers = [reached]
        for (index, token) in tokens.enumerated() {
            reached = token.ends(
                in: scanner, from: reached, wanted: { canFollow(index, at: $0, scanner) }, bindings)
            guard reached.contains(true) else { return nil }
            layers.append(reached)
        }
        guard reached[scanner.line.count] else { return nil }
        return captureNames.isEmpty ? [] : captures(scanner, layers, bindings)
    }

    /// Whether the text after a part can begin at an offset: the end of the line, or the next part's text.
    private func canFollow(_ index: Int, at position: Int, _ scanner: ScalarScanner) -> Bool {
        guard index + 1 < tokens.count else { return position == scanner.line.count }
        guard case .literal(let text) = tokens[index + 1].kind else { return true }
        return scanner.line[position...].starts(with: text)
    }

    /// Walks back from the end of the line to find the match of each part: the latest start that fits.
    private func captures(
        _ scanner: ScalarScanner, _ layers: [[Bool]], _ bindings: [String: String]
    ) -> [Capture] {
        var captures: [Capture] = []
        var end = scanner.line.count
        for (index, token) in tokens.enumerated().reversed() {
            let start = start(of: token, endingAt: end, scanner, layers[index], bindings)
            if let name = token.capture {
                captures.append(Capture(name, scanner.text(start..<end), token.kind))
            }
            end = start
        }
        return captures.reversed()
    }

    private func start(
        of token: PatternToken, endingAt end: Int, _ scanner: ScalarScanner, _ starts: [Bool],
        _ bindings: [String: String]
    ) -> Int {
        // A star is greedy, so it extends back to the first start.
        if case .any = token.kind { return starts.firstIndex(of: true) ?? end }
        if case .literal(let text) = token.kind { return end - text.count }
        for start in (0...end).reversed() where starts[start] {
            var only = Array(repeating: false, count: starts.count)
            only[start] = true
            if token.ends(in: scanner, from: only, wanted: { $0 == end }, bindings)[end] { return start }
        }
        return end
    }
}

/// A captured value.
public struct Capture: Sendable, Hashable {
    /// The variable's name, without `$`.
    public let name: String
    /// The text in the output.
    public let text: String
    /// The same as a literal of the command language.
    public let literal: String

    init(_ name: String, _ text: String, _ kind: PatternToken.Kind) {
        self.name = name
        self.text = text
        literal = Self.literal(text, kind)
    }

    /// Numbers and quantities are literals as they are; so is a time in one word. Other text is quoted.
    private static func literal(_ text: String, _ kind: PatternToken.Kind) -> String {
        switch kind {
        case .int, .number, .quantity, .near: return text.hasPrefix("+") ? String(text.dropFirst()) : text
        case .time where !text.contains(" "): return text
        default: return quoted(text)
        }
    }

    /// Single quotes if possible, because their content is literal.
    private static func quoted(_ text: String) -> String {
        if !text.unicodeScalars.contains("'") { return "'\(text)'" }
        var escaped = ""
        for scalar in text.unicodeScalars {
            if ["\\", "\"", "$"].contains(scalar) { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
        return "\"\(escaped)\""
    }
}
