import Foundation

/// A process of this program that runs trials with numbers in a range, and prints a line of each before it starts: a crash or an
/// endless repair is a finding as well.
final class TrialProcess {
    /// Number of trials per process.
    static let share = 500
    /// Seconds without progress after which a trial hangs.
    private static let patience = 60.0

    private let process = Process()
    private let pipe = Pipe()
    private var buffer: [UInt8] = []
    private var isLate = false

    /// Starts this program with a worker's argument, the seed and the numbers.
    init(_ worker: String, _ numbers: Range<Int>, _ seed: UInt64) throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [worker, "\(seed)", "\(numbers.lowerBound)", "\(numbers.upperBound)"]
        process.standardOutput = pipe
        try process.run()
    }

    /// Runs all trials up to a number in processes, and hands each line on as its first word and the rest. Returns how
    /// processes ended that failed, with the number of their last trial.
    static func run(
        _ worker: String, _ count: Int, _ seed: UInt64, _ take: (String, String) -> Void
    ) throws -> [String] {
        var failures: [String] = []
        var next = 0
        while next < count {
            let end = min(count, next + share)
            let process = try TrialProcess(worker, next..<end, seed)
            var last = next
            while let line = process.next(within: patience) {
                let words = line.split(separator: " ", maxSplits: 1).map(String.init)
                guard let word = words.first else { continue }
                let rest = words.count > 1 ? words[1] : ""
                if word == "begin" { last = Int(rest) ?? last } else { take(word, rest) }
            }
            next = end
            if let failure = process.finish() {
                failures.append("\(last): \(failure)")
                next = last + 1
            }
        }
        return failures
    }

    /// The next line; `nil` at the end, or after the time limit.
    private func next(within seconds: Double) -> String? {
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
    private func finish() -> String? {
        if isLate { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        if isLate { return "no progress within the time limit" }
        return process.terminationStatus == 0
            ? nil : "the process ended with \(process.terminationReason) \(process.terminationStatus)"
    }
}
