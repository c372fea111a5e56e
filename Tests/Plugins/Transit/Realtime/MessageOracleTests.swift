import CivilTime
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TransitReference

@testable import TransitPlugin

/// Boards and journeys under random illegal and unusual messages agree with an interpreter written from the specification.
/// `RUTTER_MESSAGES` sets the number of messages per feed: with 68, 10,000 boards and 2,000 journeys. `RUTTER_MESSAGE_SEEDS` names
/// the feeds (`13,16`), and `RUTTER_DIFFERENCES` a folder for the feed and the message of each difference, to try them by hand.
@Suite struct MessageOracleTests {
    private static let messages =
        ProcessInfo.processInfo.environment["RUTTER_MESSAGES"].flatMap { Int($0) } ?? 3
    private static let journeys = 5
    private static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["RUTTER_MESSAGE_SEEDS"]
        .map { $0.split(separator: ",").compactMap { UInt64($0) } } ?? [11, 12, 13, 14, 15, 16]

    /// A Friday, the day of a clock change, and the days before them.
    private static let days = [[20_260_205, 20_260_206], [20_260_328, 20_260_329]]

    /// The tables of a town whose vehicles make several trips, and with two trips by headway.
    private static func tables(_ seed: UInt64) -> [String: String] {
        var tables = RandomTown(seed: seed).tables
        tables["frequencies.txt"] = """
            trip_id,start_time,end_time,headway_secs,exact_times
            T0-0,06:00:00,10:00:00,1200,0
            T4-0,12:00:00,15:00:00,1800,1

            """
        return tables
    }

    /// Writes the feed and the message of a difference where they are wanted.
    private static func keep(_ tables: [String: String], _ message: PlainMessage, _ name: String) throws {
        guard let path = ProcessInfo.processInfo.environment["RUTTER_DIFFERENCES"] else { return }
        let folder = URL(fileURLWithPath: path).appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (file, text) in tables {
            try text.write(to: folder.appendingPathComponent(file), atomically: true, encoding: .utf8)
        }
        try Data(encoded(message).bytes).write(to: folder.appendingPathComponent("message.pb"))
    }

