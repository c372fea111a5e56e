import PluginKit
import Testing

@testable import Workbench

/// Days of the calendar between two dates, which are no durations where clocks change.
struct DayCountTests {
    @Test func daysAcrossAChangeOfClocks() async throws {
        let data = try DataSession()
        _ = await data.run("set timezone Europe/Zurich")
        #expect(await data.run("2026-03-30 - 2026-03-29") == "23h")
        #expect(await data.run("days(2026-03-29, 2026-03-30)") == "1")
        #expect(await data.run("days(2026-10-26T01:00, 2026-10-25T23:00)") == "-1")
        #expect(await data.run("days(2000-02-28, 2022-02-28)") == "8036")
    }

    @Test func daysOfMissingDates() async throws {
        #expect(
            try await DataSession().run("[{a: 2026-05-01, b: nothing}] | each days(a, b) | to json")
                == "[null]")
    }
}
