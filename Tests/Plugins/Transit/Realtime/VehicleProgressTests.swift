import PluginTestKit
import Testing

@testable import TransitPlugin

/// Vehicles that stand where they should long have left, in messages without updates of their trips. Expected rows are by hand:
/// t1 is at A 08:00, B 08:10, C 08:20, D 08:30.
@Suite struct VehicleProgressTests {
    /// A position: the call, the status (1 at the stop, 2 on the way to it) and the time.
    private static func vehicle(
        _ sequence: Int?, status: Int?, at clock: String, stop: String = "", relationship: Int = 0,
        start: String = "", place: (latitude: Float, longitude: Float)? = nil
    ) -> (field: Int, message: Proto) {
        let trip = Proto.trip("t1", day: StreetFeed.day, relationship: relationship, start: start)
        var made = Proto().message(1, trip)
        if let place {
            made = made.message(2, Proto().float(1, place.latitude).float(2, place.longitude))
        }
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
        #expect(await session.run("feed updates | where kind == POSITION | get why").contains("is still at"))
        #expect(await session.shown("feed realtime | get applied") == "0")
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

    /// A vehicle of a run beside the timetable (ADDED, DUPLICATED, NEW) or of one that does not run as planned (CANCELED, REPLACEMENT,
    /// DELETED) says nothing of the trip as it is planned.
    @Test(arguments: [1, 3, 5, 6, 7, 8]) func vehiclesOfOtherRuns(relationship: Int) async throws {
        let entity = Self.vehicle(2, status: 1, at: "08:24", relationship: relationship, start: "08:15:00")
        let session = try await StreetFeed.session(at: "08:24", with: [entity])
        #expect(!(await session.run("trip show t1").contains("late")))
    }

    /// Of two vehicles of a run the newer one decides: at 08:20 one stood at B, at 08:24 the other is on the way to D, in time.
    /// Where both are as new, neither does.
    @Test(arguments: [false, true], ["08:20", "08:24"])
    func twoVehiclesOfARun(isReversed: Bool, clock: String) async throws {
        let entities = [Self.vehicle(2, status: 1, at: clock), Self.vehicle(4, status: 2, at: "08:24")]
        let session = try await StreetFeed.session(
            at: "08:24", with: isReversed ? entities.reversed() : entities)
        #expect(!(await session.run("trip show t1").contains("late")))
    }

    /// The times of a headway without exact times are none from which a vehicle could be late.
    @Test func headwaysAreNotExact() async throws {
        let headway =
            "trip_id,start_time,end_time,headway_secs,exact_times\nt1,08:00:00,09:00:00,1200,0\n"
        let session = try await StreetFeed.session(
            StreetFeed.tables(StreetFeed.trips, ["frequencies.txt": headway]), at: "08:24",
            with: [Self.vehicle(3, status: 2, at: "08:24", start: "08:00:00")])
        let status = await session.run("departures @C | first | get status")
        #expect(status == "4min late (vehicle) (headway not exact)")
    }

    /// A vehicle that is said to stand at B, 4 km or 500 km from it: it makes nothing late.
    @Test(arguments: [(50.021, true), (50.06, false), (54.5, false)] as [(Float, Bool)])
    func aVehicleFarFromItsStop(latitude: Float, isUsed: Bool) async throws {
        let entity = Self.vehicle(2, status: 1, at: "08:24", stop: "B", place: (latitude, 8))
        let session = try await StreetFeed.session(at: "08:25", with: [entity])
        #expect(await session.run("trip show t1").contains("14min late") == isUsed)
        #expect(await session.run("feed updates | first | get outcome") == (isUsed ? "applied" : "refused"))
        #expect(await session.run("feed vehicles").contains("note") != isUsed)
        let note = await session.run("feed vehicles | first | get note")
        #expect(note.contains("km from the stop") != isUsed, "\(note)")
    }

    /// Places that cannot be are said; zeros are those of a receiver without a fix.
    @Test(arguments: [
        (Float(95), Float(200), "its place 95.0,200.0 is impossible"),
        (0, 0, "its place is 0,0: the receiver had none"),
    ])
    func impossiblePlaces(latitude: Float, longitude: Float, note: String) async throws {
        let entity = Self.vehicle(2, status: 1, at: "08:09", place: (latitude, longitude))
        let session = try await StreetFeed.session(at: "08:09", with: [entity])
        #expect(await session.run("feed vehicles | first | get note") == note)
    }

    /// An update of the trip counts, whatever its vehicle says.
    @Test func anUpdateStandsBeforeThePosition() async throws {
        let update = Proto.update(Proto.trip("t1", day: StreetFeed.day), [Proto.call(2, departure: 300)])
        let session = try await StreetFeed.session(
            at: "08:12", with: [update, Self.vehicle(2, status: 1, at: "08:12")])
        #expect(await StreetFeed.board(session, "C", 1) == ["08:20 08:25 t1 5min late"])
    }
}
