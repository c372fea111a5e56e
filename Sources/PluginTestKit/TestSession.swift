import CivilTime
import Foundation
import Logging
import PluginKit
import Workbench

/// A session for tests: seed 42, a stopped clock, a fresh workspace that is deleted with it.
public final class TestSession: Sendable {
    /// Constants of test sessions.
    public enum Settings {
        /// Seed of every test session.
        public static let seed: UInt64 = 42
        /// 2026-02-06T08:00:00Z, the time of the clock.
        public static let start = Timestamp(milliseconds: 1_770_364_800_000)
    }

    /// The session itself.
    public let session: Session
    /// The folder of the session: workspace below it, files written by commands in it.
    public let folder: TemporaryFolder

    /// A session with plugins, in the folder of another one if it shares its workspace. `files` are written to the folder
    /// first; `progress` receives what commands report.
    public init(
        plugins: @escaping @Sendable () -> [any Plugin] = { [] }, files: [String: Data] = [:],
        sharing other: TestSession? = nil,
        environment: PluginKit.Environment = .notebook, executor: CommandExecutor? = nil,
        progress: ProgressReporter = ProgressReporter()
    ) throws {
        folder = try other?.folder ?? TemporaryFolder()
        for (name, data) in files { try data.write(to: folder.url.appendingPathComponent(name)) }
        var configuration = SessionConfiguration(
            seed: Settings.seed, clock: SessionClock(standingAt: Settings.start),
            environment: environment,
            workspace: folder.url.appendingPathComponent("workspace", isDirectory: true),
            files: FileAccess(unconfinedIn: folder.url),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, progress: progress)
        configuration.files.pluginFolders = [folder.url.appendingPathComponent("plugins", isDirectory: true)]
        configuration.executor = executor
        session = try Session(configuration: configuration, plugins: plugins)
    }

    /// Runs an entry and returns all that a terminal would show.
    @discardableResult
    public func run(_ entry: String) async -> String { await session.run(entry).text }

    /// Runs an entry that must succeed and returns all that a terminal would show: an error, too, does not contain what is not expected.
    /// Throws its failure.
    public func output(_ entry: String) async throws -> String {
        let result = await session.run(entry)
        if let failure = result.failure { throw failure }
        return result.text
    }

    /// Runs an entry and returns what a terminal would show but for the notes about it, which follow values through a pipe.
    public func shown(_ entry: String) async -> String { await result(entry).outputWithoutNote }

    /// Runs an entry and returns its result.
    public func result(_ entry: String) async -> EntryResult { await session.run(entry) }

    /// Runs an entry that must succeed and returns its value. Throws its failure.
    @discardableResult
    public func value(_ entry: String) async throws -> Value {
        let result = await session.run(entry)
        if let failure = result.failure { throw failure }
        return result.value
    }
}

/// A folder that is deleted with its owner.
public final class TemporaryFolder: Sendable {
    /// Its URL.
    public let url: URL

    /// Creates a fresh folder.
    public init() throws {
        let template = FileManager.default.temporaryDirectory.appendingPathComponent("rutter-test-XXXXXX")
            .path
        var bytes = Array(template.utf8CString)
        guard mkdtemp(&bytes) != nil else { throw CocoaError(.fileWriteUnknown) }
        let path = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        url = URL(fileURLWithPath: path, isDirectory: true)
    }

    deinit { FileManager.default.discard(url) }
}

extension EntryResult {
    /// The output, or else the error, without the note that follows its rows.
    var outputWithoutNote: String {
        guard let note = value.asRows?.note, text.hasSuffix(note) else { return text }
        let rows = text.dropLast(note.count)
        return String(rows.hasSuffix("\n") ? rows.dropLast() : rows)
    }
}
