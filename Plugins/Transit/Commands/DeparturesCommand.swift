import CivilTime
import PluginKit

/// `departures STOP`
struct DeparturesCommand: CommandProvider {
    let library: FeedLibrary
    let realtime: RealtimeState

    var name: String { "departures" }

    var command: Command {
        Command(
            name, "list scheduled departures from a stop",
            details: """
                A station includes its platforms; a trip is listed once, at its next call, and again if it comes back after other \
                stops. Times count from noon minus twelve \
                hours of the service day in the agency's zone, so 26:35 on Friday is 02:35 on Saturday, also on days with a \
                clock change. A run by headway alone, without exact times, has the status `every 15min`. Last calls and calls without boarding are not departures. Sorted by time, then route. When \
                there is no departure, a note reports the next one. `time` is local time at the stop, the field `moment` is \
                an instant for computation; --at without an offset is also local time at the stop. `trace departures …` reports for each trip why it \
                is listed or not; `… | first | stop show` shows the stop on the map. With realtime messages the alerts in force \
                are in the note, and the field `alerts` has those about a departure's own line, trip or platform.
                """,
            StopInput.parameter,
            BoardOptions.parameters(of: "departures"),
            input: .optional(.value(StopObject.kind)), output: .rows(Departure.columns), effect: .reads,
            examples: [
                .init(
                    "the next three", "departures Central --limit 3 | select time in route headsign platform",
                    after: FeedExamples.feed,
                    gives: """
                        time      in  route  headsign  platform
                        09:00     0s  4      Harbour   A
                        09:03   3min  4      Harbour   A
                        09:12  12min  S1     Airport   1
                        """),
                .init(
                    "a whole day", "departures ISL --at 2026-02-08T12:00 --all-day | select time | to csv",
                    after: FeedExamples.feed, gives: "time\n10:30\n12:30\n14:30"),
                .init(
                    "night trips belong to the service day before",
                    "departures BAYD --at 2026-02-07T02:00+01:00 --limit 1 | select time scheduled day route",
                    after: FeedExamples.feed,
                    gives: """
                        time   scheduled  day         route
                        02:35  26:35:00   2026-02-06  N1
                        """),
                .init(
                    "why a trip is not listed",
                    "$steps | where kind == run | where service == NF | first | get why",
                    after: FeedExamples.feed + [
                        "let steps = trace departures BAYD --at 2026-02-09T08:00+01:00"
                    ],
                    gives: "the calendar does not have NF on Mondays"),
            ],
            searchTerms: [
                "when does the next train go", "tonight", "departure board",
                "is my train late", "is my bus on time", "first bus", "station board", "cancelled",
                "timetable", "board", "next", "leave", "next bus", "next train", "train times", "bus times",
                "when does the bus leave", "live departures", "delays", "platform", "platform number",
                "last train", "last bus", "how long until the bus comes", "underground", "subway",
                "when is the next", "what leaves now", "station display", "late bus",
            ]
        ) { input, context, stop, options in
            let timer = TransitLog.Timer()
            let stop = try stop.record(input, library, context)
            let feed = try library.feed(context)
            let place = try StopBoard(feed, stop)
            let (moment, within, limit) = options.window(place, feed, context)
            let view = realtime.view(at: context.clock.now)
            let board: DepartureBoard
            if let tracing = context.tracing {
                board = try Self.traced(
                    place, at: moment, within: within, limit: limit, live: view, tracing)
            } else {
                board = try place.board(at: moment, within: within, limit: limit, live: view)
            }
            TransitLog.write(
                .offlineDeparturesShown, stop: stop, count: board.departures.count, timer, context)
            return Self.table(board, place, moment, options.note(place, context), context)
        }.deciding("departures CEN", after: FeedExamples.feed)
    }

    /// The rows of a board with its notes and alerts.
    static func table(
        _ board: DepartureBoard, _ place: StopBoard, _ moment: Double, _ typed: String?, _ context: Context
    ) -> Value {
        let day = ServiceDay.date(of: Int(moment.rounded(.down)), in: place.zone)
        let notes =
            [
                typed, place.remark,
                board.departures.isEmpty
                    ? DepartureText.none(board.next, board.side)
                    : DepartureText.zoneNote([place.zone], moment, context.environment),
                board.departures.isEmpty && board.next == nil
                    ? place.feed.coverage.calendarNote(day...day) : nil,
                board.validity, board.information,
            ].compactMap { $0 } + ClockNotes.shown(board.departures.shownTimes(place.feed))
            + board.alerts.map(\.text)
        return .table(
            objects: board.departures, columns: Departure.columns(of: board.departures),
            note: Rows.note(notes))
    }

    /// The board, with the decisions of its search as a trace.
    private static func traced(
        _ place: StopBoard, at moment: Double, within: Double, limit: Int, live view: RealtimeView?,
        _ tracing: TraceCollector
    ) throws -> DepartureBoard {
        var record = DepartureRecord()
        let board = try place.board(
            at: moment, within: within, limit: limit, live: view, recorder: &record)
        var log = TraceLog(limit: tracing.limit)
        log.record(DepartureSteps.started(place.stop, at: moment, within: within, limit: limit))
        try DepartureSteps.record(
            record, at: place, from: StopBoard.span(moment, within).lowerBound, into: &log)
        for departure in board.departures { departure.liveStep.map { log.record($0) } }
        log.record(DepartureSteps.ended(board.departures.count, limit: limit))
        tracing.keep(log, picture: DepartureSteps.picture)
        return board
    }
}
