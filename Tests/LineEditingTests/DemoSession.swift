import Foundation
import TerminalTestKit

/// A folder of its own for a test, deleted with it.
final class DemoHome: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("line-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func appendingPathComponent(_ path: String) -> URL { url.appendingPathComponent(path) }
}

/// The demo at a terminal, in a home of its own.
struct DemoSession {
    let terminal: PseudoTerminal
    let home: DemoHome
    let rows: Int
    let columns: Int
    /// The prompt as its bytes arrive.
    let prompt: String

    /// Starts the demo. `home` may be one of an earlier session, to find its history.
    init(
        home: DemoHome? = nil, editrc: String? = nil, environment: [String: String] = [:],
        arguments: [String] = [], rows: Int = 24, columns: Int = 80
    ) throws {
        self.home = try home ?? DemoHome()
        self.rows = rows
        self.columns = columns
        if let editrc {
            try editrc.write(
                to: self.home.appendingPathComponent(".editrc"), atomically: true, encoding: .utf8)
        }
        var variables = [
            "HOME": self.home.url.path, "TERM": "xterm-256color", "LANG": "C.UTF-8", "NO_COLOR": "1",
        ]
        variables.merge(environment) { $1 }
        let isPlain = variables["NO_COLOR"] != "" || variables["TERM"] == "dumb"
        prompt = isPlain ? "rutter> " : "rutter>\u{1B}[0m "
        let history = self.home.appendingPathComponent("history").path
        terminal = try PseudoTerminal(
            DemoSession.program, ["--history", history] + arguments,
            environment: variables.filter { !$0.value.isEmpty }, rows: rows, columns: columns)
    }

    /// The demo lies beside the tests' own program.
    static var program: String {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appendingPathComponent("lineediting-demo").path
    }

    var historyText: String {
        get throws { try String(contentsOf: home.appendingPathComponent("history"), encoding: .utf8) }
    }

    func send(_ text: String) { terminal.send(text) }

    /// Types an entry, and waits for what the demo says of it and for the next prompt: until that, the terminal is in
    /// its normal mode and may take keys for its own.
    func enter(_ text: String, expecting answer: String) async throws {
        send(text + "\r")
        try await terminal.waitFor(answer)
        try await terminal.waitFor(prompt)
    }

    /// Types Ctrl-C, and waits until the line is dropped.
    func interrupt() async throws {
        send(Keys.control("C"))
        try await terminal.waitFor("interrupted")
        try await terminal.waitFor(prompt)
    }

    /// Waits until the last row on the screen is this one.
    func waitForLastRow(_ text: String, columns: Int? = nil) async throws {
        try await terminal.waitUntil("the last row \(text)") {
            screen($0, columns: columns).lines.last == text
        }
    }

    /// Waits until the cursor is in a column, from 0.
    func waitForCursor(column: Int) async throws {
        try await terminal.waitUntil("the cursor in column \(column)") { screen($0).column == column }
    }

    /// Waits until the screen has a row.
    func waitForRow(_ text: String) async throws {
        try await terminal.waitUntil("the row \(text)") { screen($0).lines.contains(text) }
    }

    /// Waits until the screen shows these rows and no others.
    func waitForRows(_ rows: [String]) async throws {
        try await terminal.waitUntil("the rows \(rows)") { screen($0).lines == rows }
    }

    /// The screen now.
    var screen: VirtualScreen { screen(terminal.transcript) }

    /// Leaves the demo by Ctrl-D and returns its exit status.
    func leave() async throws -> Int32 {
        send(Keys.control("D"))
        try await terminal.waitFor("end of input")
        return try await terminal.waitForExit()
    }

    private func screen(_ transcript: String, columns: Int? = nil) -> VirtualScreen {
        VirtualScreen(transcript, rows: rows, columns: columns ?? self.columns)
    }
}

/// What keys send.
enum Keys {
    static let up = "\u{1B}[A"
    static let down = "\u{1B}[B"
    static let right = "\u{1B}[C"
    static let left = "\u{1B}[D"
    static let home = "\u{1B}[H"
    static let end = "\u{1B}[F"
    static let delete = "\u{1B}[3~"
    static let backspace = "\u{7F}"
    static let escape = "\u{1B}"
    static let tab = "\t"

    static func control(_ letter: Character) -> String {
        letter.asciiValue.map { String(UnicodeScalar($0 & 0x1F)) } ?? ""
    }

    /// Text as a terminal sends it when it is pasted.
    static func paste(_ text: String) -> String {
        "\u{1B}[200~" + text.replacingOccurrences(of: "\n", with: "\r") + "\u{1B}[201~"
    }
}
