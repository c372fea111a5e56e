import Foundation
import PluginTestKit
import TerminalTestKit
import Testing

/// The prompt at a real terminal, with the whole program behind it.
@Suite(.timeLimit(.minutes(10)))
struct PromptTests {
    /// The program at a terminal, in a home of its own.
    private struct Running {
        let terminal: PseudoTerminal
        let home: TemporaryFolder
        /// The prompt as its bytes arrive.
        let prompt: String

        init(home: TemporaryFolder? = nil, environment: [String: String] = [:], columns: Int = 80) throws {
            let home = try home ?? TemporaryFolder()
            self.home = home
            var variables = [
                "HOME": home.url.path, "TERM": "xterm-256color", "LANG": "C.UTF-8", "NO_COLOR": "1",
                "TZ": "UTC",
            ]
            variables.merge(environment) { $1 }
            prompt = variables["NO_COLOR"] == "" ? "rutter>\u{1B}[0m " : "rutter> "
            terminal = try PseudoTerminal(
                RutterProcess.executable.path, ["--seed", "42", "--clock", "2026-02-06T08:00:00Z"],
                environment: variables, columns: columns)
        }

        func enter(_ text: String, expecting answer: String) async throws {
            terminal.send(text + "\r")
            try await terminal.waitFor(answer)
            try await terminal.waitFor(prompt)
        }
    }

    private static let tab = "\t"
    private static let interrupt = "\u{03}"
    private static let endOfInput = "\u{04}"
    /// What the terminal gets when a command shows a line: the editor has just given the terminal back.
    private static func shown(_ line: String) -> String { "\u{1B}[?2004l\(line)\r\n" }

    private static let up = "\u{1B}[A"

    @Test func entriesAndTheirErrors() async throws {
        let running = try Running()
        try await running.terminal.waitFor("rutter> ")
        try await running.enter("1 + 1", expecting: "2\r\n")
        try await running.enter("2km > 3s", expecting: "E-UNIT-DIMENSION")
        running.terminal.send(Self.endOfInput)
        #expect(try await running.terminal.waitForExit() == 0)
    }

    /// OSC 52 with the rows in base 64: `a`, a line end, `1`.
    @Test func aCopyGoesToTheTerminal() async throws {
        let running = try Running()
        try await running.terminal.waitFor("rutter> ")
        try await running.enter("[{a: 1}] | copy", expecting: "\u{1B}]52;c;YQox\u{07}")
    }

    @Test(.needs(.cairo)) func picturesArePicturesWhereTheTerminalCan() async throws {
        let running = try Running(environment: ["TERM_PROGRAM": "iTerm.app"])
        try await running.terminal.waitFor("rutter> ")
        let plot = "[{a: 1, b: 2} {a: 2, b: 3}] | plot a b"
        try await running.enter(plot, expecting: "\u{1B}]1337;File=inline=1;size=")
        try await running.enter("set pictures text", expecting: "\r\n")
        try await running.enter(plot, expecting: "┤")
    }

    @Test func aPasteOfSeveralLinesWaitsForEnter() async throws {
        let running = try Running()
        try await running.terminal.waitFor("rutter> ")
        running.terminal.send("\u{1B}[200~1 + 1\n40 + 2\n\u{1B}[201~")
        try await running.terminal.waitFor("40 + 2")
        #expect(!running.terminal.transcript.contains("42"))
        try await running.enter("", expecting: "2\r\n42\r\n")
    }

