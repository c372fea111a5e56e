import Foundation
import Geodesy
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Ways over and at the 180th meridian, where longitudes jump.
@Suite struct MeridianTests {
    private func planner(_ nodes: [(Double, Double)], _ ways: [[Int]]) throws -> RoutePlanner {
        var text = "<osm version='0.6'>"
        for (index, node) in nodes.enumerated() {
            text += "<node id='\(index + 1)' lat='\(node.0)' lon='\(node.1)'/>"
        }
        for (index, way) in ways.enumerated() {
            text += "<way id='\(index + 1)'>" + way.map { "<nd ref='\($0)'/>" }.joined()
            text += "<tag k='highway' v='footway'/></way>"
        }
        return try RoutePlanner(importedRegion(text + "</osm>", in: ScratchFolder()), profile: .hiking)
    }

    private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Bounds that cross the meridian, a way over it and a peak on each side: the map is 22 tiles, not a belt round the world.
    @Test func tilesOfARegionAtTheMeridianAreThoseAroundIt() async throws {
        let text = """
            <osm version='0.6'><bounds minlat='-30.1' minlon='179.9' maxlat='-29.9' maxlon='-179.9'/>
            <node id='1' lat='-30' lon='179.95'><tag k='natural' v='peak'/><tag k='name' v='West'/></node>
            <node id='2' lat='-30.02' lon='-179.95'><tag k='natural' v='peak'/><tag k='name' v='East'/></node>
            <node id='3' lat='-30' lon='179.97'/><node id='4' lat='-30' lon='-179.97'/>
            <way id='1'><nd ref='3'/><nd ref='4'/><tag k='highway' v='track'/></way></osm>
            """
        let session = try TestSession(
            plugins: { [RoutingPlugin()] }, files: ["meridian.osm": Data(text.utf8)])
        _ = try await session.value("region import meridian.osm")
        // By the formula of tile numbers: columns 1023 and 0, 2046 to 1, 4094 to 1 at the zooms 10, 11, 12.
        let tiles = try #require(
            Int(await session.run("map tiles --zoom 10-12 --out meridian.mbtiles | get tiles")))
        #expect((6...60).contains(tiles))
    }

    @Test func aLongEdgeOverTheMeridianIsNear() throws {
        let planner = try planner([(0, 179.9), (0, -179.9)], [[1, 2]])
        let path = try planner.plan([place(0, 179.95), place(0, -179.95)])
        #expect(abs(path.distance - 11_120) < 20)
    }

    @Test func theNearestWayOverTheMeridianIsTaken() throws {
        // Rows 50 m apart across the meridian, each of one edge.
        let rows = (0..<6).map { Double($0) * 0.00045 }
        let planner = try planner(
            rows.flatMap { [($0, 179.99), ($0, -179.99)] }, rows.indices.map { [2 * $0 + 1, 2 * $0 + 2] })
        for row in rows {
            let stop = try Snapper(planner.weighted).snap(place(row + 0.0001, 180))
            #expect(abs(stop.distance - 11) < 1)
        }
    }

    @Test func theTwoNodesOfAWayCutAtTheMeridianAreOnePlace() throws {
        let planner = try planner([(0, 179.99), (0, 180), (0, -180), (0, -179.99)], [[1, 2], [3, 4]])
        let path = try planner.plan([place(0, 179.992), place(0, -179.992)])
        #expect(abs(path.distance - 1779) < 5)
    }

    @Test func nodesAtDifferentLatitudesOfTheMeridianStayApart() throws {
        let planner = try planner([(0, 179.99), (0, 180), (0.01, -180), (0, -179.99)], [[1, 2], [3, 4]])
        #expect(throws: (any Error).self) { try planner.plan([place(0, 179.992), place(0, -179.992)]) }
    }
}
