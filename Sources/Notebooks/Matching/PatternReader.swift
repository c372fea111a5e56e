import Core

/// Parses an expected line into its parts.
struct PatternReader {
    /// The line of the file, from 1, for errors.
    let line: Int
    let isApprox: Bool
    /// Names that earlier entries capture.
    let captured: Set<String>

    private static let forms = PatternToken.words.map(\.word) + ["re:…", "6.1km ±2%", "name=int", "$name"]

    /// The pattern of a line, or `nil` for plain text.
    func pattern(_ text: String) throws -> LinePattern? {
        let scalars = Array(text.unicodeScalars)
        var tokens: [PatternToken] = []
        var plain: [Unicode.Scalar] = []
        var index = 0
        while index < scalars.count {
            guard let (body, end) = Self.body(in: scalars, at: index) else {
                plain.append(scalars[index])
                index += 1
                continue
            }
            append(plain, to: &tokens)
            plain = []
            tokens.append(try token(body))
            index = end
        }
        let hasPattern = !tokens.isEmpty
        append(plain, to: &tokens)
        let isPlain = tokens.allSatisfy { if case .literal = $0.kind { true } else { false } }
        return hasPattern || !isPlain ? LinePattern(tokens: tokens) : nil
    }

    /// The text between `<<` at an offset and the next `>>`, and its end.
    private static func body(in scalars: [Unicode.Scalar], at start: Int) -> (String, end: Int)? {
        guard start + 1 < scalars.count, scalars[start] == "<", scalars[start + 1] == "<" else { return nil }
        var end = start + 2
        while end + 1 < scalars.count {
            if scalars[end] == ">", scalars[end + 1] == ">" {
                return (ScalarScanner(scalars).text((start + 2)..<end), end + 2)
            }
            end += 1
        }
        return nil
    }

    private func append(_ plain: [Unicode.Scalar], to tokens: inout [PatternToken]) {
        guard !plain.isEmpty else { return }
        if isApprox {
            tokens += ApproxText(plain, isLineStart: tokens.isEmpty).tokens
        } else {
            tokens.append(PatternToken(.literal(plain)))
        }
    }

    private func token(_ body: String) throws -> PatternToken {
        if body.startsBytewise(with: "$") { return try bound(String(body.dropFirst())) }
        guard !body.startsBytewise(with: "re:"), let equals = body.firstIndex(of: "=") else {
            return PatternToken(try kind(body))
        }
        let name = String(body[..<equals])
        guard Self.isName(name) else { throw error(body, "`\(name)` is not a valid variable name") }
        return PatternToken(try kind(String(body[body.index(after: equals)...])), capture: name)
    }

    private func bound(_ name: String) throws -> PatternToken {
        guard captured.contains(name) else {
            throw NotebookError(
                .pattern, line: line, "nothing above this cell captures `$\(name)`",
                suggestion: captured.isEmpty
                    ? "capture it with `<<\(name)=int>>`"
                    : Suggestion.sentence(for: name, among: captured.sorted()))
        }
        return PatternToken(.bound(name))
    }

    private func kind(_ body: String) throws -> PatternToken.Kind {
        if let known = PatternToken.words.first(where: { $0.word == body }) { return known.kind }
        if body.startsBytewise(with: "re:") { return try regex(String(body.dropFirst(3))) }
        if let mark = body.firstIndex(of: "±") {
            return try tolerance(body, body[..<mark], body[body.index(after: mark)...])
        }
        throw error(body, Suggestion.sentence(for: body, among: Self.forms))
    }

    private func regex(_ expression: String) throws -> PatternToken.Kind {
        guard let regex = BoundedRegex(expression, matching: .all) else {
            throw NotebookError(.pattern, line: line, "`\(expression)` is not a regular expression")
        }
        return .regex(regex)
    }

    private func tolerance(_ body: String, _ value: Substring, _ margin: Substring) throws
        -> PatternToken.Kind
    {
        guard let centre = WrittenQuantity(value.trimmingBlanks) else {
            throw error(body, "write a number or a quantity before `±`, such as `<<6.1km ±2%>>`")
        }
        guard let width = WrittenQuantity(margin.trimmingBlanks), width.value >= 0 else {
            throw error(body, "write a tolerance after `±`, such as `2%` or `5m`")
        }
        if width.dimension == .of(.ratio) {
            return .quantity(Tolerance(centre: centre, margin: abs(centre.value) * width.value))
        }
        guard width.dimension == centre.dimension else {
            throw error(body, "use the same kind of unit for both, or `%` for the second")
        }
        return .quantity(Tolerance(centre: centre, margin: width.value))
    }

    private func error(_ body: String, _ suggestion: String) -> NotebookError {
        NotebookError(
            .pattern, line: line, "`<<\(body)>>` is not a pattern",
            suggestion: suggestion + "; to expect `<<` itself write `<<re:<<>>`")
    }

    /// A letter or underscore, then letters, digits and underscores.
    private static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first == "_" || first.properties.isAlphabetic else {
            return false
        }
        return text.unicodeScalars.allSatisfy {
            $0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0)
        }
    }
}

extension Substring {
    /// The trimmed text.
    fileprivate var trimmingBlanks: String { Substring(utf8.drop(while: TextBytes.isBlank)).trimmedAtEnd }
}
