import Foundation
import PluginTestKit
import Testing

@testable import rutter

/// Exports of the whole program: hikes with their waypoints, on the trail network of a region, the same in each process.
@Suite(
    .enabled(if: PluginFolders.have("Export", "Hikes", "Waypoints", "Routing"), "a plugin is not there"),
    .enabled(if: RutterProcess.readsMaps, "libosmium2-dev was not there when rutter was built"))
struct ExportTests {
    private static let entries = """
        region sample
        region import valley.osm --elevation N00E000.hgt | get nodes
        import hut-and-lake.gpx | get kept
        export day.pdf 'Over the hut to the lake'
        export day.gpx 'Over the hut to the lake'
        export day.md 'Over the hut to the lake'
        hike list | export day.kml
        waypoint list | export places.geojson
        route plan 0.49786,0.48291 0.51439,0.49730 --name Up | export plan.pdf
        route plan 0.49786,0.48291 0.51439,0.49730 --name Up | route save | get name
        export up.json Up

        """
    private static let files = [
        "day.pdf", "day.gpx", "day.md", "day.kml", "places.geojson", "plan.pdf", "up.json",
    ]

    private func run(in folder: URL) throws -> String {
        let sample = RealData.project.appendingPathComponent("Notebooks/data/hut-and-lake.gpx")
        try FileManager.default.copyItem(at: sample, to: folder.appendingPathComponent("hut-and-lake.gpx"))
        let outcome = try RutterProcess.run(
            ["--workspace", folder.path + "/ws", "--seed", "1", "--clock", "2026-02-06T08:00:00Z"],
            input: Self.entries, folder: folder)
        #expect(outcome.errors == "")
        #expect(outcome.status == 0)
        return outcome.output
    }

    @Test func waypointsKeepWhatTheyHave() async throws {
        let test = try TestSession(plugins: builtInPlugins)
        await test.run(
            "waypoint add 46.5763,7.9904,1973m --label 'Zürich & 東京' --category shelter --note 'a < b'")
        await test.run("clock +1min")
        await test.run("waypoint add -1,-2 --category danger")
        #expect(await test.run("waypoint list | reverse | export w.gpx | get format") == "gpx")
        #expect(await test.result("waypoint list | export w.gpx").failure?.code == "E-FILE-EXISTS")
        #expect(await test.result("waypoint list | reverse | export w.gpx --force").failure == nil)
        let only = await test.run("waypoint list | where category == danger | export --as gpx")
        #expect(only.contains("lat=\"-1\"") && !only.contains("lat=\"46.5763\""))
        let unplaced = await test.result("waypoint list | select label | export --as gpx")
        #expect(unplaced.failure?.code == "E-DATA-PLACE")
        let before = await test.run("waypoint list | select label category at altitude time note")
        let other = try TestSession(
            plugins: builtInPlugins,
            files: ["w.gpx": Data(contentsOf: test.folder.url.appendingPathComponent("w.gpx"))])
        #expect(await other.result("import w.gpx --as waypoints").failure == nil)
        #expect(await other.run("waypoint list | select label category at altitude time note") == before)
    }

    @Test func anOptionOfAnotherFormatIsRefused() async throws {
        let test = try TestSession(plugins: builtInPlugins)
        for (entry, code) in [
            ("46.5,7.9 | export a.gpx --tiles x", "E-FILE-MISSING"),
            ("46.5,7.9 | export a.gpx --units metric", "E-EXPORT-OPTION"),
            ("46.5,7.9 | export a.pdf --as-route", "E-EXPORT-OPTION"),
            ("46.5,7.9 | export a.md --title T", "E-EXPORT-OPTION"),
            ("46.5,7.9 | export a --each --as community", "E-EXPORT-OPTION"),
            ("46.5,7.9 | export a --each", "E-ARG-MISSING"), ("46.5,7.9 | export a", "E-EXPORT-FORMAT"),
            ("46.5,7.9 | export a.gpxx", "E-EXPORT-FORMAT"), ("46.5,7.9 | export - --as pdf", "E-EXPORT-OUT"),
        ] {
            #expect(await test.result(entry).failure?.code == code, "\(entry)")
        }
        #expect(await test.result("46.5,7.9 | export a.gpxx").failure?.suggestion == "a.gpx")
        let refused = await test.result("46.5,7.9 | export a.gpx --units metric").failure
        #expect(refused?.message == "--units is an option of pdf, html, markdown, not of gpx")
    }

    @Test func twoProcessesWriteTheSameBytes() throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder()]
        let outputs = try folders.map { try run(in: $0.url) }
        #expect(outputs[0] == outputs[1])
        #expect(outputs[0].contains("1 hike, 5 waypoints\n4 pages written to day.pdf\n"))
        for file in Self.files {
            let bytes = try folders.map { try Data(contentsOf: $0.url.appendingPathComponent(file)) }
            #expect(bytes[0] == bytes[1], "\(file)")
            #expect(bytes[0].count > 500, "\(file)")
        }
        let text = try RutterProcess.shell(
            "pdftotext", ["-f", "1", "-l", "1", folders[0].url.appendingPathComponent("day.pdf").path, "-"])
        // The trail network is below the route, and its attribution is on the map.
        if let text { #expect(text.contains("© OpenStreetMap contributors")) }
        let markdown = try String(
            contentsOf: folders[0].url.appendingPathComponent("day.md"), encoding: .utf8)
        #expect(markdown.contains("5. **Lake Meadow** (Campsite)"))
    }

    /// A message with the file attached, byte by byte.
    @Test func aSharedFileIsAttachedToAMessage() throws {
        let folder = try TemporaryFolder()
        func run(_ entry: String) throws -> RutterProcess.Outcome {
            try RutterProcess.run(
                ["--workspace", folder.url.path + "/ws", "--seed", "1", "-c", entry], folder: folder.url)
        }
        let shared = try run("[0.5,0.5 0.5,0.51] | export 'Übers Tal.gpx' --share")
        #expect(shared.output == "Übers Tal.gpx attached to Übers Tal.eml\n", "\(shared.errors)")
        #expect(try run("[0.5,0.5 0.5,0.51] | export 'Übers Tal.gpx'").status == 0)
        let message = try String(
            contentsOf: folder.url.appendingPathComponent("Übers Tal.eml"), encoding: .utf8)
        #expect(message.utf8.allSatisfy { $0 < 128 })
        let parts = message.components(separatedBy: "\r\n--=_rutter_part")
        #expect(parts.count == 4 && parts[3] == "--\r\n")
        #expect(parts[2].contains("filename*=UTF-8''%C3%9Cbers%20Tal.gpx"))
        let body = parts[2].components(separatedBy: "\r\n\r\n").last?.filter { !$0.isNewline } ?? ""
        let file = try Data(contentsOf: folder.url.appendingPathComponent("Übers Tal.gpx"))
        #expect(Data(base64Encoded: body) == file)
        #expect(
            try run("[0.5,0.5 0.5,0.51] | export 'Übers Tal.gpx' --share").errors.contains("E-FILE-EXISTS"))
        #expect(try run("[0.5,0.5 0.5,0.51] | export - --as gpx --share").errors.contains("E-EXPORT-OUT"))
    }
}
