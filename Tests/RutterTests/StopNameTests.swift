import Foundation
import PluginTestKit
import Testing

@testable import rutter

/// Names of stops as people write them: several stops of a name, identifiers with colons.
@Suite struct StopNameTests {
    private static let tables = [
        "agency.txt":
            "agency_id,agency_name,agency_url,agency_timezone\na,City,http://a.example,Europe/Berlin\n",
        "calendar.txt":
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\ns,1,1,1,1,1,1,1,20260101,20261231\n",
        "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\n",
        "trips.txt": "route_id,service_id,trip_id\nr,s,t1\nr,s,t2\n",
        "stop_times.txt":
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt1,08:00:00,08:00:00,x:1:A,1\nt1,08:30:00,08:30:00,D,2\n"
            + "t2,09:00:00,09:00:00,C,1\nt2,09:30:00,09:30:00,D,2\n",
        "stops.txt":
            "stop_id,stop_name,stop_lat,stop_lon\nx:1:A,Market,50,8\nB,Market,50.0003,8\nC,Market,50.0006,8\nD,Delta,50.06,8\n",
    ]

    private func session() async throws -> TestSession {
        let files = Self.tables.map { ("feed/" + $0.key, Data($0.value.utf8)) }
        let session = try TestSession(plugins: builtInPlugins)
        for (path, data) in files {
            let url = session.folder.url.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: url)
        }
        _ = await session.run("feed import feed")
        return session
    }

    /// Three stops of a name within 70 m: a bus leaves from one of them, so that boards and journeys ask alike.
    @Test func severalStopsOfANameAreAskedAbout() async throws {
        let session = try await session()
        let at = "--at 2026-03-10T07:55"
        #expect(await session.run("departures Market \(at)").contains("matches 3 stops"))
        #expect(await session.run("journey plan Market @D \(at)").contains("`Market` matches 3 places"))
        #expect(
            await session.run("journey plan 50.0006,8 @D --at 2026-03-10T08:30 | first | get departs")
                == "09:00")
    }

    @Test(arguments: ["@x:1:A", "@\"x:1:A\"", "'x:1:A'"])
    func identifiersWithColons(_ name: String) async throws {
        let session = try await session()
        let at = "--at 2026-03-10T07:55"
        #expect(await session.run("departures \(name) \(at) | first | get trip") == "t1")
        #expect(await session.run("journey plan \(name) @D \(at) | first | get departs") == "08:00")
    }
}
