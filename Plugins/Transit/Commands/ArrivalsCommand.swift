import PluginKit

/// `arrivals STOP`
struct ArrivalsCommand: CommandProvider {
    let library: FeedLibrary
    let realtime: RealtimeState

    var name: String { "arrivals" }

    var command: Command {
        Command(
            name, "list arrivals at a stop",
            details: """
                The board of those who meet somebody: a row for each run that stops here and lets riders alight, with the \
                stop where it begins. First calls and calls without alighting are not arrivals. Everything else is as for \
                `departures`: stations include their platforms, times are local to the stop, and with realtime messages \
                expected times stand beside the scheduled ones. `… | first | trip show` shows the calls of a run.
                """,
            StopInput.parameter,
            BoardOptions.parameters(of: "arrivals"),
            input: .optional(.value(StopObject.kind)), output: .rows(Departure.arrivalColumns),
            effect: .reads,
            examples: [
                .init(
                    "the next two at the last stop",
                    "arrivals ISL --at 2026-02-08T09:00 --limit 2 | select time route from",
                    after: FeedExamples.feed,
                    gives: """
                        time   route        from
                        10:25  Gulls Ferry  Harbour
                        12:25  Gulls Ferry  Harbour
                        """)
            ],
            searchTerms: [
                "trains that arrive", "what arrives",
                "when does the bus arrive", "when is the train here", "board", "arrive",
                "when does it arrive", "meet", "pick up", "landing", "incoming", "arriving now",
                "who comes in", "pick somebody up",
            ]
        ) { input, context, stop, options in
            let feed = try library.feed(context)
            let place = try StopBoard(feed, try stop.record(input, library, context))
            let window = options.window(place, feed, context)
            let board = try place.board(
                .arrivals, at: window.moment, within: window.within, limit: window.limit,
                live: realtime.view(at: context.clock.now))
            return DeparturesCommand.table(
                board, place, window.moment, options.note(place, context), context)
        }
    }
}
