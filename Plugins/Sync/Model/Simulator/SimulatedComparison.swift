import PluginKit

extension Simulation {
    /// Runs a schedule on a cloud and in memory; tells how they end differently, `nil` where they do not. The cloud's zone
    /// must be empty and in the simulator's first epoch.
    static func difference<C: CloudBackend>(
        on cloud: C, from setup: SimulationSetup, _ actions: [SimulatedAction]
    ) throws -> String? {
        var none = NoTrace()
        var memory = world(setup)
        try memory.run(actions, trace: &none)
        var other = SimulatedWorld(setup, cloud: cloud)
        try other.run(actions, trace: &none)
        if try other.cloud.state() != memory.cloud.state() { return "the zones differ" }
        if other.devices.map(\.store.rows) != memory.devices.map(\.store.rows) {
            return "the devices' rows differ"
        }
        return nil
    }

    /// Does so for many schedules; `cloud` gives each its own empty zone. Gives the first that differs, and how.
    static func firstDifference(
        schedules: Range<Int>, seed: UInt64, on cloud: (Int) throws -> any CloudBackend
    ) throws -> String? {
        let setup = SimulationSetup()
        for index in schedules {
            let actions = schedule(
                setup, seed: Self.seed(seed, index), steps: SimulationSettings.comparedSteps)
            if let difference = try difference(on: try cloud(index), from: setup, actions) {
                return "schedule \(index): \(difference)"
            }
        }
        return nil
    }
}
