import Geodesy
import PluginKit

/// `route alternatives FROM TO`
struct AlternativeRoutes: LegacyCommand {
    let service: RouteService
    private static let from = Parameter.positional(
        "from", ParameterType<Coordinate>.place, "where they begin")
    private static let to = Parameter.positional("to", ParameterType<Coordinate>.place, "where they end")
    private static let count = Parameter.option(
        "count", .integer(1...10), default: "2", "how many beside the best")

    let spec = CommandSpec(
        "route alternatives", "plans the best route and others that differ from it",
        details: """
            Method: the ways of the routes found so far are made dearer for the next search. An alternative costs at most \
            1.4 times as much as the best and shares at most 70 % of its length with each other one. There may be fewer \
            than asked for.
            """,
        parameters: [from.spec, to.spec, count.spec, PlanOptions.via.spec] + PlanOptions.costs,
        output: .rows(["name", "distance", "cost", "duration", "gain", "loss"]), effect: .reads,
        examples: [
            .init(
                "two ways round", "route alternatives $p.A $p.D | select distance cost",
                after: Samples.sketch,
                gives: """
                    distance  cost
                        600m   600
                        800m   800
                    """)
        ], searchTerms: ["other", "choices"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let plan = try PlanOptions.plan(
            from: try arguments[Self.from], to: try arguments[Self.to], arguments, context)
        let region = try service.regions.region(named: plan.region, around: plan.places, context)
        let planner = try RoutePlanner(region, profile: plan.profile)
        let paths = try planner.alternatives(plan.places, count: try arguments[Self.count])
        let routes = paths.map { service.route($0, plan, region, context) }
        return .table(objects: routes, columns: ["name", "distance", "cost", "duration", "gain", "loss"])
    }
}
