import Geodesy
import PluginKit

/// The search algorithm.
package enum SearchMethod: String, Sendable, CaseIterable {
    case dijkstra
    case aStar = "a-star"
    case bidirectional
    case hierarchy
}

/// Plans routes on a graph with the costs of a profile.
package struct RoutePlanner: Sendable {
    package let weighted: WeightedGraph
    /// The hierarchy, if there is one that is exact.
    package let costs: HierarchyCosts?
    /// Whether the user closed edges of the graph by `--avoid`.
    var avoids = false
    /// What A* multiplies its estimate by: over 1 it is quicker and may miss the cheapest route.
    var weight = 1.0

    package init(_ weighted: WeightedGraph, hierarchy costs: HierarchyCosts? = nil) {
        self.weighted = weighted
        self.costs = costs?.climb.words.isExact == true ? costs : nil
    }

    /// A planner on a region, with its hierarchy.
    package init(_ region: RoutingRegion, profile: CostProfile) throws {
        self.init(region.weighted(profile), hierarchy: try region.hierarchy(profile))
    }

    /// The cheapest route from the first coordinate through the others to the last.
    package func plan(_ places: [Coordinate], method: SearchMethod = .hierarchy) throws -> GraphPath {
        var trace = NoTrace()
        return try plan(places, method: method, trace: &trace)
    }

    /// The cheapest route through points on the network.
    package func plan(stops: [SnappedPoint], method: SearchMethod) throws -> GraphPath {
        var trace = NoTrace()
        return try plan(stops: stops, method: method, trace: &trace)
    }

    /// The same with a trace.
    package func plan<Recorder: TraceRecorder>(
        _ places: [Coordinate], method: SearchMethod, trace: inout Recorder
    ) throws -> GraphPath {
        let snapped = try sound { try ConnectedSnapping(weighted, avoids: avoids).snap(places) }
        var path = try plan(stops: snapped.stops, method: method, trace: &trace)
        do { try checkMoves(path) } catch var error {
            error.fix = opening { $0.leads(to: places) } ?? error.fix
            throw error
        }
        path.notices = snapped.notices + path.notices
        return path
    }

    /// Refuses a path that is shorter than a coordinate is away from it: it is no route between the places.
    func checkMoves(_ path: GraphPath) throws(RutterError) {
        for (index, stop) in path.stops.enumerated()
        where ConnectedSnapping.isMovedTooFar(stop, on: path.distance) {
            throw RouteErrors.noRoute(
                "\(Self.label(index, of: path.stops.count)) is \(Snapper.text(stop.distance)) from its way, farther "
                    + "than the route of \(Snapper.text(path.distance)) would lead",
                fix: "choose places nearer to a way")
        }
    }

    /// The result of work, unless damaged data was read: then any result, also an error, is invalid.
    private func sound<T>(_ body: () throws -> T) throws -> T {
        let result = Result(catching: body)
        try costs?.checkSound()
        try weighted.checkSound()
        return try result.get()
    }

    /// The cheapest route through points on the network.
    package func plan<Recorder: TraceRecorder>(
        stops: [SnappedPoint], method: SearchMethod, trace: inout Recorder
    ) throws -> GraphPath {
        var legs: [[PathEdge]] = []
        var settled = 0
        for index in stops.indices.dropLast() {
            let (from, to) = (stops[index], stops[index + 1])
            let leg = try sound { try self.leg(from, to, method, &trace) }
            settled += leg.settled
            guard let edges = leg.edges else {
                throw try sound { try unreachable(from, to, index: index, count: stops.count) }
            }
            legs.append(edges)
        }
        var path = try sound { PathBuilder(weighted).path(legs: legs, stops: stops, settled: settled) }
        path.notices = weighted.turns?.notices(path.edges) ?? []
        return path
    }

    /// The name of a coordinate in messages.
    static func label(_ index: Int, of count: Int) -> String {
        if index == 0 { return "the start" }
        return index == count - 1 ? "the end" : "via point \(index)"
    }

    /// The cost of the cheapest route between two points on the network, without its line; infinite if
    /// there is none.
    package func cost(from: SnappedPoint, to: SnappedPoint, method: SearchMethod) throws -> Double {
        var trace = NoTrace()
        return try sound {
            let ends = LegEnds(weighted, from: from, to: to)
            let query = ends.query
            if let turns = weighted.turns {
                let result = try search(query, method, &trace).result
                return try restricted(ends, result, turns)?.result?.cost ?? result?.cost ?? query.bound
            }
            if method == .hierarchy, !query.isWide, let costs {
                var search = HierarchyQuery(costs: costs, trace: trace, wantsPath: false)
                return search.run(query).result?.cost ?? query.bound
            }
            return try search(query, method, &trace).result?.cost ?? query.bound
        }
    }

    /// The edges of the cheapest route between two points on the network, without line and sums, and the
    /// number of settled nodes; no edges if there is no route.
    package func edges(
        from: SnappedPoint, to: SnappedPoint, method: SearchMethod
    ) throws -> (edges: [PathEdge]?, settled: Int) {
        var trace = NoTrace()
        return try sound { try leg(from, to, method, &trace) }
    }

    /// The cost of the cheapest path between two nodes by A*, and the number of settled nodes.
    package func cost(fromNode from: Int, toNode to: Int) throws -> (cost: Double, settled: Int) {
        let query = SearchQuery(
            seeds: [SearchEnd(node: Int32(from), cost: 0)], goals: [SearchEnd(node: Int32(to), cost: 0)])
        var trace = NoTrace()
        let outcome = try search(query, .aStar, &trace)
        return (outcome.result?.cost ?? .infinity, outcome.settled)
    }

    // MARK: A leg

    private func leg<Recorder: TraceRecorder>(
        _ from: SnappedPoint, _ to: SnappedPoint, _ method: SearchMethod, _ trace: inout Recorder
    ) throws -> (edges: [PathEdge]?, settled: Int) {
        let ends = LegEnds(weighted, from: from, to: to)
        let outcome = try search(ends.query, method, &trace)
        guard let turns = weighted.turns, let other = try restricted(ends, outcome.result, turns) else {
            return (ends.edges(of: outcome.result), outcome.settled)
        }
        return (ends.edges(of: other.result), outcome.settled + other.settled)
    }

    /// The search without forbidden turns, where the cheapest path takes one; `nil` where it takes none, or no path does
    /// without.
    private func restricted(
        _ ends: LegEnds, _ result: SearchResult?, _ turns: TurnRestrictions
    ) throws -> SearchOutcome? {
        guard let result, let edges = ends.edges(of: result), turns.forbid(edges) else { return nil }
        let search = RestrictedSearch(weighted: weighted, turns: turns)
        let outcome = try search.run(ends.query, seedArcs: ends.seedArcs, goalArcs: ends.goalArcs)
        return outcome.result != nil || ends.query.bound.isFinite ? outcome : nil
    }

    /// Searches the cheapest path between nodes.
    func search<Recorder: TraceRecorder>(
        _ query: SearchQuery, _ method: SearchMethod, _ trace: inout Recorder
    ) throws -> SearchOutcome {
        guard !query.seeds.isEmpty, !query.goals.isEmpty else {
            trace.record(SearchSteps.impossible(query))
            return SearchOutcome()
        }
        // The other methods know the two ends of an edge only.
        switch query.isWide && method != .dijkstra ? .aStar : method {
        case .dijkstra:
            var search = OneWaySearch(weighted: weighted, potential: NoPotential(), trace: trace)
            defer { trace = search.trace }
            return try search.run(query)
        case .bidirectional:
            var search = BidirectionalSearch(weighted: weighted, trace: trace)
            defer { trace = search.trace }
            return try search.run(query)
        case .hierarchy:
            if let costs {
                var search = HierarchyQuery(costs: costs, trace: trace)
                defer { trace = search.trace }
                return search.run(query)
            }
            return try search(query, .aStar, &trace)
        case .aStar:
            let line = StraightLine(weighted, to: query.goals, weight: weight)
            var search = OneWaySearch(weighted: weighted, potential: line, trace: trace)
            defer { trace = search.trace }
            return try search.run(query)
        }
    }

    // MARK: No route

    private func unreachable(
        _ from: SnappedPoint, _ to: SnappedPoint, index: Int, count: Int
    ) throws -> RutterError {
        let ends = LegEnds(weighted, from: from, to: to)
        let flood = try Flood.run(weighted, from: ends.query.seeds, within: .infinity)
        var closest = from.point.distance(to: to.point)
        for node in flood.nodes {
            closest = min(closest, weighted.graph.coordinate(of: node).distance(to: to.point))
        }
        let (start, target) = (Self.label(index, of: count), Self.label(index + 1, of: count))
        let islands = [island(from, start), island(to, target)].compactMap { $0 }
        let reached =
            "\(flood.nodes.count, of: "node") explored, closest approach \(Int(closest.rounded())) m"
            + islands.map { "; " + $0 }.joined()
        let fix =
            try isOnlyAvoided(from, to)
            ? "what --avoid names is the only way: leave it out"
            : opening { (try? $0.cost(from: from, to: to, method: .aStar))?.isFinite ?? false }
        if count == 2 {
            return RouteErrors.noRoute("there is no route from the start to the end: \(reached)", fix: fix)
        }
        let isVia = index + 1 < count - 1
        let words = "\(target) cannot be reached from \(start): \(reached)"
        return isVia || index > 0
            ? RouteErrors.viaUnreachable(words, fix: fix) : RouteErrors.noRoute(words, fix: fix)
    }

    /// Whether two points are connected by ways that the user avoids.
    private func isOnlyAvoided(_ from: SnappedPoint, _ to: SnappedPoint) throws -> Bool {
        guard avoids else { return false }
        let plain = RoutePlanner(WeightedGraph(weighted.graph, profile: weighted.profile))
        return try plain.cost(from: from, to: to, method: .aStar).isFinite
    }

    /// Whether a route leads between coordinates, and none of them is moved farther than it leads.
    private func leads(to places: [Coordinate]) -> Bool {
        guard let stops = try? ConnectedSnapping(weighted, avoids: avoids).snap(places).stops else {
            return false
        }
        let legs = zip(stops, stops.dropFirst())
        guard legs.allSatisfy({ (try? cost(from: $0, to: $1, method: .aStar))?.isFinite ?? false }),
            let path = try? plan(stops: stops, method: .aStar)
        else { return false }
        return (try? checkMoves(path)) != nil
    }

    /// The fix if only the limit of SAC grades, or a permission, separates places, as `isSolved` finds; `nil` if neither
    /// does.
    private func opening(_ isSolved: (RoutePlanner) -> Bool) -> String? {
        let profile = weighted.profile
        // What is closed besides the profile stays closed: else every grade would seem to help.
        let plain = WeightedGraph(weighted.graph, profile: profile)
        let closed = (0..<weighted.graph.edgeCount).filter {
            plain.isPassable($0) && !weighted.isPassable($0)
        }
        func helps(_ other: CostProfile) -> Bool {
            let opened = WeightedGraph(weighted.graph, profile: other)
            var planner = RoutePlanner(WeightedGraph(opened, closing: closed))
            planner.avoids = avoids
            return isSolved(planner)
        }
        let grades = SACScale.allCases.filter { grade in profile.sacLimit.map { grade > $0 } ?? false }
        if let grade = Self.least(of: grades, solving: { helps(profile.limited(to: $0)) }) {
            return "a way of grade T\(grade.grade) would connect them: --sac-limit T\(grade.grade)"
        }
        func allowing(_ values: [String]) -> CostProfile {
            var allowing = profile
            allowing.allowed.formUnion(values)
            return allowing
        }
        let permissions = permissions()
        guard !permissions.isEmpty, helps(allowing(permissions)) else { return nil }
        let value = permissions.count == 1 ? permissions.first : permissions.first { helps(allowing([$0])) }
        return value.map { "a way that is open with permission would connect them: --allow \($0)" }
    }

    /// The least grade that solves, where each harder one solves too: the hardest is tried first, since most often none does
    /// and each attempt is a search, then the grades are halved.
    static func least<Grade>(of grades: [Grade], solving solves: (Grade) -> Bool) -> Grade? {
        guard let hardest = grades.last, solves(hardest) else { return nil }
        var (least, most) = (0, grades.count - 1)
        while least < most {
            let middle = (least + most) / 2
            if solves(grades[middle]) { most = middle } else { least = middle + 1 }
        }
        return grades[least]
    }

    /// The permissions that would open ways of the graph, in the order in which they are offered.
    private func permissions() -> [String] {
        var found: Set<String> = []
        for kind in weighted.graph.kinds {
            if case .closed(_, let unless?) = weighted.profile.access(to: kind) { found.insert(unless) }
        }
        return AccessRules.allowable.filter(found.contains)
    }
}

