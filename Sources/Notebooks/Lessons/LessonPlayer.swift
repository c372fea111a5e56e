import Core
import Foundation

/// The student of a lesson.
public protocol Student: Sendable {
    /// Shows text with its line breaks.
    func show(_ text: String) async
    /// Shows prose, which may be rewrapped.
    func read(_ prose: String) async
    /// Asks for an answer; `nil` at the end of input.
    func ask(_ prompt: String) async -> String?
}

extension Student {
    /// Prose, not rewrapped.
    public func read(_ prose: String) async { await show(prose) }
}

/// Plays a notebook for a student: prose, cells as they run, questions, without showing anything in advance.
public struct LessonPlayer: Sendable {
    /// How a lesson ended.
    public enum Ending: Sendable, Hashable {
        /// At its end.
        case finished
        /// Left by the student.
        case left
        /// A requirement of the notebook is missing.
        case skipped(String)
    }

    private let factory: any NotebookSessionFactory
    private let student: any Student
    private let dataFolder: URL?

    /// A player with sessions from a factory.
    public init(factory: any NotebookSessionFactory, student: any Student, dataFolder: URL? = nil) {
        self.factory = factory
        self.student = student
        self.dataFolder = dataFolder
    }

    /// Plays a lesson from where the student left it, or from its beginning. Progress is saved after each cell.
    public func play(
        _ file: URL, _ progress: inout LessonProgress, again: Bool = false
    ) async throws -> Ending {
        let notebook = try NotebookParser().parse(contentsOf: file)
        if let emptiness = notebook.emptiness { throw emptiness }
        let folder = file.absoluteURL.deletingLastPathComponent()
        let data = try InputData(notebook.settings.data, folder: folder, dataFolder: dataFolder)
        if let reason = await factory.unmetNeed(of: notebook.settings, data) { return .skipped(reason) }
        let workspace = try FileManager.default.scratchFolder("lesson")
        defer { FileManager.default.discard(workspace) }
        let session = try await factory.makeSession(
            NotebookContext(
                settings: notebook.settings, file: file, folder: folder, workspace: workspace,
                dataFiles: data.byName))
        var place = LessonProgress.Place()
        if !again, let known = progress.place(in: file), known.cell < notebook.cells.count {
            if known.digest == LessonProgress.digest(of: notebook, through: known.cell) {
                place = known
            } else {
                await student.show("The lesson has changed since you left it and starts again.")
            }
        }
        var lesson = Lesson(notebook: notebook, session: session, student: student, place: place)
        let ending: Ending
        do {
            ending = try await lesson.play { place throws(NotebookError) in try progress.note(place, in: file)
            }
        } catch {
            await session.close()
            throw error
        }
        await session.close()
        return ending
    }
}

/// One session of a lesson.
private struct Lesson {
    let notebook: Notebook
    let session: any NotebookSession
    let student: any Student
    var place: LessonProgress.Place
    /// Whether text was shown since the last prompt to continue.
    private var hasRead = false

    private static let leave: Set = ["quit", "exit"]

    init(
        notebook: Notebook, session: any NotebookSession, student: any Student, place: LessonProgress.Place
    ) {
        (self.notebook, self.session, self.student, self.place) = (notebook, session, student, place)
    }

    mutating func play(
        note: (LessonProgress.Place) throws(NotebookError) -> Void
    ) async throws(NotebookError) -> LessonPlayer.Ending {
        let done = place.cell
        var last = 0
        if done > 0 {
            await student.show("Resuming: cells 1 to \(done) are done (--again starts over).")
        }
        for segment in notebook.segments {
            if Task.isCancelled { return .left }
            switch segment {
            case .frontMatter: continue
            case .prose(let text):
                if last >= done, await !read(text) { return .left }
            case .cell(let cell, _):
                last = cell.number
                if cell.number <= done {
                    for entry in cell.entries where !cell.flags.contains(.norun) {
                        _ = await session.run(entry.input)
                    }
                    continue
                }
                guard await take(cell), !Task.isCancelled else { return .left }
                place.cell = cell.number
                place.digest = LessonProgress.digest(of: notebook, through: cell.number)
                try note(place)
            }
        }
        await student.show(summary)
        return .finished
    }

    private var summary: String {
        let questions = notebook.cells.filter { $0.exercise != nil }
        guard !questions.isEmpty else { return "This is the end of the lesson." }
        let solved = questions.filter { place.questions[$0.number] == .solved }.count
        return "This is the end of the lesson. \(solved) of \(questions.count) questions answered correctly."
    }

    /// Shows prose, and waits before each section.
    private mutating func read(_ text: String) async -> Bool {
        var part: [Substring] = []
        var isInBlock = false
        func trimmed() -> String {
            part.joined(separator: "\n").trimmingCharacters(in: .newlines)
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if Fence(opening: String(line)) != nil { isInBlock.toggle() }
            if !isInBlock, line.hasPrefix("## ") {
                await show(trimmed())
                part = []
                if hasRead, await !goesOn() { return false }
            }
            part.append(line)
        }
        await show(trimmed())
        return true
    }

    private mutating func show(_ text: String) async {
        guard !text.isEmpty else { return }
        await student.read(text + "\n")
        hasRead = true
    }

    private mutating func goesOn() async -> Bool {
        hasRead = false
        guard let word = await student.ask("Enter continues, quit leaves> ") else { return false }
        return !Self.leave.contains(word)
    }

