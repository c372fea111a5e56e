import CivilTime
import PluginKit

/// `feed service`
struct FeedService: CommandProvider {
    let library: FeedLibrary
    private static let columns = [
        "day", "weekday", "trips", "first", "last", "length", "speed", "headway",
    ]

    var name: String { "feed service" }

    var command: Command {
        Command(
            name, "summarize the service of each day",
            details: """
                For each service day the number of trips, the first and the last departure from a first stop (past 24:00:00 \
                after midnight), the length of all trips, the speed from first to last stop, and the median headway: the time \
                between departures of one line in one direction. Lengths follow shapes; where the feed has none they are \
                straight lines between stops, and a note reports that. Days outside the timetable have no values.
                """,
            .option(
                "line", ParameterType<LineObject>.reference(LineObject.kind, to: LineObject.self),
                "only this line"),
            .option("at", .localDate, "first day; default: today"),
            .option("days", .integer(1...TransitSettings.mostServiceDays), default: "7", "number of days"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "a weekend", "feed service --at 2026-02-06 --days 3 | select day trips first last",
                    after: FeedExamples.feed,
                    gives: """
                        day         trips  first     last
                        2026-02-06    214  05:12:00  27:35:00
                        2026-02-07     51  05:12:00  27:35:00
                        2026-02-08     84  05:12:00  23:25:00
                        """),
                .init(
                    "headway of a line", "feed service --line 10 --at 2026-02-06 --days 1 | get headway",
                    after: FeedExamples.feed, gives: "20min"),
            ],
            searchTerms: [
                "public holiday", "on which days", "does it run", "calendar", "frequency", "kilometres",
                "headway", "level of service", "does it run on sunday", "weekend", "holidays",
                "days of operation", "trips per day",
            ]
        ) { context, line, from, days in
            let feed = try library.feed(context)
            let table = try ServiceTable(feed, route: line?.number)
            let zone = line.map { feed.zone(ofRoute: $0.number) } ?? feed.zone
            let start = ServiceDay.date(
                of: Int(feed.moment(from, context, in: zone).seconds.rounded(.down)), in: zone)
            let rows = try (0..<days).map { offset -> [Value] in
                try Interruption.check()
                let summary = table.summary(on: start.advanced(by: offset))
                // Outside the calendar the service is unknown, not zero.
                let isKnown = feed.coverage.calendarNote(summary.day...summary.day) == nil
                return [
                    .text(summary.day.text), .text(summary.day.weekdayName),
                    isKnown ? .integer(summary.trips) : .nothing,
                    Value(summary.first) { .text(ServiceDay.scheduled($0)) },
                    Value(summary.last) { .text(ServiceDay.scheduled($0)) },
                    isKnown ? .quantity(.metres(summary.metres)) : .nothing,
                    Value(summary.speed) { .quantity(.metresPerSecond($0)) },
                    Value(table.headway(on: summary.day)) { .quantity(.seconds($0)) },
                ]
            }
            let notes =
                feed.coverage.notes(start...start.advanced(by: days - 1))
                + [feed.setAside.note].compactMap { $0 }
                + (table.hasStraightLines
                    ? ["trips without a shape are measured along straight lines between stops"] : [])
            return .table(
                columns: Self.columns, cells: rows,
                note: Rows.note(notes))
        }
    }
}
