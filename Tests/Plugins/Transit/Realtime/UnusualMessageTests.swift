import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Messages with values of another form, with ends that are skipped, and with facts of vehicles; expected rows are by
/// hand.
@Suite struct UnusualMessageTests {
    private func trip(_ id: String, _ day: String = StreetFeed.day, start: String = "") -> Proto {
        Proto.trip(id, day: day, start: start)
    }

    private func arrival(_ sequence: Int, _ clock: String) -> Proto {
        Proto().number(1, sequence).message(2, Proto().number(2, StreetFeed.moment(clock)))
    }

    private func reason(_ session: TestSession) async -> String {
        await session.run("feed updates | first | get why")
    }

    /// A day or a start of another form is not an absent one: the run of today is not meant.
    @Test(arguments: [
        ("07/02/2026", "", "its start_date `07/02/2026` is not a day written as YYYYMMDD"),
        ("7 Feb 2026", "", "its start_date `7 Feb 2026` is not a day written as YYYYMMDD"),
        (StreetFeed.day, "8.00", "its start_time `8.00` is not written as HH:MM:SS"),
    ])
    func runsThatCannotBeRead(day: String, start: String, why: String) async throws {
        let session = try await StreetFeed.session(with: [
            Proto.update(trip("t1", day, start: start), [Proto.call(1, departure: 600)])
        ])
        #expect(await StreetFeed.board(session, "A", 1) == ["08:00  t1 Scheduled"])
        #expect(await session.run("feed updates | first | get outcome") == "refused")
        #expect(await reason(session) == why)
    }

    /// An alert about a run that cannot be read is not one about all runs.
    @Test func alertAboutARunThatCannotBeRead() async throws {
        let header = Proto().message(1, Proto().text(1, "Bus full").text(2, "en"))
        let entity = Proto().message(4, trip("t1", "07/02/2026"))
        let session = try await StreetFeed.session(with: [(5, Proto().message(5, entity).message(10, header))]
        )
        #expect(try await session.output("departures @A --limit 1").contains("Bus full") == false)
        #expect(await session.run("feed alerts | first | get scope").contains("not used: its start_date"))
    }

    /// Encoders that cut negative numbers to 32 bits write five bytes.
    @Test func negativeDelaysOfFiveBytes() async throws {
        let session = try await StreetFeed.session(with: [
            Proto.update(trip("t1"), [Proto.call(1, departure: Int(UInt32(bitPattern: -120)))])
        ])
        #expect(await StreetFeed.board(session, "A", 1) == ["08:00 07:58 t1 2min early"])
    }

    @Test(arguments: [
        (
            Proto.call(1, departure: 5_000_000_000),
            "its delay of 5000000000 s is too large at stop_sequence 1"
        ),
        (
            Proto.call(1, at: 1_770_000_000_000),
            "its time 1770000000000 is not in seconds since 1970 at stop_sequence 1"
        ),
    ])
    func numbersThatCannotBeMeant(call: Proto, why: String) async throws {
        let session = try await StreetFeed.session(with: [Proto.update(trip("t1"), [call])])
        #expect(await StreetFeed.board(session, "A", 1) == ["08:00  t1 Scheduled"])
        #expect(await reason(session) == why)
    }

