import Foundation

/// Seconds of work: by the clock, and of this thread's processor time, which is independent of the
/// machine's load. All measured work runs on the calling thread.
struct Seconds {
    var wall: Double
    var own: Double
}

/// The result of work and its duration.
func timed<T>(_ body: () throws -> T) rethrows -> (T, Seconds) {
    let (wall, own) = (now(CLOCK_MONOTONIC), now(CLOCK_THREAD_CPUTIME_ID))
    let value = try body()
    return (value, Seconds(wall: now(CLOCK_MONOTONIC) - wall, own: now(CLOCK_THREAD_CPUTIME_ID) - own))
}

private func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The duration of a system program; `nil` if it is not installed.
func child(_ program: String, _ arguments: [String]) throws -> Seconds? {
    guard FileManager.default.isExecutableFile(atPath: program) else {
        say("       skipped: \(program) is not installed")
        return nil
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    let (start, before) = (now(CLOCK_MONOTONIC), childrensTime())
    try process.run()
    process.waitUntilExit()
    return Seconds(wall: now(CLOCK_MONOTONIC) - start, own: childrensTime() - before)
}

/// Seconds of processor time of terminated child processes.
private func childrensTime() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Times of many runs.
struct Times {
    private var wall: [Double] = []
    private var own: [Double] = []

    mutating func add(_ seconds: Seconds) {
        wall.append(seconds.wall)
        own.append(seconds.own)
    }

    /// The 99th percentile of clock time.
    var p99: Double { Self.quantile(wall, 0.99) }
    /// The median of processor time, used for ratios.
    var typical: Double { Self.quantile(own, 0.5) }
    /// The 99th percentile of processor time.
    var p99Own: Double { Self.quantile(own, 0.99) }
    /// The shortest.
    var best: Seconds { Seconds(wall: wall.min() ?? .nan, own: own.min() ?? .nan) }

    private static func quantile(_ times: [Double], _ share: Double) -> Double {
        let sorted = times.sorted()
        guard !sorted.isEmpty else { return .nan }
        return sorted[min(sorted.count - 1, Int((Double(sorted.count) * share).rounded(.up)) - 1)]
    }

    var text: String {
        "p50 \(ms(Self.quantile(wall, 0.5))), p99 \(ms(p99)) "
            + "(processor time p50 \(ms(typical)), p99 \(ms(Self.quantile(own, 0.99))))"
    }
}

func ms(_ seconds: Double) -> String { "\((seconds * 1e6).rounded() / 1e3) ms" }
func ratio(_ a: Double, _ b: Double) -> String { "\((a / b * 100).rounded() / 100)×" }

/// Prints a figure and whether it meets a goal.
func report(_ what: String, _ figures: String, goal: String, isMet: Bool) {
    say("\(isMet ? "met   " : "MISSED") \(what): \(figures) (goal: \(goal))")
}

/// The peak memory of the process, in MiB.
func peakMebibytes() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss / 1024
}

/// Prints a line unbuffered, also into a file.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
