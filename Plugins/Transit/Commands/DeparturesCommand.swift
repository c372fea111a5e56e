import CivilTime
import PluginKit

/// `departures STOP`
struct DeparturesCommand: CommandProvider {
    let library: FeedLibrary

    var command: Command {
        Command(
            "departures", "lists what leaves from a stop, from the schedule alone",
            details: """
                A station lists all its platforms; a trip is listed once, at its next call. Times count from noon minus twelve \
                hours of the service day in the agency's zone, so that 26:35 of Friday stands beside 02:35 of Saturday, on the \
                two days as well on which clocks change. Where a trip ends, and where boarding is not allowed, it does not \
                depart. Sorted by time, then route. When nothing leaves, a line tells when the next one does. `time` is what \
                clocks at the stop show, the field `moment` a time to compute with; --at is in the session's zone. `trace departures …` tells of each trip \
                why it is listed or not; `… | first | stops show` views the stop on the map.
                """,
            StopInput.parameter,
            .option("at", .date, "the time to look from; else now"),
            .option(
                "limit", .integer(1...TransitSettings.mostDepartures),
                default: "\(TransitSettings.departureLimit)", "at most so many"),
            .option(
                "within", .quantity(.duration, in: 1...366 * 86_400), default: "24h", "how far to look ahead"),
            input: .optional(.value(StopObject.kind)), output: .rows(Departure.columns), effect: .reads,
            examples: [
                .init(
                    "the next three", "departures Central --limit 3 | select time in route headsign platform",
                    after: Samples.feed,
                    gives: """
                        time      in  route  headsign  platform
                        09:00     0s  4      Harbour   A
                        09:03   3min  4      Harbour   A
                        09:12  12min  S1     Airport   1
                        """),
                .init(
                    "a night belongs to the day before",
                    "departures BAYD --at 2026-02-07T02:00+01:00 --limit 1 | select time scheduled day route",
                    after: Samples.feed,
                    gives: """
                        time   scheduled  day         route
                        02:35  26:35:00   2026-02-06  N1
                        """),
                .init(
                    "why a trip is not among them",
                    "$steps | where kind == run | where service == NF | first | get why",
                    after: Samples.feed + ["let steps = trace departures BAYD --at 2026-02-09T08:00+01:00"],
                    gives: "the calendar does not have NF on Mondays"),
            ], searchTerms: ["timetable", "board", "next", "leave"]
        ) { input, context, stop, at, limit, within in
            let timer = TransitLog.Timer()
            let stop = try stop.record(input, library, context)
            let feed = try library.feed(context)
            let moment = (at ?? context.clock.now).seconds
            let board = try feed.board(of: stop, at: moment, within: within, limit: limit)
            TransitLog.write(
                .offlineDeparturesShown, stop: stop, count: board.departures.count, timer, context)
            if let tracing = context.tracing {
                var log = TraceLog(limit: tracing.limit)
                try feed.trace(departuresFrom: stop, at: moment, within: within, limit: limit, into: &log)
                tracing.keep(log)
            }
            let note =
                board.departures.isEmpty
                ? DepartureText.none(board.next) : DepartureText.zoneNote(feed, moment, context.environment)
            return .table(objects: board.departures, columns: Departure.columns, note: note)
        }
    }
}
