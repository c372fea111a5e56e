import Geodesy
import Testing

@testable import RoutingPlugin

/// From a coordinate in a square one walks over the square, not to the nearest line of its edge.
@Suite struct AreaPinTests {
    private let square: [WaysInMetres.Point] = [
        (0, 0), (100, 0), (100, 50), (100, 100), (0, 100), (0, 50), (0, 0),
    ]

    /// A square of 100 m with streets to the west and east of the middles of its sides.
    private func map(
        tags: String = "highway=pedestrian area=yes", eastern: String = ""
    ) -> WaysInMetres {
        var map = WaysInMetres()
        map.add("", (-200, 50), (0, 50))
        map.add("", (100, 50), (300, 50), nodeTags: [0: eastern])
        map.add(tags, square)
        return map
    }

    private func path(
        _ map: WaysInMetres, _ from: WaysInMetres.Point, _ to: WaysInMetres.Point,
        _ ground: ((Double, Double) -> Double)? = nil
    ) throws -> GraphPath {
        let region = try map.region(ground)
        return try RoutePlanner(region, profile: .hiking).plan([
            WaysInMetres.place(from.east, from.north), WaysInMetres.place(to.east, to.north),
        ])
    }

    @Test func aPinInASquareWalksStraightToItsStreet() throws {
        // 70 aside and 30 up, which is 76.2, then 200.
        let path = try path(map(), (30, 20), (300, 50))
        #expect(abs(path.distance - (5800.0.squareRoot() + 200)) < 1)
        #expect(path.stops[0].distance < 0.1)
        #expect(path.notices.isEmpty)
        let start = try #require(path.coordinates.first)
        #expect(start.distance(to: WaysInMetres.place(30, 20)) < 0.1)
    }

    @Test func aRouteMayEndInASquare() throws {
        let path = try path(map(), (300, 50), (30, 20))
        #expect(abs(path.distance - (5800.0.squareRoot() + 200)) < 1)
        #expect(try #require(path.coordinates.last).distance(to: WaysInMetres.place(30, 20)) < 0.1)
    }

    @Test func twoPinsInASquareAreJoinedByALine() throws {
        let path = try path(map(), (20, 20), (80, 90))
        #expect(abs(path.distance - 8500.0.squareRoot()) < 1)
        #expect(path.coordinates.count == 2)
        #expect(try abs(self.path(map(), (20, 20), (20, 20)).distance) < 0.1)
    }

    @Test func aPinBesideTheEdgeOfASquareWalksOverIt() throws {
        // From the middle of the southern side to that of the northern: straight, not round.
        #expect(try abs(path(map(), (40, -5), (40, 105)).distance - 100) < 1)
        #expect(try abs(path(map(), (40, -5), (300, 50)).distance - (6100.0.squareRoot() + 200)) < 1)
    }

    @Test(arguments: [(105.0, -200.0), (-5, 300)])
    func aPinAtACornerOfASquareWalksOverIt(east: Double, street: Double) throws {
        // To the opposite side, 100 aside and 50 up, not round by the edge.
        let path = try path(map(), (east, -5), (street, 50))
        #expect(abs(path.distance - (12_500.0.squareRoot() + 200)) < 2)
    }

    @Test func linesOverASquareToDifferentSidesAreNotTheSame() throws {
        let region = try map().region()
        let planner = try RoutePlanner(region, profile: .hiking)
        let (pin, west, east) = (
            WaysInMetres.place(50, 50), WaysInMetres.place(-200, 50), WaysInMetres.place(300, 50)
        )
        let through = try planner.plan([west, pin, east])
        #expect(RoundTrips.repeated(through, region.graph) < 0.01)
        // The way back of 250 m.
        let back = try planner.plan([west, pin, west])
        #expect(abs(RoundTrips.repeated(back, region.graph) - 0.5) < 0.01)
        let out = try planner.plan([pin, east])
        #expect(try abs(planner.plan([east, pin]).length(on: out, region.graph) - 250) < 1)
        #expect(try planner.plan([pin, west]).length(on: out, region.graph) < 1)
    }

    @Test func whatStandsInASquareIsWalkedRound() throws {
        var map = WaysInMetres()
        map.add("", (-200, 50), (0, 50))
        map.add("", (100, 50), (300, 50))
        map.addLine("", square)
        map.addLine("", [(40, 10), (60, 10), (60, 80), (40, 80), (40, 10)])
        map.addArea("highway=pedestrian", 3, 4)
        // By the north of the hole: 20 aside and 30 up, 20 along, 20 aside and 30 down.
        #expect(try abs(path(map, (20, 50), (80, 50)).distance - (2 * 1300.0.squareRoot() + 20)) < 1)
        // In the hole one is not in the square: the nearest line is its side.
        #expect(try path(map, (50, 12), (300, 50)).stops[0].distance > 1)
    }

