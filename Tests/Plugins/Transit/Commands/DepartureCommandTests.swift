import CivilTime
import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Departures through the command language.
@Suite struct DepartureCommandTests {
    private func session() async throws -> TestSession {
        let session = try TestSession(plugins: { [TransitPlugin()] })
        try await session.value("set timezone Europe/Berlin")
        try await session.value("feed sample")
        try await session.value("feed import harbour")
        return session
    }

    /// Service days, by hand from the sample's tables.
    @Test(arguments: [
        // The night bus of Friday 25:35 leaves on Saturday at 01:35.
        ("BAYD", "2026-02-07T01:00", "01:35 N1 25:35:00 2026-02-06"),
        // The clocks go forward on Sunday 29 March at 02:00. Times of Saturday count from its own midnight: 27:35
        // lies 27 h 35 min later, when clocks show 04:35. Sunday's first train, 05:12, runs as clocks show.
        ("BAYD", "2026-03-29T00:30", "00:35 N1 24:35:00 2026-03-28"),
        ("BAYD", "2026-03-29T03:30", "03:35 N1 26:35:00 2026-03-28"),
        ("CEN1", "2026-03-29T00:30", "05:12 S1 05:12:00 2026-03-29"),
        // The clocks go back on Sunday 25 October at 03:00: the hour from two to three comes twice.
        ("BAYD", "2026-10-25T02:30+02:00", "02:35 N1 26:35:00 2026-10-24"),
        ("BAYD", "2026-10-25T02:30+01:00", "02:35 N1 27:35:00 2026-10-24"),
        ("CEN1", "2026-10-25T03:30", "05:12 S1 05:12:00 2026-10-25"),
        // The first of May is a Friday that runs like a Sunday: hourly, not every half hour.
        ("CEN1", "2026-05-01T08:13", "09:12 S1 09:12:00 2026-05-01"),
        ("CEN1", "2026-05-08T08:13", "08:42 S1 08:42:00 2026-05-08"),
        // FAIR has only calendar_dates.
        ("HAR1", "2026-02-07T08:00", "09:30 Gulls Ferry 09:30:00 2026-02-07"),
        // Frequencies: the run of 20:00 does not exist, the one of 19:45 does.
        ("CEN3", "2026-02-06T19:40", "19:43 4 19:43:00 2026-02-06"),
    ])
    func firstDeparture(stop: String, at: String, expected: String) async throws {
        let session = try await session()
        let line = "departures \(stop) --at \(at) --limit 1 | first"
        let value = try await session.value(line)
        let fields = ["time", "route", "scheduled", "day"].map { name -> String in
            if case .text(let text)? = value.field(name) { return text }
            return "?"
        }
        #expect(fields.joined(separator: " ") == expected)
    }

    @Test func signsAndPlatforms() async throws {
        let session = try await session()
        #expect(await session.run("departures BAYB --limit 1 | get headsign") == "Square via Mill")
        #expect(await session.run("departures CAF --limit 1 | get headsign") == "Bridge")
        // A trip without a headsign shows its last stop.
        #expect(await session.run("departures AIR --limit 1 | get headsign") == "Harbour")
        // Boarding is not allowed at the bridge, and a trip with one call has no departure.
        #expect(await session.run("departures BRI").contains("No upcoming departures at this time"))
        #expect(await session.run("departures Central --limit 200 | where trip == 'T4-depot' | count") == "0")
    }

