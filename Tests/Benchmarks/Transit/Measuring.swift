import Foundation

/// What work gives, and the seconds of processor time it took: other work on the machine does not disturb them. All
/// that is measured runs on the thread that asks for it.
func timed<T>(_ body: () throws -> T) rethrows -> (T, Double) {
    let start = threadTime()
    let value = try body()
    return (value, threadTime() - start)
}

private func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Seconds of processor time of the processes that were started and have ended.
func childrensTime() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Times of many runs.
struct Times {
    private var all: [Double] = []

    /// Takes a time in seconds.
    mutating func add(_ seconds: Double) { all.append(seconds) }

    /// The time that a share of the runs did not exceed.
    func quantile(_ share: Double) -> Double {
        let sorted = all.sorted()
        guard !sorted.isEmpty else { return .nan }
        return sorted[min(sorted.count - 1, Int((Double(sorted.count) * share).rounded(.up)) - 1)]
    }

    var text: String { "median \(ms(quantile(0.5))), p99 \(ms(quantile(0.99)))" }
}

func ms(_ seconds: Double) -> String { "\((seconds * 1e6).rounded() / 1e3) ms" }
func ratio(_ a: Double, _ b: Double) -> String { "\((a / b * 100).rounded() / 100)×" }

/// Tells a figure, and whether it keeps a goal.
func report(_ what: String, _ figures: String, goal: String, isMet: Bool) {
    print("\(isMet ? "met   " : "MISSED") \(what): \(figures) (goal: \(goal))")
}

/// The most memory the process has held, in MiB.
func peakMemory() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss / 1024
}

/// Random numbers that are the same everywhere.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
