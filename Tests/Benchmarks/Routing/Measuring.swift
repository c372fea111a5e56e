import Foundation

/// The result of work and its seconds by the clock.
func timed<T>(_ body: () throws -> T) rethrows -> (T, Double) {
    let start = now(CLOCK_MONOTONIC)
    let value = try body()
    return (value, now(CLOCK_MONOTONIC) - start)
}

/// The result of work and the seconds of this thread's processor time, which is independent of other
/// programs.
func ownTimed<T>(_ body: () throws -> T) rethrows -> (T, Double) {
    let start = now(CLOCK_THREAD_CPUTIME_ID)
    let value = try body()
    return (value, now(CLOCK_THREAD_CPUTIME_ID) - start)
}

/// The same for all threads of this process.
func processTimed<T>(_ body: () throws -> T) rethrows -> (T, Double) {
    let start = now(CLOCK_PROCESS_CPUTIME_ID)
    let value = try body()
    return (value, now(CLOCK_PROCESS_CPUTIME_ID) - start)
}

/// The seconds of processor time of all threads of this process so far.
func processorTime() -> Double { now(CLOCK_PROCESS_CPUTIME_ID) }

private func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func ms(_ seconds: Double) -> String { "\((seconds * 1e5).rounded() / 100) ms" }
func us(_ seconds: Double) -> String { "\((seconds * 1e7).rounded() / 10) µs" }
func ratio(_ a: Double, _ b: Double) -> String { "\((a / b * 100).rounded() / 100)×" }
func rate(_ perSecond: Double) -> String { "\((perSecond / 1e4).rounded() / 100) M" }
func mib(_ bytes: Int) -> String { "\((bytes + 1 << 19) >> 20) MiB" }

/// A goal and whether it is met, for the end of a line.
func goal(_ text: String, _ isMet: Bool) -> String { "; goal \(text): \(isMet ? "met" : "MISSED")" }

/// Times of many runs.
struct Times {
    private var all: [Double] = []

    mutating func add(_ seconds: Double) { all.append(seconds) }

    var sum: Double { all.reduce(0, +) }
    var median: Double { quantile(0.5) }
    /// Median, 99th percentile and mean, in words.
    var words: String {
        "median \(us(median)), p99 \(us(quantile(0.99))), mean \(us(sum / Double(all.count)))"
    }

    private func quantile(_ share: Double) -> Double {
        let sorted = all.sorted()
        return sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }
}

/// A program that ran to its end.
///
/// This program starts itself, which starts the other: a process inherits the peak memory of its parent,
/// and after a benchmark that would be larger.
struct Child {
    /// Seconds from start to end.
    let seconds: Double
    /// Seconds of processor time.
    let processor: Double
    /// Its peak memory, in bytes.
    let peak: Int

    private static let flag = "--measure"

    /// Runs a program; `nil` if it is missing or fails.
    init?(_ program: String, _ arguments: [String]) {
        guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [Self.flag, program] + arguments
        process.standardOutput = output
        guard (try? process.run()) != nil else { return nil }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let figures = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard process.terminationStatus == 0, figures.count == 3 else { return nil }
        (seconds, processor, peak) = (figures[0], figures[1], Int(figures[2]))
    }

    /// Whether this process was started to measure another; if so it measures, prints the figures and
    /// exits.
    static func measureIfAsked(_ arguments: [String]) {
        guard arguments.first == flag, arguments.count > 1 else { return }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] = arguments.dropFirst().map { strdup($0) } + [nil]
        var child: pid_t = 0
        let start = now(CLOCK_MONOTONIC)
        guard posix_spawn(&child, arguments[1], &actions, nil, &words, environ) == 0 else { exit(1) }
        var (state, usage) = (Int32(0), rusage())
        wait4(child, &state, 0, &usage)
        let elapsed = now(CLOCK_MONOTONIC) - start
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        print(elapsed, seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss * 1024)
        exit(state == 0 ? 0 : 1)
    }

    /// The `rutter` that was built beside this program.
    static var rutter: String {
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("rutter").path
    }
}

/// A temporary folder.
final class Scratch {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "routing-bench-\(getpid())-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
