import Foundation

/// A program of the system that is found by its name in PATH and run to its end.
package struct SystemProgram: Sendable {
    /// Its name.
    package let name: String
    private let url: URL

    /// Interval of checks for the end of the program or of the task.
    private static let pause = Duration.milliseconds(20)

    /// The program of a name; `nil` when it is not installed.
    package init?(_ name: String) {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let found = path.split(separator: ":").lazy.filter { $0.hasPrefix("/") }
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else { return nil }
        (self.name, url) = (name, found)
    }

    /// Runs it to do something, such as `play`; `nil` when it succeeds, else what happened in words, with the first line of
    /// what it said. Its output goes to a file or is dropped; `log` is a new file for what it says, which is removed. `check`
    /// throws to stop it.
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
            // Without its words the status says what is known.
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
    /// A new folder for files of a moment, which its owner discards. It has a name of its own: sessions of one seed would
    /// make the same names. Throws `E-FILE-ACCESS`.
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
