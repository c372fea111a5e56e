import Foundation
import PluginTestKit
import TerminalTestKit
import Testing

/// `rutter learn` as a student uses it, through its standard input.
struct LearnTests {
    private let folder: TemporaryFolder

    private static let lesson = """
        # A lesson

        ```rutter
        rutter> let a = 3km
        ```

        ```rutter exercise
        question: Half of it?
        hint: Divide.
        answer: value ±1%
        rutter> $a / 2
        1.5km
        ```

        """

    init() throws {
        folder = try TemporaryFolder()
        try Data(Self.lesson.utf8).write(to: folder.url.appendingPathComponent("a.md"))
    }

    private func learn(_ input: String, _ arguments: String...) throws -> RutterProcess.Outcome {
        try RutterProcess.run(
            ["learn"] + arguments + ["--workspace", folder.url.path + "/ws"], input: input, folder: folder.url
        )
    }

    @Test func aLessonIsTakenAndRemembered() throws {
        let left = try learn("$a\nhint\n", "a.md")
        #expect(left.status == 0, "\(left.errors)")
        #expect(left.output.contains("Not yet.") && left.output.contains("Hint: Divide."))
        #expect(!left.output.contains("1.5km"))
        #expect(try learn("").output.contains("a.md: A lesson (begun, 0 of 1 questions)"))
        let ended = try learn("1500m\n", "a.md")
        #expect(ended.output.contains("Right."))
        #expect(ended.output.contains("1 of 1 questions answered correctly"))
        #expect(try learn("").output.contains("(done, 1 of 1 questions)"))
    }

    @Test func lessonsOfACourseComeByTheirNumbers() throws {
        for (name, number) in [("b", 10), ("c", 9)] {
            try Data("---\nlesson: \(number)\n---\n\(Self.lesson)".utf8)
                .write(to: folder.url.appendingPathComponent("\(name).md"))
        }
        let listed = try learn("").output.split(separator: "\n").prefix(3).map { $0.prefix(8) }
        #expect(listed == ["9. c.md:", "10. b.md", "a.md: A "])
        #expect(try learn("1500m\n", "c.md").output.contains("Next: rutter learn b.md"))
        #expect(try !learn("1500m\n", "b.md").output.contains("Next:"))
    }

    /// Prose is broken to the terminal's width at blanks; answers may have one before their unit.
    @Test(.timeLimit(.minutes(2))) func proseFitsTheTerminal() async throws {
        let prose = "Many words, " + String(repeating: "each of them short, ", count: 12) + "and an end."
        try Data(("\(prose)\n\n\(Self.lesson)").utf8).write(to: folder.url.appendingPathComponent("a.md"))
        let terminal = try PseudoTerminal(
            RutterProcess.executable.path,
            ["learn", folder.url.path + "/a.md", "--workspace", folder.url.path + "/ws"],
            environment: [
                "HOME": folder.url.path, "TERM": "xterm-256color", "LANG": "C.UTF-8", "NO_COLOR": "1",
                "TZ": "UTC",
            ])
        try await terminal.waitFor("answer, hint, solution or quit> ")
        let words = terminal.transcript.split(whereSeparator: \.isNewline).filter { $0.contains("short,") }
        #expect(words.count > 1 && words.allSatisfy { $0.count <= 80 && !$0.hasSuffix("shor") })
        terminal.send("1500\r")
        try await terminal.waitFor("write the unit too, such as km")
        terminal.send("1.5 km\r")
        try await terminal.waitFor("1 of 1 questions answered correctly")
        #expect(try await terminal.waitForExit() == 0)
    }

    @Test func whatIsNoLessonIsAnError() throws {
        #expect(try learn("", "none.md").errors.contains("E-NOTEBOOK-FILE"))
        try Data("text".utf8).write(to: folder.url.appendingPathComponent("b.md"))
        #expect(try learn("", "b.md").errors.contains("E-NOTEBOOK-EMPTY"))
    }

    /// Ctrl-C stops a running answer, or discards the input. The lesson continues.
    @Test(.timeLimit(.minutes(5))) func ctrlCStopsTheAnswerAndNotTheLesson() async throws {
        let terminal = try PseudoTerminal(
            RutterProcess.executable.path,
            ["learn", folder.url.path + "/a.md", "--workspace", folder.url.path + "/ws"],
            environment: [
                "HOME": folder.url.path, "TERM": "xterm-256color", "LANG": "C.UTF-8", "NO_COLOR": "1",
                "TZ": "UTC",
            ])
        try await terminal.waitFor("answer, hint, solution or quit> ")
        terminal.send("something\u{03}")
        try await terminal.waitFor("quit leaves the lesson")
        terminal.send("range 1 1000000000 | where it < 0 | count\r")
        // It is not known when it begins to run: Ctrl-C at a prompt does no harm.
        for _ in 0..<100 {
            terminal.send("\u{03}")
            do {
                try await terminal.waitFor("E-INTERRUPTED", timeout: 1)
                break
            } catch { continue }
        }
        try await terminal.waitFor("Not yet.")
        terminal.send("1500m\r")
        try await terminal.waitFor("1 of 1 questions answered correctly")
        #expect(try await terminal.waitForExit() == 0)
    }
}
