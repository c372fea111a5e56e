import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// What an import could not use reaches the boards, trips and journeys that lack it.
@Suite struct SetAsideTests {
    private func session(_ trips: [StreetFeed.Trip], _ changes: [String: String] = [:]) async throws
        -> TestSession
    {
        try await StreetFeed.session(StreetFeed.tables(trips, changes))
    }

    private static let backwards: [StreetFeed.Trip] = [
        ("t1", "r1", "s", "0", "", "A 08:00;B 08:10;C 08:05;D 08:30"),
        ("t2", "r1", "s", "0", "", "A 09:00;B 09:10;C 09:20;D 09:30"),
    ]

    @Test func skippedTripIsSaid() async throws {
        let session = try await session(Self.backwards)
        #expect(
            await session.run("departures @A").contains(
                "1 line of the feed about calls here was set aside by the import"))
        #expect(try await session.output("departures @E").contains("set aside") == false)
        #expect(await session.run("trip show t1").contains("trip `t1` was set aside by the import"))
        #expect(await session.run("trip show t9").contains("unknown trip `t9`"))
        #expect(await session.run("line timetable 1").contains("1 trip of it was set aside by the import"))
        #expect(
            await session.run("journey plan @A @D").contains(
                "1 trip of the timetable was set aside by the import"))
    }

    @Test func callsAtAStationAreSaid() async throws {
        let stops =
            "stop_id,stop_name,stop_lat,stop_lon,location_type\nA,Alpha,50.00,8,1\nB,Beta,50.02,8,0\n"
            + "C,Gamma,50.04,8,0\nD,Delta,50.06,8,0\n"
        let session = try await session(
            StreetFeed.trips + [("w1", "r2", "s", "0", "", "B 10:00;D 10:30")], ["stops.txt": stops])
        let text = await session.run("departures @A")
        #expect(text.contains("3 lines of the feed about calls here were set aside by the import"))
        #expect(text.contains("no trip of the timetable calls") == false)
    }

    @Test func droppedPeriodIsSaid() async throws {
        let periods =
            "trip_id,start_time,end_time,headway_secs\nt1,06:00:00,07:00:00,600\nt1,06:30:00,08:00:00,600\n"
        let session = try await session(StreetFeed.trips, ["frequencies.txt": periods])
        #expect(
            await session.run("departures @A").contains("1 line of the feed about calls here was set aside"))
        #expect(try await session.output("journey plan @A @D").contains("set aside") == false)
    }

    @Test func zoneInOtherCapitals() async throws {
        let agencies =
            "agency_id,agency_name,agency_url,agency_timezone\na,City Bus,http://a.example,europe/berlin\n"
            + "b,Night Coach,http://b.example,Europe/London\n"
        let session = try await session(StreetFeed.trips, ["agency.txt": agencies])
        #expect(await StreetFeed.board(session, "A", 1) == ["08:00  t1 Scheduled"])
        #expect(
            await session.run("departures @A").contains("the feed states Europe/London for Night Coach"))
        #expect(try await session.output("departures @B").contains("Europe/London") == false)
    }

    /// Two names of one zone are no contradiction that a rider has to know.
    @Test func zonesWithTheSameClocks() async throws {
        let agencies =
            "agency_id,agency_name,agency_url,agency_timezone\na,City Bus,http://a.example,US/Eastern\n"
            + "b,Night Coach,http://b.example,America/New_York\n"
        let session = try await session(StreetFeed.trips, ["agency.txt": agencies])
        #expect(await session.run("departures @A --at 2026-02-06T07:55").contains("08:05"))
        #expect(!(await session.run("departures @A --at 2026-02-06T07:55").contains("the feed states")))
        #expect(ZoneNames.haveSameClocks("Asia/Calcutta", "Asia/Kolkata"))
        #expect(!ZoneNames.haveSameClocks("Europe/Berlin", "Europe/London"))
        #expect(!ZoneNames.haveSameClocks("America/Phoenix", "America/Denver"))
    }

    // MARK: Calls that repeat

    @Test func layoverIsOneStay() async throws {
        let session = try await session([
            ("t1", "r1", "s", "0", "", "A 08:00;B 08:10;B 08:15;D 08:30;D 08:32")
        ])
        #expect(await session.run("departures @B | first | get scheduled") == "08:15:00")
        #expect(await session.run("arrivals @B | first | get scheduled") == "08:10:00")
        // The vehicle stays at its end.
        #expect(await session.run("departures @D").contains("No upcoming departures"))
        #expect(await session.run("arrivals @D | first | get scheduled") == "08:30:00")
    }

    @Test func layoverOfAMessage() async throws {
        let session = try await StreetFeed.session(
            StreetFeed.tables([("t1", "r1", "s", "0", "", "A 08:00;B 08:10;B 08:15;D 08:30;D 08:32")]),
            with: [Proto.update(Proto.trip("t1", day: StreetFeed.day), [Proto.call(1, departure: 120)])])
        #expect(await StreetFeed.board(session, "B", 3) == ["08:15 08:17 t1 2min late"])
        #expect(await session.run("departures @D").contains("No upcoming departures"))
    }
}
