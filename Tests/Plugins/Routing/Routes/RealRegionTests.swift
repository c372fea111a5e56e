import Foundation
import Geodesy
import PluginTestKit
import Testing
import TrailStores
import TurnInstructions

@testable import RoutingPlugin

/// The commands on Liechtenstein, where the folder of real data is there.
@Suite(.needs(.osmium), .enabled(if: RealData.has("osm/liechtenstein-2021.osm.pbf")))
struct RealRegionTests {
    @Test func fromTheMapToASavedRoute() async throws {
        let session = try TestSession(plugins: { [RoutingPlugin()] })
        let map = RealData.url("osm/liechtenstein-2021.osm.pbf").path
        let tiles = RealData.url("dem").path
        let facts = await session.run(
            "region import '\(map)' --elevation '\(tiles)' --name li | get unknownHeights")
        #expect(facts == "0")
        let value = try await session.value(
            "route plan 47.14158,9.52156 47.0801,9.5716 --name Up | route save")
        guard case .object(let object) = value, let route = object as? Route else {
            Issue.record("no route")
            return
        }
        let folder = PlannedRouteFolder(session.folder.url.appendingPathComponent("workspace/planned_routes"))
        let saved = try #require(try folder.routes().first)
        let turns = saved.turns
        #expect(turns.first?.direction == .start)
        #expect(turns.last?.direction == .arrive)
        #expect(abs((turns.last?.cumulativeDistance ?? 0) - saved.distance) < 1)
        for (left, right) in zip(turns.dropFirst(), turns.dropFirst(2).dropLast()) {
            // Two at most are merged: a third may follow soon.
            #expect(
                right.cumulativeDistance - left.cumulativeDistance >= TurnSettings.spacing
                    || left.description.contains(", then "))
        }
        // Every instruction is on the line.
        for turn in turns {
            let nearest = saved.coordinates.map { $0.distance(to: turn.coordinate) }.min() ?? .infinity
            #expect(nearest < 1, "\(turn.description)")
        }
        let profile = try #require(RouteProfile.of(route))
        #expect(abs(profile.gain - saved.gain) < 1)
        #expect(abs((profile.points.last?.distance ?? 0) - saved.distance) < 1)
        #expect(saved.gain > 1400 && saved.gain < 2200)
    }
}
