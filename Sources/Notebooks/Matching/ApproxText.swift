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
        guard let value = NumberText.value(text) else { return nil }
        return (.near(value, within: NumberText.lastDigit(text)), end)
    }

    /// After a letter or a digit, or after a hyphen that follows one: `A12`, `E-ROUTE-1`.
    private func isInsideWord(_ index: Int) -> Bool {
        scanner.isWord(index - 1)
            || (scanner.scalar(index - 1) == "-" && scanner.isWord(index - 2) && !scanner.isDigit(index - 2))
    }
}
