import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit
import PluginTestKit
import TransitPlugin

/// The check of feeds, realtime and journeys.
extension TransitBenchmark {
    /// A check compared with the import of the same archive.
    func measureCheck(_ archive: URL, _ database: URL) throws {
        var (checks, imports) = (Times(), Times())
        var findings = 0
        let day = CivilDate(daysSinceEpoch: 20_000)
        for _ in 0..<2 {
            let other = database.deletingLastPathComponent().appendingPathComponent("again.db")
            imports.add(try timed { try FeedImport.run(archive, to: other, isLenient: true) }.1)
            try FileManager.default.removeItem(at: other)
            let (count, seconds) = try timed { try FeedCheck(archive, today: day).count }
            checks.add(seconds)
            findings = count
        }
        let (check, made) = (checks.best, imports.best)
        report(
            "check with \(findings) findings against the import",
            "\(ms(check.wall)) / \(ms(made.wall)) = \(ratio(check.wall, made.wall)) (processor time \(ratio(check.own, made.own)))",
            goal: "2×", isMet: check.own <= 2 * made.own)
    }

    /// A message about ten thousand trips, each with three calls: read and matched to the timetable.
    func measureRealtime(_ feed: Feed) throws {
        let trips = try feed.firstRuns(limit: 10_000)
        let message = RecordedMessage.of(trips)
        var times = Times()
        var known = 0
        for _ in 0..<10 {
            let (count, seconds) = try timed { try feed.runs(updatedBy: message) }
            times.add(seconds)
            known = count
        }
        report(
            "applying a snapshot of \(known) trips", times.text, goal: "under 50 ms",
            isMet: known == trips.count && times.p99Own < 50e-3)
    }

    /// Random journeys within each city of the feed, on a weekday of its service, between stops at which
    /// most trips call.
    func measureJourneys(_ feed: Feed) throws {
        for city in Set(try feed.stops.foremost(30_000).map { $0.id.prefix { $0 != ":" } }).sorted() {
            try measureJourneys(feed, in: String(city))
        }
    }

    private func measureJourneys(_ feed: Feed, in city: String) throws {
        let (stops, day) = try feed.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT s.stop_lat, s.stop_lon FROM stops s JOIN dict_stop d USING (sid)
                      WHERE d.stop_id LIKE ? || ':%' AND s.sid IN (SELECT sid FROM pattern_stops) ORDER BY s.sid
                    """, arguments: [city])
            // The day in the middle of the most common service.
            let days = try Row.fetchOne(
                db,
                sql: """
                    SELECT strftime('%s', c.start_date), strftime('%s', c.end_date) FROM trips t
                      JOIN calendar c USING (service_id) WHERE c.days & 31 = 31 AND t.trip_id LIKE ? || ':%'
                      GROUP BY t.service_id ORDER BY count(*) DESC LIMIT 1
                    """, arguments: [city])
            let day = days.map { ((Int($0[0] as String) ?? 0) + (Int($0[1] as String) ?? 0)) / 2 / 86_400 }
            return (rows.map { Coordinate(latitude: $0[0], longitude: $0[1]) }, day)
        }
        guard var day, stops.count > 1 else {
            return say("       skipped: no service for journeys in \(city)")
        }
        // 1970-01-01 was a Thursday.
        while (day + 3) % 7 > 4 { day -= 1 }
        let zone = try feed.stops.zone(near: stops[0])
        let noon = ServiceMoment.noon(day, in: zone)
        let (_, first) = try timed {
            try JourneyPlanner(feed).count(from: stops[0], to: stops[1], at: noon)
        }
        var random = SplitMix(seed: 4)
        var (times, found, answered) = (Times(), 0, 0)
        for _ in 0..<runs / 2 {
            let from = stops[Int(random.next() % UInt64(stops.count))]
            let to = stops[Int(random.next() % UInt64(stops.count))]
            let at = noon - 6 * 3600 + Int(random.next() % 43_200)
            let (count, seconds) = try timed { try JourneyPlanner(feed).count(from: from, to: to, at: at) }
            times.add(seconds)
            found += count
            answered += count == 0 ? 0 : 1
        }
        report(
            "journeys in \(city) with \(stops.count) stops, \(found) found for \(answered) of \(runs / 2) queries",
            "\(times.text); the first query of the day \(ms(first.wall))", goal: "p99 under 20 ms",
            isMet: times.p99Own < 20e-3)
    }
}

private enum ServiceMoment {
    /// Noon of a day, in days since 1970, in the local time of a zone.
    static func noon(_ day: Int, in zone: TimeZone) -> Int {
        let noon = day * 86_400 + 43_200
        return noon - zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(noon)))
    }
}

/// A GTFS-realtime message, encoded by hand.
private enum RecordedMessage {
    static func of(_ trips: [(trip: String, day: String)]) -> [UInt8] {
        let header = field(1, Array("2.0".utf8)) + number(3, 1_700_000_000)
        var message = field(1, header)
        for (index, trip) in trips.enumerated() {
            var update = field(1, field(1, Array(trip.trip.utf8)) + field(3, Array(trip.day.utf8)))
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
