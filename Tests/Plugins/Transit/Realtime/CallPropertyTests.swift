import PluginTestKit
import Testing

@testable import TransitPlugin

/// What an update says of calls beside their times; expected rows are by hand.
@Suite struct CallPropertyTests {
    private func trip(_ id: String, _ relation: Int = 0) -> Proto {
        Proto.trip(id, day: StreetFeed.day, relationship: relation)
    }

    /// A call at a time, with both events.
    private func call(_ sequence: Int, _ stop: String, _ clock: String) -> Proto {
        let event = Proto().number(2, StreetFeed.moment(clock))
        return Proto().number(1, sequence).message(2, event).message(3, event).text(4, stop)
    }

    /// A call with the time of the timetable, and with properties of its own.
    private func call(
        _ sequence: Int, pickup: Int? = nil, dropOff: Int? = nil, headsign: String = "",
        occupancy: Int? = nil
    ) -> Proto {
        var own = Proto()
        if !headsign.isEmpty { own = own.text(2, headsign) }
        if let pickup { own = own.number(3, pickup) }
        if let dropOff { own = own.number(4, dropOff) }
        let call = Proto.call(sequence, departure: 0).message(6, own)
        return occupancy.map { call.number(7, $0) } ?? call
    }

    /// Boards, trips and journeys know where boarding and alighting are withdrawn.
    @Test func boardingWithdrawnByAnUpdate() async throws {
        let session = try await StreetFeed.session(with: [
            Proto.update(trip("t1"), [call(2, pickup: 1), call(3, pickup: 2, dropOff: 1)])
        ])
        #expect(await StreetFeed.board(session, "B") == ["09:10  t2 Scheduled"])
        #expect(await session.run("departures @C | first | get boarding") == "by phone")
        #expect(
            await session.run("trip show t1 | get calls | select boarding | to csv")
                .hasPrefix("boarding\nyes\nno\nby phone\n"))
        #expect(await session.run("journey plan @B @D --at 08:00 | first | get departs") == "09:10")
        #expect(await session.run("journey plan @A @C --at 07:55 | first | get departs") == "09:00")
        #expect(await session.run("journey plan @A @D --at 07:55 | first | get departs") == "08:00")
    }

    @Test func unknownBoardingIsThatOfTheTimetable() async throws {
        let session = try await StreetFeed.session(with: [Proto.update(trip("t1"), [call(2, pickup: 9)])])
        #expect(await session.run("departures @B | first | get boarding") == "yes")
        let why = await session.run("feed updates | select why | to csv")
        #expect(why.contains("its pickup_type 9 at B is unknown"))
    }

    /// Values without a name are said to be unknown; NO_DATA_AVAILABLE says nothing.
    @Test(arguments: [
        (0, "empty"), (3, "standing room only"), (5, "full"), (42, "unknown (42)"), (7, ""),
    ])
    func occupancy(value: Int, word: String) async throws {
        let session = try await StreetFeed.session(with: [
            Proto.update(trip("t1"), [call(2, occupancy: value)])
        ])
        guard !word.isEmpty else {
            #expect(try await session.output("departures @B").contains("occupancy") == false)
            return
        }
        #expect(await session.run("departures @B | first | get occupancy") == word)
        #expect(await session.run("trip show t1").contains(word))
        let boarding = await session.run(
            "journey plan @B @D --at 08:00 | first | get legs | first | get boarding")
        #expect(boarding.contains("expected: \(word)"))
    }

    /// One headsign on boards, trips and legs.
    @Test func headsignOfAnUpdate() async throws {
        let session = try await StreetFeed.session(with: [
            Proto.update(trip("t1"), [call(2, headsign: "Depot")])
        ])
        #expect(await session.run("departures @B | first | get headsign") == "Depot")
        #expect(await session.run("departures @A | first | get headsign") == "Delta")
        #expect(await session.run("trip show t1").contains("to Depot"))
        #expect(
            await session.run("journey plan @B @D --at 08:00 | first | get legs | first").contains("Depot"))
    }

    /// A call that replaces others has none of the facts of the first call of the timetable.
    @Test func replacingCallsHaveNoFactsOfOthers() async throws {
        var tables = StreetFeed.tables()
        tables["stop_times.txt"] =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,stop_headsign\n"
            + "t1,08:00:00,08:00:00,A,0,2,Beta centre\nt1,08:30:00,08:30:00,D,1,0,\n"
            + "t2,09:00:00,09:00:00,A,0,0,\nt2,09:30:00,09:30:00,D,1,0,\n"
        let session = try await StreetFeed.session(
            tables,
            with: [Proto.update(trip("t1", 5), [call(0, "E", "08:05"), call(1, "D", "08:25")])])
        #expect(await session.run("departures @E | first | get boarding") == "yes")
        #expect(await session.run("departures @E | first | get headsign") == "Delta")
    }
}
