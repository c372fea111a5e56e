import Foundation

/// The memory of a session of a `rutter` program, in a process of its own.
public enum SessionMemory {
    /// The program ended, or the entry failed.
    public struct Failure: Error, CustomStringConvertible {
        /// The entry, and what the program wrote.
        public let description: String
    }

    /// The peak memory of a session on a workspace after an entry, in bytes. Throws if the entry fails or ends the program.
    public static func peak(of entry: String, program: URL, workspace: URL) throws -> Int {
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        process.executableURL = program
        process.arguments = ["--workspace", workspace.path]
        process.standardInput = input
        process.standardOutput = output
        // Errors are written there, and the end of both is the end of the program.
        process.standardError = output
        try process.run()
        defer {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        try input.fileHandleForWriting.write(contentsOf: Data("\(entry)\n'the end'\n".utf8))
        var text = ""
        while !text.contains("the end") {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { throw Failure(description: "`\(entry)` ends the program: \(text)") }
            text += String(decoding: data, as: UTF8.self)
        }
        if text.contains("error E-") { throw Failure(description: "`\(entry)`: \(text)") }
        // It waits for the next entry: the figure is that of its own program, not of its parent.
        return try peakMemory(of: process.processIdentifier) * 1024
    }
}
