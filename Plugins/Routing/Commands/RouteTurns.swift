import PluginKit
import TurnInstructions

/// `route turns [ROUTE]`
struct RouteTurns: CommandProvider {
    var command: Command {
        Command(
            "route turns", "list the turn instructions of a route",
            details: """
                At each junction the direction over the last 15–50 m before it is compared with that over the first \
                15–50 m after it: below 15° straight, 45° slight, 135° turn, 170° sharp, else U-turn. Straights are skipped \
                unless the name changes, as are bends without a junction; instructions within 50 m are merged. \
                `trace route turns …` shows each decision.
                """,
            RouteInput.parameter,
            input: .optional(.value("route")), output: .rows(RouteTurn.fields), effect: .reads,
            examples: [
                .init(
                    "instructions as text", "route plan $p.A $p.F | route turns | select text",
                    after: Samples.sketch,
                    gives: """
                        text
                        Head east on Main Street
                        Turn right onto Mill Lane
                        Arrive
                        """)
            ], searchTerms: ["instructions", "directions", "cues"]
        ) { input, context, named in
            let route = try RouteInput.route(named, input, for: "route turns")
            var turns = route.turns
            if let tracing = context.tracing {
                var generator = TurnGenerator(trace: TraceLog(limit: tracing.limit))
                turns = route.turns(by: &generator)
                tracing.keep(generator.trace)
            }
            return .table(objects: turns.map(RouteTurn.init), columns: RouteTurn.fields)
        }
    }
}