    /// An update whose own time lies hours after its message is as old as the message, and that is said.
    @Test func anUpdateMeasuredAfterItsMessage() async throws {
        var future = Proto.update(trip("t1"), [Proto.call(1, departure: 120)])
        future.message = future.message.number(4, StreetFeed.moment("10:55"))
        let session = try await StreetFeed.session(with: [future])
        #expect(await StreetFeed.board(session, "A", 1) == ["08:00 08:02 t1 2min late"])
        #expect(
            await reason(session).contains(
                "its own time is 3h after the message's, which is used"))
    }

    /// A vehicle that comes early to the first stop of its trip waits for the planned departure; one that comes late leaves late.
    @Test func anEarlyArrivalAtTheFirstStopIsNoDeparture() async throws {
        let early = try await StreetFeed.session(with: [Proto.update(trip("t1"), [arrival(1, "07:50")])])
        #expect(await StreetFeed.board(early, "A", 1) == ["08:00 08:00 t1 On time"])
        #expect(await StreetFeed.board(early, "B", 1) == ["08:10 08:10 t1 On time"])
        let late = try await StreetFeed.session(with: [Proto.update(trip("t1"), [arrival(1, "08:04")])])
        #expect(await StreetFeed.board(late, "A", 1).first?.contains("4min late") ?? false)
    }

    /// B is planned from 08:05 to 08:10: a late arrival there does not move the arrival that is predicted for C.
    @Test func arrivalsAloneOverALongStay() async throws {
        var tables = StreetFeed.tables()
        tables["stop_times.txt"] =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt1,08:00:00,08:00:00,A,1\n"
            + "t1,08:05:00,08:10:00,B,2\nt1,08:14:00,08:14:00,C,3\nt1,08:18:00,08:18:00,D,4\n"
        let session = try await StreetFeed.session(
            tables, with: [Proto.update(trip("t1"), [arrival(2, "08:13"), arrival(3, "08:16")])])
        let calls = await session.run(
            "trip show t1 | get calls | select expectedArrival expectedDeparture | to csv")
        #expect(calls == "expectedArrival,expectedDeparture\n,\n08:13,08:16\n08:16,08:16\n08:20,08:20")
    }

    /// After NO_DATA nothing is predicted; where the vehicle cannot be on time, that is said, as a guess.
    @Test func noDataAfterADelay() async throws {
        let session = try await StreetFeed.session(with: [
            Proto.update(trip("t1"), [Proto.call(1, departure: 900), Proto.call(2, relationship: 2)])
        ])
        #expect(
            await session.run("trip show t1 | get calls | select expectedDeparture status | to csv")
                == "expectedDeparture,status\n08:15,15min late\n,\"No data, perhaps 15min late\"\n"
                + ",\"No data, perhaps 15min late\"\n,\"No data, perhaps 15min late\""
        )
        #expect(await StreetFeed.board(session, "C", 1) == ["08:20  t1 \"No data  perhaps 15min late\""])
        let leg = "journey plan @C @D --at 08:10 | first | get legs | first | get status"
        #expect(await session.run(leg) == "No data, perhaps 15min late")
    }

    /// The last calls are skipped: the run ends at B, which its headsign says and where nobody boards.
    @Test func skippedLastCalls() async throws {
        let session = try await StreetFeed.session(with: [
            Proto.update(
                trip("t1"),
                [
                    Proto.call(1, departure: 60), Proto.call(3, relationship: 1),
                    Proto.call(4, relationship: 1),
                ])
        ])
        #expect(await session.run("departures @A | first | get headsign") == "Delta, ends at Beta")
        #expect(await StreetFeed.board(session, "B", 1) == ["08:10 08:11 t1 \"1min late  ends here\""])
        #expect(await StreetFeed.board(session, "C", 1) == ["08:20  t1 Skipped"])
        #expect(await session.run("trip show t1").contains("to Delta, ends at Beta"))
        #expect(
            await session.run("trip show t1 | get calls | select boarding | to csv")
                .hasPrefix("boarding\nyes\nno\n"))
        let leg = "journey plan @A @B --at 07:55 | first | get legs | first | get headsign"
        #expect(await session.run(leg) == "Beta")
    }

    @Test func allCallsSkipped() async throws {
        let session = try await StreetFeed.session(with: [
            Proto.update(trip("t1"), (1...4).map { Proto.call($0, relationship: 1) })
        ])
        #expect(await StreetFeed.board(session, "A", 1) == ["08:00  t1 Cancelled"])
        #expect(await session.run("feed realtime | first | get cancelled") == "1")
        #expect(await session.run("journey plan @A @C --at 07:55 | first | get departs") == "09:00")
    }

    /// A `VehicleDescriptor` with the access of a vehicle: 1 unknown, 2 accessible, 3 not.
    private func vehicle(_ access: Int) -> Proto { Proto().text(1, "bus 7").number(4, access) }

    /// The access of the vehicle stands before that of the timetable, in updates and in positions.
    @Test(arguments: [true, false])
    func accessOfTheVehicle(isPosition: Bool) async throws {
        func entity(_ id: String, _ access: Int) -> (field: Int, message: Proto) {
            isPosition
                ? (4, Proto().message(1, trip(id)).message(8, vehicle(access)))
                : (
                    3,
                    Proto.update(trip(id), [Proto.call(1, departure: 0)]).message.message(3, vehicle(access))
                )
        }
        let session = try await StreetFeed.session(with: [entity("t1", 3), entity("t2", 2)])
        #expect(
            await session.run(
                "departures @A --limit 4 | where route == '1' | select trip wheelchair | to csv"
            )
            .hasPrefix("trip,wheelchair\nt1,no\nt2,yes"))
        #expect(await session.run("trip show t1 | get wheelchair") == "no")
        let journey = "journey plan @A @D --at 07:55 --wheelchair | first"
        #expect(await session.run(journey + " | get departs") == "09:00")
        #expect(await session.run(journey + " | get legs | first | get wheelchair") == "yes")
    }

    /// What a position says: how full it is, where it stands, and how old that is.
    @Test func factsOfAPosition() async throws {
        let plain = Proto().message(1, Proto.trip("t1")).number(3, 2).number(4, 1).number(9, 5).number(6, 4)
        let session = try await StreetFeed.session(with: [
            (4, plain),
            (4, Proto().message(1, Proto.trip("t2")).number(5, StreetFeed.moment("07:54") * 1000)),
            (4, Proto().message(1, Proto.trip("u1")).number(5, StreetFeed.moment("07:53"))),
        ])
        #expect(
            await session.run("feed vehicles | select line stop status occupancy congestion age | to csv")
                == "line,stop,status,occupancy,congestion,age\n"
                + "\"1\",Beta,at the stop,full,severely congested,\n\"1\",\"\",,,,60\n\"2\",\"\",,,,120")
        #expect(await session.run("departures @A | first | get occupancy") == "full now")
        #expect(await StreetFeed.board(session, "A", 1) == ["08:00  t1 Scheduled"])
    }

    @Test func uncertaintyOfAPrediction() async throws {
        let event = Proto().number(1, 300).number(3, 600)
        let session = try await StreetFeed.session(with: [
            Proto.update(trip("t1"), [Proto().number(1, 1).message(3, event)])
        ])
        #expect(await StreetFeed.board(session, "A", 1) == ["08:00 08:05 t1 5min late ±10min"])
        #expect(await session.run("departures @A | first | get uncertainty") == "10min")
    }

    /// Effects are told where headers do not, a text without words is none, and the scope is listed.
    @Test func effectsAndScopesOfAlerts() async throws {
        func texts(_ texts: [(String, String)]) -> Proto {
            texts.reduce(Proto()) { $0.message(1, Proto().text(1, $1.0).text(2, $1.1)) }
        }
        let stopped = Proto().message(5, Proto().text(2, "r1")).number(6, 4).number(7, 1).number(14, 4)
            .message(8, texts([("http://a.example/1", "en")])).message(10, texts([("Line 1", "en")]))
        let buses = Proto().message(5, Proto().text(1, "a").number(3, 3))
            .message(10, texts([("", "en"), ("Nur deutsch", "de")]))
        let session = try await StreetFeed.session(with: [(5, stopped), (5, buses)])
        #expect(
            await session.run("feed alerts | select header effect cause severity lines scope url | to csv")
                == "header,effect,cause,severity,lines,scope,url\n"
                + "Line 1,no service,strike,severe,\"1\",\"\",http://a.example/1\n"
                + "Nur deutsch,,,,\"\",\"agency a, bus\",\"\"")
        #expect(await session.run("departures @A").contains("Line 1 (no service)"))
    }

    /// Delays of runs whose times are not exact are doubtful, and said to be.
    @Test func delaysByHeadway() async throws {
        var tables = StreetFeed.tables()
        tables["frequencies.txt"] =
            "trip_id,start_time,end_time,headway_secs,exact_times\nt1,08:00:00,09:00:00,600,0\n"
        let session = try await StreetFeed.session(
            tables, with: [Proto.update(trip("t1", start: "08:00:00"), [Proto.call(1, departure: 300)])])
        #expect(
            await session.run("departures @A | first | get status") == "5min late (headway not exact)")
        #expect(await reason(session).contains("its delays are doubtful"))
    }
}
