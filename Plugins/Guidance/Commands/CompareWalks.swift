import PluginKit

/// `guide compare`
struct CompareWalks: CommandProvider {
    let session: GuidanceSession

    var command: Command {
        Command(
            "guide compare",
            "rerun a walk under other settings and compare",
            details: """
                The first row is the walk with its own settings. `error` is the mean distance along the route between the \
                matched and the true position while on route, for simulated walks. `first` is the time of the first fix with \
                a different prompt, or with matched positions more than 25 m apart; `base` and `here` are the prompts there. \
                Reroutes are not repeated. With --scores, a row of `guide score` for each run. Matchers: belief (the most \
                likely position along the route), window, markov (hidden Markov model), nearest (nearest point of the whole \
                line), app (as the app does it).
                """,
            .flag("scores", "score each run against the true positions"),
            .rest(
                "with", .text, minimum: 1,
                "settings of a run, such as matcher=nearest or 'offRoute=40m clear=20m'"),
            input: .value("walk"), output: .rows(WalkComparison.columns), effect: .pure,
            examples: [
                .init(
                    "an earlier warning",
                    "$line | guide simulate --detour 50m,45m,150m | guide compare 'offRoute=40m' | select run offRoute",
                    after: Samples.line,
                    gives: """
                        run           offRoute
                        base                 0
                        offRoute=40m         1
                        """),
                .init(
                    "matchers side by side",
                    "$line | guide simulate --noise 5m --seed 1 | guide compare --scores matcher=app | select run missing",
                    after: Samples.line,
                    gives: """
                        run          missing
                        base               0
                        matcher=app        2
                        """),
                .init(
                    "a walk is required", "expect-error E-INPUT-KIND guide compare matcher=nearest",
                    gives: "`guide compare` takes a walk, not nothing"),
            ], searchTerms: ["matcher", "difference", "viterbi", "hmm"]
        ) { input, context, scored, with in
            let walk = try input.object(
                of: GuidanceWalk.self, "a walk", for: "guide compare",
                fix: "guide simulate ROUTE | guide compare matcher=nearest")
            let words = walk.words
            let own = walk.journey.settings
            // Without its reroutes, so that all runs follow the same line.
            let base = try WalkComparison.rerun(walk.journey, own, check: context.checkCancelled)
            let comparison = WalkComparison(base: base, words: words)
            func row(_ name: String, _ journey: Journey) throws -> Value {
                guard scored else { return comparison.row(name, journey) }
                guard let score = journey.score else {
                    throw GuidanceErrors.simulation(
                        "a recorded walk has no true positions to score against", at: .parameter("scores"))
                }
                return .record(score.record(named: name))
            }
            var rows = [try row("base", base)]
            for text in with {
                let settings = try SettingsTable.changed(own, by: text)
                let other = try WalkComparison.rerun(walk.journey, settings, check: context.checkCancelled)
                rows.append(try row(text, other))
            }
            return .table(columns: scored ? WalkScore.columns : WalkComparison.columns, rows: rows)
        }
    }
}
