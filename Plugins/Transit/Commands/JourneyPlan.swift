import CivilTime
import Foundation
import Geodesy
import PluginKit

/// `journey plan FROM TO`
struct JourneyCommand: CommandProvider {
    let library: FeedLibrary
    let realtime: RealtimeState

    var name: String { "journey plan" }

    var command: Command {
        Command(
            name, "find journeys with changes",
            details: """
                Returns the journeys with the earliest arrival for each number of changes, begun as late as possible (RAPTOR). \
                --arrive-by returns those with the latest departure, each with its earliest arrival, --until all optimal journeys of a range of departures. Times \
                are local to the stops, with the day where it is not the one asked; service days after midnight and clock changes follow the timetable. Walks follow the streets of an imported region, \
                at 1.3 m/s, and the pathways of stations; without streets they are estimated from straight lines, 1.3 times as \
                long. A change takes a minute and the walk, or the time in transfers.txt, by the most \
                specific of its rules for stops, routes and trips. With realtime messages journeys follow expected times. `… | first` shows the \
                legs, `… | first | map` draws them, `step journey plan …` walks through the rounds. In the column diagram \
                `~` is a walk, dots are waiting.
                """,
            .positional("from", .coordinate, "start: a coordinate, a place, a stop's name or @ID"),
            .positional("to", .coordinate, "destination"),
            .option("at", .localDate, "earliest departure, by clocks at the stops; default: now"),
            .option("arrive-by", .localDate, "latest arrival"),
            .option("until", .localDate, "latest departure of a range"),
            .option(
                "changes", .integer(0...JourneySettings.mostChanges), default: "\(JourneySettings.changes)",
                "maximum number of changes"),
            .option(
                "walk", .quantity(.length, in: 0...JourneySettings.mostWalk), default: "800m",
                "longest straight line to the first stop and from the last"),
            .flag("wheelchair", "only vehicles marked as wheelchair accessible"),
            .flag(
                "unknown-access", "with --wheelchair: also vehicles whose access is unknown, marked as such"),
            .flag(
                "prefer-wheelchair",
                "as --wheelchair --unknown-access, or all journeys, with a note, where there are none"),
            output: .rows(TransitJourney.columns), effect: .reads,
            examples: [
                .init(
                    "tram and train",
                    "journey plan 0.493,0.504 0.535,0.531 --at 2026-02-06T09:00 | select departs arrives changes lines",
                    after: FeedExamples.feed),
                .init(
                    "a latest arrival",
                    "journey plan 0.493,0.504 0.535,0.531 --arrive-by 2026-02-06T10:00 | last | get arrives",
                    after: FeedExamples.feed),
                .init(
                    "accessible for wheelchairs, if there is such a journey",
                    "journey plan 0.493,0.504 0.535,0.531 --at 2026-02-06T09:00 --prefer-wheelchair | select departs lines",
                    after: FeedExamples.feed),
                .init(
                    "both --at and --arrive-by",
                    "expect-error E-TRANSIT-JOURNEY journey plan 0.5,0.5 0.53,0.53 --at 09:00 --arrive-by 10:00",
                    after: FeedExamples.feed, gives: "--at and --arrive-by cannot be combined"),
            ],
            searchTerms: [
                "walk to the stop", "walk included",
                "accessible trips", "from here to there by bus", "when do i have to leave", "be there by",
                "arrive by", "arrive before", "fewest changes", "changes", "transfers", "at night",
                "how do i get to", "how do i get there", "get from a to b by bus", "earliest arrival",
                "commute",
                "route", "trip planner", "connection", "raptor", "transfer", "itinerary", "train", "bus",
                "train times", "public transport", "get from a to b", "last train", "directions by bus",
                "walk to the station", "way to the station", "by train to", "last connection home",
                "with a bike on the train",
            ]
        ) {
            context, from, to, at, arriveBy, until, changes, walk, wheelchair, unknownAccess,
            prefersWheelchair in
            let feed = try library.feed(context)
            guard at == nil || arriveBy == nil else {
                throw TransitErrors.journey(
                    "--at and --arrive-by cannot be combined", fix: "use one of them")
            }
            guard until == nil || arriveBy == nil else {
                throw TransitErrors.journey(
                    "--until is the end of a range of departures, not of arrivals",
                    fix: "give --at instead of --arrive-by")
            }
            let (origin, destination) = (try feed.stops.zone(near: from), try feed.stops.zone(near: to))
            func seconds(_ time: WrittenTime?, _ zone: TimeZone) -> Int {
                Int(feed.moment(time, context, in: zone).seconds.rounded(.up))
            }
            var request = JourneyRequest(
                from: from, to: to,
                time: arriveBy.map { seconds($0, destination) } ?? seconds(at, origin))
            request.isArrival = arriveBy != nil
            request.day = ServiceDay.date(of: request.time, in: request.isArrival ? destination : origin)
            if let until {
                let end = seconds(until, origin)
                guard end >= request.time, end - request.time <= JourneySettings.longestRange else {
                    throw TransitErrors.journey(
                        "--until is not within \(Literal.duration(Double(JourneySettings.longestRange))) after the start"
                    )
                }
                request.until = end
            }
            (request.changes, request.walk) = (changes, walk)
            guard wheelchair || !unknownAccess else {
                throw TransitErrors.journey(
                    "--unknown-access is about journeys with a wheelchair", fix: "add --wheelchair")
            }
            guard !wheelchair || !prefersWheelchair else {
                throw TransitErrors.journey(
                    "--wheelchair and --prefer-wheelchair cannot be combined", fix: "use one of them")
            }
            request.needsWheelchair = wheelchair || prefersWheelchair
            request.allowsUnknownAccess = unknownAccess || prefersWheelchair
            let view = realtime.view(at: context.clock.now)
            let streets = context.all((any RoutePlanning).self).first.map {
                StreetPlanner($0, context)
            }
            func search(_ request: JourneyRequest) async throws -> JourneyPlan {
                guard let tracing = context.tracing else {
                    var none = NoTrace()
                    return try await JourneyPlanner(feed).journeys(
                        request, live: view, on: streets, into: &none, isTraced: false)
                }
                var log = TraceLog(limit: tracing.limit)
                log.record(JourneyNames.started(request))
                let plan = try await JourneyPlanner(feed).journeys(
                    request, live: view, on: streets, into: &log, isTraced: true)
                log.record(JourneyNames.ended(plan.journeys.count))
                tracing.keep(log, picture: JourneyPicturing(from: from, to: to))
                return plan
            }
            var plan = try await search(request)
            if prefersWheelchair, plan.journeys.isEmpty {
                (request.needsWheelchair, request.allowsUnknownAccess) = (false, false)
                plan = try await search(request)
                if !plan.journeys.isEmpty {
                    plan.notes.insert(
                        "none of these journeys is accessible for wheelchairs as a whole", at: 0)
                }
            }
            let now = Int(context.clock.now.seconds.rounded(.down))
            let gone = plan.journeys.count { $0.departs < now }
            if request.isArrival, request.time >= now, gone > 0 {
                plan.journeys.removeAll { $0.departs < now }
                plan.notes.append(
                    "\(gone, of: "journey") that \(gone == 1 ? "begins" : "begin") before now left out")
            }
            let zones = plan.journeys.flatMap { $0.legs.flatMap { [$0.zone, $0.arrivalZone ?? $0.zone] } }
            let zoneNote = DepartureText.zoneNote(zones, Double(request.time), context.environment)
            let typed = [(at, origin), (until, origin), (arriveBy, destination)].compactMap {
                ClockNotes.typed($0.0, context, in: $0.1)
            }
            let shown = plan.journeys.flatMap { journey in
                journey.legs.flatMap {
                    [
                        ClockNotes.Shown(moment: $0.departs, zone: $0.zone),
                        ClockNotes.Shown(moment: $0.arrives, zone: $0.arrivalZone ?? $0.zone),
                    ]
                }
            }
            return .table(
                objects: plan.journeys, columns: TransitJourney.columns(of: plan.journeys),
                note: Rows.note(typed + [zoneNote] + ClockNotes.shown(shown) + plan.notes))
        }.deciding("journey plan 0.493,0.504 0.535,0.531 --at 2026-02-06T09:00", after: FeedExamples.feed)
    }
}
