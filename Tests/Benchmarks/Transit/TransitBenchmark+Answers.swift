import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit
import TransitPlugin

/// The check of feeds, realtime and journeys.
extension TransitBenchmark {
    /// A check beside the import of the same archive.
    func measureCheck(_ archive: URL, _ database: URL) throws {
        var (checks, imports) = (Times(), Times())
        var findings = 0
        let day = CivilDate(daysSinceEpoch: 20_000)
        for _ in 0..<2 {
            let other = database.deletingLastPathComponent().appendingPathComponent("again.db")
            imports.add(try timed { try FeedImport.run(archive, to: other, isLenient: true) }.1)
            try FileManager.default.removeItem(at: other)
            let (count, seconds) = try timed { try FeedCheck.count(archive, today: day) }
            checks.add(seconds)
            findings = count
        }
        let (check, made) = (checks.best, imports.best)
        report(
            "check with \(findings) findings against the import",
            "\(ms(check.wall)) / \(ms(made.wall)) = \(ratio(check.wall, made.wall)) (of the processor \(ratio(check.own, made.own)))",
            goal: "2×", isMet: check.own <= 2 * made.own)
    }

    /// A message about ten thousand trips, each with three calls: read, and related to the timetable.
    func measureRealtime(_ feed: Feed) throws {
        let trips = try feed.read {
            try String.fetchAll($0, sql: "SELECT trip_id FROM trips ORDER BY trip_id LIMIT 10000")
        }
        let message = RecordedMessage.of(trips)
        var times = Times()
        var known = 0
        for _ in 0..<10 {
            let (count, seconds) = try timed { try feed.apply(message) }
            times.add(seconds)
            known = count
        }
        report(
            "applying a snapshot of \(known) trips", times.text, goal: "under 50 ms",
            isMet: known == trips.count && times.p99Own < 50e-3)
    }

    /// Random journeys between stops at which trips call, on a day with much service.
    func measureJourneys(_ feed: Feed) throws {
        // The service with most trips: its stops lie in one city.
        let busiest = try feed.read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT t.service_id, strftime('%s', c.start_date) + 0.0 FROM trips t JOIN calendar c USING (service_id)
                      WHERE c.days & 31 = 31 GROUP BY t.service_id ORDER BY count(*) DESC LIMIT 1
                    """)
        }
        let day: Double? = busiest?[1]
        let stops = try feed.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT s.stop_lat, s.stop_lon FROM trips t JOIN pattern_stops c ON c.pid = t.pid
                      JOIN stops s ON s.sid = c.sid WHERE t.service_id = ? ORDER BY s.sid
                    """, arguments: [busiest?[0] as String? ?? ""]
            ).map { Coordinate(latitude: $0[0], longitude: $0[1]) }
        }
        guard let day, stops.count > 1 else { return say("       skipped: no service for journeys") }
        let (_, first) = try timed {
            try feed.searchJourneys(from: stops[0], to: stops[1], at: Int(day) + 8 * 3600)
        }
        say("       the first question, which reads the network: \(ms(first.wall))")
        var random = SplitMix(state: 4)
        var (times, found) = (Times(), 0)
        for _ in 0..<runs / 2 {
            let from = stops[Int(random.next() % UInt64(stops.count))]
            let to = stops[Int(random.next() % UInt64(stops.count))]
            let at = Int(day) + 86_400 * 3 + 6 * 3600 + Int(random.next() % 36_000)
            let (count, seconds) = try timed { try feed.searchJourneys(from: from, to: to, at: at) }
            times.add(seconds)
            found += count
        }
        report(
            "journeys, \(found) found by \(runs / 2) questions", times.text, goal: "p99 under 20 ms",
            isMet: times.p99Own < 20e-3)
    }
}

/// A GTFS-realtime message, written by hand.
private enum RecordedMessage {
    static func of(_ trips: [String]) -> [UInt8] {
        let header = field(1, Array("2.0".utf8)) + number(3, 1_700_000_000)
        var message = field(1, header)
        for (index, trip) in trips.enumerated() {
            var update = field(1, field(1, Array(trip.utf8)))
            for call in 1...3 {
                update += field(2, number(1, UInt64(call)) + field(3, number(1, UInt64(60 * call))))
            }
            message += field(2, field(1, Array("\(index)".utf8)) + field(3, update))
        }
        return message
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var (rest, bytes) = (value, [UInt8]())
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private static func number(_ field: UInt64, _ value: UInt64) -> [UInt8] {
        varint(field << 3) + varint(value)
    }

    private static func field(_ field: UInt64, _ bytes: [UInt8]) -> [UInt8] {
        varint(field << 3 | 2) + varint(UInt64(bytes.count)) + bytes
    }
}
