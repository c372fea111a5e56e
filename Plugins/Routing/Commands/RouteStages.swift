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
                Each day ends at the last hut or other accommodation within 500 m of the route that is reached \
                within --hours. With --days the route is split into that many days whose times differ little, which end at \
                accommodation where some is near. If there is none, the day ends on the route and `kind` is `nothing`. \
                `water` counts drinking water, taps, water points and springs within 150 m, which may not be tested; `sources` \
                lists them; both and the places come from the map of the route's region. With a date, that of --at or of the route, \
                places that are closed on the day that one reaches them are left out, and the note says which, and of which that is \
                not known; `hours` is what the map says. Each day is a route: export, draw or \
                save all (`| route save`), or give one to any command for routes (`| first | route turns`). Without heights \
                gain and loss are `nothing`.
                """,
            RouteInput.parameter,
            .option("hours", .number(0.5...24), "walking time of a day in hours; default: 6"),
            .option("days", .integer(StageSplit.days), "number of days, balanced in time"),
            .option("at", .date, "time of departure on the first day; default: that of the route"),
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
                        """),
                .init(
                    "three equal days",
                    "route plan $p.A $p.D | route stages --days 3 | select stage distance duration",
                    after: [
                        "let p = region sketch long 'A-----B-----C-----D' --column 200m --way ABCD"
                    ],
                    gives: """
                        stage  distance  duration
                            1     1.2km  19min33s
                            2     1.2km  19min33s
                            3     1.2km  19min33s
                        """),
                .init(
                    "each day saved as a route", "route list | count",
                    after: [
                        "let p = region sketch long 'A-----B-----C-----D' --column 200m --way ABCD",
                        "route plan $p.A $p.D | route stages --days 2 | route save",
                    ], gives: "2"),
            ],
            searchTerms: [
                "several nights", "nights in huts",
                "several days", "where to sleep",
                "days", "multi-day", "hut", "trek", "overnight", "huts", "itinerary", "split a route",
                "water", "daily stages", "overnight stays",
            ]
        ) { input, context, named, hours, days, moment in
            let route = try RouteInput.route(named, input, for: "route stages")
            let line = route.line
            guard line.count > 1 else {
                throw SavedRouteErrors.line("the route has no line", at: .parameter("route"))
            }
            guard hours == nil || days == nil else {
                throw CommonErrors.argumentRange(
                    "--hours and --days cannot be combined", at: .parameter("days"), fix: "omit one")
            }
            let places = try Self.places(route, regions, context)
            let huts = try StageSplit.along(line, places?.lodgings ?? [])
            let water = try places.map { try StageSplit.along(line, $0.water, reach: StageSplit.waterReach) }
            let clock = RouteClock(route, line)
            let departure =
                moment.map { SettingOut($0, at: line[0], own: context.environment.timeZone) }
                ?? route.found?.plan.departure
            let calendar = StageCalendar(departure: departure, sun: departure?.sun(at: line[0]))
            var log = TraceLog(limit: context.tracing?.limit ?? 0)
            let stages: [StageSplit.Stage]
            if let days {
                stages = BalancedStages(clock, huts: huts, days: days, isClosed: calendar.isClosed).stages(
                    trace: &log)
            } else {
                stages = StageSplit.split(
                    clock, huts: huts, seconds: (hours ?? Self.usualHours) * 3600,
                    isClosed: calendar.isClosed, trace: &log)
            }
            context.tracing?.keep(
                "ends of the days",
                from: .start(
                    [
                        ("hours", days == nil ? .number(hours ?? Self.usualHours) : .nothing),
                        ("places", .integer(huts.count)),
                        ("known", .integer(places?.lodgings.count ?? 0)),
                    ],
                    why: days == nil
                        ? "a day ends at the last accommodation within \(Int(StageSplit.reach)) m that is reached within --hours"
                        : "days of equal time end at accommodation within \(Int(StageSplit.reach)) m where some is near"
                ), candidates: log.steps,
                to: .end([("days", .integer(stages.count))], why: "the end of the route is reached"))
            let parts = StageRoutes(route)
            let rows = stages.enumerated().compactMap { index, stage -> RouteStage? in
                let part = PartialLine.part(of: line, from: stage.from, to: stage.to)
                let isKnown = route.climb != nil && part.allSatisfy { $0.altitude != nil }
                let climb = isKnown ? ClimbMeter.sums(part.compactMap(\.altitude)) : nil
                let isLast = index == stages.count - 1
                let end = stage.lodging?.name ?? (isLast ? "end" : nil)
                let name = RouteStage.name(of: route.name, number: index + 1, to: end)
                guard let day = parts.route(of: stage, part, name: name, climb: climb, context) else {
                    return nil
                }
                let sources = water.map { all in
                    all.filter {
                        $0.share >= stage.from && (isLast || $0.share < stage.to)
                            && !calendar.isClosed($0.lodging, on: index + 1)
                    }.map { (metres: ($0.share - stage.from) * route.distance, place: $0.lodging) }
                }
                return RouteStage(
                    number: index + 1, route: route.name, to: end, kind: stage.lodging?.kind,
                    hours: stage.lodging?.hours, distance: day.distance, seconds: stage.seconds, climb: climb,
                    line: part, water: sources,
                    asRoute: day)
            }
            return .table(
                objects: rows, columns: RouteStage.columns(of: rows),
                note: calendar.notes(stages, huts: huts, water: water ?? []))
        }.deciding(
            "$route | route stages --hours 0.5",
            after: [
                "let p = region sketch long 'A-----B-----C-----D' --column 200m --way ABCD",
                "let route = route plan $p.A $p.D",
            ])
    }

    /// Walking hours of a day unless another number is given.
    private static let usualHours = 6.0

    /// Accommodation and water from the map of the route's region; `nil` if the region is missing.
    private static func places(
        _ route: Route, _ regions: RegionChoice, _ context: Context
    ) throws -> (lodgings: [StageSplit.Lodging], water: [StageSplit.Lodging])? {
        guard let name = route.planned.regionID, let databases = regions.accompanying(context),
            databases.names.contains(name)
        else { return nil }
        return try RegionDatabase.read(try databases.database(name)) { db in
            guard let entries = try PlaceTables.entries(db) else { return nil }
            let times = try PlaceTables.times(db)
            func places(of kinds: [String]) -> [StageSplit.Lodging] {
                entries.filter { kinds.contains(DatedKinds.base($0.kind)) }.map {
                    StageSplit.Lodging(
                        name: $0.name, kind: DatedKinds.base($0.kind), at: $0.coordinate,
                        hours: times[PlaceTables.TimedPlace(kind: $0.kind, coordinate: $0.coordinate)])
                }
            }
            return (places(of: StageSplit.kinds), places(of: StageSplit.waterKinds))
        }
    }
}
