import Testing

@testable import SyncPlugin

/// Random schedules against the real engine: no violation under the right rules, one under each planted fault.
@Suite struct HuntTests {
    @Test func noViolationWithEveryFault() {
        let findings = Simulation.hunt(SimulationSetup(), schedules: 1_000, steps: 60, seed: 7)
        #expect(findings.violations == 0, "\(String(describing: findings.first))")
        let wide = Simulation.hunt(
            SimulationSetup(devices: 5, records: 6), schedules: 60, steps: 200, seed: 11)
        #expect(wide.violations == 0, "\(String(describing: wide.first))")
    }

    @Test func anEditMayWinOverADeletion() {
        var rules = SyncRules.merge
        rules.deletion = .editWins
        let findings = Simulation.hunt(SimulationSetup(rules: rules), schedules: 500, steps: 60, seed: 3)
        #expect(findings.violations == 0, "\(String(describing: findings.first))")
    }

    /// The faults that can be planted, and the most schedules that catching them may take.
    static let faults: [(name: String, set: @Sendable (inout SyncRules) -> Void)] = [
        ("whole records, last writer wins", { $0.wholeRecords = true }),
        ("no tombstones", { $0.forgetsDeletions = true }),
        ("no operation identifiers", { $0.noOperationIdentifiers = true }),
        ("no check of what a save is based on", { $0.noTagCheck = true }),
        ("token before apply", { $0.tokenBeforeApply = true }),
        ("numbers of a sequence", { $0.sequenceNumbers = true }),
        ("the head as token", { $0.tokenIsHead = true }),
        ("outbox cleared on send", { $0.outboxClearedOnSend = true }),
        ("an acknowledgement marks the present content", { $0.acknowledgesPresent = true }),
        ("an acknowledgement taken for any operation", { $0.acknowledgesAnyOperation = true }),
        ("sent again with other content", { $0.resendsOtherContent = true }),
        ("pull over edits", { $0.pullsOverEdits = true }),
        ("blob after record", { $0.blobAfterRecord = true }),
        ("made again as the same incarnation", { $0.sameIncarnation = true }),
        ("epoch not looked at", { $0.ignoresEpoch = true }),
        ("floor not looked at", { $0.ignoresFloor = true }),
        ("what a full fetch lacks is kept", { $0.keepsMissing = true }),
        ("intents forgotten", { $0.forgetsIntents = true }),
        ("unknown fields dropped", { $0.dropsUnknownFields = true }),
    ]

    @Test(arguments: faults.indices)
    func aPlantedFaultIsCaught(_ index: Int) throws {
        var setup = SimulationSetup()
        Self.faults[index].set(&setup.rules)
        let found = Simulation.hunt(setup, schedules: 10_000, steps: 60, seed: 7, stopsAtFirst: true)
        let first = try #require(found.first, "\(Self.faults[index].name) was not caught")
        let actions = SimulatedAction.schedule(
            seed: first.seed, devices: setup.devices, records: setup.records, steps: 60, faults: setup.faults)
        let short = Simulation.shrink(actions, setup, invariant: first.violation.invariant)
        #expect(short.count < actions.count)
        #expect(Simulation.run(short, setup)?.invariant == first.violation.invariant)
        // The same steps under the right rules lose nothing: the fault it is, not the schedule.
        #expect(Simulation.run(short, SimulationSetup()) == nil)
    }

    @Test func everyInvariantFires() {
        var fired: Set<Invariant> = []
        for fault in Self.faults where fired.count < Invariant.allCases.count {
            var setup = SimulationSetup()
            fault.set(&setup.rules)
            for index in 0..<400 where fired.count < Invariant.allCases.count {
                let actions = SimulatedAction.schedule(
                    seed: Simulation.seed(7, index), devices: setup.devices, records: setup.records,
                    steps: 60,
                    faults: .all)
                if let violation = Simulation.run(actions, setup) { fired.insert(violation.invariant) }
            }
        }
        #expect(fired == Set(Invariant.allCases))
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
