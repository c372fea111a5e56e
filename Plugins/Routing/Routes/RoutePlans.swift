import Foundation
import Geodesy
import PluginKit
import TrailStores
import TurnInstructions

/// The request for a route.
struct RoutePlan: RouteRequest {
    /// Start, via points, end.
    var places: [Coordinate] {
        didSet {
            // The numbers of legs mean nothing for other places.
            if places.count != oldValue.count { straight = [] }
        }
    }
    var profile = CostProfile.hiking
    /// The search algorithm; `nil` selects the hierarchy, or A* while tracing.
    var method: SearchMethod?
    /// What A* multiplies its estimate by.
    var weight = 1.0
    var region: String?
    var name: String?
    /// The avoided ways and areas.
    var avoided = AvoidedWays()
    /// The time of travel by the clock at the start; `nil` without one.
    var departure: SettingOut?
    /// The numbers of the legs that are straight lines off the ways; leg 1 leads from the start.
    var straight: Set<Int> = []
}

/// Plans routes and creates values of them; shared by all planning commands and offered to other plugins.
struct RouteService: RoutePlanning {
    let regions: RegionChoice

    /// The best route, in the first candidate region that has one.
    func route(_ plan: RoutePlan, _ context: Context) throws -> Route {
        guard plan.straight.isEmpty else { return try routeWithStraightLegs(plan, context) }
        let answer = try answer(plan, context) { region in
            let route = route(try path(plan, region, context), plan, region, context)
            // Names and kinds are read after the path.
            try region.graph.image.checkSound()
            return route
        }
        return answer.named(answer.value)
    }

    /// What a command found in one of several candidate regions.
    struct Answer<T> {
        var value: T
        let region: RoutingRegion
        /// The regions that have no answer, and those that were not tried.
        var failed: [String] = []
        var others: [String] = []

        /// Whether the region is one of several candidates, so that results name it.
        var isChosen: Bool { !failed.isEmpty || !others.isEmpty }

        /// A route of the answer that names its region if there are others.
        func named(_ route: Route) -> Route {
            guard isChosen else { return route }
            var route = route
            route.found?.showsRegion = true
            let parts = [
                "planned in the region \(region.name)",
                failed.isEmpty ? nil : "not found in \(failed.joined(separator: ", "))",
                others.isEmpty
                    ? nil
                    : others.joined(separator: ", ")
                        + (others.count == 1
                            ? " contains the coordinates too" : " contain the coordinates too"),
            ]
            route.found?.warnings.append(parts.compactMap { $0 }.joined(separator: "; "))
            return route
        }
    }

    /// The answer of the first candidate region that has a complete one; else the one that lacks the least,
    /// else the error of the first region.
    func answer<T>(
        _ plan: RoutePlan, _ context: Context, lacking: (T) -> Int = { _ in 0 },
        _ body: (RoutingRegion) throws -> T
    ) throws -> Answer<T> {
        let candidates = try regions.candidates(named: plan.region, around: plan.places, context)
        var first: RutterError?
        var best: (answer: Answer<T>, lacking: Int)?
        var failed: [String] = []
        for (index, region) in candidates.enumerated() {
            do {
                var answer = Answer(value: try body(region), region: region)
                let lack = lacking(answer.value)
                if lack == 0 {
                    (answer.failed, answer.others) = (failed, candidates[(index + 1)...].map(\.name))
                    return answer
                }
                if lack < best?.lacking ?? .max { best = (answer, lack) }
            } catch let error as RutterError where RouteErrors.isOfOneRegion(error) {
                // That a region lacks what to avoid says less than any other error.
                if first == nil || first?.code == RouteErrors.unusableAvoid.code {
                    first = error.inRegion(region.name)
                }
            }
            failed.append(region.name)
        }
        if var answer = best?.answer {
            answer.others = failed.filter { $0 != answer.region.name }
            return answer
        }
        throw first ?? RouteErrors.noData("no region covers all coordinates")
    }

