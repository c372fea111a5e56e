import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// A program receives the facts that the terminal shows: in the rows or in their note.
@Suite struct PipeTests {
    /// 2026-02-06T09:00 in Zurich, the time of test sessions.
    private static let now = Int(TestSession.Settings.start.seconds)

    @Test func aCancelledTrip() async throws {
        let message = Proto.feed(
            Self.now, [Proto.update(Proto.trip("d", day: "20260206", relationship: 3), [])])
        let session = try await ValleyFeed.session(
            files: ["rt.pb": Data(message.bytes)], isPipe: true)
        try await session.value("feed realtime rt.pb")
        let result = await session.result("trip show d --at 2026-02-06")
        let lines = result.output.split(separator: "\n")
        #expect(
            lines.first
                == "stop\tplatform\tarrives\tdeparts\tboarding\tstopId\texpectedArrival\texpectedDeparture\tstatus"
        )
        #expect(lines.dropFirst().first == "Alpha\t\t\t08:00\tyes\tA\t\t\tCancelled")
        #expect(
            result.notes == [
                "1 to Gamma, trip d, Friday 2026-02-06; realtime of 2026-02-06 09:00, less than a minute old"
            ])
    }

    @Test func aDayWithoutService() async throws {
        let session = try await ValleyFeed.session(isPipe: true)
        let trip = await session.result("trip show x --at 2026-02-12")
        #expect(trip.output.hasPrefix("stop\tplatform\tarrives\tdeparts\tboarding\tstopId\nAlpha"))
        #expect(
            trip.notes == ["1 to Beta, trip x, Thursday 2026-02-12; its service X does not run on 2026-02-12"]
        )
        let table = await session.result("line timetable 3 --at 2026-02-10")
        #expect(table.output == "stop")
        #expect(table.notes == ["3, direction 0, Tuesday 2026-02-10; no trips on this day"])
        let other = await session.result("line timetable 3 --at 2026-02-09")
        #expect(other.output == "stop\t1\nAlpha\t12:00\nEpsilon\t12:40")
        #expect(other.notes == ["3 to Epsilon, Monday 2026-02-09"])
    }

    @Test func theDrawer() async throws {
        let session = try await ValleyFeed.session(isPipe: true)
        #expect(await session.result("stop drawer Alpha").notes == ["Alpha, bus stop, collapsed"])
        #expect(await session.result("stop drawer --state half").notes == ["Alpha, bus stop, half"])
        let end = await session.result("stop drawer Gamma; stop drawer --state half").notes.last ?? ""
        #expect(end.contains("Gamma, bus stop, half; No upcoming departures at this time"))
    }
}
