import Geodesy
import PluginKit

/// `route plan FROM TO`
struct PlanRoute: CommandProvider {
    let service: RouteService

    var command: Command {
        Command(
            "route plan", "plans the cheapest route between two places",
            details: """
                Each place is moved to the nearest point of the nearest way within 500 m; the parts of ways to and from there \
                belong to the route. Cost is metres of easy way: surface, SAC grade, climbing and descending make ways dearer \
                (`route profile hiking`). `trace` and `step` show each decision of the search.
                """,
            .positional("from", .place, "where it begins"),
            .positional("to", .place, "where it ends"),
            PlanOptions.via,
            .option("name", .text, "a name for the route"),
            .option(
                "method", .choice(of: SearchMethod.self, \.summary),
                "how it is searched for; all find a cheapest route. Under trace and step it is a-star, else hierarchy"
            ),
            PlanOptions.parameters,
            output: .value("route"), effect: .reads,
            examples: [
                .init(
                    "its length", "route plan $p.A $p.D | get distance", after: Samples.sketch, gives: "600m"),
                .init(
                    "over a place", "route plan $p.A $p.D --via $p.F | get distance", after: Samples.sketch,
                    gives: "800m"),
                .init(
                    "not everywhere is a way", "expect-error E-ROUTE-SNAP route plan $p.A 47.1,9",
                    after: Samples.sketch,
                    gives: "the end is near no way: the nearest is 11.1 km away, farther than 500 m"),
            ], searchTerms: ["navigate", "directions", "search", "a-star", "dijkstra"]
        ) { context, from, to, via, name, method, options in
            var plan = try options.plan([from] + via + [to], context)
            plan.method = method
            plan.name = name
            return .object(try service.route(plan, context))
        }
    }
}
