import Foundation
import PluginKit
import PluginTestKit
import StoresPlugin

/// Damages intact stores in many ways and runs the commands that read damaged files on each: none crashes or
/// writes into the folder, and the output of `store repair` is a database without findings of SQLite's own
/// shell.
public struct MutationTrial {
    /// The outcome of trials.
    public struct Outcome: Sendable {
        /// Number of damaged stores.
        public fileprivate(set) var trials = 0
        /// Number of copies written; the others were reported as not a database.
        public fileprivate(set) var repaired = 0
        /// Maximum processor seconds of a repair per megabyte.
        public fileprivate(set) var slowest = 0.0
        /// Violations, each with the number of its trial.
        public fileprivate(set) var violations: [String] = []
    }

    /// The goal of a repair, in processor seconds per megabyte. Missing it is reported and is no violation: time depends on
    /// the machine, and the smallest stores are a fraction of a megabyte.
    public static let goal = 2.0
    /// SQLite's shell, which checks the copies.
    public static let shell = "/usr/bin/sqlite3"

    private let seed: UInt64
    private let measuresTime: Bool

    /// Trials from a seed. Time is measured only if nothing else runs in the process.
    public init(seed: UInt64, measuresTime: Bool) {
        self.seed = seed
        self.measuresTime = measuresTime
    }

    /// Runs the trials with these numbers; `begin` is called before each.
    public func run(_ numbers: Range<Int>, begin: (Int) -> Void = { _ in }) async throws -> Outcome {
        var outcome = Outcome()
        let intact = try IntactStore.allCases.map { try Files(of: $0) }
        for number in numbers {
            begin(number)
            outcome.trials += 1
            let session = try TestSession(plugins: { [StoresPlugin()] })
            try intact[number % intact.count].write(
                to: session.folder.url, seed: seed &+ UInt64(number), isLogDamaged: number % 8 == 7)
            try await judge(session, number, &outcome)
        }
        return outcome
    }

    /// The files of an intact store, in memory.
    private struct Files {
        let database: [UInt8]
        let log: [UInt8]?
        let pageSize: Int

        init(of store: IntactStore) throws {
            let folder = try TemporaryFolder()
            let files = try store.write(to: folder.url.appendingPathComponent("a.db"))
            let bytes = try files.map { Array(try Data(contentsOf: $0)) }
            database = bytes[0]
            log = bytes.count > 1 ? bytes[1] : nil
            pageSize = Int(database[16]) << 8 | Int(database[17])
        }

        func write(to folder: URL, seed: UInt64, isLogDamaged: Bool) throws {
            let main = isLogDamaged ? database : Mutation.database(database, pageSize: pageSize, seed: seed)
            try Data(main).write(to: folder.appendingPathComponent("m.db"))
            guard let log else { return }
            let second = isLogDamaged ? Mutation.log(log, pageSize: pageSize, seed: seed) : log
            try Data(second).write(to: folder.appendingPathComponent("m.db-wal"))
        }
    }

    private func judge(_ session: TestSession, _ number: Int, _ outcome: inout Outcome) async throws {
        let folder = session.folder.url
        let copy = folder.appendingPathComponent("o.db")
        let before = try Self.state(folder)
        let start = Self.processorTime()
        let repair = await session.result("store repair m.db --out o.db")
        let seconds = Self.processorTime() - start
        var results = [repair]
        for command in ["check", "deleted", "history"] {
            results.append(await session.result("store \(command) m.db | count"))
        }
        func complain(_ what: String) { outcome.violations.append("\(number): \(what)") }
        for result in results where result.failure.map({ !$0.code.hasPrefix("E-STORE-") }) ?? false {
            complain("\(result.failure?.code ?? ""): \(result.text)")
        }
        if measuresTime {
            let megabytes = before.values.reduce(0.0) { $0 + Double($1.count) } / 1e6
            outcome.slowest = max(outcome.slowest, seconds / megabytes)
        }
        var after = try Self.state(folder)
        if repair.failure == nil {
            outcome.repaired += 1
            let words = try Self.complaints(copy, "integrity_check")
            if words != "ok\n" { complain(String(words.prefix(300))) }
            // A copy may lack parents that were lost, or keys whose definition was damaged; but the repair
            // has to report that.
            let details = try repair.value.asRows?.collect().map { "\($0.field("detail") ?? .nothing)" } ?? []
            let references = try Self.complaints(copy, "foreign_key_check")
            if !references.isEmpty,
                !details.contains(where: {
                    $0.contains("to missing rows") || $0.contains("references cannot be checked")
                })
            {
                complain("not reported: \(references.prefix(300))")
            }
            after["o.db"] = nil
        }
        if after != before { complain("written beside the copy: \(after.keys.sorted())") }
    }

    /// The findings of SQLite's shell.
    private static func complaints(_ url: URL, _ check: String) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: shell)
        process.arguments = ["-batch", url.path, "PRAGMA \(check)"]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// The files of a folder except the session's own workspace.
    private static func state(_ folder: URL) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != "workspace"
        {
            files[name] = try Data(contentsOf: folder.appendingPathComponent(name))
        }
        return files
    }

    private static func processorTime() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
    }
}
