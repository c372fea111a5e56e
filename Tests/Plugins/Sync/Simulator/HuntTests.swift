import SyncTrials
import Testing

@testable import SyncPlugin

/// Random schedules against the real engine: no violation under the right rules, one under each planted fault.
@Suite struct HuntTests {
    @Test func noViolationWithEveryFault() {
        let findings = Simulation.hunt(SimulationSetup(), schedules: 100, steps: 60, seed: 7)
        #expect(findings.violations == 0, "\(String(describing: findings.first))")
        let wide = Simulation.hunt(
            SimulationSetup(devices: 5), schedules: 4, steps: 200, seed: 11)
        #expect(wide.violations == 0, "\(String(describing: wide.first))")
    }

    @Test func anEditMayWinOverADeletion() {
        let findings = Simulation.hunt(
            SimulationSetup(rule: .editWins), schedules: 60, steps: 60, seed: 3)
        #expect(findings.violations == 0, "\(String(describing: findings.first))")
    }

    /// The seed of the hunt that `sync-bench --hunt` runs.
    private static let seed: UInt64 = 20_260_206
    /// Schedules within which a planted fault must be caught here; the rarest take the longer hunt of `sync-bench`.
    private static let patience = 2_000

    @Test(arguments: PlantedFault.all.indices)
    func aPlantedFaultIsCaught(_ index: Int) throws {
        let fault = PlantedFault.all[index]
        let found = Simulation.hunt(
            SimulationSetup(), schedules: Self.patience, steps: 60, seed: Self.seed, stopsAtFirst: true,
            run: fault.run)
        #expect(found.violations == 1, "\(fault.name)")
        // The same steps under the right rules lose nothing: the fault it is, not the schedule.
        let actions = schedule(found.schedules - 1)
        #expect(Simulation.run(actions, SimulationSetup()) == nil, "\(fault.name)")
    }

    @Test func aFailingScheduleIsShrunk() throws {
        let setup = SimulationSetup(rule: .seed)
        let actions = schedule(0)
        let violation = try #require(Simulation.run(actions, setup))
        let short = Simulation.shrink(actions, setup, invariant: violation.invariant)
        #expect(short.count <= 12)
        #expect(Simulation.run(short, setup)?.invariant == violation.invariant)
        // Nothing more can be left out.
        for index in short.indices {
            var less = short
            less.remove(at: index)
            #expect(Simulation.run(less, setup)?.invariant != violation.invariant)
        }
    }

    private func schedule(_ index: Int) -> [SimulatedAction] {
        let setup = SimulationSetup()
        return SimulatedAction.schedule(
            seed: Simulation.seed(Self.seed, index), devices: setup.devices, records: setup.records,
            steps: 60,
            faults: setup.faults)
    }

    @Test func theSameSeedGivesTheSameTrace() throws {
        func trace() -> [String] {
            let collector = TraceLogging.log(seed: 42)
            return collector
        }
        #expect(trace() == trace())
        #expect(trace().count > 60)
    }
}
