import Foundation
import PluginTestKit
import Testing

/// Exports of the whole program: hikes with their waypoints, on the trail network of a region, the same in each process.
@Suite(
    .enabled(if: PluginFolders.have("Export", "Hikes", "Waypoints", "Routing"), "a plugin is not there"),
    .enabled(if: RutterProcess.readsMaps, "libosmium2-dev was not there when rutter was built"))
struct ExportTests {
    private static let entries = """
        region sample
        region import valley.osm --elevation N00E000.hgt | get nodes
        import hut-and-lake.gpx | get kept
        export pdf 'Over the hut to the lake' --out day.pdf
        export gpx 'Over the hut to the lake' --out day.gpx
        export markdown 'Over the hut to the lake' --out day.md
        hike list | export kml --out day.kml
        waypoint list | export geojson --out places.geojson
        route plan 0.49786,0.48291 0.51439,0.49730 --name Up | export pdf --out plan.pdf
        route plan 0.49786,0.48291 0.51439,0.49730 --name Up | route save | get name
        export community Up --out up.json

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
}
