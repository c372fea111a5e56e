import CivilTime
import PluginKit

/// `trip show TRIP`
struct TripShow: CommandProvider {
    let library: FeedLibrary
    let realtime: RealtimeState

    var name: String { "trip show" }

    var command: Command {
        Command(
            name, "show the calls of a trip",
            details: """
                The trip is named by its id, or is the departure in the pipe. Without --at a named trip is shown on its \
                next day of service, today included. Times are local to the stops. `… | map` draws its shape, or a dashed line where \
                the feed has none; the fields `calls`, `duration`, `length` and `lengthFrom` are for computation.
                """,
            .optional("trip", .text, "identifier of a trip; default: the departure from the pipe"),
            .option("at", .localDate, "service day; default: the next one on which the trip runs"),
            input: .optional(.value("departure")), output: .value(TripObject.kind), effect: .reads,
            examples: [
                .init(
                    "of a departure", "departures CAF --limit 1 | first | trip show",
                    after: ["set timezone Europe/Berlin"] + FeedExamples.feed,
                    gives: """
                        2 to Square, trip B2-WD-540, Friday 2026-02-06
                               09:00  Bus Terminal    pl. B  to Square via Mill
                        09:03  09:03  The "Old" Mill  to Square  approximate time
                        09:06  09:06  Square, East    to Square  approximate time
                        09:10  09:10  Café Zoë        to Bridge
                        09:12  09:12  Bridge          to Square
                        09:15         Café Zoë
                        """),
                .init(
                    "length of a trip", "trip show S1-WD-out-310 | get length", after: FeedExamples.feed,
                    gives: "5.34km"),
                .init(
                    "an unknown trip", "expect-error E-TRANSIT-TRIP trip show nothing",
                    after: FeedExamples.feed,
                    gives: "unknown trip `nothing`"),
            ],
            searchTerms: [
                "skipped stops", "stops that are left out",
                "stops of a trip", "platform of a train",
                "stops", "times", "vehicle", "run", "where does the train stop", "stops of a train", "calls",
                "platform", "train number", "where is a train going", "calling points", "follow a vehicle",
                "all its stops", "every stop of a train",
            ]
        ) { input, context, id, date in
            let feed = try library.feed(context)
            let live = try realtime.view(at: context.clock.now)?.usable.map {
                try LiveTimetableMaker.timetable(feed, $0)
            }
            var object: TripObject
            if let id {
                object = try Self.named(id, date, feed, live, context)
            } else if case .object(let given) = input, let departure = given as? Departure {
                let own = live?.runs(ofTrip: departure.trip, on: departure.row.day).first {
                    $0.start == departure.row.start
                }
                if let own {
                    object = try feed.trips.object(own)
                } else if let trip = try feed.trips.with(id: departure.trip) {
                    object = try feed.trips.object(
                        trip, on: departure.row.day, start: departure.row.start,
                        headway: departure.row.headway)
                } else {
                    throw TransitErrors.noTrip("unknown trip `\(departure.trip)`")
                }
            } else {
                throw TransitErrors.noTrip(
                    "a trip is missing",
                    fix: "name one, or pipe a departure in: departures STOP | first | trip show")
            }
            if let view = realtime.view(at: context.clock.now) {
                object.notes += [view.note(in: object.zone, of: feed), live?.note].compactMap { $0 }
                let own = "\(object.id) of \(object.day.text) "
                let doubts = (live?.verdicts ?? []).filter {
                    $0.outcome == .applied && $0.isNotable && $0.run?.hasPrefix(own) ?? false
                }
                object.notes += doubts.prefix(TransitSettings.listedReasons).map(\.sentence)
                object.notes += ServiceAlerts(feed, view).on(object).map(\.text)
            }
            object.notes += [try feed.trips.cutNote(object.id), object.impossibleHop].compactMap { $0 }
            object.notes += feed.coverage.notes(
                object.day...object.day, routes: object.route.map { [$0] })
            object.notes += feed.zoneNotes([object.route?.agency])
            let moment = Double(object.calls.first?.departure ?? 0)
            object.notes += [DepartureText.zoneNote(object.calls.map(\.zone), moment, context.environment)]
                .compactMap { $0 }
            let zone = object.zone
            let reference = ServiceDay.reference(object.day, in: zone)
            object.notes += ClockNotes.shown(
                object.calls.map {
                    let moment = $0.isLast ? $0.arrival : $0.departure
                    let isPlanned = $0.live?.kind != .added && $0.live?.kind != .changed
                    return ClockNotes.Shown(
                        moment: moment, zone: $0.zone,
                        scheduled: isPlanned ? (moment - reference, zone) : nil)
                })
            return .object(object)
        }
    }

