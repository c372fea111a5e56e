import Foundation
import PluginKit

/// `sync simulate`
struct Simulate: CommandProvider {
    let service: SyncService

    var name: String { "sync simulate" }

    var command: Command {
        Command(
            name, "search random schedules of edits and faults for data loss",
            details: """
                Runs the real engine in virtual time against a cloud in memory, waits until everything settles and checks ten \
                invariants. Returns how many schedules ran and how many violated one; the first of those is shrunk to a few \
                steps, which `sync replay` runs on any cloud. `trace` and `step` show one schedule with the states of all \
                devices side by side.
                """,
            .option("devices", .integer(2...8), default: "3", "number of devices"),
            .option("steps", .integer(1...1000), default: "60", "steps in each schedule"),
            .option("seed", .integer(0...Int.max), default: "7", "random seed"),
            .option("schedules", .integer(1...10_000_000), default: "1000", "number of schedules"),
            .options(
                "faults", .choice(of: Fault.self) { $0.words }, "faults to inject; default: all; repeatable"),
            .option(
                "rule",
                .choice([.init("merge", "the default rule"), .init("seed", "last writer wins: loses data")]),
                default: "merge", "conflict rule of the devices"),
            output: .value("record"), effect: .pure,
            examples: [
                .init("nothing is lost", "sync simulate --schedules 200 | get violations", gives: "0"),
                .init(
                    "the seed's rule loses data",
                    "sync simulate --schedules 50 --rule seed --seed 5 | get invariant",
                    gives: "every acknowledged write is current, an ancestor, or kept as a conflict"),
            ]
        ) { context, devices, steps, seed, schedules, faults, rule in
            let setup = SimulationSetup(
                devices: devices, rule: SyncRule(rawValue: rule) ?? .merge,
                faults: faults.isEmpty ? .all : Faults(faults))
            let seed = UInt64(seed)
            if let tracing = context.tracing { Self.trace(setup, steps, Simulation.seed(seed, 0), tracing) }
            let count = context.tracing == nil ? schedules : 1
            let findings = Simulation.hunt(
                setup, schedules: count, steps: steps, seed: seed,
                report: { context.progress.report("schedules", done: $0, of: count) })
            try context.checkCancelled()
            var record = Record([
                ("schedules", .integer(findings.schedules)), ("steps", .integer(findings.steps)),
                ("violations", .integer(findings.violations)),
                ("firstSeed", findings.first.map { .text(String($0.seed)) } ?? .nothing),
                (
                    "faults",
                    .text((faults.isEmpty ? Fault.allCases : faults).map(\.rawValue).joined(separator: " "))
                ),
            ])
            if let first = findings.first {
                let short = Simulation.shortest(first, setup, steps: steps)
                record["invariant"] = .text(first.violation.invariant.words)
                record["detail"] = .text(Simulation.run(short, setup)?.detail ?? first.violation.detail)
                record["schedule"] = .text(short.map(\.text).joined(separator: "; "))
            }
            return .record(record)
        }.deciding("sync simulate --steps 8 --schedules 1")
    }

    /// Runs a schedule and keeps its steps.
    static func watched<C: CloudBackend>(
        _ actions: [SimulatedAction], _ setup: SimulationSetup, _ cloud: C, _ tracing: TraceCollector
    ) -> Violation? {
        var log = TraceLog(limit: tracing.limit)
        log.record(ScheduleSteps.started(actions, setup))
        let violation = Simulation.run(actions, setup, on: cloud, isWatched: true, trace: &log)
        log.record(ScheduleSteps.ended(violation))
        tracing.keep(log, picture: ScheduleSteps.picture)
        return violation
    }

    static func trace(_ setup: SimulationSetup, _ steps: Int, _ seed: UInt64, _ tracing: TraceCollector) {
        let actions = Simulation.schedule(setup, seed: seed, steps: steps)
        _ = watched(actions, setup, Simulation.memory, tracing)
    }
}

/// `sync replay`
struct Replay: CommandProvider {
    let service: SyncService

    var name: String { "sync replay" }

