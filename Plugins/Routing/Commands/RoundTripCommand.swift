import PluginKit

/// `route round FROM --distance 12km`
struct RoundTripCommand: CommandProvider {
    let service: RouteService
    private static let columns = ["name", "distance", "duration", "gain", "loss", "twice"]

    var name: String { "route round" }

    var command: Command {
        Command(
            name, "propose round trips of a length",
            details: """
                Trips in twelve directions, each within 15 % of the length; those that repeat the least of their length come \
                first (`twice` is the share that is walked more than once). There may be fewer than requested.
                """,
            .positional("from", .coordinate, "start and end"),
            .option(
                "distance", .quantity(.length, in: 500...100_000), default: "10km", "length of the trips"),
            .option("count", .integer(1...10), default: "3", "trips"),
            PlanOptions.parameters,
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "round the block", "route round $p.A --distance 700m --count 1 | select distance twice",
                    after: [
                        "let p = region sketch block '\nA---B\n\nC---D' --way AB --way BD --way DC --way CA"
                    ],
                    gives: """
                        distance  twice
                            800m     0%
                        """)
            ],
            searchTerms: [
                "back to the start",
                "loop walk", "come back to the start", "loop", "circular", "circuit", "round trip",
                "circular walk", "walk that ends where it started", "evening walk", "jog around",
                "loop of some kilometres",
            ]
        ) { context, from, distance, count, options in
            let plan = try options.plan([from, from], context)
            let answer = try service.answer(plan, context, lacking: { count - $0.paths.count }) { region in
                var log = TraceLog(limit: context.tracing?.limit ?? 0)
                let paths = try RoundTrips(weighted: service.planner(plan, region).weighted).trips(
                    from: from, distance: distance, count: count, trace: &log, check: context.checkCancelled)
                return (paths: paths, log: log)
            }
            let ((paths, log), region) = (answer.value, answer.region)
            context.tracing?.keep(
                "round trips in twelve directions",
                from: .start(
                    [("from", .coordinate(from.withoutAltitude)), ("length", .quantity(.metres(distance)))],
                    why:
                        "in each direction the corners of a triangle are joined by routes; its size is corrected until the length fits"
                ), candidates: log.steps,
                to: .end(
                    [("trips", .integer(paths.count))],
                    why: paths.count < count
                        ? "no other trip that fits differs enough" : "the requested number of trips is found")
            )
            let rows = paths.map { path -> Value in
                var plan = plan
                plan.places = path.stops.map(\.point)
                var route = service.route(path, plan, region, context)
                route.found?.twice = RoundTrips.repeated(path, region.graph)
                return .object(answer.named(route))
            }
            return .table(
                columns: Self.columns, rows: rows,
                note: rows.isEmpty
                    ? "no round trip of about \(Literal.inMessage(.metres(distance))) is found here; try another --distance"
                    : nil)
        }.deciding(
            "route round $p.A --distance 700m --count 1",
            after: ["let p = region sketch block '\nA---B\n\nC---D' --way AB --way BD --way DC --way CA"])
    }
}
