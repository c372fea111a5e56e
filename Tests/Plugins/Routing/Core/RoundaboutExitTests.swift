import Foundation
import PluginKit
import Testing
import TurnInstructions

@testable import RoutingPlugin

/// Exits of a roundabout are the roads by which vehicles leave it.
@Suite(.needs(.osmium)) struct RoundaboutExitTests {
    private static func rim(_ degrees: Double, _ radius: Double = 20) -> WaysInMetres.Point {
        let angle = degrees * .pi / 180
        // Zero has one sign, so that a place is one node.
        return (east: (radius * cos(angle)).rounded() + 0, north: (radius * sin(angle)).rounded() + 0)
    }

    /// A roundabout with roads to the four sides, each parted into a way out and a way in, and `further` ways.
    private func texts(
        _ profile: CostProfile, to end: WaysInMetres.Point, _ further: (inout WaysInMetres) -> Void = { _ in }
    ) throws -> [String] {
        var map = WaysInMetres()
        let road = "highway=residential surface=asphalt"
        map.add(
            road + " junction=roundabout oneway=yes",
            stride(from: 0.0, through: 360, by: 15).map { Self.rim($0) })
        for (index, name) in ["East", "North", "West", "South"].enumerated() {
            let angle = Double(index) * 90
            map.add(road + " oneway=yes name=\(name)", Self.rim(angle - 15), Self.rim(angle, 60))
            map.add(road + " oneway=yes name=\(name)", Self.rim(angle, 60), Self.rim(angle + 15))
            map.add(road + " name=\(name)", Self.rim(angle, 60), Self.rim(angle, 150))
        }
        further(&map)
        let region = try map.region()
        let path = try RoutePlanner(region, profile: profile).plan([
            WaysInMetres.place(-140, 0), WaysInMetres.place(end.east, end.north),
        ])
        var generator = TurnGenerator(trace: NoTrace())
        let turns = generator.turns(along: PathTurns(graph: region.graph, path: path).turnPath())
        return turns.map(\.description)
    }

    @Test func waysInPathsAndPrivateRoadsAreNoExits() throws {
        let texts = try texts(.cycling, to: (140, 0)) { map in
            map.add("highway=footway", Self.rim(300), Self.rim(300, 90))
            map.add("highway=service access=private", Self.rim(330), Self.rim(330, 90))
        }
        #expect(texts.contains { $0.contains("second exit onto East") }, "\(texts)")
    }

    @Test func fartherRoundItIsTheThird() throws {
        let texts = try texts(.cycling, to: (0, 140))
        #expect(texts.contains { $0.contains("third exit onto North") }, "\(texts)")
    }

    @Test func aPathIsNoNumberedExit() throws {
        let texts = try texts(.walking, to: (90, -90)) { map in
            map.add("highway=footway", Self.rim(315), (90, -90))
        }
        let turn = try #require(texts.first { $0.contains("roundabout") })
        #expect(!turn.contains("exit"), "\(texts)")
    }
}
