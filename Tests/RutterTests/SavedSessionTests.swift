import Foundation
import PluginTestKit
import TerminalTestKit
import Testing

/// A session that was typed at a colour prompt, with resizes and interruptions, is saved and passes as a test.
///
/// `RUTTER_SAVED_SESSIONS=500` tries that many, from `RUTTER_SAVED_SEED`.
@Suite(
    .serialized, .timeLimit(.minutes(120)),
    .enabled(if: PluginFolders.have("Waypoints"), "needs the plugin Waypoints"))
struct SavedSessionTests {
    private static let sessions = 6

    @Test func whatIsSavedPasses() async throws {
        let variables = ProcessInfo.processInfo.environment
        let count = variables["RUTTER_SAVED_SESSIONS"].flatMap(Int.init) ?? Self.sessions
        let first = variables["RUTTER_SAVED_SEED"].flatMap(UInt64.init) ?? 1
        for seed in first..<first + UInt64(count) {
            do { try await Self.savedSessionPasses(seed: seed) } catch { Issue.record(error, "seed \(seed)") }
        }
    }

    private static func savedSessionPasses(seed: UInt64) async throws {
        var session = try TypedSession(seed: seed)
        let steps = try await session.play()
        let page = session.folder.url.appendingPathComponent("s.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(!text.contains("\u{1B}") && !text.contains("x{1b}"), "seed \(seed): \(steps)")
        let outcome = try RutterProcess.run(["test", "s.md"], folder: session.folder.url)
        #expect(outcome.status == 0, "seed \(seed): \(steps)\n\(outcome.output)\(outcome.errors)")
    }
}

/// A random session at a terminal.
private struct TypedSession {
    let folder: TemporaryFolder
    private var random: SplitMix
    private let terminal: PseudoTerminal

    /// What the editor sends when it waits for a line.
    private static let ready = "\u{1B}[?2004h"
    private static let interrupt = "\u{03}"
    private static let widths = [40, 60, 80, 120, 200]
    private static let names = ["Évian", "東京", "Ull de Ter", "a\\tb", "x", "🏔 hut", "e\u{301}"]

    init(seed: UInt64) throws {
        folder = try TemporaryFolder()
        random = SplitMix(seed: seed)
        try Data("a,b\n1,2\n3,4\n".utf8).write(to: folder.url.appendingPathComponent("ok.csv"))
        let other = folder.url.appendingPathComponent("two words", isDirectory: true)
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        try Data("x\n1\n".utf8).write(to: other.appendingPathComponent("my file.csv"))
        let path = folder.url.path
        terminal = try PseudoTerminal(
            "/bin/sh",
            ["-c", "cd \"$1\" && exec \"$2\" --workspace w", "sh", path, RutterProcess.executable.path],
            environment: [
                "HOME": path, "TERM": "xterm-256color", "LANG": "C.UTF-8",
                "TZ": ["UTC", "Europe/Zurich"][Int(random.next() % 2)],
            ], columns: 100)
    }

    private mutating func number(_ most: Int) -> Int { random.below(most) + 1 }

    /// Types everything and ends; returns what was done.
    mutating func play() async throws -> [String] {
        var steps: [String] = []
        try await waitForPrompt("the first prompt", after: 0)
        for entry in (0..<number(7) + 1).map({ _ in entry() }) + ["notebook save s.md"] {
            if number(5) == 1 {
                let columns = random.pick(Self.widths)
                terminal.resize(rows: 24, columns: columns)
                steps.append("<\(columns) columns>")
            }
            if number(10) == 1 {
                steps.append("<Ctrl-C while typing>")
                try await type("1 + 77" + Self.interrupt)
            }
            if number(16) == 1 {
                steps.append("<Ctrl-C while running>")
                let before = Self.prompts(in: terminal.transcript)
                // An entry before this one may have been slow, too, and another one stopped.
                let (running, stopped) = ("Ctrl-C stops", "E-INTERRUPTED")
                let earlier = [running, stopped].map { Self.count($0, in: terminal.transcript) }
                terminal.send("range 1 1000000000000 | count\r")
                try await terminal.waitUntil(running) { Self.count(running, in: $0) > earlier[0] }
                terminal.send(Self.interrupt)
                try await terminal.waitUntil(stopped) { Self.count(stopped, in: $0) > earlier[1] }
                try await waitForPrompt("the prompt", after: before)
            }
            steps.append(entry)
            try await type(entry + "\r")
        }
        terminal.send("\u{04}")
        _ = try await terminal.waitForExit()
        return steps
    }

    private static func prompts(in transcript: String) -> Int { count(ready, in: transcript) }

    private static func count(_ text: String, in transcript: String) -> Int {
        transcript.components(separatedBy: text).count - 1
    }

    private func type(_ text: String) async throws {
        let before = Self.prompts(in: terminal.transcript)
        terminal.send(text)
        try await waitForPrompt("the prompt after \(text)", after: before)
    }

    /// Waits for a further prompt, and that it is drawn: before, the terminal is not the editor's yet, and drops what was typed at
    /// a Ctrl-C.
    private func waitForPrompt(_ what: String, after before: Int) async throws {
        try await terminal.waitUntil(what) {
            Self.prompts(in: $0) > before
                && $0.components(separatedBy: Self.ready).last?.contains("rutter>") == true
        }
    }

    private mutating func entry() -> String {
        let (a, b, c) = (number(90), number(90), number(90))
        let name = random.pick(Self.names)
        return random.pick([
            "\(a) + \(b) * \(c)", "\(a)km / \(b) in mi", "let v\(a % 3) = \(b)m", "$v\(a % 3) * 2",
            "range 1 \(a) | where it > \(b) | count", "range 1 \(a)", "range 1 300",
            "[{name: \"\(name)\" beds: \(a)} {name: 'b' beds: \(b)}] | sort beds", "'\(name)'", "\"\(name)\"",
            "[{name: aaaaaaaaaaaaaaaaaaaaaaaa other: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb third: cccccccccccccccccccccccc}]",
            "nosuch", "1 / 0", "2km > 3s", "range 1 3 | select x", "assert 1 == 2", "explain E-TYPE",
            "help where",
            "help zebra", "help map", "open ok.csv", "open '\(folder.url.path)/ok.csv' | sum a",
            "open nofile.csv",
            "open 'two words/my file.csv' | count", "open ok.csv | describe", "open ok.csv | to json",
            "open ok.csv | first",
            "open ok.csv | save out\(a).csv", "let t = open ok.csv", "$t | count", "$_", "set view record",
            "set view table", "set units imperial", "set units metric", "set width 60", "set color true",
            "set timezone Europe/Zurich", "waypoint add \(a),\(b) --label W\(c)", "waypoint list",
            "waypoint near 20,20 --radius 1000km", "clock", "clock +10min", "clock 2026-05-01T08:00", "today",
            "now",
            "undo", "history | count", "seed 7", "[46.5,7.9 46.6,8.0] | map", "[1 5 2 9] | plot",
            "1 + 1; 2 + 2",
            "# only a comment", "1 + 1 # said", "", "''", "[]", "nothing", "'```'", "\"a\\n\\nb\"",
            "\"  lead\"",
            "\"trail  \"", "def twice [n: number] { $n * 2 }", "twice \(a)", "expect-error E-TYPE (1 + 'a')",
        ])
    }
}