    @Test(arguments: seeds)
    func boardsAndJourneys(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let tables = Self.tables(seed)
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(FeedSource(name: "town", tables: tables), to: database, isLenient: true)
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        let days = Self.days[Int(seed) % 2]
        let random = RandomMessages(tables)
        var source = Xoshiro256(seed: seed)
        var (boards, live) = (0, 0)
        for number in 0..<Self.messages {
            let plain = PlainRuns(tables, day: days[1], message: nil, now: 0)
            let now = plain.moment(days[1], Int.random(in: 5...21, using: &source), 20)
            let message = random.message(days: days, now: now, using: &source)
            let wanted = PlainRuns(tables, day: days[1], message: message, now: now)
            let state = RealtimeState()
            state.use([try RealtimeSnapshot(file: "m.pb", feed: RealtimeFeed(Self.encoded(message).bytes))])
            let view = state.view(at: Timestamp(milliseconds: Int64(now) * 1000))
            for id in wanted.stops {
                guard let stop = try feed.stops.with(id: id) else { continue }
                let from = now - Int.random(in: 0...3600, using: &source)
                let board = try StopBoard(feed, stop).board(
                    at: Double(from), within: 12 * 3600, limit: 2000, live: view)
                let found = board.departures.map(Self.row).sorted()
                let expected = wanted.board(id, from: from, until: from + 12 * 3600)
                let difference = Self.difference(found, expected)
                #expect(
                    found == expected, "\(id) at \(from): \(difference); \(Self.about(message, difference))")
                if found != expected {
                    try Self.keep(tables, message, "\(seed)-\(number)")
                    return
                }
                #expect(
                    zip(board.departures, board.departures.dropFirst()).allSatisfy {
                        $0.expected <= $1.expected
                    })
                boards += 1
                live += board.departures.count { $0.live != nil }
            }
            let reference = PlainJourneys(
                tables, day: days[1], change: Int(JourneySettings.change),
                changeWalk: JourneySettings.changeWalk, walk: { Int(JourneySettings.seconds($0)) },
                live: wanted)
            for _ in 0..<Self.journeys {
                func place() -> Coordinate {
                    Coordinate(
                        latitude: Double.random(in: 50.098...50.122, using: &source),
                        longitude: Double.random(in: 50.098...50.132, using: &source))
                }
                let request = JourneyRequest(
                    from: place(), to: place(), time: now + Int.random(in: -3600...36_000, using: &source))
                let compared = try JourneyOracleTests().compare(request, feed, reference, view)
                if !compared.isSame { try Self.keep(tables, message, "\(seed)-\(number)") }
            }
        }
        #expect(boards > Self.messages * 15)
        #expect(live > Self.messages * 8)
    }

    /// A departure as the interpreter writes it.
    private static func row(_ departure: Departure) -> String {
        let mark =
            switch departure.live?.kind {
            case .cancelled: "C"
            case .skipped: "S"
            default: departure.live?.endsHere ?? false ? "E" : "-"
            }
        return "\(departure.trip) \(departure.stop.id) \(departure.seconds) \(departure.expected) \(mark)"
    }

    private static func difference(_ found: [String], _ expected: [String]) -> String {
        "found \(found.filter { !expected.contains($0) }) instead of \(expected.filter { !found.contains($0) })"
    }

    /// The updates about the trips of a difference.
    private static func about(_ message: PlainMessage, _ difference: String) -> String {
        message.updates.filter {
            !$0.trip.isEmpty && difference.contains($0.trip) || difference.contains($0.copy?.trip ?? "-")
        }
        .map { "\($0)" }.joined(separator: "\n")
    }

    // MARK: The wire format

    static func encoded(_ message: PlainMessage) -> Proto {
        Proto.feed(
            message.time,
            message.updates.map { (3, encoded($0)) } + message.detours.map { (8, encoded($0)) })
    }

    private static func encoded(_ detour: PlainMessage.Detour) -> Proto {
        var made = Proto().message(1, detour.trips.reduce(Proto()) { $0.text(1, $1) })
        for start in detour.starts { made = made.text(2, ServiceDay.scheduled(start)) }
        for day in detour.days { made = made.text(3, "\(day)") }
        for change in detour.changes {
            var own = Proto().message(1, encoded(change.first))
            if let last = change.last { own = own.message(2, encoded(last)) }
            own = own.number(3, change.delay)
            for stop in change.stops {
                own = own.message(4, Proto().number(1, stop.seconds).text(2, stop.stop))
            }
            made = made.message(4, own)
        }
        return made
    }

    private static func encoded(_ selector: PlainMessage.Detour.Selector) -> Proto {
        let made = selector.sequence.map { Proto().number(1, $0) } ?? Proto()
        return selector.stop.isEmpty ? made : made.text(2, selector.stop)
    }

    private static func encoded(_ update: PlainMessage.Update) -> Proto {
        var trip = Proto()
        if !update.trip.isEmpty { trip = trip.text(1, update.trip) }
        if let start = update.start { trip = trip.text(2, ServiceDay.scheduled(start)) }
        if let day = update.day { trip = trip.text(3, "\(day)") }
        if update.relation != 0 { trip = trip.number(4, update.relation) }
        if !update.route.isEmpty { trip = trip.text(5, update.route) }
        var made = Proto().message(1, trip)
        for entry in update.entries { made = made.message(2, encoded(entry)) }
        if let time = update.timestamp { made = made.number(4, time) }
        if let delay = update.delay { made = made.number(5, delay) }
        guard let copy = update.copy else { return made }
        return made.message(
            6,
            Proto().text(1, copy.trip).text(2, "\(copy.day)").text(3, ServiceDay.scheduled(copy.start)))
    }

    private static func encoded(_ entry: PlainMessage.Entry) -> Proto {
        var made = Proto()
        if let sequence = entry.sequence { made = made.number(1, sequence) }
        for (field, event) in [(2, entry.arrival), (3, entry.departure)] {
            guard let event else { continue }
            var own = Proto()
            if let delay = event.delay { own = own.number(1, delay) }
            if let time = event.time { own = own.number(2, time) }
            if let time = event.scheduled { own = own.number(4, time) }
            made = made.message(field, own)
        }
        if !entry.stop.isEmpty { made = made.text(4, entry.stop) }
        if entry.relation != 0 { made = made.number(5, entry.relation) }
        return entry.assigned.map { made.message(6, Proto().text(1, $0)) } ?? made
    }
}
