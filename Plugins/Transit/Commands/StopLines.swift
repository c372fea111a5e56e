import CivilTime
import PluginKit

/// `stop lines STOP`
struct StopLines: CommandProvider {
    let library: FeedLibrary
    private static let columns = ["line", "mode", "towards", "departures", "first", "last", "headway"]

    var name: String { "stop lines" }

    var command: Command {
        Command(
            name, "list the lines that serve a stop",
            details: """
                For each line and headsign the departures from the stop and its platforms on a day: their number, the first and \
                the last, and the median time between them. A day is from midnight to midnight by clocks at the stop.
                """,
            StopInput.parameter,
            .option("at", .localDate, "day; default: today"),
            input: .optional(.value(StopObject.kind)), output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "a bus stop", "stop lines CAF | select line towards departures first last",
                    after: FeedExamples.feed,
                    gives: """
                        line  towards  departures  first  last
                        2     Bridge           28  07:10  20:40
                        """)
            ],
            searchTerms: [
                "which buses stop here", "lines", "serves", "which bus", "which lines stop here",
                "lines at a stop", "which buses stop", "lines at a station",
            ]
        ) { input, context, stop, at in
            let stop = try stop.record(input, library, context)
            let feed = try library.feed(context)
            let place = try StopBoard(feed, stop)
            let day = ServiceDay.date(
                of: Int(feed.moment(at, context, in: place.zone).seconds.rounded(.down)), in: place.zone)
            let board = try place.board(on: day).departures
            var groups: [String: [Departure]] = [:]
            var order: [String] = []
            for departure in board {
                let key = "\(departure.row.rank)\u{0}\(departure.headsign)"
                if groups[key] == nil { order.append(key) }
                groups[key, default: []].append(departure)
            }
            let rows = order.compactMap { groups[$0] }.sorted {
                ($0[0].row.rank, $0[0].headsign) < ($1[0].row.rank, $1[0].headsign)
            }
            let served = Set(board.map(\.routeID))
            let isKnown = feed.coverage.calendarNote(day...day) == nil
            let idle = try feed.stops.lines(at: place.parts).filter { !served.contains($0.id) }
            let cells =
                rows.map { group -> [Value] in
                    let times = group.map(\.row.time)
                    let gaps = zip(times, times.dropFirst()).map { Double($1 - $0) }.sorted()
                    return [
                        .text(group[0].route), .text(TransitMode(routeType: group[0].routeType).rawValue),
                        .text(group[0].headsign), .integer(group.count), .text(group[0].clock),
                        .text(group[group.count - 1].clock),
                        gaps.isEmpty ? .nothing : .quantity(.seconds(gaps[gaps.count / 2])),
                    ]
                }
                + idle.map { route -> [Value] in
                    [
                        .text(route.name), .text(TransitMode(routeType: route.type).rawValue), .nothing,
                        isKnown ? .integer(0) : .nothing, .nothing, .nothing, .nothing,
                    ]
                }
            let cut =
                board.count < TransitSettings.mostOfDay
                ? []
                : ["only the first \(TransitSettings.mostOfDay) departures of the day are counted"]
            return .table(
                columns: Self.columns, cells: cells,
                note: Rows.note(
                    cut + feed.coverage.notes(day...day)
                        + [feed.setAside.note(at: place.parts)].compactMap { $0 }))
        }
    }
}
