import Foundation

/// The `rutter` program built beside this one, run on a workspace.
struct WholeProgram {
    private let path: String
    private let workspace: URL

    /// The problem.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// `nil` if it was not built.
    init?(workspace: URL) {
        path =
            URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("rutter").path
        guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
        self.workspace = workspace
    }

    /// The peak memory of a session after an entry, in bytes.
    func peakMemory(of entry: String) throws -> Int {
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["--workspace", workspace.path]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
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
        let file = "/proc/\(process.processIdentifier)/status"
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        let peak = lines.first { $0.hasPrefix("VmHWM:") }.flatMap { Int($0.filter(\.isNumber)) }
        guard let peak else { throw Failure(description: "\(file) has no peak memory") }
        return peak * 1024
    }
}
