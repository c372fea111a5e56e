import Foundation
import PluginTestKit
import Testing

/// The Markdown report.
struct MarkdownTests {
    @Test func aHike() async throws {
        let test = try TestSession.exporting(Walk.files)
        try await test.value("import walk.gpx")
        let text = await test.run("export - Walk --as markdown")
        // 2 × 111.226 m and 111.226 m; 3 min 20 s, then 10 min of rest that the store no longer records as a gap.
        #expect(
            text.trimmingCharacters(in: .newlines) == """
                # Walk

                - 5 February 2026, 08:00 to 08:15 (UTC)
                - Duration: 15 min (walking 5 min, resting 10 min)
                - Author: Ann

                | Measure            |    Value |
                | ------------------ | -------: |
                | Distance           |    334 m |
                | Elevation gain     |     40 m |
                | Elevation loss     |     10 m |
                | Average heart rate |  110 bpm |
                | Maximum heart rate |  120 bpm |
                | Calories           |      N/A |
                | Average speed      | 4.0 km/h |

                *Method: climb between peaks and valleys of 3m or more in heights averaged over 10s; rest below 0.3m/s for 30s or more, or about one place for 3min.*

                ## Waypoints

                1. **Spring \\| cold** (Water): 46.50200, 7.90000

                2. **Bench** (Viewpoint): 46.50100, 7.90000, 520 m, 5 February 2026, 08:01

                   A view

                ## Comments

                Fog & sun
                """)
    }

    @Test func whatWasNotRecordedIsNotMadeUp() async throws {
        let gpx =
            "<gpx><trk><trkseg><trkpt lat='1' lon='2'/><trkpt lat='1' lon='2.001'/></trkseg></trk></gpx>"
        let test = try TestSession.exporting(["bare.gpx": Data(gpx.utf8)])
        for entry in ["import bare.gpx --dry-run | export --as markdown", "export - bare --as markdown"] {
            let text = await test.run(entry)
            #expect(text.contains("Duration: N/A"))
            for name in ["Elevation gain", "Average heart rate", "Calories", "Average speed"] {
                let row = text.split(separator: "\n").first { $0.contains("| \(name)") }
                #expect(row?.hasSuffix(" N/A |") == true, "\(name): \(text)")
            }
            // The store's track format cannot represent unknown values; they must not become 0 either.
            try await test.value("import bare.gpx --as hikes")
        }
        let stored = await test.run("export - bare --as gpx")
        #expect(!stored.contains("<ele>") && !stored.contains("<time>2026-02-06T08:00:00Z</time></trkpt>"))
    }

    @Test func textStaysText() async throws {
        let gpx = """
            <gpx><wpt lat="1" lon="2"><name># *one* &lt;b&gt; [x](y) `c` a|b</name><desc>- no list
            1. no list either &amp;amp; \\</desc></wpt></gpx>
            """
        let test = try TestSession.exporting(["text.gpx": Data(gpx.utf8)])
        let text = await test.run("import text.gpx --dry-run | export --as markdown")
        #expect(text.contains(##"**\# \*one\* \<b\> \[x\](y) \`c\` a\|b**"##))
        #expect(text.contains("   \\- no list\\\n   1\\. no list either \\&amp; \\\\"))
    }

    @Test func timesAreThoseOfTheSessionsZone() async throws {
        let test = try TestSession.exporting(Walk.files)
        await test.run("set timezone Asia/Kathmandu")
        let text = await test.run("import walk.gpx --dry-run | export --as markdown")
        #expect(text.contains("5 February 2026, 13:45 to 14:00 (UTC+05:45)"))
    }

    @Test func aPlannedRoute() async throws {
        let gpx = """
            <gpx><rte><name>Plan</name><rtept lat="46.5" lon="7.9"><ele>500</ele></rtept>
            <rtept lat="46.59" lon="7.9"><ele>900</ele></rtept></rte></gpx>
            """
        let test = try TestSession.exporting(["plan.gpx": Data(gpx.utf8)])
        try await test.value("import plan.gpx")
        let text = await test.run("export - Plan --as markdown")
        #expect(text.contains("- Planned route, hiking"))
        // Naismith: 10.007 km at 5 km/h, and 400 m at 600 m an hour.
        #expect(text.contains("- Estimated duration: 2 h 40 min"))
        #expect(text.contains("| Elevation gain     |      400 m |"))
    }
}
