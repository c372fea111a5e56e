import PluginTestKit
import Testing

@testable import TransitPlugin

/// Runs that messages move to platforms and stops at which no trip of the timetable calls; expected rows are by hand.
@Suite struct MovedCallTests {
    private static let stops =
        "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\nA,Alpha,50,8,,\nS,Central,50.1,8,1,\n"
        + "S1,Central,50.1,8,0,S\nS2,Central,50.1001,8,0,S\nS3,Central,50.1002,8,0,S\nB,Beta,50.2,8,,\nE,Echo,50.3,8,,\n"

    private static let trips: [StreetFeed.Trip] = [
        ("F", "r1", "s", "0", "", "A 10:00;S1 10:30"), ("G", "r2", "s", "0", "", "S2 10:40;B 11:00"),
        ("L", "r2", "s", "0", "", "S2 11:10;B 11:30"),
    ]

    private func session(_ rules: String = "", _ updates: [(field: Int, message: Proto)]) async throws
        -> TestSession
    {
        let transfers =
            "from_stop_id,to_stop_id,from_route_id,to_route_id,from_trip_id,to_trip_id,transfer_type,min_transfer_time\n"
        return try await StreetFeed.session(
            StreetFeed.tables(
                Self.trips,
                ["stops.txt": Self.stops].merging(rules.isEmpty ? [:] : ["transfers.txt": transfers + rules])
                { $1 }),
            at: "09:00", with: updates)
    }

    private func moved(_ trip: String, _ sequence: Int, _ platform: String) -> (field: Int, message: Proto) {
        Proto.update(
            Proto.trip(trip, day: StreetFeed.day), [Proto.call(sequence, departure: 0, platform: platform)])
    }

    private func arrival(_ session: TestSession, _ from: String, _ to: String) async -> String {
        await session.run("journey plan @\(from) @\(to) --at 09:30 | first | get arrives")
    }

    @Test func aPlatformWithoutTripsOfTheTimetable() async throws {
        let session = try await session("", [moved("F", 2, "S3")])
        #expect(await arrival(session, "A", "S") == "10:30")
        #expect(await arrival(session, "A", "B") == "11:00")
        let leaving = try await self.session("", [moved("G", 1, "S3")])
        #expect(await arrival(leaving, "S", "B") == "11:00")
    }

    @Test(arguments: [
        ("S,S,,,F,G,2,900\n", "11:30"), ("S,S,,,F,G,3,\n", "11:30"), ("S,S,r1,r2,,,2,900\n", "11:30"),
        ("S3,S2,,,F,,2,900\n", "11:30"),
    ])
    func rulesStayWithTheMovedTrip(rule: String, arrives: String) async throws {
        let session = try await session(rule, [moved("F", 2, "S3")])
        #expect(await arrival(session, "A", "B") == arrives)
    }

    @Test func addedRunsAtAStopThatNoTripServes() async throws {
        func call(_ stop: String, _ clock: String) -> Proto {
            let event = Proto().number(2, StreetFeed.moment(clock))
            return Proto().message(2, event).message(3, event).text(4, stop)
        }
        let session = try await session(
            "", [Proto.update(Proto.trip("x1", relationship: 1), [call("A", "09:40"), call("E", "09:55")])])
        #expect(await arrival(session, "A", "E") == "09:55")
    }

