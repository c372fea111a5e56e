import PluginTestKit
import Testing

@testable import TransitPlugin

/// Boards of arrivals; expected rows are by hand.
@Suite struct ArrivalTests {
    private func board(_ session: TestSession, _ stop: String, _ columns: String = "time from trip") async
        -> [String]
    {
        await session.run("arrivals @\(stop) --within 3h | select \(columns) | to csv")
            .split(separator: "\n").dropFirst().map { $0.replacingOccurrences(of: ",", with: " ") }
    }

    @Test func lastCallsAreArrivalsAndFirstOnesAreNot() async throws {
        let session = try await StreetFeed.session()
        #expect(
            await board(session, "D") == ["08:30 Alpha t1", "08:40 Alpha u1", "09:30 Alpha t2"])
        #expect(await board(session, "C") == ["08:20 Alpha t1", "09:20 Alpha t2"])
        #expect(await board(session, "A").isEmpty)
        #expect(
            await session.run("arrivals @A").contains(
                "No upcoming arrivals at this time; the timetable has no later one"))
        #expect(
            await session.run("arrivals @D --at 10:00 --within 1h").contains("2026-02-07 08:30, 1 from Alpha")
        )
        #expect(await session.run("arrivals @D | first | trip show | get trip") == "t1")
    }

    @Test func callsWithoutAlightingAreNoArrivals() async throws {
        var tables = StreetFeed.tables()
        let times = (tables["stop_times.txt"] ?? "").split(separator: "\n")
        tables["stop_times.txt"] =
            times.enumerated().map { index, line in
                "\(line),\(index == 0 ? "drop_off_type" : line.hasPrefix("t1") && line.contains(",C,") ? "1" : "")"
            }.joined(separator: "\n") + "\n"
        let session = try await StreetFeed.session(tables)
        #expect(await board(session, "C") == ["09:20 Alpha t2"])
    }

    @Test func alightingOnRequestIsSaid() async throws {
        var tables = StreetFeed.tables()
        let times = (tables["stop_times.txt"] ?? "").split(separator: "\n")
        tables["stop_times.txt"] =
            times.enumerated().map { index, line in
                "\(line),\(index == 0 ? "drop_off_type" : line.hasPrefix("t1") && line.contains(",C,") ? "3" : "")"
            }.joined(separator: "\n") + "\n"
        let session = try await StreetFeed.session(tables)
        #expect(await session.run("arrivals @C | first | get note") == "tell the driver where to alight")
    }

    /// The expected arrival and not the departure counts; cancelled runs and skipped calls are listed as such.
    @Test func realtime() async throws {
        let event = Proto().number(1, 120)
        let call = Proto().number(1, 3).message(2, event).message(3, Proto().number(1, 600))
        let session = try await StreetFeed.session(with: [
            Proto.update(Proto.trip("t1", day: StreetFeed.day), [call, Proto.call(4, relationship: 1)]),
            Proto.update(Proto.trip("u1", day: StreetFeed.day, relationship: 3), []),
        ])
        #expect(
            await board(session, "C", "time expected trip status") == [
                "08:20 08:22 t1 \"2min late  ends here\"", "09:20  t2 Scheduled",
            ])
        #expect(
            await board(session, "D", "time expected trip status") == [
                "08:30  t1 Skipped", "08:40  u1 Cancelled", "09:30  t2 Scheduled",
            ])
    }

    /// A run that only the message has comes from its first stop.
    @Test func addedRuns() async throws {
        func call(_ stop: String, _ clock: String) -> Proto {
            let event = Proto().number(2, StreetFeed.moment(clock))
            return Proto().message(2, event).message(3, event).text(4, stop)
        }
        let session = try await StreetFeed.session(with: [
            Proto.update(Proto.trip("x1", relationship: 1), [call("B", "08:00"), call("D", "08:12")])
        ])
        #expect(await board(session, "D").first == "08:12 Beta x1")
    }

    /// The printed timetable has the expected times, what is not served, and added runs as columns.
    @Test func timetablesReadTheSameRuns() async throws {
        let session = try await StreetFeed.session(with: [
            Proto.update(
                Proto.trip("t1", day: StreetFeed.day),
                [Proto.call(2, departure: 360), Proto.call(3, relationship: 1)]),
            Proto.update(Proto.trip("t2", day: StreetFeed.day, relationship: 7), []),
        ])
        let text = await session.run("line timetable 1")
        #expect(text.contains("*: expected; x: not served") || text.contains("*: expected\nx: not served"))
        for row in ["Alpha  08:00", "Beta   08:16*", "Gamma  08:20x", "Delta  08:36*"] {
            #expect(text.contains(row))
        }
        #expect(!text.contains("09:00"))
        #expect(
            await session.run("line timetable 1 | get runs | to csv")
                == "trip,departs,arrives,status\nt1,08:00,08:36,6min late")
    }
}
