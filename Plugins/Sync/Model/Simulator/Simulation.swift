import PluginKit

/// Runs schedules and searches for one that violates an invariant.
package enum Simulation {
    /// Runs one schedule; returns the violation.
    package typealias Run = ([SimulatedAction], SimulationSetup) -> Violation?

    /// The result of a search.
    package struct Findings: Sendable {
        package var schedules = 0
        var steps = 0
        package var violations = 0
        /// The first failing schedule, by its seed, and its violation.
        package var first: (seed: UInt64, violation: Violation)?
    }

    /// Runs one schedule in memory; returns the violation.
    package static func run(_ actions: [SimulatedAction], _ setup: SimulationSetup) -> Violation? {
        var none = NoTrace()
        return run(actions, setup, on: memory, trace: &none)
    }

    /// A zone in memory.
    package static var memory: MemoryZone { MemoryZone(epoch: SimulationSettings.firstEpoch) }

    /// Runs one schedule on a cloud; returns the violation. States are recorded only while tracing.
    static func run<C: CloudBackend, R: TraceRecorder>(
        _ actions: [SimulatedAction], _ setup: SimulationSetup, on cloud: C, isWatched: Bool = false,
        trace: inout R
    ) -> Violation? {
        violation {
            if setup.rule == .seed {
                var world = SimulatedWorld(setup, cloud: SeedCloud.seed(cloud)) { SeedStore.seed($0) }
                world.isWatched = isWatched
                try world.run(actions, trace: &trace)
            } else {
                var world = SimulatedWorld(setup, cloud: cloud) { $0 }
                world.isWatched = isWatched
                try world.run(actions, trace: &trace)
            }
        }
    }

    /// The violation thrown by a closure.
    package static func violation(_ body: () throws -> Void) -> Violation? {
        do {
            try body()
            return nil
        } catch let violation as Violation {
            return violation
        } catch {
            return Violation(invariant: .converges, detail: "\(error)")
        }
    }

    /// The steps of the schedule of a seed.
    package static func schedule(_ setup: SimulationSetup, seed: UInt64, steps: Int) -> [SimulatedAction] {
        SimulatedAction.schedule(
            seed: seed, devices: setup.devices, records: setup.records, steps: steps, faults: setup.faults)
    }

    /// The seed of a schedule of a search.
    package static func seed(_ seed: UInt64, _ index: Int) -> UInt64 {
        seed &* 0x9e37_79b9_7f4a_7c15 &+ UInt64(truncatingIfNeeded: index)
    }

    /// Runs schedules from a seed; stops after the first violation if requested, or when cancelled.
    package static func hunt(
        _ setup: SimulationSetup, schedules: Int, steps: Int, seed: UInt64, from start: Int = 0,
        stopsAtFirst: Bool = false, run: Run = Simulation.run, report: (Int) -> Void = { _ in }
    ) -> Findings {
        var findings = Findings()
        for index in start..<(start + schedules) {
            if index % 64 == 0 {
                if Task.isCancelled { break }
                report(index - start)
            }
            let own = Self.seed(seed, index)
            let actions = schedule(setup, seed: own, steps: steps)
            findings.schedules += 1
            findings.steps += steps
            guard let violation = run(actions, setup) else { continue }
            findings.violations += 1
            if findings.first == nil { findings.first = (own, violation) }
            if stopsAtFirst { break }
        }
        return findings
    }

    /// The shortest failing part of the first failing schedule.
    package static func shortest(
        _ first: (seed: UInt64, violation: Violation), _ setup: SimulationSetup, steps: Int,
        run: Run = Simulation.run
    ) -> [SimulatedAction] {
        shrink(
            schedule(setup, seed: first.seed, steps: steps), setup, invariant: first.violation.invariant,
            run: run)
    }

    /// The shortest part of a failing schedule that still fails in the same way, found by removing halves,
    /// then quarters, … then single steps (delta debugging, Zeller and Hildebrandt 2002).
    package static func shrink(
        _ actions: [SimulatedAction], _ setup: SimulationSetup, invariant: Invariant,
        run: Run = Simulation.run
    ) -> [SimulatedAction] {
        func fails(_ actions: [SimulatedAction]) -> Bool { run(actions, setup)?.invariant == invariant }
        var present = actions
        var size = max(1, present.count / 2)
        while true {
            var hasShrunk = false
            var start = 0
            while start < present.count {
                var candidate = present
                candidate.removeSubrange(start..<min(start + size, present.count))
                if fails(candidate) {
                    present = candidate
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if size == 1, !hasShrunk { return simplified(present, fails) }
            size = max(1, size / 2)
        }
    }

    /// The same steps with smaller numbers as long as they fail too.
    private static func simplified(
        _ actions: [SimulatedAction], _ fails: ([SimulatedAction]) -> Bool
    ) -> [SimulatedAction] {
        var present = actions
        for index in present.indices {
            for choice in [0, 1, 2, 3, 4] where choice < present[index].choice {
                var candidate = present
                candidate[index].choice = choice
                if fails(candidate) {
                    present = candidate
                    break
                }
            }
        }
        return present
    }
}