    /// What follows an entry that fails runs all the same, as in a shell.
    @Test func theStartFileRunsAndItsErrorIsShown() async throws {
        let home = try TemporaryFolder()
        let folder = home.url.appendingPathComponent(".config/rutter", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("def twice [n: number] { $n * 2 }\n\nnosuch\nlet after = 7\n".utf8).write(
            to: folder.appendingPathComponent("config.rut"))
        let running = try Running(home: home)
        try await running.terminal.waitFor("config.rut:3:1")
        try await running.terminal.waitFor("rutter> ")
        try await running.enter("twice 21", expecting: "42\r\n")
        try await running.enter("$after", expecting: "7\r\n")
    }

    @Test func anEntryOfSeveralLines() async throws {
        let running = try Running()
        try await running.terminal.waitFor("rutter> ")
        running.terminal.send("[1 2\r")
        try await running.terminal.waitFor("   ...> ")
        try await running.enter("3] | count", expecting: "3\r\n")
    }

    @Test(.enabled(if: PluginFolders.have("Waypoints"), "needs the plugin Waypoints"))
    func completionOfLiveData() async throws {
        let running = try Running()
        try await running.terminal.waitFor("rutter> ")
        try await running.enter(
            "waypoint add 46.5,7.9 --label \"Refugi de Juclà\"", expecting: "Refugi de Juclà")
        running.terminal.send("waypoint show @Ref" + Self.tab)
        try await running.terminal.waitFor("Juclà")
        running.terminal.send("\r")
        try await running.terminal.waitFor("uuid")
        try await running.terminal.waitFor("rutter> ")
        try await running.enter("let reach = 2km", expecting: "\r\n")
        try await running.enter("$rea" + Self.tab + " * 2", expecting: "4km")
        try await running.enter("waypoint list --cat" + Self.tab + "shel" + Self.tab, expecting: "(no rows)")
    }

    @Test func wideCharacters() async throws {
        let running = try Running()
        try await running.terminal.waitFor("rutter> ")
        try await running.enter("'Zürich' + ' 東京'", expecting: Self.shown("Zürich 東京"))
    }

    @Test(arguments: ["C", "POSIX", ""])
    func otherLocales(locale: String) async throws {
        let running = try Running(environment: ["LANG": locale, "LC_ALL": locale])
        try await running.terminal.waitFor("rutter> ")
        try await running.enter("'Zürich 東京'", expecting: Self.shown("Zürich 東京"))
    }

    @Test func interruptionWhileTyping() async throws {
        let running = try Running()
        try await running.terminal.waitFor("rutter> ")
        running.terminal.send("1 + 7777" + Self.interrupt)
        try await running.terminal.waitFor("rutter> ")
        try await running.enter("1 + 1", expecting: Self.shown("2"))
    }

    @Test func interruptionOfACommand() async throws {
        let running = try Running()
        try await running.terminal.waitFor("rutter> ")
        running.terminal.send("range 1 1000000000000 | count\r")
        try await running.terminal.waitFor("Ctrl-C stops")
        running.terminal.send(Self.interrupt)
        try await running.terminal.waitFor("E-INTERRUPTED")
        try await running.terminal.waitFor("rutter> ")
        try await running.enter("1 + 1", expecting: Self.shown("2"))
    }

    @Test func historyIsKeptAcrossSessions() async throws {
        let home = try TemporaryFolder()
        let first = try Running(home: home)
        try await first.terminal.waitFor("rutter> ")
        try await first.enter("111 * 3", expecting: "333")
        first.terminal.send(Self.endOfInput)
        _ = try await first.terminal.waitForExit()
        let second = try Running(home: home)
        try await second.terminal.waitFor("rutter> ")
        try await second.enter(Self.up, expecting: Self.shown("333"))
    }

    @Test func aPastedTranscriptLosesPromptsAndOutput() async throws {
        let running = try Running()
        try await running.terminal.waitFor("rutter> ")
        running.terminal.send("\u{1B}[200~rutter> 20 + 2\n22\nrutter> 30 + 3\n33\n\u{1B}[201~\r")
        try await running.terminal.waitFor(Self.shown("22"))
        // What was pasted is run as a whole, after Enter.
        try await running.terminal.waitFor("33\r\n")
    }

    @Test(arguments: ["C.UTF-8", "C"])
    func wordsAreColouredAndHistoryIsSuggested(locale: String) async throws {
        let running = try Running(environment: ["NO_COLOR": "", "LANG": locale])
        try await running.terminal.waitFor(running.prompt)
        running.terminal.send("range 1 3 | count # é")
        try await running.terminal.waitFor("\u{1B}[1mrange")
        try await running.terminal.waitFor("\u{1B}[34m3")
        try await running.terminal.waitFor("\u{1B}[2m# é")
        try await running.enter("", expecting: "3\r\n")
        running.terminal.send("ran")
        try await running.terminal.waitFor("\u{1B}[2mge 1 3 | count # é")
        try await running.enter("\u{1B}[C", expecting: "3\r\n")
        running.terminal.send("nosuch ")
        try await running.terminal.waitFor("\u{1B}[31mnosuch")
    }

    @Test(.enabled(if: PluginFolders.have("Stores"), "needs the plugin Stores"))
    func thePromptNamesAStrangersStore() async throws {
        let running = try Running()
        try await running.terminal.waitFor("rutter> ")
        let copy = running.home.url.appendingPathComponent("bug.db").path
        try await running.enter("store copy :memory: \(copy)", expecting: "bug.db")
        running.terminal.send("store open \(copy)\r")
        try await running.terminal.waitFor("[bug, read-only] rutter> ")
        running.terminal.send("store close\r")
        try await running.terminal.waitFor("closed bug")
        try await running.terminal.waitUntil("the plain prompt") {
            $0.hasSuffix("rutter> ") && !$0.hasSuffix("] rutter> ")
        }
    }

    /// After a step back into the name of a folder, Tab goes on in the folder and adds no second quote.
    @Test func tabAfterAStepBack() async throws {
        let running = try Running()
        let folder = running.home.url.appendingPathComponent("two words", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("x\n1\n".utf8).write(to: folder.appendingPathComponent("my file.csv"))
        try await running.terminal.waitFor("rutter> ")
        running.terminal.send("open \(running.home.url.path)/tw" + Self.tab)
        try await running.terminal.waitFor("words/")
        running.terminal.send("\u{1B}[D" + Self.tab)
        try await running.terminal.waitFor("my file.csv'")
        try await running.enter(" | count", expecting: Self.shown("1"))
    }

    @Test func longResultsArePagedWhereThatIsWanted() async throws {
        let running = try Running()
        try await running.terminal.waitFor("rutter> ")
        try await running.enter("set pager true", expecting: "\r\n")
        running.terminal.send("range 1 100\r")
        try await running.terminal.waitFor("lines 1–23 of 100")
        running.terminal.send(" ")
        try await running.terminal.waitFor("lines 24–46 of 100")
        running.terminal.send("G")
        try await running.terminal.waitFor("of 100")
        running.terminal.send("q")
        try await running.terminal.waitFor("rutter> ")
        try await running.enter("1 + 1", expecting: "2\r\n")
    }

    @Test func longResultsArePagedByTheUsersPager() async throws {
        let running = try Running(environment: ["PAGER": "sed -n s/^100$/the-last-one/p"])
        try await running.terminal.waitFor("rutter> ")
        try await running.enter("set pager true", expecting: "\r\n")
        try await running.enter("range 1 100", expecting: "the-last-one\r\n")
        #expect(!running.terminal.transcript.contains("50\r\n"))
    }

    @Test func aPagerThatIsNotThereIsNotNeeded() async throws {
        let running = try Running(environment: ["PAGER": "no-such-pager"])
        try await running.terminal.waitFor("rutter> ")
        try await running.enter("set pager true", expecting: "\r\n")
        running.terminal.send("range 1 100\r")
        try await running.terminal.waitFor("lines 1–23 of 100")
        running.terminal.send("q")
        try await running.terminal.waitFor("rutter> ")
    }

    @Test func anEntryIsEditedInTheUsersEditor() async throws {
        let home = try TemporaryFolder()
        let editor = home.url.appendingPathComponent("editor")
        try "#!/bin/sh\nsed -i 's/two/2/; s/one/40/' \"$1\"\n".write(
            to: editor, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: editor.path)
        let running = try Running(home: home, environment: ["EDITOR": editor.path])
        try await running.terminal.waitFor("rutter> ")
        running.terminal.send("[one\r")
        try await running.terminal.waitFor("...> ")
        running.terminal.send("two] | sum\u{18}\u{05}")
        try await running.terminal.waitFor("2] | sum")
        try await running.enter("", expecting: Self.shown("42"))
    }

    @Test func anEditorThatFailsLeavesTheEntry() async throws {
        let running = try Running(environment: ["EDITOR": "false"])
        try await running.terminal.waitFor("rutter> ")
        running.terminal.send("1 + 1\u{18}\u{05}")
        try await running.enter(" + 40", expecting: "42\r\n")
    }

    @Test func theWidthFollowsTheTerminal() async throws {
        let running = try Running()
        try await running.terminal.waitFor("rutter> ")
        running.terminal.resize(rows: 30, columns: 120)
        try await running.enter("set | where setting == width | get value", expecting: "120")
    }

    @Test func quit() async throws {
        let running = try Running()
        try await running.terminal.waitFor("rutter> ")
        running.terminal.send("quit\r")
        #expect(try await running.terminal.waitForExit() == 0)
    }
}
