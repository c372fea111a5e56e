import Foundation
import PluginTestKit
import TerminalTestKit
import Testing

/// Playing a walk at a real terminal, with the whole program behind it.
@Suite(.enabled(if: PluginFolders.have("Guidance"), "needs the plugin Guidance"), .timeLimit(.minutes(10)))
struct GuidancePlayTests {
    private static let walk = "[47,9 47.003,9 47.003,9.004] | guide play"
    private static let leaving = "\u{1B}[?1049l"

    private func terminal(_ home: TemporaryFolder, columns: Int = 80) throws -> PseudoTerminal {
        try PseudoTerminal(
            RutterProcess.executable.path, ["--seed", "42", "--clock", "2026-02-06T08:00:00Z"],
            environment: [
                "HOME": home.url.path, "TERM": "xterm-256color", "LANG": "C.UTF-8", "NO_COLOR": "1",
                "TZ": "UTC",
            ], columns: columns)
    }

    @Test("keys pause, step, change the speed and end; afterwards the prompt is as before")
    func keys() async throws {
        let home = try TemporaryFolder()
        let terminal = try terminal(home)
        try await terminal.waitFor("rutter> ")
        terminal.send(Self.walk + " --rate 1\r")
        try await terminal.waitFor("fix 1 of")
        try await terminal.waitFor("1× real time")
        try await terminal.waitFor("space pause")
        terminal.send(" ")
        try await terminal.waitFor("paused")
        terminal.send("e")
        try await terminal.waitFor("In 100 metres, turn right")
        terminal.send("\u{1B}[C")
        try await terminal.waitFor("paused")
        terminal.send("r")
        try await terminal.waitFor("fix 1 of")
        terminal.send("+")
        terminal.send(" ")
        try await terminal.waitFor("2× real time")
        terminal.send("q")
        try await terminal.waitFor(Self.leaving)
        try await terminal.waitFor("rutter> ")
        terminal.send("1 + 1\r")
        try await terminal.waitFor("2\r\n")
    }

    @Test("Ctrl-C ends the playing, and not the session")
    func interruption() async throws {
        let home = try TemporaryFolder()
        let terminal = try terminal(home)
        try await terminal.waitFor("rutter> ")
        terminal.send(Self.walk + " --rate 0.5\r")
        try await terminal.waitFor("fix 1 of")
        terminal.send("\u{03}")
        try await terminal.waitFor(Self.leaving)
        try await terminal.waitFor("E-INTERRUPTED")
        try await terminal.waitFor("rutter> ")
        terminal.send("20 + 2\r")
        try await terminal.waitFor("22\r\n")
    }

    @Test("a quick walk plays to its end and waits for a key; a resized terminal gets a fitting frame")
    func theEnd() async throws {
        let home = try TemporaryFolder()
        let terminal = try terminal(home)
        try await terminal.waitFor("rutter> ")
        terminal.send(Self.walk + " --rate 500\r")
        try await terminal.waitFor("You have arrived")
        terminal.resize(rows: 12, columns: 50)
        try await terminal.waitFor("spc pause")
        terminal.send("q")
        try await terminal.waitFor(Self.leaving)
        try await terminal.waitFor("rutter> ")
    }

    @Test("a program that is told to end while it plays puts the terminal back first")
    func termination() async throws {
        let home = try TemporaryFolder()
        let terminal = try terminal(home)
        try await terminal.waitFor("rutter> ")
        terminal.send(Self.walk + " --rate 0.5\r")
        try await terminal.waitFor("fix 1 of")
        terminal.signal(SIGTERM)
        try await terminal.waitFor(Self.leaving)
    }

    @Test("without a terminal the last frame's overlay is shown")
    func withoutTerminal() throws {
        let outcome = try RutterProcess.run(["-c", Self.walk])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("You have arrived") && !outcome.output.contains("\u{1B}"))
    }
}