    /// A tram that leaves the station, comes back and leaves it again has two departures.
    @Test func aLineThatComesBack() async throws {
        let session = try await session()
        let csv = await session.run(
            "departures CEN3 --at 2026-02-06T07:59 --limit 4 | select time scheduled trip | to csv")
        #expect(
            csv.split(separator: "\n").dropFirst() == [
                "08:00,08:00:00,T4-loop", "08:03,08:03:00,T4-loop", "08:10,08:10:00,T4-loop",
                "08:13,08:13:00,T4-loop",
            ])
    }

    /// Calls at platforms of one station with no other stop between them are one visit; a loop that ends where it began leaves once; a
    /// lasso leaves twice, also late.
    @Test func oneRowAVisit() async throws {
        let tables = StreetFeed.tables(
            [
                ("t1", "r1", "s", "0", "", "S1 08:00;S2 08:02;B 08:10;C 08:20"),
                ("t2", "r1", "s", "0", "", "S1 09:00;B 09:10;S1 09:20"),
                ("t3", "r2", "s", "0", "", "S1 10:00;B 10:10;S2 10:20;C 10:30"),
            ],
            [
                "stops.txt":
                    "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\nS,Central,50,8,1,\n"
                    + "S1,Central,50,8,0,S\nS2,Central,50.0001,8,0,S\nB,Beta,50.02,8,0,\nC,Gamma,50.04,8,0,\n"
            ])
        let plain = try await StreetFeed.session(tables)
        #expect(
            await StreetFeed.board(plain, "S", 9) == [
                "08:00  t1 Scheduled", "09:00  t2 Scheduled", "10:00  t3 Scheduled", "10:20  t3 Scheduled",
            ])
        // A skipped call stands only for a visit without others.
        let live = try await StreetFeed.session(
            tables,
            with: [
                Proto.update(Proto.trip("t1"), [Proto.call(1, relationship: 1)]),
                Proto.update(Proto.trip("t3"), [Proto.call(1, departure: 120)]),
            ])
        #expect(
            await StreetFeed.board(live, "S", 9) == [
                "08:02  t1 Scheduled", "09:00  t2 Scheduled", "10:00 10:02 t3 2min late",
                "10:20 10:22 t3 2min late",
            ])
    }

    /// A typed time that no clock shows, or that clocks show twice, is said; so are shown times that come twice.
    @Test func timesAtAChangeOfTheClocks() async throws {
        let session = try await StreetFeed.session(
            StreetFeed.tables([("t1", "r1", "s", "0", "", "A 01:40;B 02:20")]))
        func note(_ entry: String) async -> String { await session.run(entry) }
        let spring = await note("departures @A --at 2026-03-29T02:30")
        #expect(spring.contains("no clock shows the time asked for"))
        #expect(spring.contains("2026-03-29T03:30+02:00 is used"))
        let autumn = await note("departures @A --at 2026-10-25T02:30")
        #expect(
            autumn.contains("twice: 2026-10-25T02:30+02:00 is used, the other is 2026-10-25T02:30+01:00"))
        #expect(autumn.contains("clocks go back on 2026-10-25: they show 02:40 twice"))
        #expect(autumn.contains("01:40:00 of the timetable, counted from noon minus 12 h, is 02:40"))
        for entry in [
            "journey plan @A @B --at 2026-10-25T02:30", "trip show t1 --at 2026-10-25",
            "arrivals @B --at 2026-10-25T02:15",
        ] { #expect(await note(entry).contains("twice"), "\(entry)") }
        for entry in [
            "departures @A --at 2026-10-24T02:30", "departures @A --at 2026-10-25T02:30+01:00 --within 5min",
        ] { #expect(!(await note(entry).contains("clocks")), "\(entry)") }
    }

    @Test func whenThereAreNone() async throws {
        let session = try await session()
        let text = await session.run("departures BAYA --at 2026-02-07T12:00")
        #expect(
            text.hasSuffix(
                "No upcoming departures at this time; the next is Monday 2026-02-09 07:05, 10 to Harbour"))
        #expect(
            await session.run("departures BAYA --at 2027-02-07T12:00").contains(
                "the timetable has no later one; the timetable covers 2026-01-01 to "))
        #expect(
            await session.run("departures BAYA --at 2025-12-01T12:00").contains(
                "the next is Thursday 2026-01-01 07:05"))
        #expect(await session.run("departures BAYA --at 9999-01-01T12:00").contains("has no later one"))
        #expect(await session.run("departures BAYA --at 0001-01-01T12:00").contains("No upcoming"))
    }

    @Test func stopsByNameAndPipe() async throws {
        let session = try await session()
        #expect(
            await session.run("departures @\"Central Station\" --limit 1 | get stop") == "Central Station")
        #expect(await session.run("stop find square | first | departures --limit 1 | get stopId") == "SQE")
        #expect(await session.run("departures BAYB | first | stop show | get selected | get id") == "BAYB")
        #expect(await session.run("departures").contains("E-TRANSIT-STOP"))
        #expect(await session.run("departures Nowhere").contains("E-REFERENCE-UNKNOWN"))
        #expect(await session.run("departures 'Bus Terminal'").contains("E-REFERENCE-AMBIGUOUS"))
        #expect(await session.run("stop near @Harbour --radius 100m | count") == "3")
    }

    /// Every trip listed by the trace is on the board, and no other.
    @Test func theTraceAgrees() async throws {
        let session = try await session()
        for (stop, at) in [
            ("CEN", "2026-02-06T08:00"), ("CEN", "2026-02-07T00:30"), ("HAR2", "2026-03-29T01:00"),
            ("SQE", "2026-05-01T09:00"),
        ] {
            await session.run("let steps = trace departures \(stop) --at \(at) --limit 500")
            let listed = await session.run("$steps | where kind == run | where outcome == listed | count")
            #expect(listed == (await session.run("departures \(stop) --at \(at) --limit 500 | count")))
            let kinds = await session.run("$steps | where kind == run | get outcome | unique | to csv")
            #expect(kinds.contains("notRunning"))
        }
        let removed = await session.run(
            "let s = trace departures CEN1 --at 2026-05-01T08:00; $s | where kind == run | where service == WD | where day == '2026-05-01' | first | get why"
        )
        #expect(removed == "calendar_dates removes WD on 2026-05-01")
    }

    @Test func importsAndUndo() async throws {
        let session = try await session()
        #expect(await session.run("feed import harbour").contains("E-FILE-EXISTS"))
        #expect(await session.run("feed import harbour --force | get stops") == "121")
        await session.run("undo")
        #expect(await session.run("feed show | get stops") == "121")
        await session.run("undo")
        #expect(await session.run("feed show").contains("E-TRANSIT-NOFEED"))
        let left = try FileManager.default.contentsOfDirectory(
            atPath: session.folder.url.appendingPathComponent("workspace").path)
        #expect(left.filter { $0.contains("gtfs") && !$0.hasSuffix(".replaced") }.isEmpty, "\(left)")
    }

    @Test func theSampleIsWhatItsFilesSay() throws {
        let names = SampleFeed.tables().map(\.name)
        #expect(Set(names) == Set(FeedTable.schedule.map(\.rawValue)))
    }
}
