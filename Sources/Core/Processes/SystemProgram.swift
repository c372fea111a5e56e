import Foundation

/// A system program, found by its name in PATH and run to completion.
package struct SystemProgram: Sendable {
    /// Its name.
    package let name: String
    private let url: URL

    /// Interval of checks for the end of the program or of the task.
    private static let pause = Duration.milliseconds(20)

    /// Finds a program by name; `nil` if it is not installed.
    package init?(_ name: String) {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let found = path.split(separator: ":").lazy.filter { $0.hasPrefix("/") }
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else { return nil }
        (self.name, url) = (name, found)
    }

    /// Runs it for an action, such as `play`; returns `nil` on success, otherwise a message with the first
    /// line of its standard error. Its output goes to a file or is discarded; `log` is a temporary file for
    /// its standard error. `check` throws to stop it.
    package func failure(
        to action: String, _ arguments: [String], output: URL? = nil, log: URL, check: () throws -> Void
    ) async throws -> String? {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try output.map(Self.fresh) ?? FileHandle.nullDevice
        process.standardError = try Self.fresh(log)
        defer { FileManager.default.discard(log) }
        do {
            try process.run()
        } catch {
            return "\(name) cannot be started: \((error as NSError).localizedDescription)"
        }
        while process.isRunning {
            do {
                try await Task.sleep(for: Self.pause)
                try check()
            } catch {
                process.terminate()
                process.waitUntilExit()
                throw Interruption.stopped
            }
        }
        guard process.terminationStatus == 0 else {
            // Without its output, the status is reported.
            let said = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            let line = said.split(separator: "\n").first.map { ": \($0)" } ?? ""
            return "\(name) could not \(action) (status \(process.terminationStatus))\(line)"
        }
        return nil
    }

    private static func fresh(_ url: URL) throws -> FileHandle {
        _ = FileManager.default.createFile(atPath: url.path, contents: nil)
        return try FileHandle(forWritingTo: url)
    }
}

extension FileManager {
    /// A new temporary folder, which its owner discards. Its name is random, not from the session's
    /// generator: sessions with one seed would collide. Throws `E-FILE-ACCESS`.
    package func scratchFolder(_ name: String) throws(RutterError) -> URL {
        let template = temporaryDirectory.appendingPathComponent("rutter-\(name)-XXXXXX")
        var bytes = Array(template.path.utf8CString)
        guard mkdtemp(&bytes) != nil else {
            throw CommonErrors.fileAccess(
                "cannot create a temporary folder: \(String(cString: strerror(errno)))")
        }
        let path = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return URL(fileURLWithPath: path, isDirectory: true)
    }
}
