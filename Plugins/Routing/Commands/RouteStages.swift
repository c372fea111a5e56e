import Foundation
import GRDB
import Geodesy
import PluginKit
import TrailStores

/// `route stages [ROUTE] --hours 6`
struct RouteStages: CommandProvider {
    let regions: RegionChoice

    var name: String { "route stages" }

    var command: Command {
        Command(
            name, "split a route into days that end at huts",
            details: """
                Each day ends at the last hut, shelter or accommodation within 500 m of the route that is reached \
                within --hours; if there is none, the day ends on the route and `kind` is `nothing`. Each day is a line with a name, to be exported or drawn. Places come from \
                the map of the route's region. Without heights gain and loss are `nothing`.
                """,
            RouteInput.parameter,
            .option("hours", .number(0.5...24), default: "6", "walking time of a day in hours"),
            input: .optional(.value("route")), output: .rows(RouteStage.columns), effect: .reads,
            examples: [
                .init(
                    "two short days",
                    "route plan $p.A $p.D | route stages --hours 0.5 | select stage distance",
                    after: [
                        "let p = region sketch long 'A-----B-----C-----D' --column 200m --way ABCD"
                    ],
                    gives: """
                        stage  distance
                            1    1.84km
                            2    1.76km
                        """)
            ], searchTerms: ["days", "multi-day", "hut", "trek", "overnight", "huts"]
        ) { input, context, named, hours in
            let route = try RouteInput.route(named, input, for: "route stages")
            let line = route.line
            guard line.count > 1 else {
                throw SavedRouteErrors.line("the route has no line", at: .parameter("route"))
            }
            let huts = try Self.lodgings(route, regions, context)
            let (clock, onTheWay) = (RouteClock(route, line), StageSplit.along(line, huts))
            var log = TraceLog(limit: context.tracing?.limit ?? 0)
            let stages = StageSplit.split(clock, huts: onTheWay, seconds: hours * 3600, trace: &log)
            context.tracing?.keep(
                "ends of the days",
                from: .start(
                    [
                        ("hours", .number(hours)), ("places", .integer(onTheWay.count)),
                        ("known", .integer(huts.count)),
                    ],
                    why:
                        "a day ends at the last accommodation within \(Int(StageSplit.reach)) m that is reached within --hours"
                ), candidates: log.steps,
                to: .end([("days", .integer(stages.count))], why: "the end of the route is reached"))
            let days = stages.enumerated().map { index, stage -> RouteStage in
                let part = PartialLine.part(of: line, from: stage.from, to: stage.to)
                let isKnown = route.climb != nil && part.allSatisfy { $0.altitude != nil }
                let isLast = index == stages.count - 1
                return RouteStage(
                    number: index + 1, route: route.name,
                    to: isLast ? (stage.lodging?.name ?? "end") : stage.lodging?.name,
                    kind: stage.lodging?.kind, distance: (stage.to - stage.from) * route.distance,
                    seconds: stage.seconds,
                    climb: isKnown ? ClimbMeter.sums(part.compactMap(\.altitude)) : nil, line: part)
            }
            return .table(objects: days, columns: RouteStage.columns)
        }.deciding(
            "$route | route stages --hours 0.5",
            after: [
                "let p = region sketch long 'A-----B-----C-----D' --column 200m --way ABCD",
                "let route = route plan $p.A $p.D",
            ])
    }

    /// Accommodation from the map of the route's region; empty if the region or its names are missing.
    private static func lodgings(
        _ route: Route, _ regions: RegionChoice, _ context: Context
    ) throws -> [StageSplit.Lodging] {
        guard let name = route.planned.regionID, let databases = regions.accompanying(context),
            databases.names.contains(name)
        else { return [] }
        return try RegionDatabase.read(try databases.database(name)) { db in
            try (PlaceTables.entries(db) ?? []).filter { StageSplit.kinds.contains($0.kind) }.map {
                StageSplit.Lodging(name: $0.name, kind: $0.kind, at: $0.coordinate)
            }
        }
    }
}
