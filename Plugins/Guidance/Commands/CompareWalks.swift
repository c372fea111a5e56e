import PluginKit

/// `guide compare`
struct CompareWalks: CommandProvider {
    var name: String { "guide compare" }

    var command: Command {
        Command(
            name,
            "rerun walks under other settings and compare",
            details: """
                The first row is the walk with its own settings. `error` is the mean distance along the route between the \
                matched and the true position while on route, for simulated walks. `first` is the time of the first fix with \
                a different prompt, or with matched positions more than 25 m apart; `base` and `here` are the prompts there. \
                Reroutes are not repeated. With --scores, a row of `guide score` for each run; of several walks, as a list, \
                each row is the sum over all of them. Matchers: belief (the most \
                likely position along the route), window, markov (hidden Markov model), nearest (nearest point of the whole \
                line), app (the app's method).
                """,
            .flag("scores", "score each run against the true positions"),
            .rest(
                "with", .text, minimum: 1,
                "settings of a run, such as matcher=nearest or 'off-route=40m clear=20m'"),
            input: .value("walk"), output: .rows(WalkComparison.columns), effect: .pure,
            examples: [
                .init(
                    "an earlier warning",
                    "$line | guide simulate --detour 50m,45m,150m | guide compare 'off-route=40m' | select run offRoute",
                    after: GuidanceExample.line,
                    gives: """
                        run            offRoute
                        base                  0
                        off-route=40m         1
                        """),
                .init(
                    "matchers side by side",
                    "$line | guide simulate --noise 5m --seed 1 | guide compare --scores matcher=app | select run missing",
                    after: GuidanceExample.line,
                    gives: """
                        run          missing
                        base               0
                        matcher=app        2
                        """),
                .init(
                    "matchers over several walks",
                    "[$calm $noisy] | guide compare --scores matcher=app | select run prompts missing",
                    after: GuidanceExample.line + [
                        "let calm = $line | guide simulate",
                        "let noisy = $line | guide simulate --noise 5m --seed 1",
                    ],
                    gives: """
                        run          prompts  missing
                        base              10        0
                        matcher=app       10        4
                        """),
                .init(
                    "a walk is required", "expect-error E-INPUT-KIND guide compare matcher=nearest",
                    gives: "`guide compare` takes a walk, not nothing"),
            ],
            searchTerms: [
                "matcher", "difference", "viterbi", "hmm", "score", "several", "tune the settings",
                "which settings are better", "compare filters", "kalman", "which filter",
            ]
        ) { input, context, scored, with in
            let walks = try GuidanceWalk.all(
                input, for: "guide compare", fix: "guide simulate ROUTE | guide compare matcher=nearest")
            guard scored else {
                guard walks.count == 1 else {
                    throw GuidanceErrors.simulation(
                        "\(walks.count) walks are compared by the sums of their scores",
                        fix: "guide compare --scores …")
                }
                return try Self.compared(walks[0].run, with, context)
            }
            let rows = try ([nil] + with.map(Optional.some)).map { text in
                var sum = WalkScore()
                for walk in walks {
                    let run = try Self.rerun(walk.run, text, context)
                    guard let score = run.score else {
                        throw GuidanceErrors.simulation(
                            "a recorded walk has no true positions to score against", at: .parameter("scores")
                        )
                    }
                    sum.add(score)
                }
                return Value.record(sum.record(named: text ?? Self.base))
            }
            context.tracing?.keep(
                "runs by the share of prompts in place", from: WalkComparison.started(walks.count),
                candidates: WalkComparison.ranked(rows), to: WalkComparison.ended(rows.count))
            return .table(columns: WalkScore.columns, rows: rows)
        }.deciding(
            "$walk | guide compare off-route=40m",
            after: GuidanceExample.line + [
                "let walk = $line | guide simulate --detour 50m,45m,150m --interval 10s"
            ])
    }
    private static let base = "base"

    /// The fixes of a walk under other settings, or its own; without its reroutes, so that all runs follow the same line.
    private static func rerun(_ run: GuidanceRun, _ text: String?, _ context: Context) throws -> GuidanceRun {
        let own = run.settings
        let settings = try text.map { try own.changed(by: $0) } ?? own
        return try WalkComparison.rerun(run, settings, check: context.checkCancelled)
    }

    /// The events of each run.
    private static func compared(_ run: GuidanceRun, _ with: [String], _ context: Context) throws -> Value {
        let comparison = WalkComparison(base: try rerun(run, nil, context))
        let runs = try with.map { ($0, try rerun(run, $0, context)) }
        context.tracing?.keep(
            "fixes at which the runs differ", from: WalkComparison.started(1),
            candidates: runs.flatMap { comparison.steps($0, $1) }, to: WalkComparison.ended(runs.count + 1))
        let rows = runs.map { comparison.row($0, $1) }
        return .table(
            columns: WalkComparison.columns, rows: [comparison.row(base, comparison.base)] + rows)
    }
}
