import CivilTime
import Foundation
import PluginTestKit
import Testing

@testable import HikesPlugin

/// Hikes by periods, and the calendar.
@Suite(.needs(.xml))
struct HikePeriodTests {
    private let test: TestSession

    /// 111.2 m to the north at each of these times, the last with elevations.
    private static func gpx(_ name: String, _ start: String, _ ele: String = "") -> Data {
        Data(
            """
            <gpx><trk><name>\(name)</name><trkseg>
            <trkpt lat="46.5" lon="7.9">\(ele)<time>\(start):00Z</time></trkpt>
            <trkpt lat="46.501" lon="7.9">\(ele)<time>\(start):59Z</time></trkpt></trkseg></trk></gpx>
            """.utf8)
    }

    init() async throws {
        test = try TestSession(
            plugins: { [HikesPlugin()] },
            files: [
                // A Friday of the week that ISO 8601 gives to 2026.
                "a.gpx": Self.gpx("A", "2026-01-02T12:00"),
                "b.gpx": Self.gpx("B", "2025-12-29T12:00"),
                // In Auckland the next month.
                "c.gpx": Self.gpx("C", "2026-01-31T12:00", "<ele>500</ele>"),
                "d.gpx": Data(
                    "<gpx><trk><trkseg><trkpt lat='1' lon='2'/><trkpt lat='1' lon='2.001'/></trkseg></trk></gpx>"
                        .utf8),
            ])
        await test.run("import a.gpx b.gpx c.gpx d.gpx")
    }

    @Test func weeksAreThoseOfISO8601() async {
        #expect(
            await test.run("hike stats --by week | select period hikes withoutElevations | to csv")
                == "period,hikes,withoutElevations\n2026-W01,2,2\n2026-W05,1,0\nunknown,1,1")
    }

    @Test func monthsAreThoseOfTheZone() async {
        #expect(await test.run("hike stats --by month | get period") == "2025-12\n2026-01\nunknown")
        await test.run("set timezone Pacific/Auckland")
        #expect(await test.run("hike stats --by month | get period") == "2025-12\n2026-01\n2026-02\nunknown")
        #expect(await test.run("hike stats --by year | get hikes") == "1\n2\n1")
    }

    @Test func climbsOfHikesWithoutElevationsAreUnknown() async {
        #expect(await test.run("hike stats --by year | first | get gain") == "")
        #expect(await test.run("hike stats --by year | get distance") == "111m\n222m\n111m")
    }

    /// 2026 begins on a Thursday: its second day is in the first column, in the row of Fridays.
    @Test func theCalendarHasAColumnAWeek() async {
        let lines = await test.run("hike calendar 2026").split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 10)
        #expect(lines[0].hasPrefix("2026: 2 hikes on 2 days"))
        #expect(lines[0].hasSuffix("; 1 more without times"))
        #expect(lines[6].hasPrefix("Fri  ░·"))
        #expect(lines[2].hasPrefix("Mon   ·"))
        // The 31st is the Saturday of the fifth column.
        #expect(lines[7].hasPrefix("Sat  ····░·"))
        #expect(await test.run("hike calendar 2026 | select day") == "day\n2026-01-02\n2026-01-31")
        #expect(await test.run("hike calendar 2025 | get hikes") == "1")
    }

    @Test func theCalendarIsAPicture() async throws {
        #expect(await test.run("hike calendar --out year.svg") == "calendar of 2026 written to year.svg")
        let svg = try String(contentsOf: test.folder.url.appendingPathComponent("year.svg"), encoding: .utf8)
        // A square for each of 365 days and for five shades of the legend.
        #expect(svg.components(separatedBy: "<path").count - 1 == 370)
        #expect(svg.contains(">Sep<"))
        #expect(await test.result("hike calendar --out year.gif").failure?.code == "E-HIKE-PICTURE")
        #expect(await test.result("hike calendar --out year.svg").failure?.code == "E-FILE-EXISTS")
    }
}
