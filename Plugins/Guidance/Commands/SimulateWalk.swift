import PluginKit

/// `guide simulate ROUTE`
struct SimulateWalk: CommandProvider {
    let desk: GuidanceDesk

    var command: Command {
        Command(
            "guide simulate", "walks a route with simulated GPS and tells every prompt",
            details: """
                Gives the walk: its rows are the events in order (approaching, atTurn, offRoute, backOnRoute, arrived, rerouted), \
                and its fields tell the rest: `fixes` are rows with distance from the route, place and truth, `track` the \
                fixes as a line. `map` draws it, `plot` shows the distance from the route over time with the thresholds, \
                `save` writes it. A detour leads straight aside, along, and straight back. With the same --seed a walk is the \
                same each time. `trace` and `step` show each decision at each fix.
                """,
            RouteInput.parameter, WalkOptions.parameter,
            input: .optional(.value("route")), output: .rows(EventRow.columns), effect: .reads,
            examples: [
                .init(
                    "what the watch would say", "$line | guide simulate | select event text",
                    after: Samples.line,
                    gives: """
                        event        text
                        approaching  In 100 metres, turn right
                        atTurn       Turn right
                        approaching  In 100 metres, turn left
                        atTurn       Turn left
                        approaching  In 100 metres, you arrive
                        arrived      You have arrived
                        """),
                .init(
                    "a way round is noticed",
                    "$line | guide simulate --noise 5m --seed 1 --detour 50m,120m,150m | where event == offRoute | count",
                    after: Samples.line, gives: "1"),
                .init(
                    "how far from the route one was",
                    "let w = $line | guide simulate --noise 5m --seed 7; let far = $w.fixes | max distance; assert $far < 30m",
                    after: Samples.line),
                .init(
                    "detours lie on the route",
                    "expect-error E-GUIDE-SIMULATION guide simulate $line --detour 900m,120m,300m",
                    after: Samples.line,
                    gives: "the detour from 900m to 1.2km leads beyond the end at 970m"),
            ], searchTerms: ["walk", "gps", "navigate", "prompts", "noise", "guidance"]
        ) { input, context, route, options in
            .object(
                try await options.walk(
                    route.route(input, for: "guide simulate", context), desk: desk, context))
        }
    }
}
