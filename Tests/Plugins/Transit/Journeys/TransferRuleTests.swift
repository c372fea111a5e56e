import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Rules of changes for routes and trips; the expected journeys are by hand.
@Suite struct TransferRuleTests {
    /// t1 reaches B at 08:10; from there u1 leaves at 08:12, u2 at 08:14 and w1, of another line, at 08:16.
    private static let trips: [StreetFeed.Trip] = [
        ("t1", "r1", "s", "0", "", "A 08:00;B 08:10"), ("u1", "r2", "s", "0", "", "B 08:12;D 08:40"),
        ("u2", "r2", "s", "0", "", "B 08:14;D 08:42"), ("w1", "r1", "s", "1", "", "B 08:16;D 08:44"),
    ]

    private func arrivals(_ rules: String, _ options: String = "--at 07:55") async throws -> String {
        let tables = StreetFeed.tables(
            Self.trips,
            [
                "transfers.txt":
                    "from_stop_id,to_stop_id,from_route_id,to_route_id,from_trip_id,to_trip_id,transfer_type,min_transfer_time\n"
                    + rules
            ])
        let session = try await StreetFeed.session(tables)
        return await session.shown("journey plan @A @D \(options) --until 08:00 | get arrives")
    }

    @Test(arguments: [
        ("", "08:40"),
        // Forbidden for two trips, for a trip, for a route, for two routes.
        ("B,B,,,t1,u1,3,\n", "08:42"), ("B,B,,,,u1,3,\n", "08:42"), ("B,B,,r2,,,3,\n", "08:44"),
        ("B,B,r1,r2,,,3,\n", "08:44"), ("B,B,r2,r1,,,3,\n", "08:40"),
        // Time for two routes: the change to u1 is too short.
        ("B,B,r1,r2,,,2,240\n", "08:42"), ("B,B,r1,r2,,,2,300\n", "08:44"),
        // The rule for the trips counts, not that for the stops, in either order.
        ("B,B,,,,,3,\nB,B,,,t1,u2,2,120\n", "08:42"), ("B,B,,,t1,u2,2,120\nB,B,,,,,3,\n", "08:42"),
        // A trip and a route before a trip, a trip before both routes, both before one.
        ("B,B,,r2,t1,,3,\nB,B,,,t1,,2,0\n", "08:44"), ("B,B,r1,r2,,,2,60\nB,B,,,t1,,3,\n", "none"),
        ("B,B,r1,,,,3,\nB,B,r1,r2,,,2,60\n", "08:40"),
        // A rule for other stops, and one for a trip that never comes here.
        ("A,B,,,t1,u1,3,\n", "08:40"), ("B,B,,,u1,t1,3,\n", "08:40"),
    ])
    func theMostSpecificRuleCounts(rules: String, arrives: String) async throws {
        let found = try await arrivals(rules)
        #expect(found == (arrives == "none" ? "" : arrives) || (arrives == "none" && !found.contains("08:4")))
    }

    /// The vehicle waits: a guaranteed change needs no time.
    @Test func guaranteedChanges() async throws {
        let trips = [Self.trips[0], ("u1", "r2", "s", "0", "", "B 08:10;D 08:40"), Self.trips[2]]
        let tables = StreetFeed.tables(
            trips,
            [
                "transfers.txt":
                    "from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type,min_transfer_time\nB,B,t1,u1,1,\n"
            ])
        let session = try await StreetFeed.session(tables)
        #expect(await session.run("journey plan @A @D | first | get arrives") == "08:40")
        #expect(
            await session.run("journey plan @A @D --arrive-by 08:41 | last | get departs") == "08:00")
    }
}
