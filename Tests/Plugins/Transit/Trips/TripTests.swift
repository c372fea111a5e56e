import CivilTime
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Trips, lines, timetables, service and shapes of the sample feed; expected values are by hand from its tables.
@Suite struct TripTests {
    private func session() async throws -> TestSession {
        let session = try TestSession(plugins: { [TransitPlugin()] })
        try await session.value("set timezone America/New_York")
        try await session.value("feed sample")
        try await session.value("feed import harbour")
        return session
    }

    @Test func theStopsClock() async throws {
        let session = try await session()
        // The session is in New York, the stops are in Berlin.
        #expect(await session.shown("departures CEN1 --at 08:00 --limit 1 | get time") == "08:12")
        #expect(await session.shown("departures CEN1 --at 2026-02-06T08:00 --limit 1 | get time") == "08:12")
        #expect(await session.shown("departures CEN1 --at 2026-02-06T07:00Z --limit 1 | get time") == "08:12")
        #expect(await session.shown("departures CEN1 --at tomorrow --limit 1 | get day") == "2026-02-07")
        await session.run("let t = 2026-02-06T02:00")
        #expect(await session.shown("departures CEN1 --at $t --limit 1 | get time") == "08:12")
        #expect(await session.run("departures CEN1 --at soon").contains("error"))
    }