    /// A stop of another station is no change of platform: the update says so.
    @Test func anAssignedStopOfAnotherStationIsDoubtful() async throws {
        let session = try await session("", [moved("F", 2, "B")])
        #expect(
            await session.run("feed updates | first | get why").contains(
                "its stop B (Beta) is not at the scheduled one, Central"))
        let near = try await self.session("", [moved("F", 2, "S3")])
        #expect(!(await near.run("feed updates | first | get why").contains("is not at the scheduled one")))
    }

    /// A run of 24:30 that is named by the calendar day and the time of the clock is last night's.
    @Test func calendarDaysAfterMidnight() async throws {
        let session = try await StreetFeed.session(
            StreetFeed.tables([("n1", "r1", "s", "0", "", "A 24:30;B 24:50")]), at: "00:10",
            with: [
                Proto.update(
                    Proto.trip("n1", day: StreetFeed.day, relationship: 3, start: "00:30:00"), [])
            ])
        #expect(await session.run("departures @A | first | get status") == "Cancelled")
        #expect(await session.run("feed updates | first | get run") == "n1 of 2026-02-05 24:30:00")
    }

    /// A move that is written as two entries of one call, the planned stop SKIPPED; blanks around identifiers are none of them.
    @Test func movesInTwoEntries() async throws {
        let calls = [
            Proto.call(2, stop: "B", relationship: 1), Proto.call(2, stop: "E ", departure: 60),
            Proto.call(3, stop: "C", departure: 60),
        ]
        let session = try await StreetFeed.session(with: [
            Proto.update(Proto.trip(" t1 ", day: StreetFeed.day), calls)
        ])
        #expect(await StreetFeed.board(session, "E") == ["08:10 08:11 t1 1min late"])
        #expect(await StreetFeed.board(session, "B") == ["09:10  t2 Scheduled"])
        #expect(await session.run("journey plan @A @E --at 07:58 | first | get arrives") == "08:11")
        let why = await session.run("feed updates | first | get why")
        #expect(why.contains("its stop E (Echo) is not at the scheduled one, Beta"), "\(why)")
    }

    /// Where it moves to a stop that nobody knows, the planned one is skipped all the same.
    @Test func movesToUnknownStops() async throws {
        let calls = [
            Proto.call(2, stop: "B", relationship: 1), Proto.call(2, stop: "nowhere", departure: 60),
        ]
        let session = try await StreetFeed.session(with: [
            Proto.update(Proto.trip("t1", day: StreetFeed.day), calls)
        ])
        #expect(await StreetFeed.board(session, "B", 1) == ["08:10  t1 Skipped"])
        let why = await session.run("feed updates | first | get why")
        #expect(why.contains("its stop nowhere is unknown"), "\(why)")
    }

    /// When an alert is told and when it takes effect are two periods.
    @Test func periodsOfAlerts() async throws {
        func period(_ from: String, _ until: String) -> Proto {
            Proto().number(1, StreetFeed.moment(from)).number(2, StreetFeed.moment(until))
        }
        func alert(_ header: String, told: Proto, impact: Proto) -> (field: Int, message: Proto) {
            let text = Proto().message(1, Proto().text(1, header))
            return (
                5,
                Proto().message(2, told).message(3, impact).message(5, Proto().text(2, "r1")).message(
                    10, text)
            )
        }
        let session = try await StreetFeed.session(with: [
            alert("Past", told: period("05:00", "07:00"), impact: period("05:00", "07:00")),
            alert("Later", told: period("07:00", "08:00"), impact: period("08:50", "12:00")),
        ])
        #expect(await session.run("feed alerts | get header") == "Later")
        #expect(
            await session.run("departures @A | where trip == t2 | first | get alerts").contains("Later"))
        let rows = await session.run("departures @A | where trip == t1 | first | get alerts")
        #expect(!rows.contains("Later"))
    }

    /// The board of an entrance is that of its station; a stop without trips says so.
    @Test func boardsOfEntrancesAndUnservedStops() async throws {
        let session = try await StreetFeed.session(
            StreetFeed.tables(Self.trips, ["stops.txt": Self.stops + "E1,North door,50.1,8,2,S\n"]),
            at: "09:00")
        let board = await session.run("departures @E1")
        #expect(
            board.contains("10:40")
                && board.contains("North door is an entrance of Central, whose board this is"))
        #expect(await session.run("departures @E").contains("no trip of the timetable calls at Echo"))
    }

    /// Where nobody may alight the call says so.
    @Test func callsWithoutAlightingSaySo() async throws {
        var tables = StreetFeed.tables()
        tables["stop_times.txt"] =
            (tables["stop_times.txt"] ?? "").split(separator: "\n").enumerated().map {
                "\($1),\($0 == 0 ? "drop_off_type" : $1.hasPrefix("t1") && $1.contains(",B,") ? "1" : "")"
            }.joined(separator: "\n") + "\n"
        let session = try await StreetFeed.session(tables)
        #expect(await session.run("trip show t1").contains("Beta   no alighting"))
    }
}
