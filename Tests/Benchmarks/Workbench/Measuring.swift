import Foundation

/// Times and their spread.
enum Measure {
    /// Seconds that a piece of work takes.
    static func seconds(_ work: () throws -> Void) rethrows -> Double {
        let start = now()
        try work()
        return now() - start
    }

    /// The same for work that waits.
    static func seconds(_ work: () async throws -> Void) async rethrows -> Double {
        let start = now()
        try await work()
        return now() - start
    }

    /// Processor seconds of this thread, which are independent of other programs.
    static func ownSeconds(_ work: () throws -> Void) rethrows -> Double {
        let start = now(CLOCK_THREAD_CPUTIME_ID)
        try work()
        return now(CLOCK_THREAD_CPUTIME_ID) - start
    }

    /// Seconds on a clock, by default the monotonic one.
    static func now(_ clock: clockid_t = CLOCK_MONOTONIC) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The value below which a share of the values lies.
    static func quantile(_ values: [Double], _ share: Double) -> Double {
        let sorted = values.sorted()
        guard let last = sorted.indices.last else { return .nan }
        return sorted[min(last, Int(Double(sorted.count) * share))]
    }

    static func median(_ values: [Double]) -> Double { quantile(values, 0.5) }

    static func milliseconds(_ seconds: Double) -> String { String(format: "%.2fms", seconds * 1000) }

    static func times(_ ratio: Double) -> String { String(format: "%.2f×", ratio) }
}

/// A program run as a child.
struct Child {
    /// Seconds from the start to the first byte of output.
    let firstOutput: Double
    /// Seconds of processor time in all.
    let processor: Double
    /// Runs a program to its end.
    init(_ program: String, _ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Skip(description: "no pipe") }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let start = Measure.now()
        let code = posix_spawn(&child, program, &actions, nil, &words, environ)
        close(ends[1])
        guard code == 0 else { throw Skip(description: "\(program) cannot be started") }
        var buffer = [UInt8](repeating: 0, count: 4096)
        var first: Double?
        while read(ends[0], &buffer, buffer.count) > 0 { first = first ?? Measure.now() }
        var state: Int32 = 0
        var usage = rusage()
        wait4(child, &state, 0, &usage)
        firstOutput = (first ?? Measure.now()) - start
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        processor = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The `rutter` that was built beside this program.
    static func rutter() throws -> String {
        let path = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("rutter").path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw Skip(description: "there is no \(path); build it with the same configuration")
        }
        return path
    }
}

/// A folder that is deleted in the end.
final class Scratch {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "rutter-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
