import CivilTime
import PluginKit

/// `line list`
struct LineList: CommandProvider {
    let library: FeedLibrary

    var name: String { "line list" }

    var command: Command {
        Command(
            name, "list the lines of the timetable",
            details: "In natural order: 2 before 10, `RNV 5` before `RNV 24`.",
            output: .rows(LineObject.columns), effect: .reads,
            examples: [
                .init(
                    "the first three", "line list | first 3 | select line mode", after: FeedExamples.feed,
                    gives: """
                        line  mode
                        2     bus
                        4     tram
                        7     bus
                        """)
            ],
            searchTerms: [
                "all lines", "bus lines of a city", "which lines are there", "routes", "networks",
                "bus lines", "train lines", "line colours", "which buses run", "all bus numbers", "operators",
            ]
        ) { context in
            let feed = try library.feed(context)
            let lines = feed.routes.map { LineObject(number: $0.key, route: $0.value) }
            return .table(
                objects: lines.sorted { $0.route.rank < $1.route.rank },
                columns: LineObject.columns(of: lines))
        }
    }
}

/// `line show LINE`
struct LineShow: CommandProvider {
    let library: FeedLibrary
    let realtime: RealtimeState

    var name: String { "line show" }

    var command: Command {
        Command(
            name, "show a line",
            details:
                "With its agency, the alerts about it, and its fares, if the feed has any; which of them a ride costs depends on its stops.",
            .positional(
                "line", ParameterType<LineObject>.reference(LineObject.kind, to: LineObject.self),
                "line by name or identifier"),
            output: .value(LineObject.kind), effect: .reads,
            examples: [
                .init("its mode", "line show S1 | get mode", after: FeedExamples.feed, gives: "train")
            ],
            searchTerms: [
                "operator of a line", "which operator",
                "stops of a line", "stops along a line", "where does a line stop", "route",
                "where does this bus go", "where does a line go", "line colour", "route of bus 5",
            ]
        ) { context, line in
            let feed = try library.feed(context)
            let fares = try feed.fares
            var line = line
            if let view = realtime.view(at: context.clock.now) {
                line.alerts = ServiceAlerts(feed, view).on(line.route).map(\.text)
            }
            if !fares.isEmpty { line.fares = fares.fares(ofRoute: line.number, line.route) }
            return .object(line)
        }
    }
}

/// `line timetable LINE`
struct LineTimetableCommand: CommandProvider {
    let library: FeedLibrary
    let realtime: RealtimeState

    var name: String { "line timetable" }

    var command: Command {
        Command(
            name, "print the timetable of a line",
            details: """
                A row for each stop, a column for each run of a service day; `|` where a run does not call. Stops of runs with \
                different ways are merged so that each run reads downwards. Times are departures, at the last stop arrivals; \
                after midnight hours continue past 24. With realtime messages the times are those expected: `*` marks what differs \
                from the timetable, `x` what is not served, and added runs have columns. The field `rows` has the grid for \
                computation, `runs` the status of each run.
                """,
            .positional(
                "line", ParameterType<LineObject>.reference(LineObject.kind, to: LineObject.self),
                "line by name or identifier"),
            .option("at", .localDate, "service day; default: today"),
            .option("direction", .integer(0...1), "direction_id of the trips; default: the first that runs"),
            .option("limit", .integer(1...1000), default: "100", "maximum number of runs"),
            output: .value("timetable"), effect: .reads,
            examples: [
                .init(
                    "the ferry on Sunday", "line timetable F1 --at 2026-02-08",
                    after: ["set timezone Europe/Berlin"] + FeedExamples.feed,
                    gives: """
                        Gulls Ferry to Isle of Gulls, Sunday 2026-02-08
                        direction 1 has 3 trips: --direction 1
                        Harbour        10:00  12:00  14:00
                        Isle of Gulls  10:25  12:25  14:25
                        """)
            ],
            searchTerms: [
                "timetable poster", "first and last bus", "schedule of a line",
                "all departures of a line", "sunday", "first and last", "schedule", "grid", "printed",
                "route", "train times", "timetable", "bus times", "weekday timetable", "whole timetable",
                "printed timetable",
            ]
        ) { context, line, date, direction, limit in
            let feed = try library.feed(context)
            let zone = feed.zone(ofRoute: line.number)
            let day = ServiceDay.date(
                of: Int(feed.moment(date, context, in: zone).seconds.rounded(.down)), in: zone)
            let view = realtime.view(at: context.clock.now)
            let live = try view?.usable.map { try LiveTimetableMaker.timetable(feed, $0) }
            var table = try TimetableMaker(feed, line, on: day, live: live)
                .timetable(direction: direction, limit: limit)
            table.notes += [view?.note(in: zone, of: feed), live?.note].compactMap { $0 }
            if let view {
                table.notes += ServiceAlerts(feed, view).on(table, in: zone).map(\.text)
            }
            table.notes += try RequestNotes(feed).notes(ofRoute: line.number, on: day)
            table.notes += feed.coverage.notes(day...day, routes: [line.route])
            table.notes += feed.zoneNotes([line.route.agency])
            table.notes += [feed.setAside.note(ofRoute: line.number)].compactMap { $0 }
            if !table.runs.isEmpty {
                let noon = Double(ServiceDay.reference(day, in: zone) + 43_200)
                let others = Set(table.stops.compactMap(\.zone).filter { $0 != zone }.map(\.identifier))
                    .sorted()
                let seconds = StopBoard.bounds(of: day, in: zone).count
                if !others.isEmpty || seconds != 86_400 {
                    table.notes.append(
                        "times are those of the service day in \(zone.identifier), from noon minus 12 h: "
                            + (others.isEmpty
                                ? "the clocks change on this day"
                                : "clocks at some stops are those of \(others.joined(separator: ", "))"))
                } else {
                    table.notes += [DepartureText.zoneNote([zone], noon, context.environment)].compactMap {
                        $0
                    }
                }
            }
            return .object(table)
        }
    }
}