    @Test func aTrip() async throws {
        let session = try await session()
        let csv = await session.run(
            "trip show S1-WD-back-475 | get calls | select stopId arrives departs boarding | to csv")
        #expect(
            csv.split(separator: "\n").map(String.init) == [
                "stopId,arrives,departs,boarding", "AIR,,07:55,yes", "UNI,08:05,08:06,yes",
                "CEN2b,08:14,08:17,yes",
                "HAR2,08:22,,",
            ])
        #expect(
            await session.run("trip show B2-WD-540 | get calls | where stopId == BRI | get boarding") == "no")
        // Friday's 26:35 is Saturday, 02:35.
        #expect(
            await session.run("departures BAYD --at 2026-02-07T02:00 | first | trip show | get day")
                == "2026-02-06")
        // A run by headway keeps its own start.
        #expect(
            await session.run(
                "departures CEN3 --at 2026-02-06T08:25 | first | trip show | get calls | last | get arrives")
                == "08:48")
        #expect(await session.run("trip show T4-loop").contains("the first of 62 runs of the day"))
        #expect(
            await session.run("trip show F1-FAIR-570 --at 2026-02-08").contains(
                "does not run on 2026-02-08"))
        #expect(await session.run("trip show F1-SU-600 | get day") == "2026-02-08")
        #expect(await session.run("trip show").contains("E-TRANSIT-TRIP"))
        #expect(await session.run("departures CAF | trip show").contains("error"))
    }

    @Test func aTripOnTheMap() async throws {
        let session = try await session()
        guard case .object(let object) = try await session.value("trip show S1-WD-out-310"),
            let trip = object as? TripObject
        else {
            Issue.record("no trip")
            return
        }
        // The five points of the table, in the order of their numbers.
        #expect(trip.shape?.map(\.latitude) == [0.5002, 0.506, 0.512, 0.524, 0.535])
        #expect(await session.run("trip show S1-WD-out-310 | get lengthFrom") == "the shape")
        #expect(await session.run("trip show B2-WD-540 | get lengthFrom") == "straight lines between stops")
        #expect(await session.run("trip show S1-WD-out-310 | map").contains("Airport"))
        #expect(await session.run("line shapes T4 | count") == "0")
    }

    @Test func shapesThatAreNone() throws {
        let folder = try TemporaryFolder()
        var tables = ImportTests.small
        tables["trips.txt"] = "route_id,service_id,trip_id,shape_id\nR,S,T,one\n"
        tables["shapes.txt"] = "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\none,51,6,1\n"
        let database = folder.url.appendingPathComponent("gtfs.db")
        #expect {
            _ = try FeedImport.run(FeedSource(name: "f", tables: tables), to: database, isLenient: false)
        } throws: { ($0 as? RutterError)?.message.hasSuffix("the shape one has only one point") ?? false }
        let report = try FeedImport.run(FeedSource(name: "f", tables: tables), to: database, isLenient: true)
        #expect((report.trips, report.problemCount) == (1, 1))
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        #expect(try feed.trips.with(id: "T")?.shape == nil)
    }

    @Test func service() async throws {
        let session = try await session()
        let csv = await session.run(
            "feed service --line F1 --at 2026-02-07 --days 2 | select day trips first last headway | to csv"
        )
        // FAIR: 9:30 to 12:30 hourly there and back; Sunday: 10, 12 and 14, back half an hour later.
        #expect(
            csv.split(separator: "\n").dropFirst() == [
                "\"2026-02-07\",8,09:30:00,13:00:00,3600", "\"2026-02-08\",6,10:00:00,14:30:00,7200",
            ])
        // The ferry is straight from pier to isle and takes 25 minutes.
        let pier = Coordinate(latitude: 0.4926, longitude: 0.5041)
        let metres = pier.distance(to: Coordinate(latitude: 0.478, longitude: 0.516))
        guard
            case .quantity(let length)? = try await session.value(
                "feed service --line F1 --at 2026-02-08 --days 1 | first"
            ).field("length")
        else {
            Issue.record("no length")
            return
        }
        #expect(abs(length.value - 6 * metres) < 0.01)
    }

    /// The timetable of 2026 has no facts about 2027: its service is unknown, not zero.
    @Test func daysOutsideTheTimetable() async throws {
        let session = try await session()
        let note = "the timetable covers 2026-01-01 to 2026-12-31"
        let csv = await session.run(
            "feed service --at 2026-12-31 --days 2 | select day trips length first | to csv")
        let rows = csv.split(separator: "\n").map(String.init)
        #expect(rows.last == "\"2027-01-01\",,,")
        #expect(rows.dropFirst().first?.hasPrefix("\"2026-12-31\",,") == false)
        for entry in [
            "feed service --at 2027-02-07 --days 1", "line timetable N1 --at 2027-02-07",
            "stop lines CAF --at 2027-02-07", "trip show S1-WD-out-310 --at 2027-02-07",
            "journey plan 0.493,0.504 0.535,0.531 --at 2027-02-07T09:00",
        ] { #expect(await session.run(entry).contains(note), "\(entry)") }
        #expect(
            await session.run("journey plan 0.493,0.504 0.535,0.531 --at 2027-02-07T09:00").contains(
                "no journey with 4 changes or fewer within 24h; \(note)"))
        #expect(
            try await session.output("feed service --at 2026-02-07 --days 1").contains("covers") == false)
    }

    /// A shape of one point has no length: the way is that between stops, and it is said.
    @Test func aShapeThatIsNoLineIsSaid() async throws {
        let session = try await StreetFeed.session(
            StreetFeed.tables(
                [("t1", "r1", "s", "0", "", "A 08:00;D 08:30")],
                [
                    "trips.txt": "route_id,service_id,trip_id,shape_id\nr1,s,t1,p\n",
                    "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\np,50,8,1\n",
                ]), with: [])
        #expect(
            try await session.output("feed service --at 2026-02-06 --days 1")
                .contains("measured along straight lines"))
    }

    /// The median over all lines and directions, computed from the feed's text by another program.
    @Test func headwayOfAllLines() async throws {
        let session = try await session()
        let csv = await session.run(
            "feed service --at 2026-02-06 --days 3 | select day trips headway | to csv")
        #expect(
            csv.split(separator: "\n").dropFirst() == [
                "\"2026-02-06\",214,1800", "\"2026-02-07\",51,3600", "\"2026-02-08\",84,3600",
            ])
    }

    /// Names of stops are cut only where the terminal has no room for them.
    @Test func namesOfTimetables() async throws {
        let session = try await session()
        guard
            case .object(let object) = try await session.value("line timetable N1 --at 2026-02-06"),
            let table = object as? LineTimetable
        else {
            Issue.record("no timetable")
            return
        }
        let name = "A very long name of a stop that nobody would shorten"
        let stops = table.stops.map { stop in
            var stop = stop
            stop.name = name
            return stop
        }
        let long = LineTimetable(
            route: table.route, towards: table.towards, direction: table.direction, day: table.day,
            stops: stops, runs: table.runs, cut: nil)
        var environment = PluginKit.Environment.notebook
        environment.width = 200
        #expect(long.rendered(in: environment).contains(name))
        environment.width = 60
        let narrow = long.rendered(in: environment)
        #expect(!narrow.contains(name) && narrow.contains("A very long name"))
        for line in narrow.split(separator: "\n") { #expect(DisplayWidth.of(String(line)) <= 60) }
    }

    @Test func theLinesOfAStop() async throws {
        let session = try await session()
        let csv = await session.run(
            "stop lines CEN --at 2026-02-08 | select line towards departures first | to csv")
        // The tram leaves the station twice a run, before and after its loop.
        #expect(
            csv.split(separator: "\n").dropFirst() == [
                "\"4\",Harbour,32,10:00", "N1,Airport,4,00:38", "S1,Airport,19,05:12", "S1,Harbour,19,05:47",
            ])
    }

    @Test func printedTimetables() async throws {
        let session = try await session()
        await session.run("let t = line timetable N1 --at 2026-02-06")
        #expect(
            await session.run("$t | get rows | first | to csv")
                == "stop,1,2,3,4,5\nBus Terminal,23:35,24:35,25:35,26:35,27:35")
        #expect(await session.run("line timetable N1 --at 2026-02-04").contains("no trips on this day"))
        #expect(
            await session.run("line timetable S1 --at 2026-02-06 --limit 2").contains(
                "incomplete, 36 rows left out"))
        #expect(await session.run("line timetable Nowhere").contains("E-REFERENCE-UNKNOWN"))
    }

    /// Each pattern reads downwards in the merged list, which has no stop more than the patterns ask for.
    @Test func mergedStops() {
        var random = Xoshiro256(seed: 11)
        for _ in 0..<200 {
            let line = (0..<8).map { Int64($0 % 7) }
            let patterns = (0..<4).map { _ in line.filter { _ in Bool.random(using: &random) } }.filter {
                !$0.isEmpty
            }
            let merged = StopMerge.rows(of: patterns)
            for (pattern, rows) in zip(patterns, merged.rows) {
                #expect(rows.map { merged.stops[$0] } == pattern)
                #expect(zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 })
            }
        }
        #expect(StopMerge.rows(of: [[1, 2, 4], [1, 3, 4]]).stops == [1, 2, 3, 4])
        #expect(StopMerge.rows(of: [[1, 2, 1], [1, 2]]).stops == [1, 2, 1])
    }
}