/// Start and end of a leg as seeds and goals of a search between nodes.
struct LegEnds {
    private let from: SnappedPoint
    private let to: SnappedPoint
    /// The direct path along the edge, or over the area, that both are on, if possible.
    private let direct: (edge: PathEdge, cost: Double)?
    /// Whether the part of the edge of the first seed and the first goal is travelled in reverse; that of
    /// the second has the opposite direction.
    private let firstSeedReversed: Bool
    private let firstGoalReversed: Bool
    /// The walks of the seeds and the goals, where start or end is in an area.
    private var seedWalks: [AreaWalk] = []
    private var goalWalks: [AreaWalk] = []
    let query: SearchQuery

    init(_ weighted: WeightedGraph, from: SnappedPoint, to: SnappedPoint) {
        self.from = from
        self.to = to
        let graph = weighted.graph
        direct = Self.direct(weighted, from, to)
        var (seeds, goals): ([SearchEnd], [SearchEnd]) = ([], [])
        seeds.reserveCapacity(2)
        goals.reserveCapacity(2)
        var (isSeedReversed, isGoalReversed) = (false, false)
        if let area = from.area {
            seedWalks = area.exits
            seeds = seedWalks.map { SearchEnd(node: $0.to, cost: weighted.cost(of: $0, on: area.edge)) }
        }
        if let area = to.area {
            goalWalks = area.exits.map(\.reversed)
            goals = goalWalks.map { SearchEnd(node: $0.from, cost: weighted.cost(of: $0, on: area.edge)) }
        }
        for isReversed in [false, true] {
            // At a node any other edge can be used, whatever the direction of this one; that along this edge to its other end is
            // found by the search.
            let startShare = isReversed ? from.fraction : 1 - from.fraction
            let start = Self.part(weighted.cost(of: from.edge, isReversed: isReversed), startShare)
            if from.area == nil, start.isFinite, startShare < 1 {
                if seeds.isEmpty { isSeedReversed = isReversed }
                let node = isReversed ? graph.source[from.edge] : graph.target[from.edge]
                seeds.append(SearchEnd(node: node, cost: start))
            }
            let endShare = isReversed ? 1 - to.fraction : to.fraction
            let end = Self.part(weighted.cost(of: to.edge, isReversed: isReversed), endShare)
            if to.area == nil, end.isFinite, endShare < 1 {
                if goals.isEmpty { isGoalReversed = isReversed }
                let node = isReversed ? graph.target[to.edge] : graph.source[to.edge]
                goals.append(SearchEnd(node: node, cost: end))
            }
        }
        (firstSeedReversed, firstGoalReversed) = (isSeedReversed, isGoalReversed)
        query = SearchQuery(
            seeds: seeds, goals: goals, bound: direct?.cost ?? .infinity,
            isWide: from.area != nil || to.area != nil)
    }

