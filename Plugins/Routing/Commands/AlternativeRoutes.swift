import Geodesy
import PluginKit

/// `route plan FROM TO --alternatives N`: the best route and others.
struct AlternativeRoutes {
    let service: RouteService
    /// How many besides the best.
    let count: Int

    /// The columns of the routes.
    static let columns = ["name", "distance", "cost", "duration", "gain", "loss", "why"]

    /// The routes as rows, the best first. With a name of the plan the others have it with their number.
    func table(_ plan: RoutePlan, _ context: Context) throws -> Value {
        guard plan.straight.isEmpty, plan.method == nil else {
            throw CommonErrors.argumentRange(
                "--alternatives cannot be combined with --straight, --method or --weight",
                at: .parameter("alternatives"), fix: "omit one of them")
        }
        let answer = try service.answer(plan, context) { region in
            try paths(service.planner(plan, region), region.graph, plan.places, context)
        }
        var routes = answer.value.enumerated().map { index, path in
            var plan = plan
            if index > 0, let name = plan.name { plan.name = "\(name) \(index + 1)" }
            return answer.named(service.route(path, plan, answer.region, context))
        }
        if let best = routes.first {
            for index in routes.indices.dropFirst() {
                let words = RouteDifference.words(routes[index], than: best)
                routes[index].found?.why = words
            }
        }
        return .table(objects: routes, columns: Self.columns)
    }

    /// The routes, with each attempt if a recorder is active.
    private func paths(
        _ planner: RoutePlanner, _ graph: RoutingGraph, _ places: [Coordinate], _ context: Context
    ) throws -> [GraphPath] {
        guard let tracing = context.tracing else { return try planner.alternatives(places, count: count) }
        var log = TraceLog(limit: tracing.limit)
        defer { tracing.keep(log, picture: AlternativesPicturing(graph: graph, places: places)) }
        return try planner.alternatives(places, count: count, trace: &log)
    }
}
