import Geodesy
import Pictures
import PluginKit

/// `route reachable FROM --within TIME`
struct ReachableCommand: CommandProvider {
    let service: RouteService

    var name: String { "route reachable" }

    var command: Command {
        Command(
            name, "compute the area reachable within a time",
            details: """
                Returns all reachable ways as an area for `map` (an isochrone). Its outline is drawn on a grid of at most 96 \
                cells along the longer side, each at least 20 m wide. With several --within each area is a row, the smallest first; `map` draws them \
                together. Of several regions around the start the one in which the most can be reached is used and named. The profile's preferences are ignored; its prohibitions apply.
                """,
            .positional("from", .coordinate, "start of the area"),
            .options(
                "within", .quantity(.duration, in: 1...604_800),
                "time limit; repeatable for several areas; default: 1h"),
            PlanOptions.parameters,
            output: .value("area"), effect: .reads,
            examples: [
                .init(
                    "five minutes' walk", "route reachable $p.A --within 5min | get length",
                    after: Samples.sketch,
                    gives: "598m"),
                .init(
                    "two areas", "route reachable $p.A --within 2min --within 5min | select within length",
                    after: Samples.sketch,
                    gives: """
                        within  length
                          2min    160m
                          5min    598m
                        """),
            ],
            searchTerms: [
                "within an hour",
                "walking radius", "one hour from here", "catchment", "isochrone", "area", "how far",
                "how far can i get", "30 minutes on foot", "how far can i walk", "within half an hour",
            ]
        ) { context, from, within, options in
            var plan = try options.plan([from], context)
            plan.profile = plan.profile.timed
            // A flood of the network has no use for the hierarchy.
            plan.method = .dijkstra
            let limits = within.isEmpty ? [3600] : Set(within).sorted()
            let (region, isChosen) = try Self.region(
                plan, from, limits[limits.count - 1], service, context)
            let planner = try service.planner(plan, region)
            let areas = try limits.map { limit -> Value in
                try context.checkCancelled()
                return .object(
                    ReachedArea(
                        area: try Self.area(planner, from, limit, region, context), graph: region.graph,
                        region: isChosen ? region.name : nil, hasTurns: planner.weighted.turns != nil,
                        isTraced: context.tracing != nil))
            }
            if areas.count == 1 { return areas[0] }
            return .table(columns: ["within", "length", "farthest", "nodes"], rows: areas)
        }.deciding("route reachable $p.A --within 5min", after: Samples.sketch)
    }

    /// The region; of several candidates the one in which the most can be reached: others may end before.
    private static func region(
        _ plan: RoutePlan, _ from: Coordinate, _ limit: Double, _ service: RouteService, _ context: Context
    ) throws -> (region: RoutingRegion, isChosen: Bool) {
        let candidates = try service.regions.candidates(named: plan.region, around: [from], context)
        var best: (region: RoutingRegion, length: Double)?
        for region in candidates where candidates.count > 1 {
            try context.checkCancelled()
            do {
                let planner = try service.planner(plan, region)
                let area = try planner.reachable(from: from, within: limit)
                if area.length > best?.length ?? -1 { best = (region, area.length) }
            } catch let error as RutterError where RouteErrors.isOfOneRegion(error) {
                continue
            }
        }
        if let best { return (best.region, true) }
        return (try service.regions.region(named: plan.region, around: [from], context), false)
    }

    /// An area, with the steps of its search if a recorder is active.
    private static func area(
        _ planner: RoutePlanner, _ from: Coordinate, _ limit: Double, _ region: RoutingRegion,
        _ context: Context
    ) throws -> ReachableArea {
        guard let tracing = context.tracing else { return try planner.reachable(from: from, within: limit) }
        let names = NodeNames(region)
        var trace = ReadableTrace(limit: tracing.limit, names: names)
        defer {
            tracing.keep(
                trace.log, picture: SearchPicturing(graph: region.graph, names: names, places: [from]))
        }
        return try planner.reachable(from: from, within: limit, trace: &trace)
    }
}

/// A reachable area as a value.
struct ReachedArea: FieldedObject, MapDrawable {
    private enum Look {
        static let color = Color(0x2F7DE1)
        static let area = MapAreaStyle(
            fill: Fill(color, opacity: 0.15), stroke: Stroke(color, width: 2), layer: MapLayer.base - 1)
        static let way = MapLineStyle(
            stroke: Stroke(color, width: 1.2), layer: MapLayer.base + 1, label: "reached")
        static let start = MapPointStyle(color: Color(0x2F9E44), radius: 5, symbol: "A", label: "start")
    }

    let area: ReachableArea
    let graph: RoutingGraph
    /// The region; `nil` if it is the only candidate.
    let region: String?
    /// A way far from the start; unknown heights, where times exclude climbing; forbidden turns.
    private let warnings: [String]

    init(
        area: ReachableArea, graph: RoutingGraph, region: String?, hasTurns: Bool = false,
        isTraced: Bool = false
    ) {
        (self.area, self.graph, self.region) = (area, graph, region)
        let lengths = area.pieces.map { Double(graph.distance[$0.edge]) * ($0.to - $0.from) }
        let unknown = zip(area.pieces, lengths).reduce(0) { sum, part in
            graph.knowsHeights(of: part.0.edge) ? sum : sum + part.1
        }
        warnings =
            [area.notice].compactMap(\.self) + RouteWarnings.unknownHeights(unknown, of: lengths.reduce(0, +))
            + (hasTurns ? ["ways to which only a forbidden turn leads are left out"] : [])
            + (hasTurns && isTraced ? ["the steps are those without turn restrictions"] : [])
    }

    var typeName: String { "area" }
    var summary: String {
        "\(Literal.quantity(.metres(area.length))) of way within \(Literal.duration(area.limit))"
    }
    var place: Value? { .coordinate(area.start.point) }

    static let fields = FieldTable<Self> {
        Field("start") { .coordinate($0.area.start.point.withoutAltitude) }
        Field("within") { .quantity(.seconds($0.area.limit)) }
        Field("nodes") { .integer($0.area.nodes.count) }
        Field("length") { .quantity(.metres($0.area.length)) }
        Field("farthest") { .quantity(.metres($0.farthest)) }
        Field("outline") { .list($0.area.outline.map { .list($0.map(Value.coordinate)) }) }
        Field("region", where: { $0.region != nil }) { Value($0.region, Value.text) }
        Field("warnings", where: { !$0.warnings.isEmpty }) { .list($0.warnings.map(Value.text)) }
    }

    /// Straight-line metres to the farthest point reached, including points between junctions.
    private var farthest: Double {
        lines.joined().reduce(0) { max($0, $1.distance(to: area.start.point)) }
    }

    /// The reached parts of ways, and of the lines over an area that the start is in.
    private var lines: [[Coordinate]] {
        area.pieces.map { PartialLine.part(of: graph.line(of: $0.edge), from: $0.from, to: $0.to) }
            + area.walks
    }

    var mapFeatures: [MapFeature] {
        let ways = lines.map { MapFeature.line($0.map(\.withoutAltitude), Look.way) }
        let outline = area.outline.isEmpty ? [] : [MapFeature.polygon(area.outline, Look.area)]
        return outline + ways + [.point(area.start.point.withoutAltitude, Look.start)]
    }
}
