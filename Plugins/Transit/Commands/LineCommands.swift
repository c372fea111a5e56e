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
                    "the first three", "line list | first 3 | select line mode", after: TransitSamples.feed,
                    gives: """
                        line  mode
                        2     bus
                        4     tram
                        7     bus
                        """)
            ], searchTerms: ["routes", "networks"]
        ) { context in
            let feed = try library.feed(context)
            let lines = feed.routes.map { LineObject(number: $0.key, route: $0.value) }
            return .table(
                objects: lines.sorted { $0.route.rank < $1.route.rank }, columns: LineObject.columns)
        }
    }
}

/// `line show LINE`
struct LineShow: CommandProvider {
    let library: FeedLibrary

    var name: String { "line show" }

    var command: Command {
        Command(
            name, "show a line",
            .positional(
                "line", ParameterType<LineObject>.reference(LineObject.kind, to: LineObject.self),
                "line by name or identifier"),
            output: .value(LineObject.kind), effect: .reads,
            examples: [
                .init("its mode", "line show S1 | get mode", after: TransitSamples.feed, gives: "train")
            ], searchTerms: ["route"]
        ) { context, line in
            _ = try library.feed(context)
            return .object(line)
        }
    }
}

/// `line timetable LINE`
struct LineTimetableCommand: CommandProvider {
    let library: FeedLibrary

    var name: String { "line timetable" }

    var command: Command {
        Command(
            name, "print the timetable of a line",
            details: """
                A row for each stop, a column for each run of a service day; `|` where a run does not call. Stops of runs with \
                different ways are merged so that each run reads downwards. Times are departures, at the last stop arrivals; \
                after midnight hours continue past 24. The field `rows` has the grid for computation.
                """,
            .positional(
                "line", ParameterType<LineObject>.reference(LineObject.kind, to: LineObject.self),
                "line by name or identifier"),
            .option("at", .localDate, "service day; default: today"),
            .option("direction", .integer(0...1), default: "0", "direction_id of the trips"),
            .option("limit", .integer(1...1000), default: "100", "maximum number of runs"),
            output: .value("timetable"), effect: .reads,
            examples: [
                .init(
                    "the ferry on Sunday", "line timetable F1 --at 2026-02-08",
                    after: ["set timezone Europe/Berlin"] + TransitSamples.feed,
                    gives: """
                        Gulls Ferry to Isle of Gulls, Sunday 2026-02-08
                        Harbour        10:00  12:00  14:00
                        Isle of Gulls  10:25  12:25  14:25
                        """)
            ], searchTerms: ["schedule", "grid", "printed", "route"]
        ) { context, line, date, direction, limit in
            let feed = try library.feed(context)
            let zone = feed.zone(ofRoute: line.number)
            let day = ServiceDay.date(
                of: Int(feed.moment(date, context, in: zone).seconds.rounded(.down)), in: zone)
            var table = try feed.timetable(of: line, on: day, direction: direction, limit: limit)
            table.notes = feed.dayNotes(day...day)
            if !table.runs.isEmpty {
                let noon = Double(ServiceDay.reference(day, in: zone) + 43_200)
                table.notes += [DepartureText.zoneNote([zone], noon, context.environment)].compactMap { $0 }
            }
            return .object(table)
        }
    }
}

extension Feed {
    /// The printed timetable of a line on a service day.
    func timetable(of line: LineObject, on day: CivilDate, direction: Int, limit: Int) throws -> LineTimetable
    {
        let active = services(on: day)
        var runs: [(trip: TripRecord, start: Int)] = []
        for trip in try trips(ofRoute: line.number) where (trip.direction ?? 0) == direction {
            guard let service = calendar.services.find(trip.service), active.runs[service] else { continue }
            for start in try starts(of: trip) { runs.append((trip, start.start)) }
        }
        runs.sort { ($0.start, $0.trip.row) < ($1.start, $1.trip.row) }
        let total = runs.count
        runs = Array(runs.prefix(limit))
        var uses: [Int64: Int] = [:]
        for run in runs { uses[run.trip.pattern, default: 0] += 1 }
        var calls: [Int64: [PatternCall]] = [:]
        for pattern in uses.keys { calls[pattern] = try self.calls(ofPattern: pattern) }
        // The longest patterns first: shorter ones fall into their gaps.
        let patterns = uses.keys.sorted {
            let (a, b) = (calls[$0]?.count ?? 0, calls[$1]?.count ?? 0)
            return a != b ? a > b : $0 < $1
        }
        let merged = StopMerge.rows(of: patterns.map { (calls[$0] ?? []).map(\.stop) })
        let rows = Dictionary(uniqueKeysWithValues: zip(patterns, merged.rows))
        let names = Dictionary(
            try stops(merged.stops).map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        let made = runs.map { run -> LineTimetable.Run in
            let own = calls[run.trip.pattern] ?? []
            var times: [Int: Int] = [:]
            for (index, row) in (rows[run.trip.pattern] ?? []).enumerated() {
                let isLast = index == own.count - 1
                times[row] = run.start + (isLast ? own[index].arrival : own[index].departure)
            }
            return LineTimetable.Run(trip: run.trip.id, times: times, start: run.start)
        }
        var signs: [String: Int] = [:]
        for run in runs {
            let last = calls[run.trip.pattern]?.last.flatMap { names[$0.stop]?.title } ?? ""
            signs[run.trip.headsign.flatMap { $0.isEmpty ? nil : $0 } ?? last, default: 0] += 1
        }
        let towards = signs.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3).map(\.key)
        return LineTimetable(
            route: line.route, towards: towards.joined(separator: " / "), direction: direction, day: day,
            stops: merged.stops.compactMap { names[$0] }, runs: made,
            cut: Cut(
                missing: total - runs.count, "the first \(runs.count) runs are shown; --limit shows more"))
    }
}
