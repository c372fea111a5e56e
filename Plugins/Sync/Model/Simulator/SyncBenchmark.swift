import PluginKit
import Foundation

/// What the program that measures runs.
public enum SyncBenchmark {
    /// Hunts and measures.
    public static func main(_ arguments: [String]) async {
        let count = arguments.first.flatMap { Int($0) } ?? 10_000
        let faults = arguments.contains("nofaults") ? Faults.none : .all
        if arguments.contains("stats") {
            var head: Int64 = 0, conflicts = 0, edits: Int64 = 0
            for index in 0..<1000 {
                let actions = SimulatedAction.schedule(seed: Simulation.seed(7, index), devices: 3, records: 4, steps: 60, faults: faults)
                var world = Simulation.world(SimulationSetup(faults: faults))
                world.quits = true
                var trace = NoTrace()
                try? world.run(actions, trace: &trace)
                head += (try? world.cloud.state().head) ?? 0
                edits += Int64(actions.count { $0.kind == .edit })
                conflicts += world.devices.reduce(0) { $0 + $1.store.durable.conflicts.count }
            }
            print("stats", head, conflicts, edits)
            return
        }
        let clock = ContinuousClock()
        let start = clock.now
        guard let findings = try? Simulation.hunt(
            SimulationSetup(faults: faults), schedules: count, steps: 60, seed: 7) else { return }
        let time = (clock.now - start).components
        let seconds = Double(time.seconds) + Double(time.attoseconds) / 1e18
        print("\(findings.schedules) schedules, \(findings.violations) violations, first \(String(describing: findings.first)), \(Int(Double(count) / seconds)) a second")
        let bugs: [(String, WritableKeyPath<SyncRules, Bool>)] = [
            ("wholeRecords", \.wholeRecords), ("forgetsDeletions", \.forgetsDeletions),
            ("noOperationIdentifiers", \.noOperationIdentifiers), ("noTagCheck", \.noTagCheck),
            ("tokenBeforeApply", \.tokenBeforeApply), ("sequenceNumbers", \.sequenceNumbers),
            ("tokenIsHead", \.tokenIsHead), ("outboxClearedOnSend", \.outboxClearedOnSend),
            ("acknowledgesPresent", \.acknowledgesPresent),
            ("acknowledgesAnyOperation", \.acknowledgesAnyOperation),
            ("resendsOtherContent", \.resendsOtherContent), ("pullsOverEdits", \.pullsOverEdits),
            ("blobAfterRecord", \.blobAfterRecord), ("sameIncarnation", \.sameIncarnation),
            ("ignoresEpoch", \.ignoresEpoch), ("ignoresFloor", \.ignoresFloor), ("keepsMissing", \.keepsMissing),
            ("forgetsIntents", \.forgetsIntents), ("dropsUnknownFields", \.dropsUnknownFields),
        ]
        for (name, path) in bugs {
            var rules = SyncRules.merge
            rules[keyPath: path] = true
            let setup = SimulationSetup(rules: rules, faults: faults)
            guard let found = try? Simulation.hunt(setup, schedules: 10_000, steps: 60, seed: 7, stopsAtFirst: true) else { return }
            print(name, found.schedules, found.first.map { "\($0.violation.invariant) \($0.violation.detail)" } ?? "NOT CAUGHT")
        }
        if arguments.contains("wide") {
            let wide = SimulationSetup(devices: 5, records: 6, faults: faults)
            let found = try? Simulation.hunt(wide, schedules: 10_000, steps: 200, seed: 7)
            print("wide", found?.violations ?? -1, String(describing: found?.first))
            var edit = SyncRules.merge
            edit.deletion = .editWins
            let other = try? Simulation.hunt(SimulationSetup(rules: edit), schedules: 20_000, steps: 60, seed: 7)
            print("editWins", other?.violations ?? -1, String(describing: other?.first))
        }
        for bug in [-1] {
            _ = bug
            guard let first = findings.first else { continue }
            let setup = SimulationSetup(faults: faults)
            let actions = SimulatedAction.schedule(seed: first.seed, devices: 3, records: 4, steps: 60, faults: faults)
            let short = Simulation.shrink(actions, setup, invariant: first.violation.invariant)
            print(short.map(\.text).joined(separator: "; "))
        }
    }
}
