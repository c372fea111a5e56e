import PluginKit
import TurnInstructions

/// `route turns [ROUTE]`
struct RouteTurns: CommandProvider {
    var name: String { "route turns" }

    var command: Command {
        Command(
            name, "list the turn instructions of a route",
            details: """
                At each junction the direction over the last 15–50 m before it is compared with that over the first 15–50 m \
                after it: below 15° straight, 45° slight, 135° turn, 170° sharp, else U-turn. Straights and forced bends are \
                skipped; leaving a named way, forks, steps, crossings of larger roads and via points are kept. A turn within \
                50 m of the one before is merged with it, at the first one's position. `trace route turns …` shows each \
                decision; of a saved route it shows the instructions of the file. With --language those of a saved route are \
                generated from the bends of its line, without names of ways.
                """,
            RouteInput.parameter,
            .option(
                "language", .choice(TurnLanguage.all.map { .init($0.code, $0.name) }),
                "language of the instructions; default: that of a saved route, else en"),
            input: .optional(.value("route")), output: .rows(RouteTurn.columns), effect: .reads,
            examples: [
                .init(
                    "instructions as text", "route plan $p.A $p.F | route turns | select text",
                    after: Samples.sketch,
                    gives: """
                        text
                        Head east on Main Street
                        Turn right onto Mill Lane
                        Arrive
                        """),
                .init(
                    "in German", "route plan $p.A $p.F | route turns --language de | get text",
                    after: Samples.sketch,
                    gives: """
                        Nach Osten losgehen auf Main Street
                        Rechts abbiegen auf Mill Lane
                        Ziel erreicht
                        """),
            ],
            searchTerms: [
                "directions as text", "list of turns",
                "left or right", "cue sheet", "where do i turn", "road book",
                "instructions", "directions", "cues", "german", "french", "spanish", "turn by turn",
                "walking directions", "directions of a route", "route description",
                "roadbook", "print directions", "screen reader", "in words", "where do i have to turn",
                "street names along the route", "step by step",
            ]
        ) { input, context, named, code in
            let route = try RouteInput.route(named, input, for: "route turns")
            let language = code.flatMap { code in TurnLanguage.all.first { $0.code == code } }
            if language != nil, route.found == nil, !route.planned.turns.isEmpty {
                context.log.notice(
                    "these instructions are generated from the bends of the saved line, without names of ways"
                )
            }
            guard let tracing = context.tracing else {
                let turns = language.map(route.turns(in:)) ?? route.turns
                return .table(objects: turns.map(RouteTurn.init), columns: RouteTurn.columns)
            }
            var generator = TurnGenerator(
                trace: TraceLog(limit: tracing.limit), language: language ?? .english,
                thresholds: route.thresholds)
            let generated = route.turns(by: &generator)
            let shown = language == nil ? route.turns : generated
            tracing.keep(
                Self.whole(
                    shown == generated ? generator.trace : Self.saved(shown, limit: tracing.limit), route,
                    shown),
                picture: TurnPicturing(line: route.planned.coordinates, surroundings: route.surroundings))
            return .table(objects: shown.map(RouteTurn.init), columns: RouteTurn.columns)
        }.deciding("route plan $p.A $p.F | route turns", after: Samples.sketch)
    }

    /// The steps from the start of the route to its end.
    private static func whole(_ steps: TraceLog, _ route: Route, _ turns: [TurnInstruction]) -> TraceLog {
        var log = TraceLog(limit: steps.limit)
        if steps.steps.first?.kind != "start" {
            log.record(
                .start(
                    [
                        ("at", Value(route.line.first?.withoutAltitude, Value.coordinate)),
                        ("length", .quantity(.metres(route.distance))),
                    ],
                    why:
                        "from the start, the direction before each junction is compared with that after it"
                ))
        }
        log.append(steps)
        log.record(
            .end(
                [
                    ("at", Value(route.line.last?.withoutAltitude, Value.coordinate)),
                    ("instructions", .integer(turns.count)),
                ], why: "the end of the route: all junctions on the way are checked"))
        return log
    }

    /// The steps of stored instructions; the decisions behind them are not recorded.
    private static func saved(_ turns: [TurnInstruction], limit: Int) -> TraceLog {
        var log = TraceLog(limit: limit)
        for turn in turns {
            log.record(
                TraceStep(
                    "saved",
                    [
                        ("at", .coordinate(turn.coordinate)),
                        ("along", .quantity(.metres(turn.cumulativeDistance))),
                        ("class", .text(turn.direction.rawValue)), ("text", .text(turn.description)),
                    ], why: "the instruction is stored in the file of the route"))
        }
        return log
    }
}
