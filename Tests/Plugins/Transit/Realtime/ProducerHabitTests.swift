import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Messages as some producers send them, against the reference; expected rows are by hand.
@Suite struct ProducerHabitTests {
    private func trip(_ id: String, route: String = "") -> Proto {
        let trip = Proto.trip(id, day: StreetFeed.day)
        return route.isEmpty ? trip : trip.text(5, route)
    }

    private func stop(_ sequence: Int, _ stop: String, _ clock: String) -> Proto {
        Proto().number(1, sequence).message(3, Proto().number(2, StreetFeed.moment(clock))).text(4, stop)
    }

    private func why(_ session: TestSession) async -> String {
        await session.run("feed updates | first | get why")
    }

    /// Two entries for one call: alike ones count once, of others neither is used, and the rest of the update is.
    @Test func repeatedEntries() async throws {
        let twice = try await StreetFeed.session(with: [
            Proto.update(trip("t1"), [stop(1, "A", "08:04"), stop(1, "A", "08:04"), stop(2, "B", "08:15")])
        ])
        #expect(await StreetFeed.board(twice, "A", 1) == ["08:00 08:04 t1 4min late"])
        #expect(await StreetFeed.board(twice, "B", 1) == ["08:10 08:15 t1 5min late"])
        let apart = try await StreetFeed.session(with: [
            Proto.update(
                trip("t1"),
                [
                    stop(1, "A", "08:04"), stop(2, "B", "08:15"), stop(2, "B", "08:12"),
                    stop(3, "C", "08:27"),
                ])
        ])
        #expect(await StreetFeed.board(apart, "A", 1) == ["08:00 08:04 t1 4min late"])
        // The delay before it goes on.
        #expect(await StreetFeed.board(apart, "B", 1) == ["08:10 08:14 t1 4min late"])
        #expect(await StreetFeed.board(apart, "C", 1) == ["08:20 08:27 t1 7min late"])
        #expect(await why(apart).contains("its 2 entries for B contradict each other: none is used"))
    }

    /// A number that the trip does not have is left out; numbers that all fit a call further are not trusted.
    @Test func unknownNumbers() async throws {
        let stray = try await StreetFeed.session(with: [
            Proto.update(trip("t1"), [Proto.call(1, departure: 240), Proto.call(99, departure: 60)])
        ])
        #expect(await StreetFeed.board(stray, "A", 1) == ["08:00 08:04 t1 4min late"])
        #expect(await why(stray).contains("no call with stop_sequence 99: that entry is not used"))
        let shifted = try await StreetFeed.session(with: [
            Proto.update(trip("t1"), [Proto.call(0, departure: 240), Proto.call(1, departure: 60)])
        ])
        #expect(await StreetFeed.board(shifted, "A", 1) == ["08:00  t1 Scheduled"])
        #expect(await shifted.run("feed updates | first | get outcome") == "refused")
    }

    /// One of two updates as new as each other cancels the run: nobody should wait for it.
    @Test func cancelledAndNot() async throws {
        let session = try await StreetFeed.session(with: [
            Proto.update(trip("t1"), [Proto.call(1, departure: 240)]),
            Proto.update(Proto.trip("t1", day: StreetFeed.day, relationship: 3), []),
        ])
        #expect(await StreetFeed.board(session, "A", 1) == ["08:00  t1 Cancelled"])
        let whys = await session.run("feed updates | select why | to csv")
        #expect(whys.contains("update e1 of the same run, as new, cancels it"))
        #expect(whys.contains("another update of the run, as new, does not cancel it"))
    }

