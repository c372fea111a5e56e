import Foundation
import Logging
import PluginKit
import PluginTestKit
import Workbench

@testable import ForeignPlugins

/// A session with plugins of others, and folders of such plugins.
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

    /// A plugin that breaks the rules in a way, trusted and loaded.
    static func hostile(_ mode: String, timeout: Double = 20) async throws -> ForeignSession {
        let session = try ForeignSession()
        try session.write(
            "hostile", command: [program("hostile-plugin"), mode], more: ",\"timeout\":\(timeout)")
        try await session.test.value("plugin trust ./hostile")
        try await session.test.value("plugin load ./hostile")
        return session
    }

    /// Processes that plugins of this session have left behind: they run in its folder.
    func leftovers() -> [String] {
        let home = test.folder.url.resolvingSymlinksInPath().path
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.filter { Int($0) != nil }.filter { id in
            let folder = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/cwd")
            return folder?.hasPrefix(home) == true
        }
    }
}
