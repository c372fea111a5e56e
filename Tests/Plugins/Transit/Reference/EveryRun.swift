import CivilTime
import Foundation
import GRDB
import PluginTestKit
import Testing
import TrailStores
import Workbench

@testable import TransitPlugin

/// Decides on every run of every trip that calls at some stops by scanning them all, as an oracle for the record of a
/// search, which skips and stops early.
private struct EveryRun {
    let feed: Feed
    let place: StopBoard
    let from: Int
    let end: Int
    let listed: [DepartureRow]

    /// A run at a call.
    private struct Run {
        var trip: String
        var row: Int64
        var service: String
        var start: Int
        var call: StopCall
        var moment: Int
    }

    /// The outcomes of all runs, as texts in order.
    func outcomes() throws -> [String] {
        try feed.read { db in
            var none = NoDepartureRecord()
            // A call that is no departure has no run.
            let calls = try DepartureSearch(feed).calls(at: place.parts, db, recorder: &none)
            return try ServiceDay.days(from: from, until: end, latest: feed.latest, in: place.zone).flatMap {
                day in
                try runs(of: calls, on: day, db).map { run in
                    Self.text(
                        run.trip, day, run.start + run.call.offset, run.moment, outcome(run, on: day).rawValue
                    )
                }
            }.sorted()
        }
    }

    static func text(_ trip: String, _ day: CivilDate, _ scheduled: Int, _ moment: Int, _ outcome: String)
        -> String
    {
        "\(trip) \(day.text) \(ServiceDay.scheduled(scheduled)) \(moment) \(outcome)"
    }

    /// Every run of the calls on a day, whether or not its service runs.
    private func runs(of calls: [StopCall], on day: CivilDate, _ db: Database) throws -> [Run] {
        let reference = ServiceDay.reference(day, in: place.zone)
        let trips = try RawStatement(
            db,
            """
            SELECT rowid, trip_id, service_id, start_time_secs, frequency_based FROM \(feed.layout.trips)
              WHERE pid = ? ORDER BY start_time_secs, rowid
            """)
        var runs: [Run] = []
        for call in calls {
            trips.reset()
            trips.bind(1, call.pattern)
            while try trips.next() {
                let (row, trip) = (trips.integer(0), trips.text(1) ?? "")
                let starts =
                    trips.integer(4) == 0
                    ? [ServiceDay.clamped(trips.integer(3))] : try frequencyStarts(trip, db)
                for start in starts {
                    runs.append(
                        Run(
                            trip: trip, row: row, service: trips.text(2) ?? "", start: start, call: call,
                            moment: reference + start + call.offset))
                }
            }
        }
        return runs
    }

    private func frequencyStarts(_ trip: String, _ db: Database) throws -> [Int] {
        let rows = try RawStatement(
            db,
            "SELECT start_secs, end_secs, headway_secs FROM frequencies WHERE trip_id = ? ORDER BY start_secs"
        )
        rows.bind(1, trip)
        var starts: [Int] = []
        while try rows.next() {
            let headway = ServiceDay.clamped(rows.integer(2))
            guard headway > 0 else { continue }
            starts += stride(
                from: ServiceDay.clamped(rows.integer(0)), to: ServiceDay.clamped(rows.integer(1)),
                by: headway)
        }
        return starts
    }

    private func outcome(_ run: Run, on day: CivilDate) -> DepartureSteps.Outcome {
        if !feed.calendar.verdict(run.service, on: day).verdict.runs { return .notRunning }
        if run.moment < from { return .gone }
        if run.moment >= end { return .tooLate }
        let same = listed.filter { $0.trip == run.row && $0.start == run.start && $0.day == day }
        if same.contains(where: { $0.call.sequence == run.call.sequence && $0.call.stop == run.call.stop }) {
            return .listed
        }
        // The earlier call of its visit is yet to come.
        let isEarlierDue = run.call.before.map { run.moment - run.call.offset + $0 >= from } ?? false
        return isEarlierDue && same.contains { $0.time <= run.moment } ? .elsewhere : .beyondLimit
    }
}

/// What a search records is what a scan of all runs finds, and a search with a record returns the same board.
struct DepartureRecordTests {
    @Test(arguments: [3, 20, 500])
    func everyRunOfTheSampleFeed(limit: Int) throws {
        let tables = Dictionary(uniqueKeysWithValues: SampleFeed.tables().map { ($0.name, $0.text) })
        let folder = try TemporaryFolder()
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(FeedSource(name: "harbour", tables: tables), to: database, isLenient: true)
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        var compared = 0
        for id in ["CEN", "HAR2", "SQE", "BAYD", "CAF", "ISL"] {
            let place = try StopBoard(feed, try #require(try feed.stops.with(id: id)))
            // Friday morning, the night to Saturday, the day before summer time, a holiday.
            for moment in [1_770_364_800, 1_770_424_200, 1_774_740_600, 1_777_618_800] {
                compared += try compare(place, at: moment, limit: limit)
            }
        }
        #expect(compared > 5_000)
    }

    private func compare(_ place: StopBoard, at moment: Int, limit: Int) throws -> Int {
        let feed = place.feed
        let plain = try place.board(at: Double(moment), within: 86_400, limit: limit, live: nil)
        var record = DepartureRecord()
        let recorded = try place.board(
            at: Double(moment), within: 86_400, limit: limit, live: nil, recorder: &record)
        #expect(plain.departures.map(\.summary) == recorded.departures.map(\.summary))
        #expect(record.listed.map(\.time) == plain.departures.map(\.row.time))
        let span = StopBoard.span(Double(moment), 86_400)
        let oracle = try EveryRun(
            feed: feed, place: place, from: span.lowerBound, end: span.upperBound, listed: record.listed
        ).outcomes()
        let verdicts = RunVerdicts(feed, listed: record.listed)
        let found = try verdicts.named(record.runs).map { named -> String in
            let row = named.run.row
            let outcome = verdicts.step(named).values["outcome"]
            guard case .text(let word)? = outcome else { return "" }
            return EveryRun.text(named.trip, row.day, row.start + row.call.offset, row.time, word)
        }.sorted()
        #expect(found == oracle)
        return found.count
    }
}