    /// An identifier with the agency before it, or that is a part of the timetable's.
    @Test func identifiersOfAnotherForm() async throws {
        let prefixed = try await StreetFeed.session(with: [
            Proto.update(trip("a_t1"), [Proto.call(1, departure: 240)])
        ])
        #expect(await StreetFeed.board(prefixed, "A", 1) == ["08:00 08:04 t1 4min late"])
        #expect(await why(prefixed).contains("its end is trip t1 of the same agency"))
        // Neither the agency nor the route is that of the trip.
        let foreign = try await StreetFeed.session(with: [
            Proto.update(trip("b_t1"), [Proto.call(1, departure: 240)])
        ])
        #expect(await StreetFeed.board(foreign, "A", 1) == ["08:00  t1 Scheduled"])
        let calls = "A 08:00;B 08:10;D 08:30"
        let tables = StreetFeed.tables([
            ("AFA-Weekday-00_048000_1..S03R", "r1", "s", "0", "", calls),
            ("AFA-Weekday-00_058000_1..S03R", "r1", "s", "0", "", "A 09:00;D 09:30"),
        ])
        let part = try await StreetFeed.session(
            tables, with: [Proto.update(trip("048000_1..S", route: "r1"), [stop(2, "B", "08:15")])])
        #expect(
            await part.run("feed updates | first | get run")
                == "AFA-Weekday-00_048000_1..S03R of 2026-02-06 08:00:00")
        #expect(await why(part).contains("has it as a part"))
        // Not cut within a number.
        let cut = try await StreetFeed.session(
            tables, with: [Proto.update(trip("048000_1..S0", route: "r1"), [stop(2, "B", "08:15")])])
        #expect(await cut.run("feed updates | first | get outcome") == "unknown trip")
    }

    /// Without a time of the message, that of its newest part is taken; without any its age is unknown.
    @Test func messagesWithoutATime() async throws {
        let call = Proto.call(1, departure: 240)
        let own = Proto().message(1, trip("t1")).message(2, call).number(4, StreetFeed.now - 30)
        let session = try await StreetFeed.session()
        func file(_ update: Proto) -> [UInt8] {
            Proto().message(1, Proto().text(1, "2.0"))
                .message(2, Proto().text(1, "u").message(3, update)).bytes
        }
        let path = session.folder.url.appendingPathComponent("undated.pb")
        try Data(file(own)).write(to: path)
        #expect(await session.run("feed realtime undated.pb").contains("that of its newest part is taken"))
        #expect(await StreetFeed.board(session, "A", 1) == ["08:00 08:04 t1 4min late"])
        try Data(file(Proto().message(1, trip("t1")).message(2, call))).write(to: path)
        #expect(await session.run("feed realtime undated.pb").contains("has no timestamp"))
    }

    /// A train without a word of its own has those of its carriages, in the order of travel; two vehicles of a run may differ.
    @Test func carriagesAndCoupledVehicles() async throws {
        func vehicle(_ facts: Proto) -> (field: Int, message: Proto) {
            (4, Proto().message(1, trip("t1")).number(5, StreetFeed.now).with(facts))
        }
        let cars = Proto().message(11, Proto().text(2, "B").number(3, 5).number(5, 2))
            .message(11, Proto().number(4, 20).number(5, 1))
        let train = try await StreetFeed.session(with: [vehicle(cars)])
        #expect(
            await train.run("departures @A | first | get occupancy") == "car 1: 20 % full, car B: full now")
        // A place that two have is none: the first of the list is the first of the train.
        let same = Proto().message(11, Proto().number(4, 70).number(5, 1))
            .message(11, Proto().number(4, 10).number(5, 1))
        let unplaced = try await StreetFeed.session(with: [vehicle(same)])
        #expect(
            await unplaced.run("departures @A | first | get occupancy")
                == "car 1: 70 % full, car 2: 10 % full now")
        let coupled = try await StreetFeed.session(with: [
            vehicle(Proto().number(9, 1)), vehicle(Proto().number(9, 5)),
        ])
        #expect(
            await coupled.run("departures @A | first | get occupancy") == "different in its vehicles now")
    }

    /// All buses are those of route type 3 and of the extended types from 700 on; local buses are not all buses.
    @Test func routeTypesOfAlerts() {
        #expect(TransitMode.isSame(3, asked: 3))
        #expect(TransitMode.isSame(700, asked: 3))
        #expect(TransitMode.isSame(3, asked: 704))
        #expect(TransitMode.isSame(700, asked: 716))
        #expect(!TransitMode.isSame(704, asked: 3))
        #expect(!TransitMode.isSame(704, asked: 700))
        #expect(!TransitMode.isSame(2, asked: 704))
        #expect(!TransitMode.isSame(5, asked: 0))
        #expect(!TransitMode.isSame(1700, asked: 3))
    }
}

extension Proto {
    /// The same message with the fields of another.
    fileprivate func with(_ other: Proto) -> Proto { Proto(bytes: bytes + other.bytes) }
}
