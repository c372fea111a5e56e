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
                    after: ["set timezone Europe/Berlin"] + TransitSamples.feed,
                    gives: """
                        2 to Square, trip B2-WD-540, Friday 2026-02-06
                               09:00  Bus Terminal    pl. B
                        09:03  09:03  The "Old" Mill
                        09:06  09:06  Square, East
                        09:10  09:10  Café Zoë
                        09:12  09:12  Bridge
                        09:15         Café Zoë
                        """),
                .init(
                    "length of a trip", "trip show S1-WD-out-310 | get length", after: TransitSamples.feed,
                    gives: "5.34km"),
                .init(
                    "an unknown trip", "expect-error E-TRANSIT-TRIP trip show nothing",
                    after: TransitSamples.feed,
                    gives: "unknown trip `nothing`"),
            ], searchTerms: ["stops", "times", "vehicle", "run"]
        ) { input, context, id, date in
            let feed = try library.feed(context)
            var object: TripObject
            if let id {
                object = try Self.named(id, date, feed, context)
            } else if case .object(let given) = input, let departure = given as? Departure {
                guard let trip = try feed.trip(id: departure.trip) else {
                    throw TransitErrors.noTrip("unknown trip `\(departure.trip)`")
                }
                object = try feed.object(
                    trip, on: departure.row.day, start: departure.row.start, headway: departure.row.headway)
            } else {
                throw TransitErrors.noTrip(
                    "a trip is missing",
                    fix: "name one, or pipe a departure in: departures STOP | first | trip show")
            }
            object = try Self.live(object, realtime.view(at: context.clock.now), feed)
            object.notes += feed.dayNotes(object.day...object.day)
            let moment = Double(object.calls.first?.departure ?? 0)
            object.notes += [DepartureText.zoneNote([object.zone], moment, context.environment)]
                .compactMap { $0 }
            return .object(object)
        }
    }

    /// The run with its realtime data.
    private static func live(_ object: TripObject, _ view: RealtimeView?, _ feed: Feed) throws -> TripObject {
        guard let view else { return object }
        var object = object
        object.notes.append(view.note(in: object.zone))
        object.notes += feed.alerts(on: object, view).map(\.text)
        guard let snapshot = view.usable, let trip = try feed.trip(id: object.id),
            let first = object.calls.first,
            let known = try feed.live(
                trip.pattern, trip: trip.row, day: object.day,
                start: first.departure - ServiceDay.reference(object.day, in: object.zone),
                isFrequency: trip.isFrequency, snapshot)
        else { return object }
        for index in object.calls.indices { object.calls[index].live = known[object.calls[index].sequence] }
        return object
    }

    private static func named(
        _ id: String, _ date: WrittenTime?, _ feed: Feed, _ context: Context
    ) throws -> TripObject {
        guard let trip = try feed.trip(id: id) else {
            throw TransitErrors.noTrip(
                "unknown trip `\(id)`", fix: "departures STOP | get trip shows the trips of a stop")
        }
        let zone = feed.zone(ofRoute: trip.route)
        let moment = feed.moment(date, context, in: zone)
        let asked = ServiceDay.date(of: Int(moment.seconds.rounded(.down)), in: zone)
        var day = asked
        var notes: [String] = []
        let service = feed.calendar.services.find(trip.service)
        let next = service.flatMap { feed.calendar.firstDay(from: asked, of: [$0]) }
        if !feed.calendar.verdict(trip.service, on: asked).verdict.runs {
            if date != nil {
                notes.append("its service \(trip.service) does not run on \(asked.text)")
            } else if let next {
                day = next
                notes.append("it does not run today; this is the next day on which it does")
            } else {
                notes.append("its service \(trip.service) does not run on any later day")
            }
        }
        let starts = try feed.starts(of: trip)
        guard let first = starts.first else {
            return try feed.object(
                trip, on: day, start: trip.start, headway: nil,
                notes: notes + ["the frequencies of this trip have no runs"])
        }
        if trip.isFrequency { notes.append("the first of \(starts.count) runs of the day") }
        return try feed.object(trip, on: day, start: first.start, headway: first.headway, notes: notes)
    }
}
