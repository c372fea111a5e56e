/// Recognises the items that patterns name, at an offset in a line. Returns the end of the longest match, or
/// `nil`.
struct ScalarScanner {
    let line: [Unicode.Scalar]

    init(_ line: [Unicode.Scalar]) { self.line = line }

    /// A whole number: a sign, digits, single underscores between digits.
    func int(at start: Int) -> Int? {
        let digitsStart = afterSign(start)
        guard isDigit(digitsStart), !isDigit(start - 1) || digitsStart > start else { return nil }
        return digits(from: digitsStart)
    }

    /// A number: a whole number, a fraction, an exponent.
    func number(at start: Int) -> Int? {
        guard !isInsideNumber(start), let whole = int(at: start) else { return nil }
        var end = whole
        if scalar(end) == ".", isDigit(end + 1) { end = digits(from: end + 1) }
        if scalar(end) == "e" || scalar(end) == "E", isDigit(afterSign(end + 1)) {
            end = digits(from: afterSign(end + 1))
        }
        return end
    }

    /// An identifier of 8-4-4-4-12 hexadecimal digits.
    func uuid(at start: Int) -> Int? {
        guard !isWord(start - 1) else { return nil }
        var index = start
        for (part, length) in [8, 4, 4, 4, 12].enumerated() {
            if part > 0 {
                guard scalar(index) == "-" else { return nil }
                index += 1
            }
            for _ in 0..<length {
                guard let scalar = scalar(index), scalar.properties.isASCIIHexDigit else { return nil }
                index += 1
            }
        }
        return isWord(index) ? nil : index
    }

    /// A date, a time of day, or both with an offset: `2026-02-06`, `08:15`, `25:10:00`,
    /// `2026-02-06T08:15:00.5+01:00`, `2026-02-06 08:15`.
    func time(at start: Int) -> Int? {
        guard !isWord(start - 1), !(scalar(start - 1) == ":" && isDigit(start - 2)) else { return nil }
        var end = start
        if let day = date(at: start) {
            guard scalar(day) == "T" || scalar(day) == " ", let clock = timeOfDay(at: day + 1) else {
                return isWord(day) ? nil : day
            }
            end = clock
        } else {
            guard let clock = timeOfDay(at: start) else { return nil }
            end = clock
        }
        end = offset(at: end)
        return isWord(end) ? nil : end
    }

    /// The run of non-whitespace scalars from an offset.
    func nonBlank(from start: Int) -> Int {
        var end = start
        while let scalar = scalar(end), !scalar.properties.isWhitespace { end += 1 }
        return end
    }

    /// Whether an offset follows a digit, or a digit and its decimal point.
    func isInsideNumber(_ index: Int) -> Bool {
        isDigit(index - 1) || (scalar(index - 1) == "." && isDigit(index - 2))
    }

    func isDigit(_ index: Int) -> Bool {
        guard let scalar = scalar(index) else { return false }
        return ("0"..."9").contains(scalar)
    }

    /// A letter, a digit or an underscore.
    func isWord(_ index: Int) -> Bool {
        guard let scalar = scalar(index) else { return false }
        return scalar == "_" || isDigit(index) || scalar.properties.isAlphabetic
    }

    func scalar(_ index: Int) -> Unicode.Scalar? {
        line.indices.contains(index) ? line[index] : nil
    }

    func text(_ range: Range<Int>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: line[range])
        return text
    }

    private func afterSign(_ index: Int) -> Int {
        scalar(index) == "-" || scalar(index) == "+" ? index + 1 : index
    }

    private func digits(from start: Int) -> Int {
        var end = start
        while isDigit(end) || (scalar(end) == "_" && isDigit(end + 1) && isDigit(end - 1)) { end += 1 }
        return end
    }

    private func date(at start: Int) -> Int? {
        guard pair(start, 0...99), pair(start + 2, 0...99), scalar(start + 4) == "-", pair(start + 5, 1...12),
            scalar(start + 7) == "-", pair(start + 8, 1...31)
        else { return nil }
        return start + 10
    }

    private func timeOfDay(at start: Int) -> Int? {
        guard pair(start, 0...99), scalar(start + 2) == ":", pair(start + 3, 0...59) else { return nil }
        guard scalar(start + 5) == ":", pair(start + 6, 0...60) else { return start + 5 }
        guard scalar(start + 8) == ".", isDigit(start + 9) else { return start + 8 }
        return digits(from: start + 9)
    }

    private func offset(at start: Int) -> Int {
        if scalar(start) == "Z" { return start + 1 }
        guard scalar(start) == "+" || scalar(start) == "-", pair(start + 1, 0...14) else { return start }
        if scalar(start + 3) == ":", pair(start + 4, 0...59) { return start + 6 }
        return pair(start + 3, 0...59) ? start + 5 : start + 3
    }

    private func pair(_ index: Int, _ values: ClosedRange<Int>) -> Bool {
        guard isDigit(index), isDigit(index + 1), let value = Int(text(index..<(index + 2))) else {
            return false
        }
        return values.contains(value)
    }
}
