import PluginTestKit
import Testing

@testable import TransitPlugin

/// Stops that only a message has (`Stop` entities): platforms that become known on the day, temporary stops of detours. Expected
/// rows are by hand.
@Suite struct MessageStopTests {
    private static let stops =
        "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\nA,Alpha,50,8,,\nS,Central,50.1,8,1,\n"
        + "S0,Central,50.1,8,0,S\nB,Beta,50.2,8,,\n"

    private static let trips: [StreetFeed.Trip] = [
        ("F", "r1", "s", "0", "", "A 10:00;S0 10:30;B 11:00"), ("G", "r1", "s", "0", "", "A 11:00;B 12:00"),
    ]

    private static func text(_ words: String) -> Proto { Proto().message(1, Proto().text(1, words)) }

    private static func stop(
        _ id: String, _ name: String = "", at: (Float, Float)? = nil, parent: String = "",
        platform: String = ""
    ) -> (field: Int, message: Proto) {
        var stop = Proto().text(1, id)
        if !name.isEmpty { stop = stop.message(3, text(name)) }
        if let at { stop = stop.float(6, at.0).float(7, at.1) }
        if !parent.isEmpty { stop = stop.text(11, parent) }
        return (7, platform.isEmpty ? stop : stop.message(15, text(platform)))
    }

    private func session(_ entities: [(field: Int, message: Proto)]) async throws -> TestSession {
        try await StreetFeed.session(
            StreetFeed.tables(Self.trips, ["stops.txt": Self.stops]), at: "09:00", with: entities)
    }

    private static func moved(_ platform: String) -> (field: Int, message: Proto) {
        Proto.update(
            Proto.trip("F", day: StreetFeed.day), [Proto.call(2, departure: 60, platform: platform)])
    }

    /// The train stands on the boards of its station and of the platform that the timetable has, as a trip and as a leg.
    @Test func aPlatformThatOnlyTheMessageKnows() async throws {
        let session = try await session([
            Self.moved("S9"), Self.stop("S9", parent: "S", platform: "9"),
        ])
        for board in ["S", "S0"] {
            let row = await session.run("departures @\(board) | first | get platform")
            #expect(row == "9", "\(board): \(row)")
        }
        #expect(await session.run("trip show F").contains("pl. 9"))
        #expect(await session.run("feed updates | first | get outcome") == "applied")
        let leg = await session.run("journey plan @S @B --at 10:00 | first | get legs | to json")
        #expect(leg.contains("Central, platform 9"), "\(leg)")
        #expect(leg.contains("10:31"), "\(leg)")
    }

    /// An added train at a platform of the message is on its station's board.
    @Test func addedAtAPlatformOfTheMessage() async throws {
        func call(_ stop: String, _ clock: String) -> Proto {
            let event = Proto().number(2, StreetFeed.moment(clock))
            return Proto().message(2, event).message(3, event).text(4, stop)
        }
        let session = try await session([
            Proto.update(Proto.trip("x", relationship: 1), [call("S9", "09:40"), call("B", "09:55")]),
            Self.stop("S9", parent: "S", platform: "9"),
        ])
        let board = await session.run("departures @S | where trip == x | first | get platform")
        #expect(board == "9", "\(board)")
    }

    /// A platform far from the scheduled stop is no platform of it: the train is not on that stop's board.
    @Test func aPlatformElsewhereIsDoubtful() async throws {
        let session = try await session([Self.moved("X"), Self.stop("X", "Far", at: (50.3, 8))])
        #expect(!(await session.run("departures @S | get trip").contains("F")))
        #expect(await session.run("trip show F").contains("Far"))
        #expect(
            await session.run("feed updates | first | get why").contains(
                "is not at the scheduled one, Central")
        )
    }

    private static func detour(_ stop: String) -> (field: Int, message: Proto) {
        let change = Proto().message(1, Proto().number(1, 2)).message(2, Proto().number(1, 2)).number(3, 300)
            .message(4, Proto().number(1, 1900).text(2, stop))
        return (8, Proto().message(1, Proto().text(1, "F")).text(3, StreetFeed.day).message(4, change))
    }

    /// A detour to a temporary stop: the trip shows it, and the stop that it replaces has no train.
    @Test func aTemporaryStopOfADetour() async throws {
        let session = try await session([
            Self.detour("T"), Self.stop("T", "Works, north side", at: (50.11, 8.01)),
        ])
        let trip = await session.run("trip show F")
        #expect(trip.contains("10:31") && trip.contains("Works, north side"), "\(trip)")
        #expect(trip.contains("11:05"), "\(trip)")
        #expect(!(await session.run("departures @S | get trip").contains("F")))
        #expect(await session.run("journey plan @A @B --at 09:30 | first | get arrives") == "11:05")
    }

    /// Of a detour to stops that nobody describes the closed stop and the delay count all the same.
    @Test(arguments: [false, true])
    func aDetourToAnUnknownStop(isNamed: Bool) async throws {
        let session = try await session(
            [Self.detour("T")] + (isNamed ? [Self.stop("T", "Without a place")] : []))
        #expect(!(await session.run("departures @S | get trip").contains("F")))
        #expect(await session.run("journey plan @A @B --at 09:30 | first | get arrives") == "11:05")
        let why = await session.run("feed updates | first | get why")
        #expect(why == "a detour; its stop T is unknown: that call is not shown", "\(why)")
    }
}