    /// The value of a path that was found.
    func route(_ path: GraphPath, _ plan: RoutePlan, _ region: RoutingRegion, _ context: Context) -> Route {
        let pieces = PathTurns(graph: region.graph, path: path)
        let edges = pieces.edges(plan.profile)
        let line = path.coordinates
        let places = plan.places.isEmpty ? [path.stops[0].coordinate] : plan.places
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
            thresholds: TurnThresholds(context.settings), climbOfEnds: pieces.climbOfEnds,
            warnings: path.notices + RouteWarnings.of(edges, plan.profile)
                + RouteWarnings.of(weight: plan.weight)
                + RouteWarnings.of(plan.departure, region.graph)
                + pieces.closures(plan),
            hasHeights: edges.allSatisfy(\.hasHeights), plan: plan)
        return dressed(Route(planned, found: found), region)
    }

    /// The same route, named after the places at its ends if a plugin names them.
    func named(_ route: Route, _ context: Context) async throws -> Route {
        var route = route
        let (start, end) = (route.planned.start, route.planned.end)
        if let name = try await context.placeName(from: start, to: end) { route.planned.name = name }
        return route
    }

    /// A route with the surrounding network, if its region exists.
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
    func path(_ plan: RoutePlan, _ region: RoutingRegion, _ context: Context) throws -> GraphPath {
        var planner = try planner(plan, region)
        planner.weight = plan.weight
        guard let tracing = context.tracing else {
            return try planner.plan(plan.places, method: plan.method ?? .hierarchy)
        }
        let names = NodeNames(region)
        var trace = ReadableTrace(limit: tracing.limit, names: names)
        defer {
            let picture = SearchPicturing(graph: region.graph, names: names, places: plan.places)
            tracing.keep(trace.log, picture: picture)
        }
        return try planner.plan(plan.places, method: plan.method ?? .aStar, trace: &trace)
    }

    /// The planner of a region: with its hierarchy, unless another method is requested or ways are avoided.
    func planner(_ plan: RoutePlan, _ region: RoutingRegion) throws -> RoutePlanner {
        guard plan.avoided.isEmpty else {
            let edges = plan.avoided.edges(of: region.graph)
            if let item = plan.avoided.unmatched(by: edges, of: region.graph) {
                let names = Set((0..<region.graph.edgeCount).compactMap(region.graph.name(of:))).sorted()
                throw RouteErrors.unusableAvoid(
                    "no way of the region \(region.name) matches `\(item)` of --avoid",
                    at: .parameter("avoid"),
                    fix:
                        "it takes names of ways, way=ID and boxes S,W,N,E; kinds of way are weighed by --profile",
                    suggestion: Suggestion.nearest(to: item, in: names))
            }
            var planner = RoutePlanner(WeightedGraph(region.weighted(plan.profile), closing: edges))
            planner.avoids = true
            return planner
        }
        return plan.method == nil || plan.method == .hierarchy
            ? try RoutePlanner(region, profile: plan.profile) : RoutePlanner(region.weighted(plan.profile))
    }

    func request(over places: [Coordinate], mode: TravelMode) -> any RouteRequest {
        RoutePlan(places: places, profile: .standard(mode))
    }

    func plan(_ request: any RouteRequest, context: Context) async throws -> any TravelRoute {
        guard let plan = request as? RoutePlan else {
            throw RouteErrors.noData("the request belongs to another planner")
        }
        return try route(plan, context)
    }

    /// `nil` outside all regions: the nearest way may be where there is no region.
    func nearestWay(
        to coordinate: Coordinate, for request: any RouteRequest, context: Context
    ) async throws -> Coordinate? {
        guard let plan = request as? RoutePlan else { return nil }
        let around: [RoutingRegion]
        do {
            around = try regions.candidates(named: plan.region, around: [coordinate], context)
        } catch let error as RutterError where error.code == RouteErrors.noData.code {
            return nil
        }
        let found = try around.filter { $0.reach?.contains(coordinate) == true }.compactMap {
            try planner(plan, $0).nearestWay(to: coordinate)
        }
        return found.min { coordinate.distance(to: $0) < coordinate.distance(to: $1) }
    }
}

extension RoutePlanner {
    /// The nearest point of a way that may be travelled.
    func nearestWay(to coordinate: Coordinate) -> Coordinate? {
        Snapper(weighted).nearest(to: coordinate, within: RoutingSettings.snapReportRadius, limit: 1).first?
            .point
    }
}

/// Names for unnamed routes.
enum RouteNaming {
    /// Ways used for less than this, in metres, are not considered for the name.
    private static let shortest = 20.0

