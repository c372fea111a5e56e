import Geodesy
import PluginKit

/// `route matrix PLACES…`
struct RouteMatrix: CommandProvider {
    let service: RouteService
    private static let columns = ["from", "to", "distance", "duration", "cost"]
    /// Maximum number of places: each pair is searched in both directions.
    static let limit = 100

    var name: String { "route matrix" }

    var command: Command {
        Command(
            name, "compute times and distances between places",
            details: """
                A row for each pair of places in each direction, numbered from 1. If no route connects them, \
                distance and duration are `nothing`. Of several regions around the places the smallest that connects \
                them all is used; a column names it. Where a route has warnings, such as a place far from its way or unknown heights, a column states them.
                """,
            .rest("places", .coordinate, minimum: 2, "coordinates, up to 100"), PlanOptions.parameters,
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "three places", "route matrix $p.A $p.D $p.F | where from < to | select from to distance",
                    after: Samples.sketch,
                    gives: """
                        from  to  distance
                           1   2      600m
                           1   3      500m
                           2   3      300m
                        """)
            ],
            searchTerms: [
                "travel times between", "times between all",
                "distances", "table", "many", "distance table", "distance matrix", "all pairs",
                "many to many", "driving distances",
            ]
        ) { context, places, options in
            let places = places.map(\.withoutAltitude)
            guard places.count <= Self.limit else {
                throw SavedRouteErrors.line(
                    "a matrix has at most \(Self.limit) places, not \(places.count)", at: .parameter("places")
                )
            }
            let matrix = try PlaceMatrix(places, options, service, context)
            var rows: [[Value]] = []
            var warnings: [[String]] = []
            for from in places.indices {
                for to in places.indices where from != to {
                    let path = matrix.paths[from][to]
                    var row: [Value] = [
                        .integer(from + 1), .integer(to + 1), Value(path) { .quantity(.metres($0.distance)) },
                        Value(path) { .quantity(.seconds($0.duration)) },
                        Value(path) { .number($0.cost.rounded()) },
                    ]
                    if let region = matrix.chosenRegion { row.append(.text(region)) }
                    rows.append(row)
                    warnings.append(matrix.warnings(path))
                }
            }
            context.tracing?.keep(
                "routes between each two places",
                from: .start(
                    [("places", .integer(places.count))],
                    why:
                        "a search for each pair of places in both directions: uphill costs more than downhill"
                ),
                candidates: rows.lazy.map { row in
                    let isReached = if case .nothing = row[2] { false } else { true }
                    return .candidate(
                        Array(zip(Self.columns, row)), isReached ? .kept : .refused,
                        why: isReached ? "the cheapest route between the two" : "no route connects them")
                }, to: .end([("pairs", .integer(rows.count))], why: "every pair is searched"))
            var columns = Self.columns + (matrix.chosenRegion == nil ? [] : ["region"])
            if !warnings.allSatisfy(\.isEmpty) {
                columns.append("warnings")
                for index in rows.indices { rows[index].append(.list(warnings[index].map(Value.text))) }
            }
            return .table(columns: columns, cells: rows)
        }.deciding("route matrix $p.A $p.D $p.F", after: Samples.sketch)
    }
}

/// `route order FROM TO --via A --via B`
struct RouteOrder: CommandProvider {
    let service: RouteService

    var name: String { "route order" }

