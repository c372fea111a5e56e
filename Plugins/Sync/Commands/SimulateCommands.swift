import PluginKit

/// `sync simulate`
struct Simulate: CommandProvider {
    let service: SyncService

    var name: String { "sync simulate" }

    /// The options of a search that are not those of a replay.
    private struct Search {
        var steps = 60
        var seed = 7
        var schedules = 1000
        var faults: [Fault] = []
    }

    var command: Command {
        Command(
            name, "search schedules of edits and faults for data loss",
            details: """
                Runs the real engine in virtual time against a cloud in memory, waits until everything settles and checks eleven \
                invariants. Returns how many schedules ran and how many violated one; the first of those is shrunk to a few \
                steps. Given a schedule, it runs that one, on any cloud. `trace` and `step` show one schedule with the states of all \
                devices side by side.
                A step is a kind and three numbers: device, record, choice. Kinds: edit delete sync deliver lose duplicate \
                timeout crash crashMid offline hold skew copy restore forget backup bringBack clone reinstall putBack account unknown \
                link relay losePhoto; and of the app's own store: copyStore olderStore emptyStore answer spoil mend grow shrink farClock. \
                Steps that are impossible in a state are skipped.
                """,
            .optional("schedule", .text, "steps to run, separated by semicolons; default: random schedules"),
            .option("devices", .integer(2...8), default: "3", "number of devices"),
            .option(
                "rule",
                .choice([.init("merge", "the default rule"), .init("seed", "last writer wins: loses data")]),
                default: "merge", "conflict rule of the devices"),
            .option("steps", .integer(1...1000), "steps in each random schedule; default: 60"),
            .option("seed", .integer(0...Int.max), "random seed; default: 7"),
            .option("schedules", .integer(1...10_000_000), "number of random schedules; default: 1000"),
            .options(
                "faults", .choice(of: Fault.self) { $0.words }, "faults to inject; default: all; repeatable"),
            .option(
                "cloud", .text,
                "of a given schedule: memory, file, or a server whose zone is empty: \(CloudKinds.servers); default: memory"
            ),
            .option("notebook", .outputFile, "write a notebook that replays the given schedule"),
            output: .value("record"), effect: .changes,
            examples: [
                .init("nothing is lost", "sync simulate --schedules 200 | get violations", gives: "0"),
                .init(
                    "the seed's rule loses data",
                    "sync simulate --schedules 50 --rule seed --seed 5 | get invariant",
                    gives: "the outbox survives a crash"),
                .init(
                    "two edits of one record",
                    "sync simulate 'edit 0 0 0; sync 0 0 61440; edit 1 0 0' | get holds",
                    gives: "true"),
                .init(
                    "in a file",
                    "sync simulate 'edit 0 0 0; sync 0 0 61440; edit 1 0 0' --cloud file | get holds",
                    gives: "true"),
            ],
            searchTerms: [
                "bad network", "network errors", "without a network", "replay", "schedule", "fault", "hunt",
                "test sync", "data loss", "lost writes", "random faults", "stress test",
            ]
        ) { context, schedule, devices, rule, steps, seed, schedules, faults, cloud, notebook in
            let rule = SyncRule(rawValue: rule) ?? .merge
            if let schedule {
                let random: [(name: String, isThere: Bool)] = [
                    ("steps", steps != nil), ("seed", seed != nil), ("schedules", schedules != nil),
                    ("faults", !faults.isEmpty),
                ]
                try Self.reject(random, "is of random schedules, and one is given")
                return try replay(
                    schedule, SimulationSetup(devices: devices, rule: rule), cloud: cloud ?? "memory",
                    notebook: notebook, context)
            }
            try Self.reject(
                [("cloud", cloud != nil), ("notebook", notebook != nil)],
                "requires a schedule: `sync simulate STEPS`")
            var search = Search(faults: faults)
            if let steps { search.steps = steps }
            if let seed { search.seed = seed }
            if let schedules { search.schedules = schedules }
            return try hunt(search, devices: devices, rule: rule, context)
        }.deciding("sync simulate --steps 8 --schedules 1")
    }

    /// Throws for the first of some options that is present.
    private static func reject(_ options: [(name: String, isThere: Bool)], _ why: String) throws {
        guard let option = options.first(where: { $0.isThere }) else { return }
        throw SyncErrors.schedule("--\(option.name) \(why)", at: .parameter(option.name))
    }

    /// Runs random schedules.
    private func hunt(
        _ search: Search, devices: Int, rule: SyncRule, _ context: Context
    ) throws -> Value {
        let setup = SimulationSetup(
            devices: devices, rule: rule, faults: search.faults.isEmpty ? .all : Faults(search.faults))
        let seed = UInt64(search.seed)
        if let tracing = context.tracing {
            Self.trace(setup, search.steps, Simulation.seed(seed, 0), tracing)
        }
        let count = context.tracing == nil ? search.schedules : 1
        let findings = Simulation.hunt(
            setup, schedules: count, steps: search.steps, seed: seed,
            report: { context.progress.report("schedules", done: $0, of: count) })
        try context.checkCancelled()
        let faults = search.faults.isEmpty ? Fault.allCases : search.faults
        var record = Record([
            ("schedules", .integer(findings.schedules)), ("steps", .integer(findings.steps)),
            ("violations", .integer(findings.violations)),
            ("firstSeed", findings.first.map { .text(String($0.seed)) } ?? .nothing),
            ("faults", .text(faults.map(\.rawValue).joined(separator: " "))),
        ])
        if let first = findings.first {
            let short = Simulation.shortest(first, setup, steps: search.steps)
            record["invariant"] = .text(first.violation.invariant.words)
            record["detail"] = .text(Simulation.run(short, setup)?.detail ?? first.violation.detail)
            record["schedule"] = .text(short.map(\.text).joined(separator: "; "))
        }
        return .record(record)
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
