import Foundation
import SyncTrials

/// The speed of the simulator, and push and pull beside plain inserts.
struct Speed {
    private enum Settings {
        static let seed: UInt64 = 1
        static let schedules = 20_000
        /// The goal in schedules of 3 devices and 60 steps per second.
        static let rate = 3_000.0
    }

    /// Measures push and pull, and the simulator if `simulates`.
    func run(simulates: Bool) throws -> Bool {
        let isWhole = try SyncMeasurement.measure()
        if !simulates { return isWhole }
        let start = Processor.seconds
        let found = HuntOutcome(
            devices: 3, steps: 60, schedules: 0..<Settings.schedules, seed: Settings.seed)
        let rate = Double(found.schedules) / (Processor.seconds - start)
        print(
            "simulator: \(Int(rate)) schedules of 3 devices and 60 steps a second of processor time; "
                + "goal \(Int(Settings.rate)): \(rate >= Settings.rate ? "met" : "missed")")
        return isWhole && found.violations == 0
    }
}

/// The processor time of this process.
enum Processor {
    /// Seconds so far, of all threads.
    static var seconds: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
    }
}
