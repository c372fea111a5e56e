import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Departures agree with the slow reference, for every stop and many times.
@Suite(.timeLimit(.minutes(10)))
struct DepartureReferenceTests {
    static let names = FeedTable.allCases.map(\.rawValue)

    /// Times at which feeds show what they are about: mornings, nights, Sundays, exceptions, days with a clock change.
    private func moments(_ plain: PlainTimetable, full: Bool) -> [Int] {
        let (first, last) = plain.span
        var days: [Int] = []
        // A day in the middle of the calendar, and the Sunday after it.
        var middle = first
        for _ in 0..<40 where plain.day(middle, plus: 7) < last { middle = plain.day(middle, plus: 7) }
        days.append(middle)
        days.append(plain.day(middle, plus: 6 - plain.weekday(middle)))
        days += [plain.addedDays.first, plain.removedDays.first].compactMap { $0 }
        days += clockChanges(plain, from: first, to: last)
        var moments: [Int] = []
        for day in days {
            moments += [
                plain.moment(day, 8, 0), plain.moment(day, 23, 30),
                plain.moment(plain.day(day, plus: 1), 0, 30),
            ]
            if full {
                moments += [plain.moment(day, 1, 30), plain.moment(day, 3, 30), plain.moment(day, 16, 59)]
            }
        }
        return moments
    }

    private func clockChanges(_ plain: PlainTimetable, from first: Int, to last: Int) -> [Int] {
        var days: [Int] = []
        var day = first
        for _ in 0..<400 where day <= last && days.count < 2 {
            let next = plain.day(day, plus: 1)
            if plain.moment(next, 0, 0) - plain.moment(day, 0, 0) != 86_400 { days.append(day) }
            day = next
        }
        return days
    }

    private func compare(
        _ tables: [String: String], _ feed: Feed, window: Int, full: Bool, comparesStarts: Bool = true
    ) throws -> (compared: Int, listed: Int) {
        let plain = PlainTimetable(tables)
        #expect(plain.zone.identifier == feed.zone.identifier)
        var compared = 0
        var listed = 0
        for moment in moments(plain, full: full) {
            let all = plain.departures(from: moment, until: moment + window)
            for id in plain.stops {
                guard let stop = try feed.stop(id: id) else { continue }
                var expected = plain.board(id, of: all, limit: 20)
                // A file without start times does not know them.
                if !comparesStarts { for index in expected.indices { expected[index].start = 0 } }
                let board = try feed.board(of: stop, at: Double(moment), within: Double(window), limit: 20)
                let found = board.departures.map { row in
                    PlainTimetable.Departure(
                        time: row.row.time, route: row.route, trip: row.trip, stop: row.stop.id,
                        scheduled: row.row.start + row.row.call.offset,
                        day: row.row.day.text.filter { $0 != "-" }, start: row.row.start)
                }
                compared += 1
                listed += found.count
                guard found != expected else { continue }
                let place = zip(found, expected).enumerated().first { $1.0 != $1.1 }?.offset
                Issue.record(
                    """
                    \(id) at \(moment): \(found.count) instead of \(expected.count), first difference \
                    \(place.map { "\(found[$0]) instead of \(expected[$0])" } ?? "in number")
                    """)
                return (compared, listed)
            }
        }
        return (compared, listed)
    }

    @Test func theSampleFeed() throws {
        let tables = Dictionary(uniqueKeysWithValues: SampleFeed.tables().map { ($0.name, $0.text) })
        let folder = try TemporaryFolder()
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(
            FeedSource(name: "harbour", tables: tables), to: database, isLenient: false)
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        let (compared, listed) = try compare(tables, feed, window: 86_400, full: true)
        #expect(compared > 3000)
        #expect(listed > 10_000)
    }

    /// The same from a file without our columns, start times, indexes, R*Tree and search.
    @Test func theSampleFeedAsAnAppShipsIt() throws {
        let tables = Dictionary(uniqueKeysWithValues: SampleFeed.tables().map { ($0.name, $0.text) })
        let plainTables = tables.filter { $0.key != "frequencies.txt" }.mapValues {
            // A file of the format knows no boarding rules.
            $0.replacingOccurrences(of: ",,1,\n", with: ",,,\n")
        }
        let folder = try TemporaryFolder()
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(
            FeedSource(name: "harbour", tables: plainTables), to: database, isLenient: false)
        for keepsStart in [true, false] {
            let shipped = folder.url.appendingPathComponent("shipped-\(keepsStart).db")
            try ShippedStore.make(from: database, to: shipped, keepsStartTimes: keepsStart)
            let feed = try Feed(shipped, isOwn: false, fallback: .gmt)
            #expect(feed.layout.made.count == 5)
            let (compared, listed) = try compare(
                plainTables, feed, window: 86_400, full: false, comparesStarts: keepsStart)
            #expect(compared > 1500)
            #expect(listed > 1000)
        }
    }

    @Test(
        .enabled(if: RealData.has("gtfs"), "needs the folder of real data"),
        arguments: ["caltrain", "cairns", "nyc-subway-2routes", "saopaulo-rail", "berlin-vbb-subset"])
    func realFeeds(name: String) throws {
        let archive = RealData.url("gtfs/\(name).zip")
        guard let tables = try PlainTables.tables(ofArchive: archive, names: Self.names) else { return }
        let folder = try TemporaryFolder()
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(archive, to: database, isLenient: true)
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        let (compared, listed) = try compare(tables, feed, window: 3600, full: false)
        #expect(compared > 100)
        #expect(listed > 100)
    }
}
