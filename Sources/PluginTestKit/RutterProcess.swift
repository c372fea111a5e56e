import Foundation

/// Runs the built program as a process.
public enum RutterProcess {
    /// The result of a run.
    public struct Outcome: Sendable {
        /// The exit status; of a process that a signal ended, 128 plus the signal's number.
        public let status: Int32
        /// Standard output.
        public let output: String
        /// Standard error.
        public let errors: String
    }

    /// The program that was built with these tests.
    public static let executable: URL = {
        // The test bundle lies beside the executables of the same build.
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent("rutter")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            folder.deleteLastPathComponent()
        }
        return RealData.project.appendingPathComponent(".build/debug/rutter")
    }()

    /// Whether the program was built with libosmium, which is not a separate library.
    public static let readsMaps: Bool = {
        // A program that does not start fails every other test.
        guard let outcome = try? run(["-c", "plugin list | get off"]) else { return true }
        return !outcome.output.contains("reading OSM files")
    }()

    /// Seconds that a test waits for a process; generous, because other tests run on the same cores.
    public static let patience: TimeInterval = 300

    /// Waits until a process has used more processor time than a start: its endless entry is then running.
    public static func waitUntilBusy(_ process: pid_t) throws {
        let deadline = Date(timeIntervalSinceNow: patience)
        while try processorSeconds(process) < 1, Date() < deadline { usleep(10_000) }
    }

    /// Fields 14 and 15 of proc(5)'s `stat`, in hundredths of a second.
    private static func processorSeconds(_ process: pid_t) throws -> Double {
        let line = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let fields = line[(line.lastIndex(of: ")") ?? line.startIndex)...].split(separator: " ")
        return fields.dropFirst(12).prefix(2).compactMap { Double($0) }.reduce(0, +) / 100
    }

    /// Runs the program to its end.
    public static func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:], folder: URL? = nil
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        let scratch = try TemporaryFolder()
        // Isolated from the developer's own workspace.
        let own = ["XDG_DATA_HOME": scratch.url.path, "XDG_STATE_HOME": scratch.url.path]
        process.environment = ProcessInfo.processInfo.environment.merging(own) { $1 }.merging(environment) {
            $1
        }
        if let folder { process.currentDirectoryURL = folder }
        let files = ["in", "out", "err"].map { scratch.url.appendingPathComponent($0) }
        try Data(input.utf8).write(to: files[0])
        for file in files.dropFirst() { try Data().write(to: file) }
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        let signal = process.terminationReason == .uncaughtSignal ? Int32(128) : 0
        return Outcome(
            status: process.terminationStatus + signal,
            output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }

    /// The output of a system program; `nil` when it is not installed.
    public static func shell(_ program: String, _ arguments: [String]) throws -> String? {
        let path = "/usr/bin/\(program)"
        guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
