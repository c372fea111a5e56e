import PluginKit

/// `guide score`
struct ScoreWalks: CommandProvider {
    private static let faultColumns = ["elapsed", "fault", "truth", "along", "off", "text"]

    var command: Command {
        Command(
            "guide score", "score a simulated walk against its true positions",
            details: """
                Counts arrivals that are false or missing, prompts that come within 25 m of their place, early, late or not \
                at all, silences over two instructions, warnings on the route, and the time at which progress was more than \
                50 m wrong. Nobody can know at once where someone goes on who has left the plan: for 45 s after a gap, a \
                shortcut or turning round prompts may come late. With --faults, a row for each fault.
                """,
            .flag("faults", "list what is wrong instead of counting it"),
            input: .value("walk"), output: .rows(WalkScore.columns), effect: .pure,
            examples: [
                .init(
                    "a walk with an outlier every 200 s",
                    "$line | guide simulate --walk outlier --noise 5m --seed 1 | guide score | select falseArrivals prompts inPlace",
                    after: Samples.line,
                    gives: """
                        falseArrivals  prompts  inPlace
                                    0        5     100%
                        """),
                .init(
                    "a walk is required", "expect-error E-INPUT-KIND guide score",
                    gives: "`guide score` takes a walk, not nothing"),
            ], searchTerms: ["truth", "error", "quality", "measure"]
        ) { input, _, faults in
            let walk = try input.object(
                of: GuidanceWalk.self, "a walk", for: "guide score",
                fix: "guide simulate ROUTE | guide score")
            guard let score = walk.journey.score else {
                throw GuidanceErrors.simulation(
                    "a recorded walk has no true positions to score against",
                    fix: "guide simulate ROUTE --noise 5m | guide score")
            }
            guard faults else {
                return .table(
                    columns: WalkScore.columns, rows: [.record(score.record(named: walk.route.name))])
            }
            return .table(
                columns: Self.faultColumns,
                cells: walk.journey.faults.map { fault in
                    [
                        .quantity(.seconds(fault.seconds)), .text(fault.kind.rawValue),
                        Value(fault.truth) { .quantity(.metres($0)) }, .quantity(.metres(fault.along)),
                        Value(fault.off) { .quantity(.metres($0)) }, .text(fault.text),
                    ]
                })
        }
    }
}
