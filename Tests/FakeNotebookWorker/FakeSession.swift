import Foundation
import Notebooks
import Synchronization

/// A session with made-up commands.
public final class FakeSession: NotebookSession {
    private struct State {
        var variables: [String: String] = [:]
        var used: Set<String> = []
        var codes: Set<String> = []
        var count = 0
        var isClosed = false
    }

    private static let commands = [
        "say", "fail", "get", "count", "seed", "read", "nap", "hang", "crash", "print", "orphan", "write",
    ]

    private let context: NotebookContext?
    private let beginsToNap: @Sendable () -> Void
    private let state = Mutex(State())

    /// A session of a context, where the commands need one. The closure is called when `nap` begins.
    public init(_ context: NotebookContext? = nil, beginsToNap: @escaping @Sendable () -> Void = {}) {
        self.context = context
        self.beginsToNap = beginsToNap
    }

    /// The value of a variable.
    public func variable(_ name: String) -> String? { state.withLock { $0.variables[name] } }

    /// Whether the session was closed.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Runs a command.
    public func run(_ input: String) async -> CellOutput {
        let (command, rest) = Self.split(input)
        state.withLock { _ = $0.used.insert(command) }
        switch command {
        case "say":
            return CellOutput(text: rest.replacingOccurrences(of: "\\n", with: "\n", options: .literal))
        case "fail":
            let (code, text) = Self.split(rest)
            return fail(code, text)
        case "get": return CellOutput(text: variable(rest) ?? "")
        case "count":
            return CellOutput(
                text: "\(state.withLock { state -> Int in state.count += 1; return state.count })")
        case "seed": return CellOutput(text: "\(context?.settings.seed ?? 0)")
        case "read": return read(rest)
        case "write": return write(rest)
        case "nap": return await nap()
        default: return misbehave(command, rest)
        }
    }

    /// Stores a variable.
    public func setVariable(_ name: String, literal: String) async {
        state.withLock { $0.variables[name] = literal }
    }

    /// The used commands, and all commands.
    public func coverage() async -> CoverageReport {
        var report = CoverageReport()
        let (used, codes) = state.withLock { ($0.used, $0.codes) }
        report.commands = .init(used: used, known: Set(Self.commands))
        report.flags = .init(used: [], known: ["say --loud"])
        report.errorCodes = .init(used: codes, known: ["E-ONE", "E-TWO"])
        return report
    }

    /// Records that it was closed.
    public func close() async { state.withLock { $0.isClosed = true } }

    private static func split(_ text: String) -> (String, String) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
    }

    private func fail(_ code: String, _ text: String) -> CellOutput {
        state.withLock { _ = $0.codes.insert(code) }
        return CellOutput(text: text, failed: true, errorCode: code)
    }

    private func read(_ name: String) -> CellOutput {
        guard let file = context?.dataFiles[name], let text = try? String(contentsOf: file, encoding: .utf8)
        else {
            return fail("E-ONE", "no such data")
        }
        return CellOutput(text: text)
    }

    private func write(_ name: String) -> CellOutput {
        guard let folder = context?.workspace else { return fail("E-ONE", "no workspace") }
        let before = (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.count ?? -1
        try? Data("x".utf8).write(to: folder.appendingPathComponent(name))
        return CellOutput(text: "\(before) files before")
    }

    private func nap() async -> CellOutput {
        beginsToNap()
        // It throws when it is woken.
        try? await Task.sleep(for: .seconds(3600))
        return fail("E-TWO", "woken")
    }

    private func misbehave(_ command: String, _ rest: String) -> CellOutput {
        switch command {
        case "hang": while true { sleep(1000) }
        case "crash":
            FileHandle.standardError.write(Data("the last words\n".utf8))
            abort()
        case "print":
            print(rest)
            fflush(nil)
            return CellOutput(text: "printed")
        case "orphan":
            let child = Process()
            child.executableURL = URL(fileURLWithPath: "/bin/sleep")
            child.arguments = ["1000"]
            try? child.run()
            try? Data("\(child.processIdentifier)".utf8).write(to: URL(fileURLWithPath: rest))
            abort()
        default: return fail("E-ONE", "`\(command)` is no command")
        }
    }
}

/// Makes fake sessions.
public struct FakeFactory: NotebookSessionFactory {
    /// The plugins that it reports.
    public let plugins: Set<String>

    private let beginsToNap: @Sendable () -> Void

    /// A factory with plugins. The closure is called when a session's `nap` begins.
    public init(plugins: Set<String> = ["Routing"], beginsToNap: @escaping @Sendable () -> Void = {}) {
        self.plugins = plugins
        self.beginsToNap = beginsToNap
    }

    /// A fake session.
    public func makeSession(_ context: NotebookContext) async throws -> any NotebookSession {
        FakeSession(context, beginsToNap: beginsToNap)
    }
}
