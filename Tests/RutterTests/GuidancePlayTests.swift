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
        // The line of progress of long commands, which would appear by now, stays out of the picture.
        try await Task.sleep(for: .seconds(1))
        #expect(!terminal.transcript.contains("Ctrl-C stops"))
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

    @Test("a program that is terminated during playback restores the terminal first")
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

/// Spoken walks, with another program in place of the speech program.
@Suite(.enabled(if: PluginFolders.have("Guidance"), "needs the plugin Guidance"), .timeLimit(.minutes(10)))
struct GuidanceSpeechTests {
    private let folder: TemporaryFolder
    private static let walk = "[47,9 47.003,9 47.003,9.004] | guide play --speak"
    private static let words = [
        "In 100 metres, turn right", "Turn right", "In 100 metres, you arrive", "You have arrived",
    ]

    init() throws { folder = try TemporaryFolder() }

    private func run(_ entry: String) throws -> RutterProcess.Outcome {
        try RutterProcess.run(
            ["--workspace", folder.url.appendingPathComponent("w").path, "--seed", "1", "-c", entry],
            environment: ["PATH": folder.url.path], folder: folder.url)
    }

    /// A program with a name that stores its input text.
    private func speaker(_ body: String) throws {
        let url = folder.url.appendingPathComponent("espeak-ng")
        try Data("#!/bin/sh\n\(body)\n".utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
    }

    /// The samples of a file of 16 bits.
    private func samples(_ name: String) throws -> [Int16] {
        let bytes = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent(name)))
        #expect(bytes.prefix(4).elementsEqual("RIFF".utf8))
        return stride(from: 44, to: bytes.count - 1, by: 2).map {
            Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)
        }
    }

    @Test("all prompts are spoken in their order")
    func spoken() throws {
        let kept = folder.url.appendingPathComponent("kept.txt")
        try speaker("while [ $# -gt 1 ]; do shift; done; echo \"$1\" >> \(kept.path)")
        let outcome = try run(Self.walk + " | get text")
        #expect(outcome.output == "You have arrived\n" && outcome.errors == "")
        let said = try String(contentsOf: kept, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(said == Self.words)
    }

    @Test("without the program a sound file is written: each signal at its time, divided by the rate")
    func signals() throws {
        let outcome = try run(Self.walk + " --rate 10 | select file prompts voice notice | to json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("walk.wav") && outcome.output.contains("\"signals\""))
        #expect(outcome.output.contains("espeak-ng is not installed"))
        let samples = try samples("walk.wav")
        // The first prompt is due 100 m before the turn at 333.6 m: after 180 s at 1.3 m/s.
        let first = try #require(samples.firstIndex { $0 != 0 })
        #expect(abs(Double(first) / 22_050 - 18.0) < 0.15)
        // The last is the arrival: a chord that ends 0.48 s after it begins, 30 m before the end at 636.9 m.
        let end = Double(samples.count) / 22_050
        #expect(abs(end - ((636.9 - 30) / 1.3 / 10 + 0.48)) < 0.2)
        #expect(try run(Self.walk).errors.contains("E-FILE-EXISTS"))
    }

    @Test("the words of the program are put at their times")
    func sound() throws {
        // Two samples, 1 and 2, as a sound of 22,050 Hz.
        let header =
            "RIFF\\050\\000\\000\\000WAVEfmt \\020\\000\\000\\000\\001\\000\\001\\000\\042V\\000\\000D\\254\\000\\000\\002\\000\\020\\000"
        try speaker("printf '\(header)data\\004\\000\\000\\000\\001\\000\\002\\000'")
        let outcome = try run(Self.walk + " --out w.wav --rate 100 | get voice")
        #expect(outcome.output == "espeak-ng\n" && outcome.errors == "")
        let samples = try samples("w.wav")
        #expect(samples.filter { $0 != 0 } == [1, 2, 1, 2, 1, 2, 1, 2])
    }

    @Test("a program that fails is reported with its words")
    func failure() throws {
        try speaker("echo 'no such voice' >&2; exit 3")
        let outcome = try run(Self.walk)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("espeak-ng could not speak (status 3): no such voice"))
    }

    @Test("while playing at a terminal the prompts are spoken as they come")
    func atATerminal() async throws {
        let kept = folder.url.appendingPathComponent("kept.txt")
        try speaker("while [ $# -gt 1 ]; do shift; done; echo \"$1\" >> \(kept.path)")
        let terminal = try PseudoTerminal(
            RutterProcess.executable.path, ["--seed", "42", "--clock", "2026-02-06T08:00:00Z"],
            environment: [
                "HOME": folder.url.path, "TERM": "xterm-256color", "LANG": "C.UTF-8", "NO_COLOR": "1",
                "TZ": "UTC", "PATH": folder.url.path,
            ], columns: 80)
        try await terminal.waitFor("rutter> ")
        terminal.send(Self.walk + " --rate 50\r")
        try await terminal.waitFor("You have arrived")
        terminal.send("q")
        try await terminal.waitFor("\u{1B}[?1049l")
        try await terminal.waitFor("rutter> ")
        let said = try String(contentsOf: kept, encoding: .utf8).split(separator: "\n").map(String.init)
        // Those that come while others are spoken are left out; the first is never.
        #expect(said.first == Self.words[0] && said.allSatisfy(Self.words.contains))
    }
}
