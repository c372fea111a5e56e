import Core

/// Splits plain text into numbers that may differ slightly and the rest, for the flag `approx`. Numbers
/// inside words, dates, times and identifiers stay exact; runs of blanks may have any length, because a
/// number with one more digit shifts the alignment.
struct ApproxText {
    private let scanner: ScalarScanner
    private let isLineStart: Bool

    init(_ text: [Unicode.Scalar], isLineStart: Bool) {
        scanner = ScalarScanner(text)
        self.isLineStart = isLineStart
    }

    var tokens: [PatternToken] {
        var tokens: [PatternToken] = []
        var literal: [Unicode.Scalar] = []
        var index = 0
        func close() {
            if !literal.isEmpty { tokens.append(PatternToken(.literal(literal))) }
            literal = []
        }
        while let scalar = scanner.scalar(index) {
            if scalar == " " || scalar == "\t" {
                close()
                tokens.append(PatternToken(.blanks(atStart: isLineStart && index == 0)))
                while scanner.scalar(index) == " " || scanner.scalar(index) == "\t" { index += 1 }
            } else if let end = scanner.uuid(at: index) ?? scanner.time(at: index) {
                literal += scanner.line[index..<end]
                index = end
            } else if let (near, end) = near(at: index) {
                close()
                tokens.append(PatternToken(near))
                index = end
            } else {
                literal.append(scalar)
                index += 1
            }
        }
        close()
        return tokens
    }

    private func near(at index: Int) -> (PatternToken.Kind, end: Int)? {
        guard !isInsideWord(index), let end = scanner.number(at: index) else { return nil }
        let text = scanner.text(index..<end)
        guard let value = WrittenNumber(Array(text.utf8))?.amount else { return nil }
        return (.near(value, within: Self.lastDigit(text)), end)
    }

    /// The value of one unit in the last written digit: 0.1 for `6.1`, 1 for `42`, 100 for `3e2`.
    private static func lastDigit(_ text: String) -> Double {
        let parts = text.lowercased().split(separator: "e", maxSplits: 1)
        let mantissa = parts.first ?? ""
        let decimals = mantissa.firstIndex(of: ".").map { mantissa[$0...].utf8.count - 1 } ?? 0
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        return Double("1e\(exponent - decimals)") ?? 1
    }

    /// After a letter or a digit, or after a hyphen that follows one: `A12`, `E-ROUTE-1`.
    private func isInsideWord(_ index: Int) -> Bool {
        scanner.isWord(index - 1)
            || (scanner.scalar(index - 1) == "-" && scanner.isWord(index - 2) && !scanner.isDigit(index - 2))
    }
}
