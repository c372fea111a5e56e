import Core
import Foundation

/// Compares answers with the output of an exercise's solution.
public struct ExerciseCheck: Sendable {
    private let exercise: Exercise
    private let solution: String
    private let flags: CellFlags
    /// How answers are compared: a prediction of one number or quantity as that, however it is written.
    public let answer: Exercise.Answer

    /// Creates the check of an exercise from the solution's output.
    public init(_ exercise: Exercise, solution: String, flags: CellFlags = []) {
        self.exercise = exercise
        self.solution = solution
        self.flags = flags
        let isNumber = WrittenQuantity(Self.plain(solution)) != nil
        let isPredicted = exercise.kind == .prediction && exercise.answer == .result
        answer = isPredicted && isNumber ? .value(.none) : exercise.answer
    }

    /// Why answers cannot be compared with the solution's output; `nil` if they can.
    public var problem: String? {
        switch answer {
        case .result: return solution.isBlank ? "the solution shows nothing" : nil
        case .value:
            return WrittenQuantity(Self.plain(solution)) == nil ? "the solution shows no single value" : nil
        case .choice:
            return index(Self.plain(solution)) == nil ? "the solution shows none of the choices" : nil
        case .order: return order(solution) == nil ? "the solution shows no order of all items" : nil
        }
    }

    /// Whether the input is shown with the question: for predictions, unless it prints the letter of a
    /// choice, which would reveal the answer.
    public var showsInput: Bool {
        exercise.kind == .prediction && (answer != .choice || rightLetters != Self.plain(solution))
    }

    /// Whether a written answer is right; `nil` if it has to be run first.
    public func isRight(written: String) -> Bool? {
        let text = Self.plain(written)
        switch answer {
        case .choice: return index(text).map { $0 == index(Self.plain(solution)) } ?? false
        case .order: return order(written).map { $0 == order(solution) } ?? false
        case .value:
            if let value = Self.value(text) { return isRight(value) }
            return exercise.kind == .prediction ? false : nil
        case .result:
            if matches(written) || TextBytes.equal(text, Self.plain(solution)) { return true }
            return exercise.kind == .prediction ? false : nil
        }
    }

    /// Whether an answer's output equals the solution's.
    public func isRight(shown: String) -> Bool {
        guard case .value = answer else { return matches(shown) }
        return WrittenQuantity(Self.plain(shown)).map(isRight) ?? false
    }

    private func isRight(_ given: WrittenQuantity) -> Bool {
        guard case .value(let margin) = answer,
            let wanted = WrittenQuantity(Self.plain(solution))
        else { return false }
        let width = margin.isRelative ? abs(wanted.value) * margin.amount : margin.amount
        return Tolerance(centre: wanted, margin: width).contains(given)
    }