    /// Runs a cell; `false` when the student leaves.
    private mutating func take(_ cell: NotebookCell) async -> Bool {
        hasRead = true
        if let exercise = cell.exercise { return await ask(exercise, cell) }
        for entry in cell.entries {
            await student.show(NotebookLimits.prompted(entry.input))
            if cell.flags.contains(.norun) {
                await showOutput(notebook.expectedText(of: entry, in: cell))
                continue
            }
            let output = await session.run(entry.input)
            await showOutput(output.text)
            if output.errorCode == CommonErrors.interrupted.code {
                await student.show("(Stopped. Later cells may depend on it.)")
            } else if output.failed, !cell.flags.contains(.fails) {
                await student.show("(This should not fail; required data may be missing.)")
            }
        }
        await student.show("")
        return true
    }

    private func showOutput(_ text: String) async {
        if !text.isEmpty { await student.show(text) }
    }

    private mutating func ask(_ exercise: Exercise, _ cell: NotebookCell) async -> Bool {
        let entry = cell.entries[0]
        // The solution runs before the answer, so that both see the same session; its output is shown afterwards.
        let solution = await session.run(entry.input)
        let check = ExerciseCheck(exercise, solution: solution.text, flags: cell.flags)
        if exercise.kind == .exercise, let problem = solution.failed ? solution.text : check.problem {
            await student.read("Question: \(exercise.question)")
            await student.show("(This question cannot be checked here and is skipped: \(problem))\n")
            place.questions[cell.number] = .unchecked
            return true
        }
        let isPrediction = exercise.kind == .prediction
        await student.read((isPrediction ? "Predict: " : "Question: ") + exercise.question)
        if check.showsInput { await student.show(NotebookLimits.prompted(entry.input)) }
        for (index, option) in exercise.options.enumerated() {
            await student.show("  \(Exercise.letter(index))) \(option)")
        }
        let isSolved: Bool?
        switch exercise.kind {
        case .exercise: isSolved = await solve(exercise, check)
        case .prediction: isSolved = await predict(exercise, check)
        }
        guard let isSolved else { return false }
        if exercise.kind == .exercise, !isSolved || exercise.options.isEmpty {
            await student.show("Solution:")
        }
        if exercise.kind == .prediction || !isSolved || exercise.options.isEmpty {
            await student.show(NotebookLimits.prompted(entry.input))
            await showOutput(solution.text)
        }
        if let explanation = exercise.explanation { await student.read(explanation) }
        await student.show("")
        place.questions[cell.number] = isSolved ? .solved : .shown
        return true
    }

    /// Asks until the answer is right or the solution is requested; `nil` when the student leaves.
    private func solve(_ exercise: Exercise, _ check: ExerciseCheck) async -> Bool? {
        var hints = exercise.hints[...]
        while true {
            let words = hints.isEmpty ? "" : ", hint"
            guard let written = await student.ask("answer\(words), solution or quit> ") else { return nil }
            let answer = written.trimmingCharacters(in: .whitespacesAndNewlines)
            switch answer.lowercased() {
            case "": continue
            case let word where Self.leave.contains(word): return nil
            case "solution":
                await student.show("The answer is: \(check.rightAnswer)")
                return false
            case "hint":
                await student.read(hints.popFirst().map { "Hint: \($0)" } ?? "There are no more hints.")
            default:
                if let objection = check.objection(to: answer) {
                    if !exercise.options.isEmpty, Self.isEntry(answer) {
                        // What a hint proposes to try is no answer.
                        await showOutput(await session.answer(answer).text)
                    } else {
                        await student.show(objection)
                    }
                    continue
                }
                if await isRight(answer, check) {
                    await student.show("Right.")
                    return true
                }
                await student.show("Not yet.")
                if let feedback = check.feedback(to: answer) { await student.read(feedback) }
            }
        }
    }

    /// Whether a text is meant for the prompt, not as one of the letters.
    private static func isEntry(_ text: String) -> Bool {
        text.contains("|") || text.first.map { $0.isNumber || "$([{@'\"".contains($0) } == true
    }

    /// Whether an answer is right; its output is shown, as at the prompt.
    private func isRight(_ answer: String, _ check: ExerciseCheck) async -> Bool {
        if let isRight = check.isRight(written: answer) { return isRight }
        let output = await session.answer(answer)
        await showOutput(output.text)
        return !output.failed && check.isRight(shown: output.text)
    }

    /// Asks once; the output then shows the right answer.
    private func predict(_ exercise: Exercise, _ check: ExerciseCheck) async -> Bool? {
        var hints = exercise.hints[...]
        while true {
            let words = hints.isEmpty ? "" : ", hint"
            guard let written = await student.ask("your prediction\(words) or quit> ") else { return nil }
            let answer = written.trimmingCharacters(in: .whitespacesAndNewlines)
            if Self.leave.contains(answer.lowercased()) { return nil }
            if answer.isEmpty { continue }
            if answer.lowercased() == "hint" {
                await student.read(hints.popFirst().map { "Hint: \($0)" } ?? "There are no more hints.")
                continue
            }
            if let objection = check.objection(to: answer) {
                await student.show(objection)
                continue
            }
            let isRight = check.isRight(written: answer) == true
            if let feedback = check.feedback(to: answer) { await student.read(feedback) }
            await student.show(isRight ? "As you predicted:" : "Not what you predicted:")
            return isRight
        }
    }
}

extension NotebookLimits {
    /// An input with its prompts.
    static func prompted(_ input: String) -> String {
        input.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { ($0.offset == 0 ? prompt : continuation) + $0.element }.joined(separator: "\n")
    }
}
