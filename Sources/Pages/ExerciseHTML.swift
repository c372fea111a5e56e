import Core
import Formats
import Foundation
import Notebooks

/// An exercise or a prediction in a page: the question, its hints and the solution (collapsed), and a form
/// that checks answers that need no workbench.
struct ExerciseHTML {
    let exercise: Exercise
    let number: Int
    let check: ExerciseCheck
    /// What is hashed with the answers of a copy for students; `nil` for a page with the solutions.
    var salt: String?

    /// The HTML of an exercise, with the highlighted input and the cell of the solution.
    func text(input: String, solution: String) -> String {
        let isPrediction = exercise.kind == .prediction
        let shownInput =
            check.showsInput
            ? "<pre class=\"rutter-input\" tabindex=\"0\"><code>\(input)</code></pre>\n" : ""
        let hints = exercise.hints.enumerated().map { index, hint in
            folded(
                exercise.hints.count == 1 ? "Hint" : "Hint \(index + 1)", "<p>\(Self.inline(hint))</p>")
        }.joined()
        let explanation = exercise.explanation.map { "<p>\(Self.inline($0))</p>\n" } ?? ""
        let notes =
            salt == nil && !exercise.notes.isEmpty
            ? folded("For the teacher", exercise.notes.map { "<p>\(Self.inline($0))</p>\n" }.joined()) : ""
        let cell = "<div class=\"rutter-cell\">\n\(solution)</div>\n"
        return """
            <section class="rutter-exercise" aria-label="\(isPrediction ? "Prediction" : "Exercise") \(number)">
            \(shownInput)<form class="rutter-form" data-answer="\(Markup.html(data))">
            \(fields)</form>
            \(hints)\(salt == nil ? folded(isPrediction ? "What it shows" : "Solution", cell + explanation) : "")\(notes)</section>

            """
    }

    private var fields: String {
        let question = Self.inline(exercise.question)
        if exercise.answer == .choice {
            let choices = exercise.options.indices.map { index in
                let letter = Exercise.letter(index)
                return "<label><input type=\"radio\" name=\"answer\" value=\"\(letter)\"> "
                    + "\(letter)) \(Self.inline(exercise.options[index]))</label>\n"
            }.joined()
            return "<fieldset><legend>\(question)</legend>\n\(choices)</fieldset>\n\(buttons)"
        }
        let items = exercise.options.enumerated().map {
            "<li>\(Exercise.letter($0.offset)): \(Self.inline($0.element))</li>"
        }
        let list = items.isEmpty ? "" : "<ul>\(items.joined())</ul>\n"
        let label = exercise.answer == .order ? "Their order, such as b a" : "Your answer"
        return """
            <fieldset><legend>\(question)</legend>
            \(list)<label>\(label): <input type="text" name="answer" autocomplete="off"></label>
            </fieldset>
            \(buttons)
            """
    }

    private var buttons: String {
        "<button type=\"submit\">Check</button><output class=\"rutter-verdict\" aria-live=\"polite\"></output>\n"
    }

    /// The data that the script compares answers with: the right letters, or the value in its base unit with
    /// the factors of other units.
    private var data: String {
        if let salt { return hashedData(salt) }
        var members: [(String, JSONTree)] = [("text", .text(check.rightAnswer))]
        switch check.answer {
        case .choice, .order:
            members.append(("kind", .text("letters")))
            members.append(("letters", .text(check.rightLetters ?? "")))
            if let feedback = feedback({ .text($1) }) { members.append(("feedback", feedback)) }
        case .value(let margin):
            guard let value = check.rightValue else { break }
            members.append(("kind", .text("value")))
            members.append(("value", JSONTree(value.amount)))
            if let unit = check.unit { members.append(("unit", .text(unit))) }
            members.append(
                ("margin", JSONTree(margin.isRelative ? abs(value.amount) * margin.amount : margin.amount)))
            members.append(
                (
                    "units",
                    .object(value.units.map { .init($0.name, JSONTree($0.factor)) })
                ))
        case .result: members.append(("kind", .text("text")))
        }
        return JSONTree.object(members.map { .init($0.0, $0.1) }).compactText
    }

