import CivilTime
import Geodesy
import PluginKit

/// `journey reachable FROM`
struct JourneyReachable: CommandProvider {
    let library: FeedLibrary
    let realtime: RealtimeState

    var name: String { "journey reachable" }

    var command: Command {
        Command(
            name, "compute the area reachable by transit",
            details: """
                An isochrone over the timetable: every point that a journey from FROM at --at reaches within a time, with \
                the same walks and changes as `journey plan`. Walks are estimated from straight lines. With several --within \
                each area is a row, the smallest first. `… | map` draws the areas, `… | save FILE.geojson` writes them, the field \
                `reached` lists the stops with their arrivals. With realtime messages the expected times count.
                """,
            .positional("from", .coordinate, "start: a coordinate, a place, a stop's name or @ID"),
            .options(
                "within", .quantity(.duration, in: 60...Double(JourneySettings.window)),
                "time limit; repeatable for several areas; default: 30min"),
            .option("at", .localDate, "departure, by clocks at the start; default: now"),
            .option(
                "changes", .integer(0...JourneySettings.mostChanges), default: "\(JourneySettings.changes)",
                "maximum number of changes"),
            .option(
                "walk", .quantity(.length, in: 0...JourneySettings.mostWalk), default: "800m",
                "longest straight line of a walk to the first stop and from the last"),
            .flag("wheelchair", "only vehicles marked as wheelchair accessible"),
            output: .rows(TransitReach.columns), effect: .reads,
            examples: [
                .init(
                    "twenty minutes",
                    "journey reachable @CEN --within 20min --at 2026-02-06T09:00 | get stops",
                    after: FeedExamples.feed),
                .init(
                    "what is reached first",
                    "journey reachable @CEN --at 2026-02-06T09:00 | first | get reached | first 2 | select stop rides",
                    after: FeedExamples.feed),
            ],
            searchTerms: [
                "without changing", "without transfers",
                "how far by bus", "where can i get by train", "isochrone", "area", "how far",
                "how far can i get", "travel time map", "commute", "within 45 minutes",
            ]
        ) { context, from, within, at, changes, walk, wheelchair in
            let feed = try library.feed(context)
            let zone = try feed.stops.zone(near: from)
            var request = JourneyRequest(
                from: from, to: from, time: Int(feed.moment(at, context, in: zone).seconds.rounded(.up)))
            (request.changes, request.walk, request.needsWheelchair) = (changes, walk, wheelchair)
            let limits = within.isEmpty ? [JourneySettings.reach] : Set(within.map { Int($0) }).sorted()
            let found = try JourneyPlanner(feed).reach(
                request, within: limits, live: realtime.view(at: context.clock.now))
            return .table(
                objects: found.areas, columns: TransitReach.columns,
                note: Rows.note([ClockNotes.typed(at, context, in: zone)] + found.notes))
        }
    }
}