    var command: Command {
        Command(
            name, "run a schedule on any cloud and check it",
            details: """
                A step is a kind and three numbers: device, record, choice. Kinds: edit delete sync deliver lose duplicate \
                timeout crash crashMid offline hold skew copy restore forget backup bringBack clone reinstall putBack account unknown \
                link relay losePhoto. Steps that are impossible in a state are skipped.
                """,
            .positional("schedule", .text, "steps separated by semicolons"),
            .option("devices", .integer(2...8), default: "3", "number of devices"),
            .option(
                "cloud", .text, default: "memory",
                "memory, file, or a server whose zone is empty: \(CloudKinds.servers)"),
            .option(
                "rule",
                .choice([.init("merge", "the default rule"), .init("seed", "last writer wins: loses data")]),
                default: "merge", "conflict rule of the devices"),
            .option("notebook", .outputFile, "write a notebook that replays the schedule"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "two edits of one record",
                    "sync replay 'edit 0 0 0; sync 0 0 61440; edit 1 0 0' | get holds",
                    gives: "true"),
                .init(
                    "in a file",
                    "sync replay 'edit 0 0 0; sync 0 0 61440; edit 1 0 0' --cloud file | get holds",
                    gives: "true"),
            ]
        ) { context, schedule, devices, cloud, rule, notebook in
            let actions: [SimulatedAction]
            switch SimulatedAction.parse(schedule) {
            case .success(let parsed): actions = parsed
            case .failure(let unreadable):
                throw SyncErrors.schedule("`\(unreadable.step)` is not a step", at: .parameter("schedule"))
            }
            let setup = SimulationSetup(devices: devices, rule: SyncRule(rawValue: rule) ?? .merge)
            let violation: Violation?
            switch cloud {
            case "memory": violation = play(actions, setup, Simulation.memory, context)
            case "file":
                let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                    "rutter-replay-\(getpid())")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                defer { FileManager.default.discard(folder) }
                let cloud = try CloudKinds.kind(of: nil).kind.open(
                    CloudAddress(text: nil, epoch: SimulationSettings.firstEpoch) { _ in
                        folder.appendingPathComponent("cloud.db")
                    })
                violation = play(actions, setup, cloud, context)
            default:
                violation = try play(actions, setup, on: cloud, context)
            }
            if let file = notebook {
                let page = Self.page(schedule, devices: devices, rule: rule, violation)
                try OutputFile.write(Data(page.utf8), to: file, force: false, parameter: "notebook")
            }
            return .record(
                Record([
                    ("steps", .integer(actions.count)), ("holds", .boolean(violation == nil)),
                    ("invariant", Value(violation) { .text($0.invariant.words) }),
                    ("detail", Value(violation) { .text($0.detail) }),
                ]))
        }.deciding("sync replay 'edit 0 0 0; sync 0 0 61440; edit 1 0 0'")
    }

    /// Runs the schedule on a server zone that has never been used; leaves the zone empty, with a new
    /// history.
    private func play(
        _ actions: [SimulatedAction], _ setup: SimulationSetup, on name: String, _ context: Context
    ) throws -> Violation? {
        let (kind, address) = try CloudKinds.kind(of: name)
        guard kind.usesNetwork else {
            throw SyncErrors.cloud(
                "not a server: \(name)", at: .parameter("cloud"),
                fix: "--cloud file, or \(CloudKinds.servers)")
        }
        try service.checkNetwork(context, parameter: "cloud")
        var cloud = try kind.open(
            CloudAddress(text: address, epoch: SimulationSettings.firstEpoch) { _ in
                throw SyncErrors.cloud("not a server", at: .parameter("cloud"))
            })
        do throws(CloudFailure) {
            let state = try cloud.state()
            guard state.head == 0, state.lineage.starts.count <= 1 else {
                throw CloudFailure.permanent("")
            }
            try cloud.restore(.empty, epoch: SimulationSettings.firstEpoch)
        } catch .permanent("") {
            throw SyncErrors.notEmpty(
                "this account's zone is or was in use", at: .parameter("cloud"),
                fix: "use an account that has never synced")
        } catch {
            throw SyncErrors.cloud("\(error)", at: .parameter("cloud"))
        }
        let violation = play(actions, setup, cloud, context)
        do throws(CloudFailure) { try cloud.restore(.empty, epoch: context.random.next() | 1) } catch {
            throw SyncErrors.cloud("\(error)", at: .parameter("cloud"))
        }
        return violation
    }

    private func play<C: CloudBackend>(
        _ actions: [SimulatedAction], _ setup: SimulationSetup, _ cloud: C, _ context: Context
    ) -> Violation? {
        guard let tracing = context.tracing else {
            var none = NoTrace()
            return Simulation.run(actions, setup, on: cloud, trace: &none)
        }
        return Simulate.watched(actions, setup, cloud, tracing)
    }

    /// A notebook that replays a schedule.
    static func page(_ schedule: String, devices: Int, rule: String, _ violation: Violation?) -> String {
        let more = (devices == 3 ? "" : " --devices \(devices)") + (rule == "merge" ? "" : " --rule \(rule)")
        return """
            ---
            requires: [sync]
            ---
            # A schedule found by the simulator

            \(violation.map { "It breaks an invariant: \($0.invariant.words). Here, \($0.detail)." } ?? "It breaks no invariant.")

            ```rutter
            rutter> sync replay '\(schedule)'\(more) | get holds
            \(violation == nil)
            rutter> sync replay '\(schedule)'\(more) --cloud file | get holds
            \(violation == nil)
            ```

            Step by step, the states of all devices side by side:

            ```rutter nocheck
            rutter> trace sync replay '\(schedule)'\(more)
            ```

            """
    }
}
