import FakeNotebookWorker
import Foundation
import PluginTestKit
import Synchronization
import Testing

@testable import Notebooks

@Suite struct ExerciseTests {
    private func exercise(_ lines: String...) throws -> Exercise {
        let text = (["```rutter exercise"] + lines + ["rutter> say x", "x", "```"]).joined(separator: "\n")
        return try #require(try NotebookParser().parse(text).cells.first?.exercise)
    }

    @Test func theTextOfAnExerciseIsRead() throws {
        let exercise = try exercise(
            "question: How far", "  is it?", "hint: one", "hint: two", "answer: value ±2%", "because: so.")
        #expect(exercise.question == "How far\nis it?")
        #expect(exercise.hints == ["one", "two"])
        #expect(exercise.explanation == "so.")
        guard case .value(let margin) = exercise.answer else {
            Issue.record("not a value")
            return
        }
        #expect(margin.isRelative && abs(margin.amount - 0.02) < 1e-12)
        #expect(try self.exercise("question: q", "choice: a b", "choice: c").answer == .choice)
        #expect(try self.exercise("question: q", "item: a b", "item: c").answer == .order)
        #expect(try self.exercise("question: q").answer == .result)
    }

    @Test(arguments: [
        ("hint: no question", "E-NOTEBOOK-EXERCISE", 1), ("questoin: q", "E-NOTEBOOK-EXERCISE", 2),
        ("question: q\nchoice: one", "E-NOTEBOOK-EXERCISE", 2), ("question:", "E-NOTEBOOK-EXERCISE", 2),
        ("question: q\nchoice: a\nitem: b", "E-NOTEBOOK-EXERCISE", 2),
        ("question: q\nanswer: value about 5", "E-NOTEBOOK-EXERCISE", 3),
        ("question: q\nanswer: choice", "E-NOTEBOOK-EXERCISE", 3),
        ("question: q\nanswer: gues", "E-NOTEBOOK-EXERCISE", 3), ("  goes on", "E-NOTEBOOK-EXERCISE", 2),
        ("question: q\nchoice: a\nchoice: a", "E-NOTEBOOK-EXERCISE", 2),
        ("question: q\nfeedback: no", "E-NOTEBOOK-EXERCISE", 3),
        ("question: q\nchoice: a\nhint: h\nfeedback: no\nchoice: b", "E-NOTEBOOK-EXERCISE", 5),
    ])
    func aMalformedExerciseIsRefusedAtItsLine(_ text: String, _ code: String, _ line: Int) {
        let error = parseError("```rutter exercise\n\(text)\nrutter> say x\nx\n```\n")
        #expect(error?.code.rawValue == code)
        #expect(error?.line ?? 0 <= line + 1, "\(String(describing: error))")
    }

