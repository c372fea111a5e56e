import Foundation
import Logging
import PluginKit
import PluginTestKit
import Testing
import Workbench

@testable import ForeignPlugins

/// A session with external plugins, and folders of such plugins.
struct ForeignSession {
    let test: TestSession

    init(files: [String: Data] = [:]) throws {
        test = try TestSession(plugins: { [ForeignPlugins()] }, files: files, executor: CommandExecutor())
    }

    /// Another session on the same folders.
    func again() throws -> Session {
        var configuration = SessionConfiguration(
            seed: 42, clock: SessionClock(standingAt: TestSession.Settings.start), environment: .notebook,
            workspace: url("workspace"), files: FileAccess(unconfinedIn: url(".")),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        configuration.files.pluginFolders = [url("plugins")]
        configuration.executor = CommandExecutor()
        return try Session(configuration: configuration) { [ForeignPlugins()] }
    }

    /// A program that was built beside the tests.
    static func program(_ name: String) -> String {
        RutterProcess.executable.deletingLastPathComponent().appendingPathComponent(name).path
    }

    func url(_ path: String) -> URL { test.folder.url.appendingPathComponent(path) }

    /// Writes the folder of a plugin, `hostile` unless named otherwise.
    func write(
        _ folder: String, name: String = "hostile", command: [String], more: String = ""
    ) throws {
        try FileManager.default.createDirectory(at: url(folder), withIntermediateDirectories: true)
        let words = command.map { "\"\($0)\"" }.joined(separator: ",")
        let manifest = """
            {"name":"\(name)","version":"1.0","protocol":1,"command":[\(words)],"summary":"for tests"\(more)}
            """
        try Data(manifest.utf8).write(to: url("\(folder)/plugin.json"))
    }

    /// A plugin with a fault, trusted and loaded. Its timeouts are long enough for a loaded
    /// machine, unless the test is about time.
    static func hostile(_ mode: String, timeout: Double = 3600) async throws -> ForeignSession {
        let session = try ForeignSession()
        try session.write(
            "hostile", command: [program("hostile-plugin"), mode], more: ",\"timeout\":\(timeout)")
        try await session.test.value("plugin trust ./hostile")
        try await session.test.value("plugin load ./hostile")
        return session
    }

    /// A plugin with these commands, trusted and loaded. It answers a call with a result, with an error or with a line, or
    /// without any of them with what it was asked.
    static func scripted(
        _ commands: String, result: String? = nil, error: String? = nil, line: String? = nil
    ) async throws -> ForeignSession {
        let session = try ForeignSession()
        try session.script(commands, ["result.json": result, "error.json": error, "line.txt": line])
        try await session.test.value("plugin trust ./hostile")
        try await session.test.value("plugin load ./hostile")
        return session
    }

    /// Writes the folder of a plugin that answers with files of its folder.
    func script(_ commands: String, _ files: [String: String?] = [:], in folder: String = "hostile") throws {
        try write(folder, command: [Self.program("hostile-plugin"), "scripted"], more: ",\"timeout\":3600")
        let declaration = #"{"name":"hostile","version":"1.0","commands":[\#(commands)]}"#
        for case (let name, let text?) in files.merging(
            ["declaration.json": declaration], uniquingKeysWith: { $1 })
        {
            try Data(text.utf8).write(to: url("\(folder)/\(name)"))
        }
    }

    /// A command `hostile do` with further keys.
    static func command(_ more: String = "", example: String = "hostile do") -> String {
        #"{"name":"hostile do","summary":"do it","examples":[{"title":"it","line":"\#(example)"}]\#(more)}"#
    }

    /// The private copies of a plugin's folder that it runs from.
    func copies(of folder: String) -> [URL] {
        let prefix = FoundPlugin.copyPrefix(of: url(folder).resolvingSymlinksInPath().standardizedFileURL)
        let temporary = FileManager.default.temporaryDirectory
        let all = (try? FileManager.default.contentsOfDirectory(atPath: temporary.path)) ?? []
        return all.filter { $0.hasPrefix(prefix) }.map { temporary.appendingPathComponent($0) }
    }

    /// Processes that plugins of this session have left behind: they run in its folder, or in copies of plugins in it.
    func leftovers() -> [String] {
        let home = test.folder.url.resolvingSymlinksInPath().path
        let below = (try? FileManager.default.subpathsOfDirectory(atPath: home)) ?? []
        let copies = below.filter { $0.hasSuffix("plugin.json") }.map { path in
            let folder = URL(fileURLWithPath: home + "/" + path).deletingLastPathComponent()
            return FoundPlugin.copyPrefix(of: folder.standardizedFileURL)
        }
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.filter { Int($0) != nil }.filter { id in
            let folder = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/cwd")
            return folder?.hasPrefix(home) == true || copies.contains { folder?.contains($0) == true }
        }
    }
}

extension URL {
    /// Whether the folder has a file of this name.
    func holds(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: appendingPathComponent(name).path)
    }
}

/// Plugins are waited for as long as a loaded machine may need, except where a test says otherwise.
struct PatientTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await ForeignSettings.$timeouts.withValue(.long) { try await function() }
    }
}

extension Trait where Self == PatientTrait {
    /// Only tests about time depend on it.
    static var patient: Self { PatientTrait() }
}

extension ForeignTimeouts {
    /// More than a loaded machine needs.
    static let long = ForeignTimeouts(
        start: .seconds(300), completion: .seconds(300), cancelGrace: .seconds(300),
        shutdownGrace: .seconds(300))
}
