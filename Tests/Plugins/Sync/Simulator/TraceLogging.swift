import PluginKit

@testable import SyncPlugin

/// A schedule's trace as lines.
enum TraceLogging {
    static func log(seed: UInt64) -> [String] {
        let setup = SimulationSetup()
        let actions = SimulatedAction.schedule(
            seed: seed, devices: setup.devices, records: setup.records, steps: 60, faults: setup.faults)
        var log = TraceLog()
        _ = Simulation.run(actions, setup, on: Simulation.memory, isWatched: true, trace: &log)
        return log.steps.map { "\($0.kind) \($0.values.values) \($0.why)" }
    }
}
