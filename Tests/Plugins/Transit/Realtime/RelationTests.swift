import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// The relations of trips to the timetable, and which run an update is about; expected times are by hand.
@Suite struct RelationTests {
    private static let day = StreetFeed.day

    private func trip(
        _ id: String = "", _ relation: Int = 0, route: String = "", direction: Int? = nil, start: String = "",
        day: String = Self.day
    ) -> Proto {
        var trip = Proto.trip(id, day: day, relationship: relation, start: start)
        if !route.isEmpty { trip = trip.text(5, route) }
        return direction.map { trip.number(6, $0) } ?? trip
    }

    /// A call with arrival and departure at a time, in another order of fields than `Proto.call`.
    private func call(
        _ sequence: Int? = nil, _ stop: String, _ clock: String, planned: String? = nil
    ) -> Proto {
        var event = Proto().number(2, StreetFeed.moment(clock))
        if let planned { event = event.number(4, StreetFeed.moment(planned)) }
        var call = Proto()
        if let sequence { call = call.number(1, sequence) }
        return call.message(2, event).message(3, event).text(4, stop)
    }

    private func why(_ session: TestSession) async -> [String] {
        await session.run("feed updates | select outcome why | to csv").split(separator: "\n").dropFirst()
            .map(String.init)
    }

    /// DUPLICATED leaves the original as it is; delays apply to the copy.
    @Test func duplicatesDoNotDelayTheOriginal() async throws {
        let copy = Proto().text(1, "copy").text(2, Self.day).text(3, "08:15:00")
        let update = Proto().message(1, trip("t1", 6)).message(2, Proto.call(2, departure: 60)).message(
            6, copy)
        let session = try await StreetFeed.session(with: [(3, update)])
        #expect(
            await StreetFeed.board(session, "B", 3) == [
                "08:10  t1 Scheduled", "08:25 08:26 copy \"Added  1min late\"", "09:10  t2 Scheduled",
            ])
        #expect(await session.run("trip show copy").contains("08:45         Delta  Added, 1min late"))
        #expect(try await session.output("trip show t1").contains("late") == false)
        #expect(
            await session.run("journey plan @A @D --at 08:10 | first").contains("08:46"))
    }

    @Test func replacedCallsAreNotServed() async throws {
        let update = Proto.update(
            trip("t1", 5), [call(1, "A", "08:05"), call(2, "E", "08:15"), call(3, "D", "08:25")])
        let session = try await StreetFeed.session(with: [update])
        #expect(await StreetFeed.board(session, "A", 1) == ["08:05 08:05 t1 Changed"])
        #expect(await StreetFeed.board(session, "E") == ["08:15 08:15 t1 Changed"])
        #expect(await StreetFeed.board(session, "B") == ["09:10  t2 Scheduled"])
        #expect(await session.run("trip show t1 | get calls | count") == "3")
        #expect(await session.run("journey plan @A @C --at 08:00 | first | get departs") == "09:00")
    }

    @Test func newTripsHaveTheirPlannedTimes() async throws {
        let update = Proto.update(
            trip("n1", 8, route: "r1"),
            [call(1, "A", "08:29", planned: "08:25"), call(2, "C", "08:44", planned: "08:40")])
        let session = try await StreetFeed.session(with: [update])
        #expect(await session.shown("departures @A | where trip == n1 | get time") == "08:25")
        #expect(await session.shown("departures @A | where trip == n1 | get expected") == "08:29")
        #expect(await session.run("trip show n1").contains("08:40         Gamma  Added, 4min late"))
    }

    /// A deleted trip is not shown, a cancelled one is shown as cancelled; neither can be ridden.
    @Test func deletedAndCancelled() async throws {
        let session = try await StreetFeed.session(with: [
            Proto.update(trip("t1", 7), []), Proto.update(trip("u1", 3), []),
        ])
        #expect(await StreetFeed.board(session, "A") == ["08:05  u1 Cancelled", "09:00  t2 Scheduled"])
        #expect(await session.run("journey plan @A @D --at 07:55 | first | get departs") == "09:00")
        #expect(await session.run("trip show t1").contains("the agency has withdrawn trip `t1`"))
    }

    /// A detour: from the stop before its change, with its own travel times and a delay afterwards.
    @Test func detours() async throws {
        let change = Proto().message(1, Proto().number(1, 3)).message(2, Proto().number(1, 3)).number(3, 120)
            .message(4, Proto().number(1, 660).text(2, "E"))
        let detour = Proto().message(1, Proto().text(1, "t1")).text(3, Self.day).message(4, change)
        let session = try await StreetFeed.session(with: [(8, detour)])
        #expect(await StreetFeed.board(session, "C") == ["09:20  t2 Scheduled"])
        #expect(await StreetFeed.board(session, "E") == ["08:21 08:21 t1 Changed"])
        #expect(await session.run("trip show t1").contains("08:32         Delta  Changed"))
    }

    @Test func unknownRelationsAreNotApplied() async throws {
        let session = try await StreetFeed.session(with: [
            Proto.update(trip("t1", 4), [Proto.call(1, departure: 600)])
        ])
        #expect(await StreetFeed.board(session, "A", 1) == ["08:00  t1 Scheduled"])
        #expect(await why(session) == ["refused,schedule_relationship 4 is unknown"])
        #expect(await session.run("departures @A").contains("1 update of the message not applied"))
    }

    // MARK: Matching

    @Test(arguments: ["", "stale"]) func byRouteAndStart(id: String) async throws {
        let session = try await StreetFeed.session(with: [
            Proto.update(trip(id, route: "r1", direction: 0, start: "08:00:00"), [call(nil, "A", "08:06")])
        ])
        #expect(await session.shown("departures @A | where trip == t1 | get expected") == "08:06")
        #expect(
            await session.run("feed realtime").contains("the only run of route r1 that starts at 08:00:00"))
    }

    /// As recorded in Seattle: a copy without an identity of its own, but with a start of its own.
    @Test func copiesThatAreNotIdentified() async throws {
        let update = Proto.update(trip("t1", 6, start: "08:15:00"), [call(2, "B", "08:27")])
        let session = try await StreetFeed.session(with: [update])
        #expect(
            await StreetFeed.board(session, "B", 3) == [
                "08:10  t1 Scheduled", "08:25 08:27 t1@08:15:00 \"Added  2min late\"", "09:10  t2 Scheduled",
            ])
        #expect(
            await session.run("feed updates | first | get why").contains("it does not identify the copy"))
        let same = try await StreetFeed.session(with: [
            Proto.update(trip("t1", 6, start: "08:00:00"), [call(2, "B", "08:27")])
        ])
        #expect(await same.run("feed updates | first | get outcome") == "refused")
    }

    /// As recorded in Washington: the calendar day for a trip of 24:05, which does not run on that day, or whose times are those of
    /// the night before.
    @Test(arguments: ["f", "s"]) func calendarDaysWithoutAStart(service: String) async throws {
        let tables = StreetFeed.tables([("n1", "r1", service, "0", "", "A 24:05;B 24:20;D 24:40")])
        // 2026-02-06 is a Friday; 24:20 is at 00:20 of the 7th.
        let session = try await StreetFeed.session(
            tables, at: "23:50",
            with: [
                Proto.update(trip("n1", day: "20260207"), [call(2, "B", "24:26")])
            ])
        #expect(
            await session.run("feed updates | first | get run") == "n1 of 2026-02-06 24:05:00")
        #expect(
            await session.run("feed updates | first | get why").contains(
                "its start_date is that of the calendar"))
        #expect(await StreetFeed.board(session, "B", 1) == ["00:20 00:26 n1 6min late"])
    }

    /// Identifiers of the subway of New York: those of messages are the ends of the timetable's, once for each kind of day.
    @Test func shortenedIdentifiers() async throws {
        let calls = "A 08:00;B 08:10;D 08:30"
        let tables = StreetFeed.tables([
            ("AFA-Weekday-00_048000_1..S03R", "r1", "f", "0", "", calls),
            ("AFA-Saturday-00_048000_1..S03R", "r1", "g", "0", "", calls),
            ("AFB_048000_2..S03R", "r1", "s", "0", "", calls),
            ("AFC_048000_2..S03R", "r1", "s", "0", "", calls),
        ])
        func session(_ id: String, _ route: String = "r1") async throws -> TestSession {
            try await StreetFeed.session(
                tables.merging([
                    "calendar_dates.txt": "service_id,date,exception_type\ng,20260207,1\n"
                ]) { $1 },
                with: [Proto.update(trip(id, route: route), [call(nil, "B", "08:15")])])
        }
        let found = try await session("048000_1..S03R")
        #expect(
            await found.run("feed updates | first | get run")
                == "AFA-Weekday-00_048000_1..S03R of 2026-02-06 08:00:00")
        #expect(await found.run("feed updates | first | get why").contains("ends so"))
        for other in [
            try await session("048000_2..S03R"), try await session("48000_1..S03R"),
            try await session("048000_1..S03R", "r2"),
        ] {
            #expect(await other.run("feed updates | first | get outcome") == "unknown trip")
        }
    }

    @Test func ambiguousStarts() async throws {
        let twins = StreetFeed.trips + [("t3", "r1", "s", "0", "", "A 08:00;C 08:15")]
        let session = try await StreetFeed.session(
            StreetFeed.tables(twins),
            with: [Proto.update(trip(route: "r1", start: "08:00:00"), [call(nil, "A", "08:06")])])
        #expect(await StreetFeed.board(session, "A", 2) == ["08:00  t1 Scheduled", "08:00  t3 Scheduled"])
        #expect(await why(session).first?.hasPrefix("ambiguous") == true)
    }

    /// A vehicle by headway may start beside the times of the headway, unless they are exact.
    @Test(arguments: [0, 1]) func startsBesideTheHeadway(exact: Int) async throws {
        let frequencies = [
            "frequencies.txt":
                "trip_id,start_time,end_time,headway_secs,exact_times\nt1,07:00:00,10:00:00,900,\(exact)\n"
        ]
        let session = try await StreetFeed.session(
            StreetFeed.tables(StreetFeed.trips, frequencies),
            with: [Proto.update(trip("t1", 2, start: "07:52:10"), [call(2, "B", "08:07")])])
        let board = await StreetFeed.board(session, "B", 3)
        #expect(board.contains("08:07 08:07 t1 Added") == (exact == 0))
        #expect(board.contains { $0.hasPrefix("08:10  t1") })
    }

    @Test func daysWithoutService() async throws {
        let session = try await StreetFeed.session(with: [
            Proto.update(trip("t1", day: "20270101"), [Proto.call(1, departure: 300)])
        ])
        #expect(await StreetFeed.board(session, "A", 1) == ["08:00  t1 Scheduled"])
        #expect(await why(session) == ["no run,trip t1 does not run on 2027-01-01"])
    }

    /// Without a date the run is the one that the times fit: here that of the day before.
    @Test func yesterdaysRun() async throws {
        let tables = StreetFeed.tables([("t1", "r1", "s", "0", "", "A 06:00;B 18:00;C 31:40;D 33:00")])
        let session = try await StreetFeed.session(
            tables, at: "07:30", with: [Proto.update(trip("t1", day: ""), [call(nil, "C", "07:55")])])
        #expect(await StreetFeed.board(session, "C") == ["07:40 07:55 t1 15min late"])
        #expect(try await session.output("trip show t1 --at 2026-02-06").contains("early") == false)
    }

    /// Two runs of one trip are under way, and nothing tells which is late.
    @Test func undatedDelayOfTwoRuns() async throws {
        let tables = StreetFeed.tables([("t1", "r1", "s", "0", "", "A 06:00;B 18:00;C 31:40;D 33:00")])
        let session = try await StreetFeed.session(
            tables, at: "07:30", with: [Proto.update(trip("t1", day: ""), [Proto.call(3, departure: 900)])])
        #expect(await StreetFeed.board(session, "C") == ["07:40  t1 Scheduled"])
        #expect(await why(session).first?.hasPrefix("ambiguous") == true)
    }

    @Test func secondVisitOfALoop() async throws {
        let tables = StreetFeed.tables([("t1", "r1", "s", "0", "", "A 08:00;B 08:10;C 08:20;A 08:30;D 08:40")]
        )
        let calls = [call(nil, "C", "08:21"), call(nil, "A", "08:33"), call(nil, "D", "08:44")]
        let session = try await StreetFeed.session(
            tables, at: "08:15", with: [Proto.update(trip("t1"), calls)])
        #expect(await StreetFeed.board(session, "A") == ["08:30 08:33 t1 3min late"])
        let doubtful = try await StreetFeed.session(
            tables, at: "08:15", with: [Proto.update(trip("t1"), [Proto.call(stop: "A", departure: 180)])])
        #expect(await StreetFeed.board(doubtful, "A") == ["08:30  t1 Scheduled"])
        #expect(await why(doubtful).first?.contains("more than once") == true)
    }

    @Test func sequencesThatContradictTheStops() async throws {
        let session = try await StreetFeed.session(with: [
            Proto.update(
                trip("t1"),
                [Proto.call(0, stop: "A", departure: 120), Proto.call(1, stop: "B", departure: 180)])
        ])
        #expect(await StreetFeed.board(session, "A", 1) == ["08:00 08:02 t1 2min late"])
        #expect(await StreetFeed.board(session, "B", 1) == ["08:10 08:13 t1 3min late"])
        #expect(await session.run("feed realtime").contains("its stop_sequence contradicts its stops"))
    }

    @Test func timesThatRunBackwards() async throws {
        let session = try await StreetFeed.session(with: [
            Proto.update(trip("t1"), [call(1, "A", "08:40"), call(3, "C", "08:22")])
        ])
        #expect(await StreetFeed.board(session, "A", 1) == ["08:00  t1 Scheduled"])
        #expect(await why(session) == ["refused,\"it is at C 18min before it is at A, an earlier stop\""])
    }

    /// A call without data lies between those beside it: that is a bound, not a prediction.
    @Test func noShownTimeRunsBackwards() async throws {
        let late = Proto.update(trip("t1"), [Proto.call(1, departure: 1500), Proto.call(2, relationship: 2)])
        let session = try await StreetFeed.session(with: [late])
        let status = "departures @B | where trip == t1 | first | get status"
        #expect(await session.run(status) == "No data, perhaps 25min late")
        let early = Proto.update(trip("t1"), [call(3, "C", "08:04")])
        let other = try await StreetFeed.session(with: [early])
        #expect(await other.run(status) == "No data, perhaps 6min early")
    }

    @Test func theNewestUpdateCounts() async throws {
        func update(_ delay: Int, _ time: String) -> (field: Int, message: Proto) {
            let made = Proto.update(trip("t1"), [Proto.call(1, departure: delay)])
            return (made.field, made.message.number(4, StreetFeed.moment(time)))
        }
        let session = try await StreetFeed.session(with: [update(900, "07:50"), update(60, "07:54")])
        #expect(await StreetFeed.board(session, "A", 1) == ["08:00 08:01 t1 1min late"])
        // Of one time, and different: neither.
        let other = try await StreetFeed.session(with: [update(900, "07:54"), update(60, "07:54")])
        #expect(await StreetFeed.board(other, "A", 1) == ["08:00  t1 Scheduled"])
        // Measured an hour ago, in a message of now.
        let old = try await StreetFeed.session(with: [update(420, "06:55")])
        #expect(await StreetFeed.board(old, "A", 1) == ["08:00  t1 Scheduled"])
        #expect(await old.run("departures @A").contains("measured more than 10min ago not used"))
    }

    // MARK: Runs that the timetable does not have

    @Test func addedTripsWithoutRoute() async throws {
        let session = try await StreetFeed.session(with: [
            Proto.update(trip("x1", 1), [call(1, "A", "07:58"), call(2, "D", "08:15")])
        ])
        #expect(await StreetFeed.board(session, "A", 1) == ["07:58 07:58 x1 Added"])
        #expect(await session.run("journey plan @A @D | first | get arrives") == "08:15")
        #expect(await session.run("trip show x1").contains("08:15         Delta"))
    }

    @Test func addedTripsWithArrivalsAlone() async throws {
        func arrival(_ stop: String, _ clock: String) -> Proto {
            Proto().message(2, Proto().number(2, StreetFeed.moment(clock))).text(4, stop)
        }
        let session = try await StreetFeed.session(with: [
            Proto.update(
                trip("x9", 1, route: "r2"),
                [arrival("A", "08:12"), arrival("B", "08:18"), arrival("D", "08:30")])
        ])
        #expect(await session.shown("departures @B | where trip == x9 | get expected") == "08:18")
    }

    /// One vehicle makes both trips: the second cannot leave before the first arrives.
    @Test func lateVehicles() async throws {
        let tables = StreetFeed.tables([
            ("t1", "r1", "s", "0", "v", "A 08:00;D 08:30"), ("u1", "r2", "f", "1", "v", "D 08:35;A 09:05"),
        ])
        let session = try await StreetFeed.session(
            tables, at: "08:20", with: [Proto.update(trip("t1"), [Proto.call(2, departure: 1800)])])
        #expect(await StreetFeed.board(session, "D") == ["08:35 09:00 u1 25min late (vehicle)"])
        #expect(await session.run("departures @D | get update").contains("makes trip t1 before"))
    }
}
