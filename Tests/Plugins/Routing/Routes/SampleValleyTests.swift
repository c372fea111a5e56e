import Foundation
import PluginTestKit
import Testing

@testable import RoutingPlugin

@Suite struct SampleValleyTests {
    private let data = RealData.project.appendingPathComponent("Notebooks/data")

    @Test func theShippedMapIsWhatTheGeneratorWrites() throws {
        let shipped = try String(contentsOf: data.appendingPathComponent("valley.osm"), encoding: .utf8)
        #expect(shipped == SampleMap.xml())
    }

    /// The tile is compared unpacked, by importing both: packed bytes differ from one gzip to the next.
    @Test(.needs(.osmium)) func theShippedHeightsAreWhatTheGeneratorWrites() async throws {
        let session = try TestSession(plugins: { [RoutingPlugin()] })
        await session.run("region sample")
        let packed = data.appendingPathComponent("N00E000.hgt.gz").path
        await session.run("region import valley.osm --elevation N00E000.hgt --name made")
        await session.run("region import valley.osm --elevation '\(packed)' --name shipped")
        let plan = "route plan 0.49786,0.48291 0.52248,0.49460 --via 0.51529,0.51349"
        let made = await session.run("\(plan) --region made | elevation --points | to csv")
        let shipped = await session.run("\(plan) --region shipped | elevation --points | to csv")
        #expect(made == shipped)
        #expect(made.split(separator: "\n").count > 100)
    }

    @Test func heightsAreInTheRightPlace() {
        // The first sample of the tile is its north-western corner, the last its south-eastern.
        let tile = SampleTerrain.tile()
        #expect(tile.count == 1201 * 1201 * 2)
        #expect(tile[0] == 0x80 && tile[1] == 0)
        let middle = 600 * 1201 + 600
        let height = Int(tile[2 * middle]) << 8 | Int(tile[2 * middle + 1])
        #expect(height == Int(SampleTerrain.elevation(x: 0, y: 0).rounded()))
    }

    @Test func walkingTimes() throws {
        // On the flat: Tobler 6 km/h · e^(−0.175) = 5.04 km/h, the Swiss signposts 4.2 km/h.
        let flat = try #require(
            ElevationProfile(points: [.init(distance: 0, elevation: 0), .init(distance: 1000, elevation: 0)]))
        #expect(abs(WalkingTimes.tobler(flat) - 3600 / 5.036) < 1)
        #expect(abs(WalkingTimes.swiss(flat) - 14.271 * 60) < 0.01)
        // Tobler is fastest at −5 %: 6 km/h.
        let down = try #require(
            ElevationProfile(points: [.init(distance: 0, elevation: 50), .init(distance: 1000, elevation: 0)])
        )
        #expect(abs(WalkingTimes.tobler(down) - 600) < 0.01)
    }
}
