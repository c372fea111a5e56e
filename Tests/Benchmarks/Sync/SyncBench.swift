import Foundation
import SyncPlugin

/// Hunts in many schedules, and measures.
struct SyncBench {
    let arguments: [String]

    init(_ arguments: [String]) { self.arguments = arguments }

    /// The schedules that have to pass, and the goals.
    private enum Goals {
        static let seed: UInt64 = 20_260_206
        static let hunts = [
            (devices: 3, steps: 60, schedules: 100_000), (devices: 5, steps: 200, schedules: 10_000),
        ]
        static let schedulesPerSecond = 3_000.0
    }

    func run() async -> Int32 {
        var isRight = true
        for hunt in arguments.contains("--hunt") ? Goals.hunts : [(devices: 3, steps: 60, schedules: 20_000)]
        {
            let start = processorTime()
            let found = SyncBenchmark.hunt(
                devices: hunt.devices, steps: hunt.steps, schedules: hunt.schedules, seed: Goals.seed)
            let seconds = processorTime() - start
            let rate = Double(found.schedules) / seconds
            print(
                "\(found.schedules) schedules of \(hunt.devices) devices and \(hunt.steps) steps: "
                    + "\(found.violations) violations, \(Int(rate)) a second of processor time")
            if let first = found.first { print("first: \(first)") }
            if hunt.devices == 3 {
                print(
                    "goal \(Int(Goals.schedulesPerSecond)) a second: \(rate >= Goals.schedulesPerSecond ? "met" : "missed")"
                )
            }
            isRight = isRight && found.violations == 0
        }
        if !arguments.contains("--hunt") { isRight = await SyncBenchmark.measure() && isRight }
        return isRight ? 0 : 1
    }

    private func processorTime() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
    }
}