    /// The cost of a part of an edge; 0 for an empty part, even of an impassable edge.
    private static func part(_ cost: Double, _ share: Double) -> Double { share == 0 ? 0 : cost * share }

    private static func direct(
        _ weighted: WeightedGraph, _ from: SnappedPoint, _ to: SnappedPoint
    ) -> (edge: PathEdge, cost: Double)? {
        if let start = from.area, let end = to.area {
            if start == end { return (PathEdge(edge: start.edge, walk: AreaWalk([start.origin])), 0) }
            return start.walk(to: end).map {
                (PathEdge(edge: start.edge, walk: $0), weighted.cost(of: $0, on: start.edge))
            }
        }
        guard from.area == nil, to.area == nil, from.edge == to.edge else { return nil }
        let isReversed = to.fraction < from.fraction
        let cost = weighted.cost(of: from.edge, isReversed: isReversed)
        let piece = PathEdge(
            edge: from.edge, isReversed: isReversed,
            enter: isReversed ? 1 - from.fraction : from.fraction,
            leave: isReversed ? 1 - to.fraction : to.fraction)
        // Staying at a point is possible whatever the direction.
        if piece.share == 0 { return (piece, 0) }
        return cost.isFinite ? (piece, cost * piece.share) : nil
    }

    /// The edges of a leg with the parts at both ends; those of the direct path if the search found nothing
    /// cheaper; `nil` if there is neither.
    func edges(of result: SearchResult?) -> [PathEdge]? {
        guard let result else {
            return direct.map { $0.edge.walk.map { $0.distance > 0 } ?? ($0.edge.share > 0) ? [$0.edge] : [] }
        }
        var edges: [PathEdge] = []
        edges.reserveCapacity(result.edges.count + 2)
        if let area = from.area {
            edges.append(PathEdge(edge: area.edge, walk: seedWalks[result.seed]))
        } else {
            let part = startPart(seed: result.seed)
            if part.share > 0 { edges.append(part) }
        }
        for travelled in result.edges {
            edges.append(PathEdge(edge: Int(travelled >> 1), isReversed: travelled & 1 == 1))
        }
        if let area = to.area {
            edges.append(PathEdge(edge: area.edge, walk: goalWalks[result.goal]))
        } else {
            let part = endPart(goal: result.goal)
            if part.share > 0 { edges.append(part) }
        }
        return edges
    }

    /// The arc on which one comes to each seed; `nil` where no part of an edge is travelled.
    var seedArcs: [Int32?] {
        query.seeds.indices.map { from.area == nil ? Self.arc(startPart(seed: $0)) : nil }
    }

    /// The arc on which one leaves each goal.
    var goalArcs: [Int32?] { query.goals.indices.map { to.area == nil ? Self.arc(endPart(goal: $0)) : nil } }

    private static func arc(_ part: PathEdge) -> Int32? {
        part.share > 0 ? Int32(2 * part.edge + (part.isReversed ? 1 : 0)) : nil
    }

    private func startPart(seed: Int) -> PathEdge {
        let startReversed = firstSeedReversed != (seed == 1)
        let enter = startReversed ? 1 - from.fraction : from.fraction
        return PathEdge(edge: from.edge, isReversed: startReversed, enter: enter)
    }

    private func endPart(goal: Int) -> PathEdge {
        let endReversed = firstGoalReversed != (goal == 1)
        let leave = endReversed ? 1 - to.fraction : to.fraction
        return PathEdge(edge: to.edge, isReversed: endReversed, leave: leave)
    }
}