    @Test func aSquareThatIsClosedIsNotWalkedOver() throws {
        var map = map(tags: "highway=pedestrian area=yes access=private")
        map.add("", (-200, -50), (300, -50))
        map.add("", (-200, -50), (-200, 50))
        map.add("", (300, -50), (300, 50))
        // Moved to the end of a street, 50 aside and 30 up.
        #expect(try abs(path(map, (50, 20), (300, 50)).stops[0].distance - 3400.0.squareRoot()) < 1)
    }

    @Test func anAvoidedSquareIsNotWalkedOver() throws {
        let region = try map(tags: "highway=pedestrian area=yes name=Market").region()
        let plain = region.weighted(.hiking)
        let closed = (0..<region.graph.edgeCount).filter { region.graph.name(of: $0) == "Market" }
        #expect(!closed.isEmpty)
        var planner = RoutePlanner(WeightedGraph(plain, closing: closed))
        planner.avoids = true
        #expect(throws: (any Error).self) {
            try planner.plan([WaysInMetres.place(-200, 50), WaysInMetres.place(300, 50)])
        }
    }

    @Test func aFenceAtTheExitIsNotClimbed() throws {
        // The street in the east is behind a fence; one in the north goes round to it.
        var map = map(eastern: "barrier=fence")
        map.add("", (0, 100), (0, 300), (300, 300), (300, 50))
        #expect(try path(map, (90, 50), (300, 50)).distance > 700)
    }

    @Test func twoSquaresThatMeetAreBothCrossed() throws {
        var map = map()
        map.add("highway=pedestrian area=yes", [(0, 100), (100, 100), (100, 200), (0, 200), (0, 100)])
        // By the corner that both have.
        let path = try path(map, (90, 90), (90, 110))
        #expect(path.distance < 40)
        #expect(path.edges.count == 2)
    }

    @Test func theInstructionsLeadOverTheSquare() throws {
        let map = map()
        let region = try map.region()
        let path = try RoutePlanner(region, profile: .hiking).plan([
            WaysInMetres.place(30, 20), WaysInMetres.place(300, 50),
        ])
        let pieces = PathTurns(graph: region.graph, path: path)
        let legs = pieces.turnPath().legs
        #expect(abs(legs.reduce(0) { $0 + $1.length } - path.distance) < 0.5)
        #expect(abs(pieces.edges(.hiking).reduce(0) { $0 + $1.distance } - path.distance) < 0.5)
        #expect(abs(pieces.sums(.hiking).cost - path.cost) < 0.01)
        #expect(pieces.edges(.hiking).first?.kind.flags.contains(.area) == true)
    }

    @Test func heightsOfASquareAreKnown() throws {
        let path = try path(map(), (30, 20), (300, 50)) { _, _ in 500 }
        #expect(path.coordinates.allSatisfy { $0.altitude != nil })
        #expect(path.gain == 0)
    }

    @Test func everyMethodFindsTheSameWayOverASquare() throws {
        let region = try map().region()
        let planner = RoutePlanner(region.weighted(.hiking))
        let places = [WaysInMetres.place(30, 20), WaysInMetres.place(300, 50)]
        let costs = try SearchMethod.allCases.map { try planner.plan(places, method: $0).cost }
        for cost in costs { #expect(abs(cost - costs[0]) < 1e-6) }
    }

    @Test func anAreaIsReachedFromItsMiddle() throws {
        let region = try map().region()
        let planner = try RoutePlanner(region, profile: .hiking)
        // 50 m over the square and 30 m beyond, at 1.33 m/s.
        let area = try planner.reachable(from: WaysInMetres.place(50, 50), within: 80 / 1.33)
        #expect(!area.outline.isEmpty)
        #expect(area.start.distance < 0.1)
        // Whoever does not leave the square is still somewhere.
        let near = try planner.reachable(from: WaysInMetres.place(50, 50), within: 10)
        #expect(!near.outline.isEmpty)
        let reached = ReachedArea(area: near, graph: region.graph, region: nil)
        guard case .quantity(let farthest) = reached.field("farthest") else {
            Issue.record("no distance")
            return
        }
        #expect((5.0..<20).contains(farthest.value))
    }

    @Test func aJoinedAndAReadGraphHaveTheSameAreas() throws {
        // The database is read again: its folder is kept until then.
        let folder = try ScratchFolder()
        defer { withExtendedLifetime(folder) {} }
        let region = try importedRegion(map().document, in: folder)
        #expect(region.graph.areas.count == 1)
        let row = region.graph.areas[0]
        #expect(row.count == 6)
        let corners = (0..<Int(row.count)).map { region.graph.areaCorners[Int(row.first) + $0] }
        #expect(corners.count { $0.node >= 0 } >= 2)
        let read = try RoutingRegion(region.database, isOwn: false).graph
        #expect(read.areas.count == 1 && read.areaCorners.count == region.graph.areaCorners.count)
        for (one, other) in zip(read.areaCorners.buffer, region.graph.areaCorners.buffer) {
            #expect(
                one.node == other.node && one.latitude == other.latitude && one.longitude == other.longitude)
        }
    }
}
