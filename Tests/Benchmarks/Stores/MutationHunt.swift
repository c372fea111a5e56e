import Foundation
import StoreTrials

/// Trials of damaged stores in separate processes, so that a crash or an endless repair is a finding as well.
struct MutationHunt {
    /// The argument of a process that runs trials; followed by seed, first and last number.
    static let worker = "--mutations-from"
    /// Number of trials per process.
    private static let share = 500
    /// Seconds without progress after which a trial hangs.
    private static let patience = 60.0

    let count: Int
    let seed: UInt64

    /// Runs all trials; returns whether there were no violations.
    func run() throws -> Bool {
        guard FileManager.default.isExecutableFile(atPath: MutationTrial.shell) else {
            say("skipped: damaged stores; sqlite3, which checks the copies, is not installed")
            return true
        }
        var (next, repaired, slowest) = (0, 0, 0.0)
        var violations: [String] = []
        while next < count {
            let end = min(count, next + Self.share)
            let lines = try Lines(next, end, seed)
            var last = next
            while let line = lines.next(within: Self.patience) {
                let words = line.split(separator: " ", maxSplits: 1).map(String.init)
                switch words.first {
                case "begin": last = Int(words[1]) ?? last
                case "violation": violations.append(words[1])
                case "repaired": repaired += Int(words[1]) ?? 0
                case "slowest": slowest = max(slowest, Double(words[1]) ?? .infinity)
                default: break
                }
            }
            next = end
            if let end = lines.finish() {
                violations.append("\(last): \(end)")
                next = last + 1
            }
            if !violations.isEmpty { say("       after \(next): \(violations.suffix(3))") }
        }
        func verdict(_ isMet: Bool) -> String { isMet ? "met   " : "MISSED" }
        say(
            "\(verdict(violations.isEmpty)) \(count) damaged stores from seed \(seed): \(repaired) repaired, "
                + "\(violations.count) violations")
        say(
            "\(verdict(slowest <= MutationTrial.goal)) the slowest repair: \((slowest * 1000).rounded() / 1000) s of processor "
                + "time per megabyte (goal: \(MutationTrial.goal))")
        for violation in violations { say("       \(violation)") }
        return violations.isEmpty
    }

    /// Runs a process of trials: prints each trial before it starts, and the outcome at the end.
    static func work(_ seed: UInt64, _ numbers: Range<Int>) async throws {
        let outcome = try await MutationTrial(seed: seed, measuresTime: true).run(numbers) {
            say("begin \($0)")
        }
        for violation in outcome.violations {
            say("violation \(violation.replacing("\n", with: " "))")
        }
        say("repaired \(outcome.repaired)")
        say("slowest \(outcome.slowest)")
    }

    /// The lines printed by such a process.
    private final class Lines {
        private let process = Process()
        private let pipe = Pipe()
        private var buffer: [UInt8] = []
        private var isLate = false

        init(_ first: Int, _ end: Int, _ seed: UInt64) throws {
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = [MutationHunt.worker, "\(seed)", "\(first)", "\(end)"]
            process.standardOutput = pipe
            try process.run()
        }

        /// The next line; `nil` at the end, or after the time limit.
        func next(within seconds: Double) -> String? {
            let file = pipe.fileHandleForReading.fileDescriptor
            while true {
                if let end = buffer.firstIndex(of: 10) {
                    let line = String(decoding: buffer[..<end], as: UTF8.self)
                    buffer.removeSubrange(...end)
                    return line
                }
                var wait = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
                guard poll(&wait, 1, Int32(seconds * 1000)) > 0 else {
                    isLate = true
                    return nil
                }
                var bytes = [UInt8](repeating: 0, count: 65_536)
                let count = read(file, &bytes, bytes.count)
                guard count > 0 else { return nil }
                buffer += bytes[..<count]
            }
        }

        /// Ends the process; returns how it ended if it failed.
        func finish() -> String? {
            if isLate { kill(process.processIdentifier, SIGKILL) }
            process.waitUntilExit()
            if isLate { return "no progress within the time limit" }
            return process.terminationStatus == 0
                ? nil : "the process ended with \(process.terminationReason) \(process.terminationStatus)"
        }
    }
}