    /// A run that only a message has: of the day asked, else the next one that has not ended.
    private static func added(
        _ id: String, _ date: WrittenTime?, _ feed: Feed, _ live: LiveTimetable?, _ context: Context
    ) -> LiveRun? {
        let runs = (live?.runs(ofTrip: id) ?? []).sorted { ($0.day, $0.start) < ($1.day, $1.start) }
        guard date != nil else {
            let now = Int(context.clock.now.seconds.rounded(.down))
            return runs.first { ($0.calls.last?.expectedArrival ?? 0) >= now } ?? runs.last
        }
        return runs.first { run in
            let zone = run.route.map(feed.zone(ofRoute:)) ?? feed.zone
            let moment = feed.moment(date, context, in: zone)
            return ServiceDay.date(of: Int(moment.seconds.rounded(.down)), in: zone) == run.day
        }
    }

    /// The earliest service day whose run has not ended by now, today or before: a trip of 24:30 belongs to the day
    /// before, and one with a long way is still under way. `nil` if no such run has begun its day.
    private static func running(
        _ trip: TripRecord, _ lastStart: Int?, now: Double, _ feed: Feed, _ live: LiveTimetable?
    ) throws -> CivilDate? {
        guard let lastStart, let end = try feed.trips.calls(ofPattern: trip.pattern).last?.arrival else {
            return nil
        }
        let zone = feed.zone(ofRoute: trip.route)
        let today = ServiceDay.date(of: Int(now.rounded(.down)), in: zone)
        let days = ServiceDay.days(
            from: Int(now) - end, until: Int(now) + 1, latest: feed.latest, in: zone)
        return days.first { day in
            guard day <= today, feed.calendar.verdict(trip.service, on: day).verdict.runs else {
                return false
            }
            let expected = live?.run(trip.row, day, lastStart)?.calls.last?.expectedArrival
            return Double(expected ?? ServiceDay.reference(day, in: zone) + lastStart + end) >= now
        }
    }

    private static func named(
        _ id: String, _ date: WrittenTime?, _ feed: Feed, _ live: LiveTimetable?, _ context: Context
    ) throws -> TripObject {
        guard let trip = try feed.trips.with(id: id) else {
            if let run = Self.added(id, date, feed, live, context) { return try feed.trips.object(run) }
            if try feed.trips.isSetAside(id) {
                throw TransitErrors.noTrip(
                    "trip `\(id)` was set aside by the import, as its account says",
                    fix: "feed check FEED lists what is wrong with its lines")
            }
            throw TransitErrors.noTrip(
                "unknown trip `\(id)`", fix: "departures STOP | get trip shows the trips of a stop")
        }
        let zone = feed.zone(ofRoute: trip.route)
        let moment = feed.moment(date, context, in: zone)
        let asked = ServiceDay.date(of: Int(moment.seconds.rounded(.down)), in: zone)
        var day = asked
        var notes: [String] = []
        let starts = try feed.trips.starts(of: trip)
        if date == nil, let under = try running(trip, starts.last?.start, now: moment.seconds, feed, live) {
            day = under
        }
        let service = feed.calendar.services.find(trip.service)
        let next = service.flatMap { feed.calendar.firstDay(from: asked, of: [$0]) }
        if day == asked, !feed.calendar.verdict(trip.service, on: asked).verdict.runs {
            if date != nil {
                notes.append("its service \(trip.service) does not run on \(asked.text)")
            } else if let next {
                day = next
                notes.append("it does not run today; this is the next day on which it does")
            } else {
                notes.append("its service \(trip.service) does not run on any later day")
            }
        }
        guard let first = starts.first else {
            return try feed.trips.object(
                trip, on: day, start: trip.start, headway: nil,
                notes: notes + ["the frequencies of this trip have no runs"])
        }
        if trip.isFrequency { notes.append("the first of \(starts.count) runs of the day") }
        if let run = live?.run(trip.row, day, first.start) {
            guard run.kind != .deleted else {
                throw TransitErrors.noTrip(
                    "the agency has withdrawn trip `\(id)` on \(day.text) (update \(run.update))",
                    fix: "feed realtime --off returns to the schedule")
            }
            return try feed.trips.object(run, headway: first.headway, notes: notes)
        }
        return try feed.trips.object(trip, on: day, start: first.start, headway: first.headway, notes: notes)
    }
}
