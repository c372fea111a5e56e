import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Imports set invalid lines aside and account for them; what would not be a timetable is refused.
@Suite struct AccountTests {
    private func session(_ changes: [String: String?]) async throws -> TestSession {
        let session = try TestSession(plugins: { [TransitPlugin()] })
        let folder = session.folder.url.appendingPathComponent("street", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in StreetFeed.tables() {
            guard let text = changes[name] ?? .some(text) else { continue }
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        return session
    }

    private static let badTimes =
        (StreetFeed.tables()["stop_times.txt"] ?? "") + "t2,09:40:00,09:40:00,ZZ,5\n"

    @Test func aBadLineIsSetAsideAndListed() async throws {
        let session = try await session(["stop_times.txt": Self.badTimes])
        #expect(await session.run("feed import street --strict").contains("stop_times.txt, line 12"))
        #expect(await session.run("feed show").contains("E-TRANSIT-NOFEED"))
        let account = await session.run("feed import street")
        #expect(account.contains("unknown stop_id `ZZ`"))
        #expect(account.contains("12"))
        #expect(await session.run("departures @A --at 2026-02-06T07:55 | count") != "0")
    }

    @Test func withoutATableItIsNoTimetable() async throws {
        let session = try await session(["routes.txt": nil])
        #expect(await session.run("feed import street").contains("E-GTFS-FILE"))
        let unknown = try await self.session([
            "agency.txt":
                "agency_id,agency_name,agency_url,agency_timezone\na,A,http://a.example,Nowhere/Town\n"
        ])
        #expect(await unknown.run("feed import street").contains("E-GTFS-ZONE"))
    }

    /// Problems of a line may be found in several passes over a table.
    @Test func aLineIsCountedOnce() throws {
        var counts = FeedRowCounts()
        counts.note(.stopTimes, line: 5, FeedFault(nil, "a value"), .repaired)
        counts.note(.stopTimes, line: 6, FeedFault(nil, "another"), .dropped)
        counts.note(.stopTimes, line: 5, FeedFault(nil, "a time"), .dropped)
        counts.note(.stopTimes, line: 6, FeedFault(nil, "again"), .dropped)
        for line in 5...7 { counts.skip(.stopTimes, line: line) }
        counts.count(.stopTimes, 10)
        let part = try #require(counts.parts(of: nil).first)
        #expect(part.addsUp)
        #expect(
            part.words
                == "10 stop_times.txt lines: 7 used, 2 left out (other problems), 1 left out (of skipped trips)"
        )
        #expect(part.entries.first?.first == ["line 6: another", "line 5: a time"])
    }

    @Test func linesOfASkippedTripAreNotUsed() async throws {
        let trips = (StreetFeed.tables()["trips.txt"] ?? "").replacing("r1,s,t1", with: "r1,none,t1")
        #expect(trips.contains("none"))
        let session = try await session(["trips.txt": trips])
        #expect(await session.run("feed import street | get account.words").contains("(of skipped trips)"))
    }

    @Test func nothingRemains() async throws {
        let times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt1,8.00,8.00,A,1\n"
        let session = try await session(["stop_times.txt": times])
        #expect(await session.run("feed import street").contains("no trip remains"))
        #expect(try await session.output("feed import street --lenient").contains("E-GTFS-ROW") == false)
    }
}
