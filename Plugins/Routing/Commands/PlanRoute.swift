import Geodesy
import PluginKit

/// `route plan FROM TO`
struct PlanRoute: CommandProvider {
    let service: RouteService

    var name: String { "route plan" }

    var command: Command {
        Command(
            name, "plan the cheapest route between two coordinates",
            details: """
                Each coordinate is snapped to the nearest way within 500 m that connects with the others; `warnings` report \
                snaps over 100 m, hard grades, restricted access and unknown heights. Cost is in equivalent metres of easy way: \
                surface, SAC grade, roads and climbing raise it (`profile show hiking`, `route explain`). Ways above T3 need \
                --sac-limit. Of several regions around the coordinates the smallest with a route is used. `trace` and `step` show each decision of the search. \
                With --alternatives there is a row for each route. Method: each search raises the cost of the ways of the routes \
                found so far. An alternative costs at most 1.4 times as much as the best route and shares at most 70 % of its \
                length with any other, so that there may be fewer than requested. `why` names the main difference from the best.
                """,
            .positional("from", .coordinate, "start of the route"),
            .positional("to", .coordinate, "end of the route"),
            PlanOptions.via,
            .options(
                "straight", .integer(1...1000),
                "number of a leg to draw as a straight line, off the ways; 1 leads from the start; repeatable"
            ),
            .option("name", .text, "name of the route"),
            .option(
                "alternatives", .integer(1...10),
                "how many routes to list in addition to the best; default: none"),
            .option(
                "method", .choice(of: SearchMethod.self, \.summary),
                "search algorithm; all find a cheapest route; default: hierarchy, a-star under trace and step"
            ),
            .option(
                "weight", .number(0...1000),
                "what A* multiplies its estimate by, to try; over 1 the route may not be the cheapest; default: 1"
            ),
            PlanOptions.parameters,
            output: .value("route"), effect: .reads,
            examples: [
                .init(
                    "its length", "route plan $p.A $p.D | get distance", after: Samples.sketch, gives: "600m"),
                .init(
                    "through a coordinate", "route plan $p.A $p.D --via $p.F | get distance",
                    after: Samples.sketch,
                    gives: "800m"),
                .init(
                    "a leg that leaves the ways",
                    "route plan $p.A $p.D --via $p.F --straight 2 | get warnings | first",
                    after: Samples.sketch,
                    gives:
                        "leg 2 is a straight line of 224m: what lies on it is unknown, and its time is a guess"
                ),
                .init(
                    "two ways round", "route plan $p.A $p.D --alternatives 2 | select distance cost",
                    after: Samples.sketch,
                    gives: """
                        distance  cost
                            600m   600
                            800m   800
                        """),
                .init(
                    "an estimate that is too high", "route plan $p.A $p.D --weight 5 | get warnings | last",
                    after: Samples.sketch,
                    gives:
                        "weight 5: the estimate may be too high, so that the route may not be the cheapest; it costs at most "
                        + "5 times as much"),
                .init(
                    "no way nearby", "expect-error E-ROUTE-SNAP route plan $p.A 47.1,9",
                    after: Samples.sketch,
                    gives:
                        "the end is not near a way: the nearest is 11.1 km away, farther than 500 m (in the region village)"
                ),
            ],
            searchTerms: [
                "snow", "winter",
                "stroller", "pram", "pushchair",
                "from a to b", "way to a place", "by bike", "by car", "avoid ferries", "avoid motorways",
                "stopover", "via",
                "way from a to b", "bike", "on foot", "how do i walk to", "calculate a route",
                "navigate", "directions", "search", "a-star", "dijkstra", "cheapest way", "shortest path",
                "way between two points", "fastest route", "avoid stairs", "wheelchair route",
                "walking route", "walking directions", "bike route",
                "cycling route", "directions from to", "barrier free route",
                "block a road", "closed road", "straight line", "off trail", "cross-country", "other ways",
                "alternative routes", "choices", "other way", "second best", "different route",
                "without hills", "avoid hills", "flat way", "quiet roads", "little traffic", "take me home",
                "how do i get there", "walk to", "safe for children", "with a pram", "avoid a road",
                "via a point", "shortest way", "scenic", "avoid main roads",
            ]
        ) { context, from, to, via, straight, name, alternatives, method, weight, options in
            var plan = try options.plan([from] + via + [to], context)
            plan.straight = try StraightLegs.checked(straight, of: plan.places.count - 1)
            plan.method = method
            if let weight {
                guard method == nil || method == .aStar else {
                    throw CommonErrors.argumentRange(
                        "only A* has an estimate to weight", at: .parameter("weight"), fix: "--method a-star")
                }
                (plan.method, plan.weight) = (.aStar, weight)
            }
            plan.name = name
            if let alternatives {
                return try AlternativeRoutes(service: service, count: alternatives).table(plan, context)
            }
            let route = try service.route(plan, context)
            return .object(name == nil ? try await service.named(route, context) : route)
        }.deciding("route plan $p.A $p.D", after: Samples.sketch)
    }
}
