import Foundation
import Geodesy
import PluginKit
import TrailStores

/// The request for a route.
struct RoutePlan: Sendable {
    /// Start, places to pass, end.
    var places: [Coordinate]
    var profile = CostProfile.hiking
    /// The search algorithm; `nil` selects the hierarchy, or A* while tracing.
    var method: SearchMethod?
    var region: String?
    var name: String?
}

/// Plans routes and makes values of them; shared by all commands that plan, and offered to other plugins.
struct RouteService: RoutePlanning {
    let regions: RegionChoice

    /// The best route.
    func route(_ plan: RoutePlan, _ context: Context) throws -> Route {
        let region = try regions.region(named: plan.region, around: plan.places, context)
        let path = try path(plan, region, context)
        return route(path, plan, region, context)
    }

    /// The value of a path that was found.
    func route(_ path: GraphPath, _ plan: RoutePlan, _ region: RoutingRegion, _ context: Context) -> Route {
        let pieces = PathTurns(graph: region.graph, path: path)
        let edges = pieces.edges(plan.profile)
        let line = path.coordinates
        let places = plan.places.isEmpty ? [path.stops[0].place] : plan.places
        let mode = path.mode
        var planned = PlannedRoute(
            id: context.random.uuid(), name: plan.name ?? RouteNaming.name(edges, from: places),
            mode: mode, start: places[0].withoutAltitude, end: places[places.count - 1].withoutAltitude,
            via: places.dropFirst().dropLast().map(\.withoutAltitude),
            coordinates: line.map(\.withoutAltitude), distance: path.distance, duration: path.duration,
            gain: path.gain, loss: path.loss, createdAt: context.clock.now)
        planned.regionID = region.name
        planned.profile = RouteProfile.of(line: line, length: path.distance)?.points
        let found = Route.Found(
            cost: path.cost, nodes: pieces.nodes, edges: edges, line: line, turnPath: { pieces.turnPath() },
            climbOfEnds: pieces.climbOfEnds,
            warnings: RouteWarnings.of(edges, limit: plan.profile.sacLimit))
        return dressed(Route(planned, found: found), region)
    }

    /// A route with the network it lies in, where its region is there.
    func dressed(_ route: Route, _ context: Context) -> Route {
        guard let name = route.planned.regionID, let databases = regions.accompanying(context),
            let region = try? regions.region(name, of: databases)
        else { return route }
        return dressed(route, region)
    }

    private func dressed(_ route: Route, _ region: RoutingRegion) -> Route {
        var dressed = route
        dressed.surroundings = { NetworkDrawing(graph: region.graph).features(in: $0) }
        return dressed
    }

    /// The path; the search's steps are recorded while tracing, even if no path is found.
    private func path(_ plan: RoutePlan, _ region: RoutingRegion, _ context: Context) throws -> GraphPath {
        guard let tracing = context.tracing else {
            let method = plan.method ?? .hierarchy
            let planner =
                method == .hierarchy
                ? try RoutePlanner(region, profile: plan.profile)
                : RoutePlanner(region.weighted(plan.profile))
            return try planner.plan(plan.places, method: method)
        }
        var trace = RoundedTrace(limit: tracing.limit)
        defer { tracing.keep(trace.log, picture: SearchPicturing(graph: region.graph, places: plan.places)) }
        let planner = try RoutePlanner(region, profile: plan.profile)
        return try planner.plan(plan.places, method: plan.method ?? .aStar, trace: &trace)
    }

    func plan(_ request: RouteRequest, context: Context) async throws -> any TravelRoute {
        let mode = request.mode
        return try route(
            RoutePlan(places: [request.from] + request.via + [request.to], profile: .standard(mode)), context)
    }
}

/// Names for unnamed routes.
enum RouteNaming {
    /// Ways used for less than this, in metres, are not considered for the name.
    private static let shortest = 20.0

    /// The ways at both ends, such as `Valley Road to Meridian Trail`; else the places.
    static func name(_ edges: [RouteEdge], from places: [Coordinate]) -> String {
        let names = edges.filter { $0.distance >= shortest }.compactMap(\.name)
        if let first = names.first, let last = names.last {
            return first == last ? first : "\(first) to \(last)"
        }
        let start = Literal.coordinate(places[0].withoutAltitude)
        return "\(start) to \(Literal.coordinate(places[places.count - 1].withoutAltitude))"
    }
}

/// The warnings of a route.
enum RouteWarnings {
    /// A grade and the length of it on a route, for ways at the limit.
    static func of(_ edges: [RouteEdge], limit: SACScale?) -> [String] {
        guard let limit else { return [] }
        let hard = edges.filter { $0.sac == limit.rawValue }
        guard !hard.isEmpty else { return [] }
        let length = Literal.quantity(.metres(hard.reduce(0) { $0 + $1.distance }))
        let names = Set(hard.compactMap(\.name)).sorted().joined(separator: ", ")
        return ["\(length) of grade T\(limit.grade), the limit" + (names.isEmpty ? "" : ": \(names)")]
    }
}
