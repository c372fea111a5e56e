import PluginTestKit
import Testing

@testable import TransitPlugin

/// What the results of `journey plan` state about days, zones and the timetable; expected values are by hand.
@Suite struct JourneyTextTests {
    private static let question = "journey plan 47.0,8.0 47.04,8.0"
    private static let times = "| select departs arrives | to csv"

    /// The only run of the day leaves at 12:00.
    @Test func anotherDayIsWritten() async throws {
        let session = try await ValleyFeed.session()
        func times(_ options: String) async -> String {
            await session.run("\(Self.question) \(options) \(Self.times)")
        }
        #expect(await times("--at 2026-02-06T11:00") == "departs,arrives\n12:00,12:40")
        #expect(
            await times("--at 2026-02-06T15:00")
                == "departs,arrives\n2026-02-07 12:00,2026-02-07 12:40")
        #expect(
            await times("--arrive-by 2026-02-06T11:00")
                == "departs,arrives\n2026-02-05 12:00,2026-02-05 12:40")
        #expect(
            await session.run("\(Self.question) --at 2026-02-06T15:00 | first | get legs | first | get departs")
                == "2026-02-07 12:00")
        // The first line has the day.
        let text = await session.run("\(Self.question) --at 2026-02-06T15:00 | first")
        #expect(text.hasPrefix("Saturday 2026-02-07, 40min, no change\n12:00  3 to "))
    }

    @Test func theZoneOfTimes() async throws {
        let session = try await ValleyFeed.session(timezone: "America/New_York")
        let note = "times are local to the stop, in Europe/Zurich; the session is in America/New_York"
        for entry in [
            "\(Self.question) --at 2026-02-06T11:00", "trip show d", "line timetable 1 --date 2026-02-06",
        ] { #expect(await session.run(entry).contains(note), "\(entry)") }
        let same = try await ValleyFeed.session()
        for entry in [
            "\(Self.question) --at 2026-02-06T11:00", "trip show d", "line timetable 1 --date 2026-02-06",
        ] { #expect(await same.run(entry).contains("times are local") == false, "\(entry)") }
    }
}