    /// The ways at both ends, such as `Valley Road to Meridian Trail`; else the coordinates.
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
    /// Facts to know before setting out: hard grades, restrictions, rules that warn, unknown heights.
    static func of(_ edges: [RouteEdge], _ profile: CostProfile) -> [String] {
        grades(edges, profile) + restrictions(edges) + rules(edges, profile) + heights(edges)
    }

    /// What a weighted estimate means for the result.
    static func of(weight: Double) -> [String] {
        guard weight > 1 else { return [] }
        let number = Literal.number(weight)
        return [
            "weight \(number): the estimate may be too high, so that the route may not be the cheapest; it costs at most "
                + "\(number) times as much"
        ]
    }

    /// By which clock restrictions were decided, in a region that has some by time.
    static func of(_ departure: SettingOut?, _ graph: RoutingGraph) -> [String] {
        guard let departure, departure.isElsewhere, graph.kinds.contains(where: \.isTimed) else { return [] }
        let day = departure.moment.civil(in: departure.zone).date.text
        return [
            "restrictions are those of \(departure.clock(after: 0)) on \(day), the time at the start "
                + "(\(departure.zone.identifier))"
        ]
    }

    /// The grades from the profile's warning on, and that of the limit, each with its length.
    private static func grades(_ edges: [RouteEdge], _ profile: CostProfile) -> [String] {
        let least = [profile.sacWarning, profile.sacLimit].compactMap { $0 }.min()
        guard let least else { return [] }
        return SACScale.allCases.filter { $0 >= least }.compactMap { grade in
            let hard = edges.filter { $0.kind.sac == grade }
            let isLimit = grade == profile.sacLimit
            return stretch(hard) { "\($0) of grade T\(grade.grade)" + (isLimit ? ", the limit" : "") }
        }
    }

    /// Ways with restricted or conditional access.
    private static func restrictions(_ edges: [RouteEdge]) -> [String] {
        var found: [String: [RouteEdge]] = [:]
        for edge in edges {
            if let why = edge.restriction { found[why, default: []].append(edge) }
        }
        return found.keys.sorted().compactMap { why in
            stretch(found[why] ?? []) { "\($0) with restricted access: \(why)" }
        }
    }

    private static func rules(_ edges: [RouteEdge], _ profile: CostProfile) -> [String] {
        profile.rules.filter(\.warns).flatMap { rule -> [String] in
            let held = Dictionary(grouping: edges.filter { rule.holds($0.kind) }) { rule.reason($0.kind) }
            return held.keys.sorted().compactMap { reason in
                stretch(held[reason] ?? []) { "\($0) where \(reason)" }
            }
        }
    }

    private static func heights(_ edges: [RouteEdge]) -> [String] {
        let unknown = edges.filter { !$0.hasHeights }.reduce(0) { $0 + $1.distance }
        return unknownHeights(unknown, of: edges.reduce(0) { $0 + $1.distance })
    }

    /// The warning if the heights of some metres, or of all, are unknown.
    static func unknownHeights(_ length: Double, of whole: Double) -> [String] {
        guard length > 0 else { return [] }
        guard length < whole else { return ["heights are unknown: cost and duration exclude climbing"] }
        let stretch = Literal.inMessage(.metres(length))
        return ["heights are unknown along \(stretch): cost and duration exclude climbing there"]
    }

    /// Words on a stretch with its length and the names of its ways; `nil` for no stretch.
    private static func stretch(_ edges: [RouteEdge], _ words: (String) -> String) -> String? {
        guard !edges.isEmpty else { return nil }
        let length = edges.reduce(0) { $0 + $1.distance }
        var amounts = obstacles(edges)
        if amounts.isEmpty || length > 0 { amounts.insert(Literal.inMessage(.metres(length)), at: 0) }
        let names = Set(edges.compactMap(\.name)).sorted().joined(separator: ", ")
        return words(amounts.joined(separator: " and ")) + (names.isEmpty ? "" : ": \(names)")
    }

    /// The obstacles and lifts at nodes, which have no length, such as `2 gates`.
    private static func obstacles(_ edges: [RouteEdge]) -> [String] {
        var counts: [String: Int] = [:]
        for edge in edges where edge.distance == 0 {
            guard let kind = edge.kind.obstacle ?? edge.highway else { continue }
            counts[kind == "yes" ? "barrier" : kind.replacing("_", with: " "), default: 0] += 1
        }
        return counts.sorted { $0.key < $1.key }.map { "\($1, of: $0)" }
    }
}
