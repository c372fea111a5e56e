import Foundation
import PluginTestKit

/// Two devices add, edit and sync in processes that are killed by SIGKILL at random times, or whose server
/// is. Then everything acknowledged must still exist, and all devices must become equal.
public struct CrashTrial {
    /// The target of the kills.
    public enum Victim {
        /// The process that syncs.
        case client
        /// The server, with all its processes.
        case server(any CloudServer)
    }

    /// The outcome of a trial.
    public struct Outcome: Sendable {
        /// Number of kills.
        public let kills: Int
        /// Number of kills while the process was working.
        public let atWork: Int
        /// Acknowledged waypoints and notes.
        public let acknowledged: Int
        /// The lost ones.
        public let lost: [String]
        /// The outboxes after everything has settled.
        public let waiting: [String]
        /// Whether both devices and a new one are equal.
        public let isConverged: Bool

        /// Whether nothing is lost, and all devices are equal.
        public var isRight: Bool { lost.isEmpty && isConverged && waiting.allSatisfy { $0 == "0" } }

        /// As one line.
        public var text: String {
            "\(kills) kills, \(atWork) at work; \(acknowledged) acknowledged, \(lost.count) lost; "
                + (isConverged ? "converged" : "NOT converged") + (lost.isEmpty ? "" : ": \(lost.prefix(5))")
        }
    }

    private enum Settings {
        /// Waypoints that a process would create if it were not killed.
        static let work = 60
        /// Seconds within which the process must have started.
        static let patience = 30.0
        /// Seconds between polls of its output.
        static let look = 0.002
    }

    private let executable: URL
    private let cloud: String?
    private let environment: [String: String]
    private let longest: Double
    private let folder: TemporaryFolder

    /// A trial of a program. `cloud` is an address, with its `environment`; without it the embedded cloud is
    /// used. A process lives for at most `longest` seconds after its first acknowledgement.
    public init(
        executable: URL = RutterProcess.executable, cloud: String? = nil, environment: [String: String] = [:],
        longest: Double
    ) throws {
        self.environment = environment
        self.executable = executable
        self.cloud = cloud
        self.longest = longest
        folder = try TemporaryFolder()
    }

    /// Kills a number of times.
    public func run(kills: Int, victim: Victim = .client, seed: UInt64) throws -> Outcome {
        var random = SplitMix(seed: seed)
        var acknowledged: Set<String> = []
        var atWork = 0
        try finish(["device add phone anna", "device add mac session"])
        for round in 0..<kills {
            let moment = random.fraction() * longest
            let (lines, wasAtWork) = try killed(work(round), after: moment, victim)
            acknowledged.formUnion(lines)
            if wasAtWork { atWork += 1 }
        }
        for device in ["anna", "session", "anna", "session"] { try finish(["device use \(device)", sync]) }
        try finish(["device add mac fresh", sync])
        var contents: [Set<String>] = []
        var waiting: [String] = []
        for device in ["anna", "session", "fresh"] {
            // As text, because a table shows only the first rows.
            let output = try finish([
                "device use \(device)", "waypoint list | get label | to text",
                "waypoint list | get note | to text",
            ])
            contents.append(Set(output.filter(Self.isMark)))
            waiting.append(try finish(["device use \(device)", "sync status | get outbox"]).last ?? "")
        }
        return Outcome(
            kills: kills, atWork: atWork, acknowledged: acknowledged.count,
            lost: acknowledged.subtracting(contents[0]).sorted(), waiting: waiting,
            isConverged: contents.allSatisfy { $0 == contents[0] })
    }

    private var sync: String { "sync" + (cloud.map { " --cloud '\($0)'" } ?? "") + " | get pushed" }

    /// Entries that each print what they acknowledge.
    private func work(_ round: Int) -> [String] {
        (0..<Settings.work).flatMap { number -> [String] in
            let name = "\(round)x\(number)"
            return [
                "device use anna", "waypoint add 46.\(round),7.\(number) --label Label\(name) | get label",
                sync,
                "device use session", sync, "waypoint edit Label\(name) --note Note\(name) | get note", sync,
            ]
        }
    }

    private static func isMark(_ line: String) -> Bool { line.hasPrefix("Label") || line.hasPrefix("Note") }

    // MARK: Processes

    private func start(_ entries: [String]) throws -> (process: Process, output: URL) {
        let input = folder.url.appendingPathComponent("in")
        let output = folder.url.appendingPathComponent("out")
        try Data(entries.joined(separator: "\n").utf8).write(to: input)
        try Data().write(to: output)
        let process = Process()
        process.executableURL = executable
        // The clock is fixed: pauses between attempts take no time.
        process.arguments = [
            "--workspace", folder.url.appendingPathComponent("workspace").path, "--clock",
            "2026-02-06T08:00:00Z",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, output)
    }

    private func lines(_ file: URL) throws -> [String] {
        String(decoding: try Data(contentsOf: file), as: UTF8.self).split(whereSeparator: \.isNewline).map(
            String.init)
    }

    /// Runs entries to their end, which must succeed.
    @discardableResult
    private func finish(_ entries: [String]) throws -> [String] {
        let (process, output) = try start(entries)
        process.waitUntilExit()
        let found = try lines(output)
        guard process.terminationStatus == 0 else {
            throw PostgresServer.Failure(
                description: "\(entries) ended with \(process.terminationStatus): \(found)")
        }
        return found
    }

    /// Runs entries until a kill some time after their first acknowledgement. Returns what was acknowledged,
    /// and whether the process was still working.
    private func killed(_ entries: [String], after seconds: Double, _ victim: Victim) throws -> (
        [String], Bool
    ) {
        let (process, output) = try start(entries)
        let deadline = Date().addingTimeInterval(Settings.patience)
        while process.isRunning, Date() < deadline, try !lines(output).contains(where: Self.isMark) {
            Thread.sleep(forTimeInterval: Settings.look)
        }
        Thread.sleep(forTimeInterval: seconds)
        let wasAtWork = process.isRunning
        switch victim {
        case .client: kill(process.processIdentifier, SIGKILL)
        case .server(let server): try server.kill()
        }
        process.waitUntilExit()
        if case .server(let server) = victim { try server.start() }
        // The last line may be incomplete; an acknowledgement ends with its line.
        let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        let whole =
            text.hasSuffix("\n")
            ? text : String(text.prefix(upTo: text.lastIndex(of: "\n") ?? text.startIndex))
        return (whole.split(whereSeparator: \.isNewline).map(String.init).filter(Self.isMark), wasAtWork)
    }
}