    /// The same without the answer: a hash of the letters, the text, or the numbers of the ranges of values that are right.
    private func hashedData(_ salt: String) -> String {
        func hash(_ text: String) -> JSONTree {
            .text(Digest.sha256(Array("\(salt):\(text)".utf8)) ?? "")
        }
        var members: [(String, JSONTree)] = [("salt", .text(salt))]
        switch check.answer {
        case .choice, .order:
            members += [("kind", .text("letters")), ("hash", hash(check.rightLetters ?? ""))]
            // Read only by whoever chose the letter: which options have feedback would tell those that are wrong.
            if let feedback = feedback({ .text(Self.hidden($1, by: "\(salt):\($0)")) }) {
                members.append(("feedback", feedback))
            }
        case .value(let margin):
            guard let value = check.rightValue, value.amount.isFinite else { break }
            let half = margin.isRelative ? abs(value.amount) * margin.amount : margin.amount
            let ranges = RightRanges(
                around: value.amount, margin: max(half, Self.leastWidth, abs(value.amount) * Self.precision))
            members += [
                ("kind", .text("value")), ("width", JSONTree(ranges.width)),
                ("offset", JSONTree(ranges.offset)),
                ("hashes", .list(ranges.hashes(salt).map { .text($0) })),
                ("units", .object(value.units.map { .init($0.name, JSONTree($0.factor)) })),
            ]
            if let unit = check.unit { members.append(("unit", .text(unit))) }
        case .result:
            members += [
                ("kind", .text("text")),
                ("hash", hash(check.rightAnswer.trimmingCharacters(in: .whitespacesAndNewlines))),
            ]
        }
        return JSONTree.object(members.map { .init($0.0, $0.1) }).compactText
    }

    /// The feedback to each wrong choice by its letter; `nil` without any.
    private func feedback(_ shown: (String, String) -> JSONTree) -> JSONTree? {
        guard exercise.answer == .choice, exercise.feedback.contains(where: { $0 != nil }) else { return nil }
        return .object(
            exercise.feedback.enumerated().compactMap { index, text in
                let letter = Exercise.letter(index)
                guard salt != nil || text != nil else { return nil }
                return .init(letter, shown(letter, text ?? ""))
            })
    }

    /// A text that needs its key to be read, as hexadecimal digits: exclusive or with the hashes of the key and a number. Texts
    /// are filled up to one length.
    private static func hidden(_ text: String, by key: String) -> String {
        var bytes = Array(text.utf8)
        let length = (bytes.count / feedbackBlock + 1) * feedbackBlock
        bytes += [UInt8](repeating: UInt8(ascii: " "), count: length - bytes.count)
        var hidden = ""
        for (index, byte) in bytes.enumerated() {
            let digest = Array((Digest.sha256(Array("\(key):\(index / 32)".utf8)) ?? "").utf8)
            let start = index % 32 * 2
            guard digest.count >= start + 2 else { return "" }
            let mask = UInt8(String(decoding: digest[start..<start + 2], as: UTF8.self), radix: 16) ?? 0
            let digits = String(byte ^ mask, radix: 16)
            hidden += digits.count < 2 ? "0" + digits : digits
        }
        return hidden
    }

    /// Bytes to whose multiples hidden texts are filled up.
    private static let feedbackBlock = 256

    /// The narrowest margin of right values, in base units: what a written answer can be exact to.
    private static let leastWidth = 1e-6

    /// How exact a value can be written, as a share of it.
    private static let precision = 1e-12

    /// A text of an exercise: text between backticks is code, as in prose.
    private static func inline(_ text: String) -> String {
        let parts = Markup.html(text).split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            guard !index.isMultiple(of: 2) else { return String(part) }
            // An unpaired backtick is literal.
            return index == parts.count - 1 ? "`\(part)" : "<code>\(part)</code>"
        }.joined()
    }

    private func folded(_ summary: String, _ content: String) -> String {
        "<details class=\"rutter-details\"><summary>\(summary)</summary>\n\(content)</details>\n"
    }
}
