import Foundation
import PluginTestKit
import Testing

/// Elevations of a hike from the terrain model of a region.
@Suite(
    .enabled(if: PluginFolders.have("Hikes", "Routing"), "needs the plugins Hikes and Routing"),
    .enabled(if: RutterProcess.readsMaps, "needs libosmium"))
struct HikeTerrainTests {
    /// Bilinear heights of `N00E000.hgt.gz` at points 1, 2, 51 and 105, by a few lines of Python.
    private static let expected = [709.3, 732.0, 1119.8, 1231.4]

    private func run(_ entries: String, _ folder: TemporaryFolder) throws -> [String] {
        let outcome = try RutterProcess.run(
            ["--workspace", folder.url.path + "/ws", "--seed", "1", "--clock", "2026-02-06T08:00:00Z"],
            input: entries, folder: folder.url)
        #expect(outcome.errors == "")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test func theHeightsAreThoseOfTheTile() throws {
        let folder = try TemporaryFolder()
        let data = RealData.project.appendingPathComponent("Notebooks/data")
        for name in ["hut-and-lake.gpx", "valley.osm", "N00E000.hgt.gz"] {
            try FileManager.default.copyItem(
                at: data.appendingPathComponent(name), to: folder.url.appendingPathComponent(name))
        }
        let lines = try run(
            """
            region import valley.osm --elevation N00E000.hgt.gz | get name
            import hut-and-lake.gpx --name Day | count
            hike elevation Day | get change
            hike show Day | get edits
            hike restore Day | get change
            expect-error E-HIKE-NOCHANGE hike elevation Day --missing
            hike elevation Day | get points
            hike points Day | get altitude | to json

            """, folder)
        #expect(
            lines[2].hasPrefix(
                "elevations of 105 points from region valley, N00E000; before 642m up and 121m down, now "))
        let heights = lines.drop { $0 != "[" }.joined().split(whereSeparator: { "[], \"m".contains($0) })
            .compactMap { Double($0) }
        #expect(heights.count == 105)
        for (index, height) in zip([0, 1, 50, 104], Self.expected) where heights.count == 105 {
            #expect(abs(heights[index] - height) < 0.06)
        }
        #expect(lines[3].contains("region valley"))
        #expect(lines[4] == "1 edit undone")
    }

    /// Tiles alone, without a region.
    @Test func theHeightsOfAFileAreThoseOfTheTile() throws {
        let folder = try TemporaryFolder()
        let data = RealData.project.appendingPathComponent("Notebooks/data")
        for name in ["hut-and-lake.gpx", "N00E000.hgt.gz"] {
            try FileManager.default.copyItem(
                at: data.appendingPathComponent(name), to: folder.url.appendingPathComponent(name))
        }
        let lines = try run(
            """
            import hut-and-lake.gpx --name Day | count
            hike elevation Day --file N00E000.hgt.gz | get change
            hike shift Day --time 1h | get points
            hike points Day | first | get altitude

            """, folder)
        #expect(
            lines[1].hasPrefix("elevations of 105 points from N00E000; before 642m up and 121m down, now "))
        #expect(lines[3].hasPrefix(String(Int(Self.expected[0].rounded()))))
    }
}
