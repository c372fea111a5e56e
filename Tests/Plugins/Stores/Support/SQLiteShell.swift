import Foundation
import PluginTestKit

/// SQLite's own shell as the other program: a process that gets statements line by line.
final class SQLiteShell {
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

    private let process = Process()
    private let input = Pipe()
    private let output: URL

    init(_ url: URL, in folder: URL) throws {
        output = folder.appendingPathComponent("shell-\(url.lastPathComponent)")
        try Data().write(to: output)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = ["-batch", url.path]
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: output)
        try process.run()
    }

    func send(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Waits until everything that was sent is done.
    func wait(_ mark: String) throws {
        try send("SELECT 'done \(mark)';")
        let deadline = Date(timeIntervalSinceNow: RutterProcess.patience)
        while try !text().contains("done \(mark)\n"), Date() < deadline { usleep(1000) }
    }

    func text() throws -> String { String(decoding: try Data(contentsOf: output), as: UTF8.self) }

    /// Ends it, which closes the database.
    func close() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