    @Test func flagsThatDoNotFitAndSeveralEntriesAreRefused() {
        for flags in [
            "exercise norun", "exercise nocheck", "predict nocheck", "exercise predict", "exercise fails",
        ] {
            #expect(parseError("```rutter \(flags)\nquestion: q\nrutter> say x\nx\n```\n")?.code == .flag)
        }
        #expect(
            parseError("```rutter exercise\nquestion: q\nrutter> say x\nx\nrutter> say y\ny\n```\n")?.code
                == .exercise)
    }

    /// Feedback belongs to the choice before it, and is said to whoever chose it wrongly; notes are the teacher's.
    @Test func wrongChoicesHaveFeedback() throws {
        let exercise = try exercise(
            "question: q", "choice: one", "feedback: too", "  few", "choice: x", "choice: three", "note: n1",
            "note: n2")
        #expect(exercise.feedback == ["too\nfew", nil, nil] && exercise.notes == ["n1", "n2"])
        let check = ExerciseCheck(exercise, solution: "x")
        #expect(check.feedback(to: "a") == "too\nfew" && check.feedback(to: "one") == "too\nfew")
        #expect(
            check.feedback(to: "b") == nil && check.feedback(to: "c") == nil && check.feedback(to: "?") == nil
        )
    }

    @Test func valuesAreComparedWithinTheirMargin() throws {
        let check = ExerciseCheck(try exercise("question: q", "answer: value ±10m"), solution: "1.5km")
        #expect(check.problem == nil)
        for right in ["1.5km", "1500m", "1510m", " 1490m "] { #expect(check.isRight(written: right) == true) }
        for right in ["1.5 km", "1500 m"] { #expect(check.isRight(written: right) == true, "\(right)") }
        for wrong in ["1511m", "1489m", "1.5", "1500s"] { #expect(check.isRight(written: wrong) == false) }
        #expect(check.objection(to: "1500") == "write the unit too, such as km")
        #expect(check.objection(to: "1511m") == nil && check.objection(to: "$a / 2") == nil)
        // What is written in another way is no wrong answer.
        for comma in ["1,5 km", "1,500 m"] {
            #expect(
                check.objection(to: comma)
                    == "write the number without commas, and its decimals after a point")
        }
        #expect(check.objection(to: "1.5 kilometres") == "unknown unit `kilometres`: write it such as km")
        #expect(check.objection(to: "1500s") == nil && check.objection(to: "max(1,5)") == nil)
        let time = ExerciseCheck(try exercise("question: q", "answer: value"), solution: "2h35min")
        #expect(time.isRight(written: "2 h 35 min") == true && time.unit == "h")
        #expect(check.isRight(written: "$a / 2") == nil)
        #expect(check.isRight(shown: "1.5km"))
        #expect(!check.isRight(shown: "far"))
        let exact = ExerciseCheck(try exercise("question: q", "answer: value"), solution: "0.18")
        #expect(exact.isRight(written: ".18") != false || exact.isRight(shown: "0.180"))
        #expect(exact.isRight(shown: "0.19") == false)
        #expect(exact.objection(to: "0.19") == nil && exact.unit == nil)
    }

    @Test func proseIsBrokenToTheWidthAndCodeIsNot() {
        let prose = """
            # A heading that is longer than the width

            One two three
            four five six seven.

            - an item that goes
            on and on
            2. another
            ```
            code that is longer than the width
            ```
            | a table | of one | row that is long |

            """
        #expect(
            ProseWrap.wrapped(prose, to: 14) == """
                # A heading that is longer than the width

                One two three
                four five six
                seven.

                - an item that
                  goes on and
                  on
                2. another
                ```
                code that is longer than the width
                ```
                | a table | of one | row that is long |

                """)
        #expect(ProseWrap.wrapped("  \n\n", to: 5) == "  \n\n")
        #expect(ProseWrap.wrapped("anoverlongword a", to: 5) == "anoverlongword\na")
    }

    /// As people and the workbench's own output write numbers.
    @Test func signsAndThousandsAreReadAsPrinted() throws {
        let minus = ExerciseCheck(try exercise("question: q", "answer: value"), solution: "-5")
        for right in ["−5", "-5.", "-5.0"] { #expect(minus.isRight(written: right) == true, "\(right)") }
        #expect(minus.isRight(written: "+5") == false)
        let length = ExerciseCheck(try exercise("question: q", "answer: value"), solution: "12.5km")
        for right in ["12 500 m", "12\u{202F}500 m", "12'500m", "+12.5 km", "12.5 km."] {
            #expect(length.isRight(written: right) == true, "\(right)")
        }
        #expect(length.isRight(written: "12 50 m") != true)
        let time = ExerciseCheck(try exercise("question: q", "answer: value"), solution: "6h45min")
        for clock in ["6:45", "6:45 h"] {
            #expect(time.objection(to: clock) == "write a duration with its units, such as 1h30min")
        }
    }

    @Test func aPredictedNumberIsOneHoweverItIsWritten() throws {
        let notebook = try NotebookParser().parse("```rutter predict\nrutter> 2 + 3\n5\n```\n")
        let check = ExerciseCheck(try #require(notebook.cells[0].exercise), solution: "5")
        #expect(check.isRight(written: "5.0") == true && check.isRight(written: "6") == false)
    }

    /// Stops and nodes are often called by letters.
    @Test func aLetterThatIsAlsoATextIsAskedFor() throws {
        let choice = ExerciseCheck(try exercise("question: q", "choice: B", "choice: A"), solution: "A")
        #expect(choice.objection(to: "a")?.contains("with a bracket") == true)
        #expect(choice.isRight(written: "b)") == true && choice.isRight(written: "a)") == false)
        #expect(choice.rightLetters == "b")
        let order = ExerciseCheck(
            try exercise("question: q", "item: Zermatt Dorf", "item: Randa"), solution: "b a")
        #expect(order.isRight(written: "Randa, Zermatt Dorf") == true)
        #expect(order.isRight(written: "Zermatt Dorf, Randa") == false)
    }

    @Test func choicesAndOrdersAreLettersOrTheirTexts() throws {
        let choice = ExerciseCheck(
            try exercise("question: q", "choice: Up", "choice: Down"), solution: "Down")
        #expect(choice.isRight(written: "b") == true)
        for shown in ["b)", "B.", "(b)"] { #expect(choice.isRight(written: shown) == true, "\(shown)") }
        #expect(choice.isRight(written: "down") == true)
        #expect(choice.isRight(written: "a") == false)
        #expect(choice.objection(to: "c") != nil)
        #expect(choice.rightLetters == "b")
        #expect(!choice.showsInput)
        let order = ExerciseCheck(
            try exercise("question: q", "item: one", "item: two", "item: three"), solution: "three\none\ntwo")
        for right in ["c a b", "cab", "c, a, b", "['c' 'a' 'b']"] {
            #expect(order.isRight(written: right) == true, "\(right)")
        }
        #expect(order.isRight(written: "a b c") == false)
        #expect(order.objection(to: "a a b") != nil)
        #expect(order.rightAnswer == "c a b")
    }

    @Test func aPredictionShowsItsInputUnlessThatJudges() throws {
        func prediction(_ lines: String, _ shown: String) throws -> ExerciseCheck {
            let text = "```rutter predict\n\(lines)rutter> say x\n\(shown)\n```\n"
            let cell = try #require(try NotebookParser().parse(text).cells.first?.exercise)
            return ExerciseCheck(cell, solution: shown)
        }
        #expect(try prediction("", "3").showsInput)
        #expect(try prediction("choice: 3km\nchoice: 4km\n", "4km").showsInput)
        #expect(try !prediction("choice: 3km\nchoice: 4km\n", "b").showsInput)
    }

    @Test func aSolutionThatNoAnswerCanMeetFailsTheTest() async throws {
        let texts = [
            "question: q\nanswer: value\nrutter> say far\nfar",
            "question: q\nchoice: a\nchoice: b\nrutter> say z\nz",
            "question: q\nitem: a\nitem: b\nrutter> say a\na", "question: q\nrutter> say\n",
        ]
        for text in texts {
            let folder = try TemporaryFolder()
            let file = try folder.write("a.md", "```rutter exercise\n\(text)\n```\n")
            let report = await NotebookRunner(factory: FakeFactory()).run(file)
            #expect(report.failures.map(\.kind) == [.unanswerable], "\(text)")
        }
    }

    @Test func aSolutionThatFailsFailsTheTest() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            "a.md", "```rutter exercise\nquestion: q\nrutter> fail E-ONE no\nno\n```\n")
        let report = await NotebookRunner(factory: FakeFactory()).run(file)
        #expect(report.outcome == .failed)
        #expect(report.failures.first?.message.contains("E-ONE") == true)
    }
}

@Suite struct LessonTests {
    /// Answers from a list, and keeps what was shown.
    private final class Pupil: Student {
        private let state: Mutex<(answers: [String], shown: [String])>
        init(_ answers: [String]) { state = Mutex((answers, [])) }
        func show(_ text: String) async { state.withLock { $0.shown.append(text) } }
        func ask(_ prompt: String) async -> String? {
            state.withLock { $0.answers.isEmpty ? nil : $0.answers.removeFirst() }
        }
        var text: String { state.withLock { $0.shown.joined(separator: "\n") } }
    }

    private static let lesson = """
        # Title

        Prose.

        ```rutter
        rutter> count
        1
        ```

        ```rutter exercise
        question: What?
        hint: Say it.
        because: That is why.
        rutter> say secret
        secret
        ```

        ```rutter predict
        rutter> count
        2
        ```

        Later.

        """

    private func play(
        _ answers: [String], in folder: TemporaryFolder, again: Bool = false
    ) async throws -> (LessonPlayer.Ending, String, LessonProgress.Place?) {
        let pupil = Pupil(answers)
        var progress = try LessonProgress(workspace: folder.url)
        let file = folder.url.appendingPathComponent("a.md")
        let ending = try await LessonPlayer(factory: FakeFactory(), student: pupil)
            .play(file, &progress, again: again)
        return (ending, pupil.text, try LessonProgress(workspace: folder.url).place(in: file))
    }

    @Test func nothingShowsWhatComes() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.md", Self.lesson)
        let (ending, text, place) = try await play(["wrong", "hint"], in: folder)
        #expect(ending == .left)
        #expect(text.contains("Prose.") && text.contains("Hint: Say it.") && text.contains("Not yet."))
        for later in ["secret", "That is why", "Later."] { #expect(!text.contains(later), "\(later)") }
        #expect(place?.cell == 1)
    }

    /// What the hint of a choice proposes to try runs, and is no answer.
    @Test func anEntryAtAChoiceIsTried() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "a.md",
            """
            # Title

            ```rutter exercise
            question: Which?
            choice: one
            choice: two
            hint: $n * $n
            rutter> say b
            b
            ```

            """)
        let (ending, text, _) = try await play(["zebra", "hint", "$n * $n", "b"], in: folder)
        #expect(ending == .finished)
        #expect(text.components(separatedBy: "answer with one of the letters").count == 2)
        #expect(text.contains("1 of 1 questions answered correctly"))
    }

    @Test func aLessonGoesOnWhereItWasLeft() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.md", Self.lesson)
        _ = try await play(["secret", "quit"], in: folder)
        let (ending, text, place) = try await play(["2"], in: folder)
        #expect(ending == .finished)
        #expect(!text.contains("Prose.") && !text.contains("What?"))
        // The session is unchanged: the count continues.
        #expect(text.contains("As you predicted:"))
        #expect(text.contains("2 of 2 questions answered correctly"))
        #expect(place?.cell == 3)
        let (_, over, _) = try await play(["quit"], in: folder, again: true)
        #expect(over.contains("Prose."))
    }

    @Test func aLessonThatHasChangedBeginsAgain() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.md", Self.lesson)
        _ = try await play(["secret", "quit"], in: folder)
        try folder.write("a.md", Self.lesson.replacingOccurrences(of: "say secret", with: "say  secret"))
        let (_, text, _) = try await play([], in: folder)
        #expect(text.contains("has changed") && text.contains("Prose."))
    }

    @Test func anExerciseWhoseCheckFailsToRunIsLeftOut() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "a.md", Self.lesson.replacingOccurrences(of: "say secret", with: "fail E-ONE broken"))
        let (ending, text, place) = try await play(["1"], in: folder)
        #expect(ending == .finished)
        #expect(text.contains("cannot be checked here and is skipped: broken"))
        #expect(place?.questions[2] == .unchecked)
        #expect(place?.questions[3] == .shown)
    }

    @Test func brokenProgressIsAnError() throws {
        let folder = try TemporaryFolder()
        try folder.write("lessons.json", "no JSON")
        #expect(throws: NotebookError.self) { try LessonProgress(workspace: folder.url) }
    }
}
