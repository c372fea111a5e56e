import PluginKit

/// `guide simulate ROUTE`
struct SimulateWalk: CommandProvider {
    var name: String { "guide simulate" }

    var command: Command {
        Command(
            name, "simulate a walk along a route with GPS noise",
            details: """
                Returns the walk: its rows are the events in order (approaching, atTurn, passed, offRoute, backOnRoute, wrongWay, \
                turnedRound, arrived, rerouted, noWay); its field `fixes` has rows with distance from the route and `truth`, \
                the true distance along it, `trueAt` the true position; `track` the fixes as a line. --scenario NAME is a walk \
                that is hard to follow; `guide score` scores it. `map` draws it, `plot` shows the distance from the route over time with the thresholds, \
                `save` writes it. A detour leaves at a right angle, runs beside the route, and returns. The same --seed \
                returns the same walk. `trace` and `step` show each decision at each fix.
                """,
            GuideRouteInput.parameter, WalkOptions.parameter,
            input: .optional(.value("route")), output: .rows(EventRow.columns), effect: .reads,
            examples: [
                .init(
                    "the prompts of a watch", "$line | guide simulate | select event text",
                    after: GuidanceExample.line,
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
                    "a detour is detected",
                    "$line | guide simulate --noise 5m --seed 1 --detour 50m,120m,150m | where event == offRoute | count",
                    after: GuidanceExample.line, gives: "1"),
                .init(
                    "the largest distance from the route",
                    "let w = $line | guide simulate --noise 5m --seed 7; let far = $w.fixes | max distance; assert $far < 30m",
                    after: GuidanceExample.line),
                .init(
                    "a detour beyond the end",
                    "expect-error E-GUIDE-SIMULATION guide simulate $line --detour 900m,120m,300m",
                    after: GuidanceExample.line,
                    gives: "the detour from 900m to 1.2km extends beyond the end at 971m"),
            ],
            searchTerms: [
                "thought I was lost",
                "practice navigation", "test without walking", "try navigation",
                "what happens if i leave the route", "test navigation",
                "walk", "gps", "navigate", "prompts", "noise", "guidance", "simulate gps", "follow a route",
                "fake gps", "mock location", "off route", "wrong turn", "demo", "without gps", "fake walk",
                "test the navigation", "indoors", "practise",
            ]
        ) { input, context, route, options in
            .object(
                try await options.walk(
                    route.route(input, for: "guide simulate", context), context))
        }.deciding("guide simulate $line --interval 20s", after: GuidanceExample.line)
    }
}
