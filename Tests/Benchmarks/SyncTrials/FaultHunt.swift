import SyncPlugin

/// How a planted fault was caught.
public struct FaultCatch: Sendable {
    private enum Settings {
        /// Schedules run after the first failing one, to see which invariants a planted fault violates.
        static let moreToFire = 200
    }

    /// The planted fault.
    public let fault: String
    /// The number of schedules; `nil` if it was not caught.
    public private(set) var schedules: Int?
    /// The number of the violated invariant.
    public private(set) var invariant: Int?
    /// Steps of the shrunk schedule.
    public private(set) var steps: Int?
    /// Whether the shrunk schedule passes without the fault: then the fault is the cause, not the schedule.
    public private(set) var isTheFault = false
    /// All invariants violated within the first few hundred schedules.
    public private(set) var fired: Set<Int> = []

    /// The number of faults that can be planted.
    public static var faultCount: Int { PlantedFault.all.count }
    /// The number of invariants.
    public static var invariantCount: Int { Invariant.allCases.count }

    /// Plants a fault and searches for a violation.
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

/// The outcome of a search under the correct rules.
public struct HuntOutcome: Sendable {
    /// Schedules that ran.
    public let schedules: Int
    /// Schedules that violated an invariant.
    public let violations: Int
    /// The violation of the first of them, with the command that replays its shortest part.
    public let first: String?

    /// Runs random schedules with all environment faults, in memory; those of a search with numbers in a
    /// range.
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
                + "sync simulate '\(schedule)' --devices \(devices)"
        }
    }
}
