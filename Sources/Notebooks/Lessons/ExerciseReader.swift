import Core

/// Parses the lines before the prompt of an exercise.
struct ExerciseReader {
    private static let keys = ["question", "choice", "feedback", "item", "hint", "answer", "because", "note"]
    private static let kinds = ["value", "result", "order", "choice"]

    private let kind: Exercise.Kind
    private var texts: [(key: String, text: String, line: Int)] = []

    /// The exercise in a cell's first lines, without the fence's indentation, which begin at a line of the file.
    static func read(_ lines: [String], flags: CellFlags, firstLine: Int) throws -> Exercise {
        var reader = ExerciseReader(kind: flags.contains(.exercise) ? .exercise : .prediction)
        for (offset, line) in lines.enumerated() { try reader.take(line, at: firstLine + offset) }
        return try reader.exercise(line: firstLine)
    }

    private init(kind: Exercise.Kind) { self.kind = kind }

    private mutating func take(_ line: String, at number: Int) throws {
        if line.isBlank { return }
        if line.hasPrefix(" ") || line.hasPrefix("\t") {
            guard !texts.isEmpty else { throw Self.error(number, "a continuation without a previous line") }
            texts[texts.count - 1].text += "\n" + line.drop { $0 == " " || $0 == "\t" }
            return
        }
        guard let colon = line.firstIndex(of: ":"), Self.keys.contains(String(line[..<colon])) else {
            let word = String(line.prefix { $0 != ":" && $0 != " " })
            throw Self.error(
                number, "unknown exercise line `\(word)`",
                fix: Suggestion.sentence(for: word, among: Self.keys))
        }
        let text = line[line.index(after: colon)...].drop { $0 == " " }
        guard !text.isBlank else { throw Self.error(number, "`\(line[..<colon])` has no text") }
        texts.append((String(line[..<colon]), text.trimmedAtEnd, number))
    }

    private func exercise(line: Int) throws -> Exercise {
        let questions = all("question")
        guard questions.count <= 1, all("because").count <= 1, all("answer").count <= 1 else {
            throw Self.error(line, "an exercise has `question`, `answer` and `because` at most once")
        }
        guard let question = questions.first ?? (kind == .prediction ? "What will this show?" : nil) else {
            throw Self.error(
                line, "the exercise has no question", fix: "write `question: …` before the prompt")
        }
        let (choices, items) = (all("choice"), all("item"))
        guard choices.isEmpty || items.isEmpty else {
            throw Self.error(line, "an exercise cannot have both choices and items")
        }
        let options = choices + items
        guard options.count != 1, options.count <= Exercise.mostOptions, Set(options).count == options.count
        else {
            throw Self.error(line, "an exercise must have 2 to \(Exercise.mostOptions) distinct options")
        }
        return Exercise(
            kind: kind, question: question, options: options, feedback: try feedback(), notes: all("note"),
            hints: all("hint"),
            answer: try answer(hasChoices: !choices.isEmpty, hasItems: !items.isEmpty, line),
            explanation: all("because").first)
    }

    /// The feedback to each option: the `feedback:` line after its `choice:` line.
    private func feedback() throws -> [String?] {
        var feedback: [String?] = []
        var previous = ""
        for (key, text, line) in texts {
            switch key {
            case "choice", "item": feedback.append(nil)
            case "feedback":
                guard previous == "choice" else {
                    throw Self.error(
                        line, "`feedback` without a choice before it",
                        fix: "write it in the line after the `choice:` that it answers")
                }
                feedback[feedback.count - 1] = text
            default: break
            }
            previous = key
        }
        return feedback
    }

    private func answer(hasChoices: Bool, hasItems: Bool, _ line: Int) throws -> Exercise.Answer {
        let usual: Exercise.Answer = hasChoices ? .choice : hasItems ? .order : .result
        guard let given = texts.first(where: { $0.key == "answer" }) else { return usual }
        let words = given.text.split(separator: " ", maxSplits: 1)
        let answer: Exercise.Answer
        switch words[0] {
        case "value": answer = .value(try margin(words.dropFirst().first.map(String.init), given.line))
        case "result": answer = .result
        case "order": answer = .order
        case "choice": answer = .choice
        default:
            throw Self.error(
                given.line, "unknown kind of answer `\(words[0])`",
                fix: Suggestion.sentence(for: String(words[0]), among: Self.kinds))
        }
        if words.count > 1, words[0] != "value" {
            throw Self.error(given.line, "only a value can have a margin")
        }
        guard (answer == .choice) == hasChoices, (answer == .order) == hasItems else {
            throw Self.error(
                given.line, "the answer does not fit the options",
                fix: "use `choice:` lines for a choice and `item:` lines for an order")
        }
        return answer
    }

    private func margin(_ text: String?, _ line: Int) throws -> Exercise.Margin {
        guard let text else { return .none }
        guard text.hasPrefix("±"),
            let quantity = WrittenQuantity(text.dropFirst().drop { $0 == " " }.trimmedAtEnd),
            quantity.value >= 0
        else {
            throw Self.error(line, "`\(text)` is not a margin", fix: "write `answer: value ±2%` or `±5m`")
        }
        return Exercise.Margin(
            amount: quantity.value, isRelative: quantity.dimension == .of(.ratio), text: text)
    }

    private func all(_ key: String) -> [String] { texts.filter { $0.key == key }.map(\.text) }

    private static func error(_ line: Int, _ message: String, fix: String? = nil) -> NotebookError {
        NotebookError(.exercise, line: line, message, suggestion: fix)
    }
}
