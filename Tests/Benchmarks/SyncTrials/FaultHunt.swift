import SyncPlugin

/// How a planted fault was caught.
public struct FaultCatch: Sendable {
    private enum Settings {
        /// Schedules beyond the first that fails, to see which invariants a planted fault breaks.
        static let moreToFire = 200
    }

    /// What was planted.
    public let fault: String
    /// The schedules it took; `nil` when it was not caught.
    public private(set) var schedules: Int?
    /// The number of the invariant that broke.
    public private(set) var invariant: Int?
    /// Steps of the schedule when nothing more could be left out.
    public private(set) var steps: Int?
    /// Whether the shrunk schedule breaks nothing without the fault: then it is the fault, not the schedule.
    public private(set) var isTheFault = false
    /// All invariants that broke within the first few hundred schedules.
    public private(set) var fired: Set<Int> = []

    /// How many faults can be planted.
    public static var faultCount: Int { PlantedFault.all.count }
    /// How many invariants there are.
    public static var invariantCount: Int { Invariant.allCases.count }

    /// Plants a fault and hunts for it.
    public init(_ index: Int, within limit: Int, steps: Int, seed: UInt64) {
        let planted = PlantedFault.all[index]
        fault = planted.name
        let setup = planted.setup
        guard let found = planted.hunt(within: limit, steps: steps, seed: seed) else { return }
        let short = Simulation.shrink(
            found.actions, setup, invariant: found.violation.invariant, run: planted.run)
        schedules = found.schedules
        invariant = found.violation.invariant.rawValue
        self.steps = short.count
        isTheFault = Simulation.run(short, setup) == nil
        fired = [found.violation.invariant.rawValue]
        for index in 0..<(found.schedules + Settings.moreToFire) {
            let actions = Simulation.schedule(setup, seed: Simulation.seed(seed, index), steps: steps)
            if let violation = planted.run(actions, setup) { fired.insert(violation.invariant.rawValue) }
        }
    }
}

/// What a hunt under the right rules came to.
public struct HuntOutcome: Sendable {
    /// Schedules that ran.
    public let schedules: Int
    /// Those that broke an invariant.
    public let violations: Int
    /// How the first of them did, with the command that replays the shortest part of it.
    public let first: String?

    /// Runs random schedules with every fault of the surroundings on, in memory; those of a hunt whose numbers are in a range.
    public init(devices: Int, steps: Int, schedules range: Range<Int>, seed: UInt64) {
        let setup = SimulationSetup(devices: devices)
        let found = Simulation.hunt(
            setup, schedules: range.count, steps: steps, seed: seed, from: range.lowerBound)
        schedules = found.schedules
        violations = found.violations
        first = found.first.map { first in
            let schedule = Simulation.shortest(first, setup, steps: steps).map(\.text).joined(
                separator: "; ")
            return "\(first.violation.invariant.words): \(first.violation.detail): "
                + "sync replay '\(schedule)' --devices \(devices)"
        }
    }
}
