import PluginKit

/// `guide score`
struct ScoreWalks: CommandProvider {
    private static let faultColumns = ["elapsed", "fault", "truth", "along", "off", "text"]

    var name: String { "guide score" }

    var command: Command {
        Command(
            name, "score simulated walks against their true positions",
            details: """
                Counts false and missing arrivals, prompts in place (within 25 m), early, late or \
                missing, silences of more than two instructions, warnings on the route, and the time during which progress was more than \
                50 m wrong. After the walk leaves the plan, its continuation is unknown at first: for 30 s after a gap, a \
                shortcut or turning round, prompts may be late or missing, as may those of turns that no fix comes near; they are \
                counted as `excused` and not in the share `inPlace`. After a reroute the arrival is due at the end of the first route, and `viasMissed` \
                are the via points that were not passed. A row for each walk of a list. With --faults, a row for each \
                fault.
                """,
            .flag("faults", "list faults instead of counting them"),
            input: .value("walk"), output: .rows(WalkScore.columns), effect: .pure,
            examples: [
                .init(
                    "a walk with an outlier every 200 s",
                    "$line | guide simulate --scenario outlier --noise 5m --seed 1 | guide score | select falseArrivals prompts inPlace",
                    after: GuidanceExample.line,
                    gives: """
                        falseArrivals  prompts  inPlace
                                    0        5     100%
                        """),
                .init(
                    "a walk is required", "expect-error E-INPUT-KIND guide score",
                    gives: "`guide score` takes a walk, not nothing"),
            ],
            searchTerms: [
                "truth", "error", "quality", "measure", "accuracy of guidance", "how good", "accuracy",
                "false alarms",
            ]
        ) { input, context, faults in
            let walks = try GuidanceWalk.all(
                input, for: "guide score", fix: "guide simulate ROUTE | guide score")
            let rows = try walks.map { walk in
                guard let score = walk.run.score else {
                    throw GuidanceErrors.simulation(
                        "a recorded walk has no true positions to score against",
                        fix: "guide simulate ROUTE --noise 5m | guide score")
                }
                return Value.record(score.record(named: walk.route.name))
            }
            context.tracing?.keep(
                "prompts by the point where they are spoken",
                from: .start(
                    [("walks", .integer(walks.count))],
                    why: "each prompt is compared with the point where it is due by the true positions"),
                candidates: walks.lazy.flatMap { walk in
                    walk.run.scoredPrompts.map { $0.step(walk.route.name) }
                },
                to: .end(
                    [("walks", .integer(rows.count))],
                    why: "every spoken or due prompt is counted once"))
            guard faults else { return .table(columns: WalkScore.columns, rows: rows) }
            return .table(
                columns: Self.faultColumns,
                cells: walks.flatMap(\.run.faults).map { fault in
                    [
                        .quantity(.seconds(fault.seconds)), .text(fault.kind.rawValue),
                        Value(fault.truth) { .quantity(.metres($0)) }, .quantity(.metres(fault.along)),
                        Value(fault.off) { .quantity(.metres($0)) }, .text(fault.text),
                    ]
                })
        }.deciding(
            "$walk | guide score",
            after: GuidanceExample.line + [
                "let walk = $line | guide simulate --noise 5m --seed 1 --interval 5s"
            ])
    }
}
