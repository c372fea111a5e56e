import Foundation

/// What the program that measures and hunts asks of this plugin.
public enum SyncBenchmark {
    /// What a hunt came to.
    public struct Hunt: Sendable {
        /// Schedules that ran.
        public let schedules: Int
        /// Those that broke an invariant.
        public let violations: Int
        /// How the first of them did, with the command that replays the shortest part of it.
        public let first: String?
    }

    /// Runs random schedules with every fault on, in memory; those of a hunt whose numbers are in a range.
    public static func hunt(devices: Int, steps: Int, schedules: Range<Int>, seed: UInt64) -> Hunt {
        let setup = SimulationSetup(devices: devices, records: devices + 1)
        let found = Simulation.hunt(
            setup, schedules: schedules.count, steps: steps, seed: seed, from: schedules.lowerBound)
        return Hunt(
            schedules: found.schedules, violations: found.violations,
            first: found.first.map { first in
                let schedule = Simulation.shortest(first, setup, steps: steps).map(\.text).joined(
                    separator: "; ")
                return "\(first.violation.invariant.words): \(first.violation.detail): "
                    + "sync replay '\(schedule)' --devices \(devices)"
            })
    }

    /// A planted fault, and how it was caught.
    public struct Catch: Sendable {
        /// What was planted.
        public let fault: String
        /// The schedules it took; `nil` when it was not caught.
        public let schedules: Int?
        /// The number of the invariant that broke.
        public let invariant: Int?
        /// Steps of the schedule when nothing more could be left out.
        public let steps: Int?
        /// Whether the shrunk schedule breaks nothing under the right rules: then it is the fault, not the schedule.
        public let isTheFault: Bool
        /// All invariants that broke within the first few hundred schedules.
        public let fired: Set<Int>
    }

    /// How many faults can be planted.
    public static var faultCount: Int { PlantedFault.all.count }
    /// How many invariants there are.
    public static var invariantCount: Int { Invariant.allCases.count }

    /// Plants a fault and hunts for it.
    public static func catchFault(_ index: Int, within limit: Int, steps: Int, seed: UInt64) -> Catch {
        let fault = PlantedFault.all[index]
        let setup = SimulationSetup(rules: fault.rules)
        let found = Simulation.hunt(setup, schedules: limit, steps: steps, seed: seed, stopsAtFirst: true)
        guard let first = found.first else {
            return Catch(
                fault: fault.name, schedules: nil, invariant: nil, steps: nil, isTheFault: false, fired: [])
        }
        let short = Simulation.shortest(first, setup, steps: steps)
        return Catch(
            fault: fault.name, schedules: found.schedules, invariant: first.violation.invariant.rawValue,
            steps: short.count,
            isTheFault: Simulation.run(short, SimulationSetup()) == nil,
            fired: fired(
                setup, steps: steps, seed: seed, schedules: found.schedules + SimulationSettings.moreToFire))
    }

    private static func fired(_ setup: SimulationSetup, steps: Int, seed: UInt64, schedules: Int) -> Set<Int>
    {
        var fired: Set<Int> = []
        for index in 0..<schedules {
            let actions = Simulation.schedule(setup, seed: Simulation.seed(seed, index), steps: steps)
            if let violation = Simulation.run(actions, setup) { fired.insert(violation.invariant.rawValue) }
        }
        return fired
    }

    /// Runs schedules on a cloud in a file and in memory; gives the first that ends differently.
    public static func difference(file: URL, schedules: Range<Int>, seed: UInt64) throws -> String? {
        try Simulation.firstDifference(schedules: schedules, seed: seed) {
            try EmbeddedCloud(file, zone: "schedule \($0)", epoch: SimulationSettings.firstEpoch)
        }
    }

    /// Runs schedules on PostgreSQL and in memory; gives the first that ends differently. The user's zone is emptied.
    public static func difference(postgres address: String, schedules: Range<Int>, seed: UInt64) throws
        -> String?
    {
        let cloud = try PostgresCloud(address, epoch: SimulationSettings.firstEpoch)
        return try Simulation.firstDifference(schedules: schedules, seed: seed) { _ in
            // The zone as it is at first: an empty copy whose history begins with the first epoch.
            try cloud.restore(ZoneImage(lineage: Lineage(starts: [])), epoch: SimulationSettings.firstEpoch)
            return cloud
        }
    }
}
