import Foundation

/// What work gives, and the seconds it took.
func timed<T>(_ body: () throws -> T) rethrows -> (T, Double) {
    let clock = ContinuousClock()
    let start = clock.now
    let value = try body()
    let time = (clock.now - start).components
    return (value, Double(time.seconds) + Double(time.attoseconds) / 1e18)
}

func ms(_ seconds: Double) -> String { "\((seconds * 1e5).rounded() / 100) ms" }
func us(_ seconds: Double) -> String { "\((seconds * 1e7).rounded() / 10) µs" }
func ratio(_ a: Double, _ b: Double) -> String { "\((a / b * 100).rounded() / 100)×" }
func rate(_ perSecond: Double) -> String { "\((perSecond / 1e4).rounded() / 100) M" }

/// The most memory the process has held, in bytes.
func peakMemory() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
}
