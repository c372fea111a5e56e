import PluginTestKit
import Testing

@testable import TransitPlugin

/// Vehicles that stand where they should long have left, in messages without updates of their trips. Expected rows are by hand:
/// t1 is at A 08:00, B 08:10, C 08:20, D 08:30.
@Suite struct VehicleProgressTests {
    /// A position: the call, the status (1 at the stop, 2 on the way to it) and the time.
    private static func vehicle(
        _ sequence: Int?, status: Int?, at clock: String, stop: String = "", trip: String = "t1"
    ) -> (field: Int, message: Proto) {
        var made = Proto().message(1, Proto.trip(trip, day: StreetFeed.day))
        if let sequence { made = made.number(3, sequence) }
        if let status { made = made.number(4, status) }
        made = made.number(5, StreetFeed.moment(clock))
        return (4, stop.isEmpty ? made : made.text(7, stop))
    }

    /// At 08:25 the vehicle still stands at B: it is to leave C, and the board of C has it.
    @Test func aVehicleThatHasNotLeft() async throws {
        let session = try await StreetFeed.session(
            at: "08:25", with: [Self.vehicle(2, status: 1, at: "08:24", stop: "B")])
        #expect(
            await StreetFeed.board(session, "C") == [
                "08:20 08:34 t1 14min late (vehicle)", "09:20  t2 Scheduled",
            ])
        #expect(await session.run("trip show t1").contains("14min late (vehicle)"))
        #expect(await session.run("journey plan @C @D --at 08:26 | first | get departs") == "08:34")
    }

    /// On the way to C at 08:24 by the message: four minutes late there; without a status it is on the way.
    @Test(arguments: [2, 0, -1]) func aVehicleThatHasNotArrived(status: Int) async throws {
        let session = try await StreetFeed.session(
            at: "08:24", with: [Self.vehicle(3, status: status < 0 ? nil : status, at: "08:24")])
        #expect(await StreetFeed.board(session, "C", 1) == ["08:20 08:24 t1 4min late (vehicle)"])
    }

    /// What says nothing of lateness: in time, at its end, another stop than its call, no number of a call,
    /// measured long ago.
    @Test(arguments: [
        (3, 2, "08:19", ""), (4, 1, "08:24", ""), (2, 1, "08:24", "D"), (0, 1, "08:24", "B"),
        (2, 1, "08:13", ""), (9, 1, "08:24", ""),
    ])
    func nothingIsDerived(sequence: Int, status: Int, clock: String, stop: String) async throws {
        let entity = Self.vehicle(sequence == 0 ? nil : sequence, status: status, at: clock, stop: stop)
        let session = try await StreetFeed.session(at: "08:24", with: [entity])
        #expect(!(await session.run("trip show t1").contains("late")))
    }

    /// An update of the trip counts, whatever its vehicle says.
    @Test func anUpdateStandsBeforeThePosition() async throws {
        let update = Proto.update(Proto.trip("t1", day: StreetFeed.day), [Proto.call(2, departure: 300)])
        let session = try await StreetFeed.session(
            at: "08:12", with: [update, Self.vehicle(2, status: 1, at: "08:12")])
        #expect(await StreetFeed.board(session, "C", 1) == ["08:20 08:25 t1 5min late"])
    }
}