    var command: Command {
        Command(
            name, "plan a route over places in the best order",
            details: """
                The via points are visited in the cheapest order; `get via` shows it. For up to 12 of them the order is \
                optimal (Held and Karp 1962), beyond that heuristic. For a round trip, end where it starts.
                """,
            .positional("from", .coordinate, "start of the route"),
            .positional("to", .coordinate, "end of the route"),
            PlanOptions.via, .option("name", .text, "name of the route"), PlanOptions.parameters,
            output: .value("route"), effect: .reads,
            examples: [
                .init(
                    "two places on the way", "route order $p.A $p.D --via $p.C --via $p.B | get distance",
                    after: Samples.sketch, gives: "600m")
            ],
            searchTerms: [
                "delivery tour", "many customers",
                "several stops", "delivery",
                "salesman", "visit", "sequence", "tour", "visit many places", "travelling salesman", "tsp",
                "best order", "several errands", "best order of visits", "delivery round",
            ]
        ) { context, from, to, via, name, options in
            guard via.count <= RouteMatrix.limit - 2 else {
                throw SavedRouteErrors.line(
                    "an order has at most \(RouteMatrix.limit - 2) via points, not \(via.count)",
                    at: .parameter("via"))
            }
            let places = [from] + via + [to]
            let matrix = try PlaceMatrix(places, options, service, context)
            let costs = matrix.paths.map { $0.map { $0?.cost ?? .infinity } }
            var log = TraceLog(limit: context.tracing?.limit ?? 0)
            let found = VisitingOrder.order(costs, trace: &log)
            context.tracing?.keep(
                "orders of the places",
                from: .start(
                    [
                        ("places", .integer(places.count)),
                        ("exact", .boolean(via.count <= VisitingOrder.exactLimit)),
                    ],
                    why: via.count <= VisitingOrder.exactLimit
                        ? "the best path over a set of places that ends at one of them extends the best path without that one"
                        : "there are too many orders to compare: places are inserted one by one, then segments are moved"
                ),
                candidates: log.steps,
                to: .end(
                    [("cost", Value(found) { .number(VisitingOrder.cost($0, costs).rounded()) })],
                    why: found == nil ? "no order reaches all places" : "every place is in the order"))
            guard let order = found else {
                throw RouteErrors.viaUnreachable("no order visits all places: one of them cannot be reached")
            }
            var plan = try options.plan(order.map { places[$0] }, context)
            plan.name = name
            plan.region = matrix.chosenRegion ?? plan.region
            let route = try service.route(plan, context.untraced)
            return .object(name == nil ? try await service.named(route, context.untraced) : route)
        }.deciding("route order $p.A $p.D --via $p.C --via $p.B", after: Samples.sketch)
    }
}

/// The best paths between coordinates, in one region.
struct PlaceMatrix {
    /// From row to column; `nil` if there is no path, and from a coordinate to itself.
    let paths: [[GraphPath?]]
    /// The region; `nil` if it is the only candidate.
    let chosenRegion: String?
    private let graph: RoutingGraph
    private let profile: CostProfile

    init(_ places: [Coordinate], _ options: PlanOptions, _ service: RouteService, _ context: Context) throws {
        let plan = try options.plan(places, context)
        let answer = try service.answer(plan, context, lacking: Self.missing) { region in
            try Self.paths(service.planner(plan, region), places, context)
        }
        paths = answer.value
        chosenRegion = answer.isChosen ? answer.region.name : nil
        (graph, profile) = (answer.region.graph, plan.profile)
    }

    /// The warnings of a path.
    func warnings(_ path: GraphPath?) -> [String] {
        path.map { $0.notices + RouteWarnings.of(PathTurns(graph: graph, path: $0).edges(profile), profile) }
            ?? []
    }

    /// The number of pairs without a path.
    private static func missing(_ paths: [[GraphPath?]]) -> Int {
        paths.indices.reduce(0) { sum, from in
            sum + paths[from].indices.count { $0 != from && paths[from][$0] == nil }
        }
    }

    private static func paths(
        _ planner: RoutePlanner, _ places: [Coordinate], _ context: Context
    ) throws -> [[GraphPath?]] {
        let snapping = ConnectedSnapping(planner.weighted, avoids: planner.avoids) { index, _ in
            "place \(index + 1)"
        }
        let snapped = try snapping.snap(places)
        let stops = snapped.stops
        return try stops.indices.map { from in
            try context.checkCancelled()
            return try stops.indices.map { to in
                guard from != to else { return nil }
                let found = try planner.edges(from: stops[from], to: stops[to], method: .hierarchy)
                guard let edges = found.edges else { return nil }
                var path = PathBuilder(planner.weighted).path(
                    legs: [edges], stops: [stops[from], stops[to]], settled: 0)
                guard (try? planner.checkMoves(path)) != nil else { return nil }
                path.notices = [from, to].compactMap { snapped.noticeOfStop[$0] }
                return path
            }
        }
    }
}
