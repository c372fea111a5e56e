import Geodesy
import PluginKit

/// `route alternatives FROM TO`
struct AlternativeRoutes: CommandProvider {
    let service: RouteService

    var name: String { "route alternatives" }

    var command: Command {
        Command(
            name, "plan the best route and alternatives to it",
            details: """
                Method: each search raises the cost of the ways of the routes found so far. An alternative costs at most \
                1.4 times as much as the best route and shares at most 70 % of its length with any other. There may be fewer \
                than requested. `why` names the main difference from the best route. `trace route alternatives …` \
                shows each attempt, kept or not.
                """,
            .positional("from", .coordinate, "start of the routes"),
            .positional("to", .coordinate, "end of the routes"),
            .option("count", .integer(1...10), default: "2", "alternatives in addition to the best route"),
            PlanOptions.via, PlanOptions.parameters,
            output: .rows(["name", "distance", "cost", "duration", "gain", "loss", "why"]), effect: .reads,
            examples: [
                .init(
                    "two ways round", "route alternatives $p.A $p.D | select distance cost",
                    after: Samples.sketch,
                    gives: """
                        distance  cost
                            600m   600
                            800m   800
                        """)
            ], searchTerms: ["other", "choices", "other ways", "alternative routes"]
        ) { context, from, to, count, via, options in
            let plan = try options.plan([from] + via + [to], context)
            let answer = try service.answer(plan, context) { region in
                try Self.paths(
                    service.planner(plan, region), region.graph, plan.places, count, context)
            }
            var routes = answer.value.map { answer.named(service.route($0, plan, answer.region, context)) }
            if let best = routes.first {
                for index in routes.indices.dropFirst() {
                    let words = RouteDifference.words(routes[index], than: best)
                    routes[index].found?.why = words
                }
            }
            return .table(
                objects: routes, columns: ["name", "distance", "cost", "duration", "gain", "loss", "why"])
        }.deciding("route alternatives $p.A $p.D", after: Samples.sketch)
    }

    /// The routes, with each attempt if a recorder is active.
    private static func paths(
        _ planner: RoutePlanner, _ graph: RoutingGraph, _ places: [Coordinate], _ count: Int,
        _ context: Context
    ) throws -> [GraphPath] {
        guard let tracing = context.tracing else { return try planner.alternatives(places, count: count) }
        var log = TraceLog(limit: tracing.limit)
        defer { tracing.keep(log, picture: AlternativesPicturing(graph: graph, places: places)) }
        return try planner.alternatives(places, count: count, trace: &log)
    }
}
