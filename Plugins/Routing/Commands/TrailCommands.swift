import PluginKit

/// `trail list`
struct ListTrails: CommandProvider {
    let regions: RegionChoice
    private static let columns = ["name", "ref", "network", "length", "symbol", "id"]

    var name: String { "trail list" }

    var command: Command {
        Command(
            name, "list the marked hiking trails of a region",
            details: """
                Trails are relations of the map. The length is that of their ways in the region, which may be only part of the \
                trail. Networks: iwn international, nwn national, rwn regional, lwn local.
                """,
            .option("region", .text, "region; default: the only one").completing(
                RegionCompletions.completion),
            .option("matching", .text, "only trails whose name or number contains this"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "one", "trail list | select name length", after: TrailSamples.marked,
                    gives: """
                        name  length
                        E5      500m
                        """)
            ],
            searchTerms: [
                "blazed trails", "blazes",
                "long distance paths", "waymarked",
                "signposted", "long distance path", "hiking", "relation", "waymark", "hiking trails",
                "marked paths", "long-distance", "way marks", "signposted paths", "long distance trails",
                "which trails are there", "named paths", "hiking paths", "hiking routes",
                "long-distance paths",
            ]
        ) { context, name, text in
            let region = try regions.region(named: name, around: [], context)
            let trails = RegionTrails(region.graph)
            let rows = region.graph.trails.filter { trail in
                text.map { trail.matches($0) } ?? true
            }.map { trail -> [Value] in
                [
                    Value(trail.name, Value.text), Value(trail.ref, Value.text),
                    Value(trail.network, Value.text),
                    .quantity(.metres(trails.length(of: trail.id))), Value(trail.symbolWords, Value.text),
                    .integer(Int(trail.id)),
                ]
            }
            return .table(columns: Self.columns, cells: rows)
        }
    }
}

/// `trail show NAME`
struct ShowTrail: CommandProvider {
    let regions: RegionChoice
    private static let columns = [
        "name", "highway", "surface", "sac", "distance", "gain", "loss", "cost", "way",
    ]

    var name: String { "trail show" }

    var command: Command {
        Command(
            name, "list the ways of a trail",
            .positional("trail", .text, "name, number or id of the trail"),
            .option("region", .text, "region; default: the only one").completing(
                RegionCompletions.completion),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "its ways", "trail show E5 | select highway distance", after: TrailSamples.marked,
                    gives: """
                        highway  distance
                        path         250m
                        track        250m
                        """),
                .init(
                    "an unknown one", "expect-error E-TRAIL-NONE trail show E6", after: TrailSamples.marked,
                    gives: "unknown trail E6 in the region marked"),
            ],
            searchTerms: [
                "details of a trail", "ways of a trail", "where does a trail go", "length of a trail",
            ]
        ) { context, name, region in
            let region = try regions.region(named: region, around: [], context)
            let trail = try RegionTrails.named(name, in: region)
            let edges = RegionTrails(region.graph).edges(of: trail.id)
            var path = GraphPath.empty
            path.edges = edges.map { PathEdge(edge: $0, isReversed: false) }
            let rows = PathTurns(graph: region.graph, path: path).edges(.hiking)
            return .table(columns: Self.columns, rows: rows.map(\.row))
        }
    }
}

/// `route along TRAIL`
struct RouteAlongTrail: CommandProvider {
    let service: RouteService

    var name: String { "route along" }

    var command: Command {
        Command(
            name, "plan a route along a trail from end to end",
            details: """
                Only the ways of the trail are used, from one of its ends to the farthest other, or once round. A warning reports \
                what is beside that way. If the map has gaps in the \
                trail, the longest part is used and a warning reports the rest.
                """,
            .positional("trail", .text, "name, number or id of the trail"),
            .flag("back", "in the opposite direction"), .option("name", .text, "name of the route"),
            PlanOptions.parameters,
            output: .value("route"), effect: .reads,
            examples: [
                .init(
                    "its length", "route along E5 | get distance", after: TrailSamples.marked, gives: "500m")
            ],
            searchTerms: [
                "hiking", "waymark", "follow", "follow a trail", "whole trail", "long distance path",
            ]
        ) { context, name, goesBack, title, options in
            let region = try service.regions.region(named: options.region, around: [], context)
            let trail = try RegionTrails.named(name, in: region)
            let trails = RegionTrails(region.graph)
            let place = trails.edges(of: trail.id).first.map {
                region.graph.coordinate(of: Int(region.graph.source[$0]))
            }
            // The clock is that of the trail.
            let start = try options.plan(place.map { [$0] } ?? [], context)
            var profile = start.profile
            // Naming a trail implies accepting its grades.
            if options.limit == nil { profile.sacLimit = nil }
            var steps: [TraceStep] = []
            var path = try trails.path(
                along: trail, region.weighted(profile),
                watch: context.tracing.map { _ in { steps.append($0) } })
            context.tracing?.keep(
                "parts of the trail",
                from: .start(
                    [("trail", .text(trail.label ?? name))],
                    why: "only the ways of the trail are used, and only one of its unconnected parts"),
                candidates: steps,
                to: .end(
                    [("length", .quantity(.metres(path.distance)))],
                    why: "the route leads along the trail from one end to the other"))
            if goesBack {
                path = try RoutePlanner(trails.only(trail, region.weighted(profile)))
                    .plan(stops: path.stops.reversed(), method: .aStar)
            }
            var plan = RoutePlan(places: path.stops.map(\.point), profile: profile, region: region.name)
            plan.departure = start.departure
            plan.name = title ?? trail.label ?? trail.symbolWords
            return .object(service.route(path, plan, region, context))
        }.deciding("route along E5", after: TrailSamples.marked)
    }
}

/// The setup of examples with a trail.
enum TrailSamples {
    static let marked = [
        "let p = region sketch marked 'A----B----C----D' --way 'AB trail=E5' --way 'BC trail=E5 highway=track' --way CD"
    ]
}
