import Foundation
import Geodesy
import PluginKit
import Testing

@testable import RoutingPlugin

/// Heights of ways that are not those of the ground. The ground is 500 m high, with a ridge or a gorge across.
@Suite struct OffGroundTests {
    private func ridge(_ east: Double, _ north: Double) -> Double { 500 + max(0, 400 - abs(east) / 2) }
    private func gorge(_ east: Double, _ north: Double) -> Double { abs(east) < 300 ? 300 : 500 }

    private func climb(
        _ map: WaysInMetres, _ ground: @escaping (Double, Double) -> Double, from: Double = -1500,
        to: Double = 1500
    ) throws -> GraphPath {
        try RoutePlanner(map.region(ground), profile: .hiking)
            .plan([WaysInMetres.place(from, 0), WaysInMetres.place(to, 0)])
    }

    private func isLevel(_ path: GraphPath) -> Bool {
        path.gain < 10 && path.loss < 10 && abs(path.distance - 3000) < 30
    }

    /// Approaches on the ground, and the points in between.
    private func approaches(_ end: Double) -> WaysInMetres {
        var map = WaysInMetres()
        map.add("", (-1500, 0), (-end, 0))
        map.add("", (end, 0), (1500, 0))
        return map
    }

    @Test(arguments: ["tunnel=yes", "tunnel=building_passage", "covered=yes", "bridge=yes layer=-1"])
    func aTunnelDoesNotClimbItsRidge(tags: String) throws {
        var map = approaches(900)
        map.add(tags, (-900, 0), (-300, 0), (0, 0), (500, 0), (900, 0))
        #expect(try isLevel(climb(map, ridge)))
    }

    @Test func aBridgeDoesNotDescendIntoItsGorge() throws {
        var map = approaches(500)
        map.add("bridge=viaduct", (-500, 0), (-100, 0), (100, 0), (500, 0))
        #expect(try isLevel(climb(map, gorge)))
    }

    @Test(arguments: ["layer=-1", "", "tunnel=no"])
    func aTunnelWithAnUntaggedPartIsOneRun(middle: String) throws {
        var map = approaches(900)
        map.add("tunnel=yes", (-900, 0), (-200, 0))
        map.add(middle, (-200, 0), (200, 0))
        map.add("tunnel=yes", (200, 0), (900, 0))
        #expect(try isLevel(climb(map, ridge)))
    }

    @Test func aTunnelTaggedOnOneHalfIsOneRun() throws {
        var map = approaches(900)
        map.add("tunnel=yes", (-900, 0), (0, 0))
        map.add("", (0, 0), (900, 0))
        #expect(try isLevel(climb(map, ridge)))
    }

    @Test func stepsFromTheMiddleOfABridgeDoNotPullItDown() throws {
        var map = approaches(500)
        map.add("bridge=yes", (-500, 0), (0, 0))
        map.add("bridge=yes", (0, 0), (500, 0))
        map.add("highway=steps", (0, 0), (0, -40))
        #expect(try isLevel(climb(map, gorge)))
    }

    @Test func aWindowOfATunnelDoesNotLiftIt() throws {
        var map = approaches(900)
        map.add("tunnel=yes", (-900, 0), (0, 0))
        map.add("tunnel=yes", (0, 0), (900, 0))
        map.add("", (0, 0), (0, 60))
        #expect(try isLevel(climb(map, ridge)))
    }

    @Test func aGateInATunnelDoesNotLiftIt() throws {
        var map = approaches(900)
        map.add("tunnel=yes", (-900, 0), (0, 0), (900, 0), nodeTags: [1: "barrier=gate"])
        #expect(try isLevel(climb(map, ridge)))
    }

    @Test func aTunnelRisesEvenlyBetweenItsPortals() throws {
        var map = approaches(900)
        map.add("tunnel=yes", (-900, 0), (0, 0), (900, 0))
        let path = try climb(map) { east, north in
            ridge(east, north) + min(60, max(0, (east + 900) / 30))
        }
        #expect(abs(path.gain - 60) < 10)
        #expect(path.loss < 10)
    }

    @Test func aLayerAloneLiftsNoWay() throws {
        var map = approaches(900)
        map.add("layer=1", (-900, 0), (0, 0), (900, 0))
        #expect(try climb(map, ridge).gain > 350)
    }

    @Test func twoBridgesMeetOnTheGroundBetween() throws {
        // An island 20 m above the banks.
        var map = approaches(500)
        map.add("bridge=yes", (-500, 0), (-100, 0))
        map.add("", (-100, 0), (100, 0))
        map.add("bridge=yes", (100, 0), (500, 0))
        let path = try climb(map) { east, _ in abs(east) < 250 ? 520 : 500 }
        #expect(abs(path.gain - 20) < 2)
    }

    @Test func theGroundIsSampledBetweenDistantPoints() throws {
        var map = WaysInMetres()
        map.add("", (-1500, 0), (1500, 0))
        let path = try climb(map) { east, _ in 500 - 300 * max(0, 1 - abs(east) / 1000) }
        #expect(abs(path.gain - 300) < 15)
        #expect(abs(path.loss - 300) < 15)
    }

    @Test func unknownGroundBetweenDistantPointsStaysUnknown() throws {
        var map = WaysInMetres()
        map.add("", (-1500, 0), (1500, 0))
        let region = try map.region { east, _ in
            abs(east) < 500 ? Double(RoutingSettings.elevationVoid) : 500
        }
        #expect(!region.graph.knowsHeights(of: 0))
    }

    @Test func levelGroundNeedsNoPoints() {
        #expect(GroundSampling.needed([500, 500, 501, 500, 502]).isEmpty)
        #expect(GroundSampling.needed([500, 400, 300, 400, 500]) == [2])
        #expect(GroundSampling.needed([500, 500, .nan, 500, 500]) == [2])
    }
}
