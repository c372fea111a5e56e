import Foundation
import TerminalTestKit
import Testing

/// Typing and editing at a real terminal.
@Suite(.timeLimit(.minutes(10)))
struct EditingTests {
    @Test func wideTextIsTypedAndEdited() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.send("Zürich 東京 km" + Keys.left + Keys.left + Keys.left + Keys.backspace + Keys.backspace)
        try await demo.waitForLastRow("rutter> Zürich  km")
        demo.send("北京" + Keys.home + Keys.right + Keys.delete)
        try await demo.waitForLastRow("rutter> Zrich 北京 km")
        try await demo.enter("", expecting: #"line: "Zrich 北京 km""#)
        #expect(try await demo.leave() == 0)
    }

    @Test("a letter with a combining accent is one character for Backspace, Delete and the arrows")
    func combiningAccents() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        try await demo.enter("ae\u{301}x" + Keys.backspace + Keys.backspace + "b", expecting: #"line: "ab""#)
        let moves = Keys.left + Keys.left + Keys.left + Keys.right + "-" + Keys.delete
        try await demo.enter("ae\u{301}o\u{308}x" + moves, expecting: "line: \"ae\u{301}-x\"")
        try await demo.enter("a👨‍👩‍👧" + Keys.backspace + "b🇨🇭" + Keys.backspace, expecting: #"line: "ab""#)
        #expect(try await demo.leave() == 0)
    }

    @Test(arguments: [
        ["LANG": "C"], ["LANG": "", "LC_ALL": "POSIX"], ["LANG": "", "TERM": ""],
        ["LANG": "C", "TERM": "dumb"], ["LANG": "de_XX.ISO-8859-1"], ["TERM": "no-such-terminal"],
    ])
    func anyEnvironmentTakesUTF8(environment: [String: String]) async throws {
        let demo = try DemoSession(environment: environment)
        try await demo.terminal.waitFor("rutter> ")
        try await demo.enter("Zürichx" + Keys.backspace + " 東京", expecting: #"line: "Zürich 東京""#)
        #expect(try await demo.leave() == 0)
    }

    @Test func terminalWithoutSequencesGetsNone() async throws {
        let demo = try DemoSession(environment: ["TERM": "dumb", "NO_COLOR": ""])
        try await demo.terminal.waitFor("rutter> ")
        try await demo.enter("one", expecting: "line: \"one\"")
        #expect(try await demo.leave() == 0)
        #expect(!demo.terminal.transcript.contains("\u{1B}"))
    }

    @Test func emacsKeysEdit() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        let keys =
            "two three four" + Keys.control("W") + Keys.control("A") + "one " + Keys.control("E") + "five"
            + Keys.control("B") + Keys.control("K") + Keys.home + Keys.control("D") + "O" + Keys.end + "!"
        try await demo.enter(keys, expecting: #"line: "One two three fiv!""#)
        let words = "\u{1B}[1;5D" + "x" + "\u{1B}[1;5D\u{1B}[1;5D" + "y" + "\u{1B}f" + "z"
        try await demo.enter("alpha beta" + words, expecting: #"line: "yalphaz xbeta""#)
    }

    @Test func unknownKeysLeaveNoTrace() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        let functionKeys = "\u{1B}[15~\u{1B}[[A\u{1B}OP\u{1B}[24;5~\u{1B}[5~"
        try await demo.enter("a" + functionKeys + "b", expecting: #"line: "ab""#)
    }

    @Test func invalidBytesAreReplaced() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.terminal.send(bytes: [0x61, 0xFF, 0x62, 0xC3, 0x63, 0x80, 0xED, 0xA0, 0x80, 0x64])
        try await demo.enter("", expecting: "line: \"a\u{FFFD}b\u{FFFD}c\u{FFFD}\u{FFFD}d\"")
        demo.terminal.send(bytes: [0xC2, 0x90, 0x00, 0x65])
        try await demo.enter("", expecting: #"line: "e""#)
    }

    @Test func entriesGoOnOverSeveralLines() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.send("first [\r")
        try await demo.terminal.waitFor("   ...> ")
        demo.send("second\r")
        try await demo.terminal.waitFor("   ...> ")
        try await demo.enter("] third", expecting: #"line: "first [\nsecond\n] third""#)
    }

    @Test func endOfInputCompletesAContinuation() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.send("first [\r")
        try await demo.terminal.waitFor("   ...> ")
        try await demo.enter(Keys.control("D"), expecting: #"line: "first [""#)
        #expect(try await demo.leave() == 0)
    }

    @Test func viKeysComeFromEditrc() async throws {
        let demo = try DemoSession(editrc: "# comment\nbind -v\n")
        try await demo.terminal.waitFor("rutter> ")
        demo.send("abc def")
        try await demo.waitForLastRow("rutter> abc def")
        demo.send(Keys.escape)
        // A lone Escape is one that nothing follows; in command mode the cursor steps back.
        try await demo.waitForCursor(column: "rutter> abc de".count)
        try await demo.enter("0x", expecting: #"line: "bc def""#)
        try await demo.enter("ac" + Keys.left + "b" + Keys.end + "d", expecting: #"line: "abcd""#)
        try await demo.enter(Keys.up + Keys.up + "!", expecting: #"line: "bc def!""#)
        try await demo.enter("uni" + Keys.tab, expecting: #"line: "unique ""#)
        demo.send("lost")
        try await demo.interrupt()
        #expect(try await demo.leave() == 0)
    }

    @Test func editrcMayBindKeys() async throws {
        let editrc = """
            rutter:bind -e
            other:bind -v
            rutter:bind ^T ed-move-to-beg
            bind "\\e[A" ed-move-to-end
            nonsense
            bind ^[[B ed-move-to-beg
            bind ^C ed-insert
            """
        let demo = try DemoSession(editrc: editrc)
        try await demo.terminal.waitFor("rutter> ")
        let keys = "bc" + Keys.control("T") + "a" + Keys.up + "d" + Keys.down + "0" + Keys.end + "e"
        try await demo.enter(keys, expecting: #"line: "0abcde""#)
        demo.send("lost")
        try await demo.interrupt()
    }

    @Test func withoutATerminalNothingIsEdited() async throws {
        let home = try DemoHome()
        let (input, output) = (home.appendingPathComponent("input"), home.appendingPathComponent("output"))
        try Data("one\n".utf8).write(to: input)
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: DemoSession.program)
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = try FileHandle(forWritingTo: output)
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(status == 0)
        #expect(try String(contentsOf: output, encoding: .utf8) == "plain: one\n")
    }
}
