import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import ExportPlugin

/// The page of a hike, and a folder of files.
@Suite(.needs(.xml))
struct PageTests {
    private static let walk = """
        <gpx><wpt lat="46.5005" lon="7.9"><name>&lt;script>alert(1)&lt;/script> "x"</name></wpt>
        <trk><name>Walk &lt;b>&amp; more</name><trkseg>
        <trkpt lat="46.5" lon="7.9"><ele>500</ele><time>2026-02-05T08:00:00Z</time></trkpt>
        <trkpt lat="46.501" lon="7.9"><ele>520</ele><time>2026-02-05T08:01:40Z</time></trkpt>
        <trkpt lat="46.502" lon="7.9"><time>2026-02-05T08:03:20Z</time></trkpt></trkseg></trk></gpx>
        """
    private static let plain =
        "<gpx><trk><name>a/b:c</name><trkseg><trkpt lat='1' lon='2'/><trkpt lat='1' lon='2.001'/></trkseg></trk></gpx>"

    private func session() throws -> TestSession {
        try TestSession(
            plugins: { [ExportPlugin()] },
            files: ["walk.gpx": Data(Self.walk.utf8), "plain.gpx": Data(Self.plain.utf8)])
    }

    private func page(_ entry: String, _ test: TestSession) async throws -> String {
        let said = await test.run(entry)
        #expect(said.contains("written to page.html"), "\(said)")
        return try String(contentsOf: test.folder.url.appendingPathComponent("page.html"), encoding: .utf8)
    }

    @Test func aPageNeedsNoNetwork() async throws {
        let html = try await page("import walk.gpx --dry-run | export page.html", session())
        #expect(html.contains("default-src 'none'"))
        // Nothing refers to another file: the only addresses are names of XML.
        let addresses = html.components(separatedBy: "http").dropFirst().map { "http" + $0.prefix(24) }
        #expect(
            addresses.allSatisfy { $0.hasPrefix("http://www.w3.org/") || $0.hasPrefix("http-equiv") },
            "\(addresses)")
        #expect(!html.contains("href=") && !html.contains("@import") && !html.contains("url("))
    }

    @Test func textsAreNoMarkup() async throws {
        let html = try await page("import walk.gpx --dry-run | export page.html", session())
        #expect(!html.contains("<script>alert"))
        #expect(html.contains("Walk &lt;b&gt;&amp; more"))
    }

    /// Numbers of three points by hand: haversine on 6,372,797.6 m, 0.001° of latitude are 111.2 m.
    @Test func theScriptKnowsTheWay() async throws {
        let html = try await page("import walk.gpx --dry-run | export page.html", session())
        let start = try #require(html.range(of: "id=\"way\">")).upperBound
        let end = try #require(html.range(of: "</script>", range: start..<html.endIndex)).lowerBound
        let way = try #require(
            try JSONSerialization.jsonObject(with: Data(html[start..<end].utf8)) as? [String: Any])
        #expect(way["distance"] as? [Double] == [0, 111.2, 222.5])
        #expect((way["elevation"] as? [Any])?.map { $0 as? Double } == [500, 520, nil])
        #expect(way["time"] as? [Double] == [1_770_278_400, 1_770_278_500, 1_770_278_600])
        #expect((way["x"] as? [Any])?.compactMap { $0 as? Double }.count == 3)
        #expect(way["plot"] is [String: Any])
    }

    @Test func whatIsNotThereIsLeftOut() async throws {
        let html = try await page("import plain.gpx --dry-run | export page.html", session())
        #expect(!html.contains("<h2>Elevation</h2>") && html.contains("<h2>Map</h2>"))
        #expect(html.contains("\"plot\":null"))
        #expect(!html.contains("<h2>Photos</h2>") && !html.contains("<h2>Waypoints</h2>"))
    }

    @Test func theSameHikeGivesTheSameBytes() async throws {
        let test = try session()
        let first = try await page("import walk.gpx --dry-run | export page.html", test)
        let second = try await page("import walk.gpx --dry-run | export page.html --force", test)
        #expect(first == second)
    }

    // MARK: Folders

    @Test func eachJourneyGetsAFile() async throws {
        let test = try session()
        await test.run(
            "let all = [(import walk.gpx --dry-run), (import plain.gpx --dry-run), (import plain.gpx --dry-run)]"
        )
        #expect(
            await test.run("$all | export out --each --as gpx | select file name problem | to csv") == """
                file,name,problem
                2026-02-05 Walk _b_& more.gpx,Walk <b>& more,
                a_b_c.gpx,a/b:c,
                a_b_c (2).gpx,a/b:c,
                """)
        let single = await test.run("import plain.gpx --dry-run | export --as gpx")
        let file = try String(
            contentsOf: test.folder.url.appendingPathComponent("out/a_b_c.gpx"), encoding: .utf8)
        #expect(file == single + "\n")
    }

    /// A recording without times cannot be a FIT activity; the other one is written.
    @Test func whatTheFormatCannotHoldIsListed() async throws {
        let test = try session()
        await test.run("let all = [(import plain.gpx --dry-run), (import walk.gpx --dry-run)]")
        let rows = await test.run("$all | export out --each --as fit | get problem")
        #expect(rows.hasPrefix("the recording has no times"))
        let names = try FileManager.default.contentsOfDirectory(
            atPath: test.folder.url.appendingPathComponent("out").path)
        #expect(names == ["2026-02-05 Walk _b_& more.fit"])
    }

    @Test func nothingIsOverwritten() async throws {
        let test = try session()
        await test.run("import walk.gpx --dry-run | export out --each --as gpx")
        let again = await test.result("import walk.gpx --dry-run | export out --each --as gpx").failure?.code
        #expect(again == "E-FILE-EXISTS")
        #expect(
            await test.result("import walk.gpx --dry-run | export --each --as gpx").failure?.code
                == "E-EXPORT-OUT")
        #expect(
            await test.result("import walk.gpx --dry-run | export out --each --as gpx --force").failure == nil
        )
    }
}
