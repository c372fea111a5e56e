import Foundation

/// What the program that measures and hunts asks of this plugin.
public enum SyncBenchmark {
    /// What a hunt came to.
    public struct Hunt: Sendable {
        /// Schedules that ran.
        public let schedules: Int
        /// Those that broke an invariant.
        public let violations: Int
        /// How the first of them did.
        public let first: String?
    }

    /// Runs random schedules with every fault on, in memory.
    public static func hunt(devices: Int, steps: Int, schedules: Int, seed: UInt64, from start: Int = 0)
        -> Hunt
    {
        let setup = SimulationSetup(devices: devices, records: devices + 1)
        let found = Simulation.hunt(setup, schedules: schedules, steps: steps, seed: seed, from: start)
        return Hunt(
            schedules: found.schedules, violations: found.violations,
            first: found.first.map {
                "seed \($0.seed): \($0.violation.invariant.words): \($0.violation.detail)"
            })
    }
}
