import Geodesy
import PluginKit

/// `route plan FROM TO`
struct PlanRoute: LegacyCommand {
    let service: RouteService
    private static let from = Parameter.positional("from", ParameterType<Coordinate>.place, "where it begins")
    private static let to = Parameter.positional("to", ParameterType<Coordinate>.place, "where it ends")

    let spec = CommandSpec(
        "route plan", "plans the cheapest route between two places",
        details: """
            Each place is moved to the nearest point of the nearest way within 500 m; the parts of ways to and from there \
            belong to the route. Cost is metres of easy way: surface, SAC grade, climbing and descending make ways dearer \
            (`route profile hiking`). `trace` and `step` show each decision of the search.
            """,
        parameters: [
            from.spec, to.spec, PlanOptions.via.spec, PlanOptions.name.spec, PlanOptions.method.spec,
        ] + PlanOptions.costs,
        output: .value("route"), effect: .reads,
        examples: [
            .init("its length", "route plan $p.A $p.D | get distance", after: Samples.sketch, gives: "600m"),
            .init(
                "over a place", "route plan $p.A $p.D --via $p.F | get distance", after: Samples.sketch,
                gives: "800m"),
            .init(
                "not everywhere is a way", "expect-error E-ROUTE-SNAP route plan $p.A 47.1,9",
                after: Samples.sketch,
                gives: "the end is near no way: the nearest is 11.1 km away, farther than 500 m"),
        ], searchTerms: ["navigate", "directions", "search", "a-star", "dijkstra"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        var plan = try PlanOptions.plan(
            from: try arguments[Self.from], to: try arguments[Self.to], arguments, context)
        plan.method = try arguments[PlanOptions.method]
        plan.name = try arguments[PlanOptions.name]
        return .object(try service.route(plan, context))
    }
}