    /// The quantity of an answer. Blanks are allowed before a unit, between parts, and between thousands: `5 km`, `2h 35min`,
    /// `12 500 m`; so are the printed minus, a plus and a full stop at the end.
    private static func value(_ text: String) -> WrittenQuantity? {
        var plain = text.replacing("−", with: "-").replacing(#/[\u{00A0}\u{2009}\u{202F}]/#, with: " ")
        if plain.hasPrefix("+") { plain.removeFirst() }
        if plain.hasSuffix("."), plain.count > 1 { plain.removeLast() }
        if let grouped = plain.prefixMatch(of: #/-?\d{1,3}(?:[ '’]\d{3})+(?!\d)/#) {
            plain = grouped.0.filter { $0.isNumber || $0 == "-" } + plain[grouped.range.upperBound...]
        }
        return WrittenQuantity(
            plain.replacing(#/(\d) +(?=[\p{Alphabetic}%°])|([\p{Alphabetic}]) +(?=\d)/#) { match in
                match.1 ?? match.2 ?? ""
            })
    }

    /// The first unit of the right value; `nil` for a number and for other answers.
    public var unit: String? {
        guard case .value = answer,
            let unit = Self.plain(solution).firstMatch(of: #/[\p{Alphabetic}%°][\p{Alphabetic}%°/]*/#)
        else { return nil }
        return String(unit.0)
    }

    /// What an invalid answer lacks; `nil` for valid ones.
    func objection(to written: String) -> String? {
        switch answer {
        case .choice where isAmbiguous(Self.plain(written)),
            .order where parts(written).contains(where: isAmbiguous):
            "an answer is the letter of one and the text of another: write a letter with a bracket, such as a)"
        case .choice where index(Self.plain(written)) == nil:
            "answer with one of the letters a to \(Exercise.letter(exercise.options.count - 1))"
        case .order where order(written) == nil:
            "name every letter once, such as "
                + exercise.options.indices.reversed().map(Exercise.letter).joined(separator: " ")
        case .value: objection(toValue: Self.plain(written))
        default: nil
        }
    }

    /// Whether a text is the letter of one option and the text of another.
    private func isAmbiguous(_ text: String) -> Bool {
        let folded = text.lowercased()
        let named = exercise.options.firstIndex { $0.lowercased() == folded }
        let lettered = exercise.options.indices.first { Exercise.letter($0) == folded }
        return named != nil && lettered != nil && named != lettered
    }

    /// What a value lacks: its unit, a unit that is known, or digits without commas, which begin decimals for some and group
    /// thousands for others.
    private func objection(toValue text: String) -> String? {
        let isCall = text.contains { "|$([{'\"".contains($0) }
        if !isCall, text.contains(/^[-+]?\d[\d ]*,\d/) {
            return "write the number without commas, and its decimals after a point"
        }
        if text.contains(/^\d+:\d\d(:\d\d)? ?[a-z]*$/),
            WrittenQuantity(Self.plain(solution))?.dimension == .of(.duration)
        {
            return "write a duration with its units, such as 1h30min"
        }
        switch Self.value(text)?.dimension {
        case .some(.none): return unit.map { "write the unit too, such as \($0)" }
        case .other(let name):
            guard case .of(let dimension)? = WrittenQuantity(Self.plain(solution))?.dimension else {
                return nil
            }
            let known = MeasureUnit.of(dimension).map(\.symbol)
            return known.contains(name)
                ? nil : "unknown unit `\(name)`" + (unit.map { ": write it such as \($0)" } ?? "")
        case .of, nil: return nil
        }
    }

    /// What is said to a choice that is wrong; `nil` for others.
    public func feedback(to written: String) -> String? {
        guard answer == .choice, isRight(written: written) == false,
            let index = index(Self.plain(written))
        else { return nil }
        return exercise.feedback[index]
    }

    /// The right answer as text.
    public var rightAnswer: String {
        switch answer {
        case .choice:
            guard let index = index(Self.plain(solution)) else { return solution }
            return "\(Exercise.letter(index)): \(exercise.options[index])"
        case .order: return order(solution)?.map(Exercise.letter).joined(separator: " ") ?? solution
        case .value, .result: return solution
        }
    }

    /// The letters of the right choice or order; `nil` for other answers.
    public var rightLetters: String? {
        switch answer {
        case .choice: index(Self.plain(solution)).map(Exercise.letter)
        case .order: order(solution)?.map(Exercise.letter).joined()
        case .value, .result: nil
        }
    }

    /// The right value in its base unit, with the accepted units; `nil` for other answers.
    public var rightValue: (amount: Double, units: [(name: String, factor: Double)])? {
        guard case .value = answer, let value = WrittenQuantity(Self.plain(solution)) else {
            return nil
        }
        switch value.dimension {
        case .none: return (value.value, [])
        case .of(let dimension):
            return (value.value, MeasureUnit.of(dimension).map { ($0.symbol, $0.factor) })
        case .other(let unit): return (value.value, [(unit, 1)])
        }
    }

    private func matches(_ shown: String) -> Bool {
        let lines = TextBytes.lines(of: solution).map(OutputEscaping.expected)
        // The solution's output is plain text, so the pattern cannot be malformed.
        let pattern = try? OutputPattern(lines: lines, flags: flags, firstLine: 1)
        return pattern?.match(shown) != nil
    }

    /// The option with a letter or text.
    private func index(_ text: String) -> Int? {
        let folded = text.lowercased()
        // As the options are shown, `b)`.
        let letter = folded.trimmingCharacters(in: Self.aroundLetters)
        return exercise.options.indices.first { exercise.options[$0].lowercased() == folded }
            ?? exercise.options.indices.first { Exercise.letter($0) == letter }
            ?? exercise.options.indices.first { exercise.options[$0].lowercased() == letter }
    }

    private static let aroundLetters = CharacterSet(charactersIn: "().:")

    private func order(_ text: String) -> [Int]? {
        let parts = parts(text)
        let order = parts.compactMap(index)
        return parts.count == order.count && order.sorted() == Array(exercise.options.indices) ? order : nil
    }

    /// The items of an order: lines, texts between commas, words, or letters without blanks.
    private func parts(_ text: String) -> [String] {
        let lines = TextBytes.lines(of: text).map(Self.plain)
        if lines.count > 1 { return lines }
        let line = lines.first ?? ""
        let divided = line.split { ",;>→".contains($0) }.map { Self.plain(String($0)) }
        if divided.count == exercise.options.count, divided.allSatisfy({ index($0) != nil }) {
            return divided
        }
        let words = Self.words(line)
        return words.count == 1 && words[0].count == exercise.options.count
            ? words[0].map(String.init) : words
    }

    private static func words(_ line: String) -> [String] {
        line.split { " ,;>→[]".contains($0) }.map { plain(String($0)) }
    }

    /// A text without surrounding blanks and quotes.
    private static func plain(_ text: String) -> String {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.count > 1, let first = text.first, first == text.last, first == "'" || first == "\"" else {
            return text
        }
        return String(text.dropFirst().dropLast())
    }
}
