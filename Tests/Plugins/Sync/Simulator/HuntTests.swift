import Testing

@testable import SyncPlugin

/// Random schedules against the real engine: no violation under the right rules, one under each planted fault.
@Suite struct HuntTests {
    @Test func noViolationWithEveryFault() {
        let findings = Simulation.hunt(SimulationSetup(), schedules: 2_000, steps: 60, seed: 7)
        #expect(findings.violations == 0, "\(String(describing: findings.first))")
        let wide = Simulation.hunt(
            SimulationSetup(devices: 5, records: 6), schedules: 100, steps: 200, seed: 11)
        #expect(wide.violations == 0, "\(String(describing: wide.first))")
    }
}
