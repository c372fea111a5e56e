import Geodesy
import Testing

@testable import RoutingPlugin

/// Squares are crossed, not walked round; piers are ways.
@Suite struct AreaTests {
    private func distance(_ map: WaysInMetres, from: WaysInMetres.Point, to: WaysInMetres.Point) throws
        -> Double
    {
        try RoutePlanner(map.region(), profile: .hiking)
            .plan([WaysInMetres.place(from.east, from.north), WaysInMetres.place(to.east, to.north)]).distance
    }

    private func streets(_ ring: [WaysInMetres.Point], tags: String = "highway=pedestrian area=yes")
        -> WaysInMetres
    {
        var map = WaysInMetres()
        map.add("", (-200, 50), (0, 50))
        map.add("", (100, 50), (300, 50))
        map.add(tags, ring)
        return map
    }

    private let square: [WaysInMetres.Point] = [
        (0, 0), (100, 0), (100, 50), (100, 100), (0, 100), (0, 50), (0, 0),
    ]

    @Test func aSquareIsCrossed() throws {
        #expect(try abs(distance(streets(square), from: (-200, 50), to: (300, 50)) - 500) < 2)
    }

    @Test func aRoadAroundAGreenIsNot() throws {
        let map = streets(square, tags: "highway=pedestrian")
        #expect(try abs(distance(map, from: (-200, 50), to: (300, 50)) - 600) < 2)
    }

    @Test func aCornerInTheWayIsWalkedRound() throws {
        // A block reaches from the south to 20 m above the line between the streets.
        let ring: [WaysInMetres.Point] = [
            (0, 0), (40, 0), (40, 70), (60, 70), (60, 0), (100, 0), (100, 50), (100, 100), (0, 100), (0, 50),
            (0, 0),
        ]
        // 200 + twice 44.7 (40 aside, 20 up) + 20 + 200.
        let way = 509.4
        #expect(try abs(distance(streets(ring), from: (-200, 50), to: (300, 50)) - way) < 2)
    }

    @Test func aPierIsAWay() throws {
        var map = WaysInMetres()
        map.add("", (-200, 0), (0, 0))
        map.add("man_made=pier", (0, 0), (0, 300))
        #expect(try abs(distance(map, from: (-200, 0), to: (0, 300)) - 500) < 2)
    }

    @Test func aPierWithoutAccessIsNone() throws {
        var map = WaysInMetres()
        map.add("", (-200, 0), (0, 0))
        map.add("man_made=pier access=no", (0, 0), (0, 300))
        #expect(try map.region().graph.edgeCount == 1)
    }

    /// The streets of `streets`, and a square of 100 m whose edge is made of untagged ways.
    private func relation(_ edges: [WaysInMetres.Point]..., tags: String = "highway=pedestrian")
        -> WaysInMetres
    {
        var map = WaysInMetres()
        map.add("", (-200, 50), (0, 50))
        map.add("", (100, 50), (300, 50))
        for edge in edges { map.addLine("", edge) }
        if edges.count == 1 { map.addArea(tags, 3) } else { map.addArea(tags, 3, 4) }
        return map
    }

    @Test func aSquareMappedAsARelationIsCrossed() throws {
        #expect(try abs(distance(relation(square), from: (-200, 50), to: (300, 50)) - 500) < 2)
    }

    @Test func theEdgeOfASquareMayConsistOfSeveralWays() throws {
        let map = relation(
            [(0, 50), (0, 0), (100, 0), (100, 50)], [(0, 50), (0, 100), (100, 100), (100, 50)])
        #expect(try abs(distance(map, from: (-200, 50), to: (300, 50)) - 500) < 2)
    }

    @Test func aHoleIsWalkedRound() throws {
        // A building of 20 m reaches 30 m to the north of the line between the streets, farther to the south.
        let hole: [WaysInMetres.Point] = [(40, 10), (60, 10), (60, 80), (40, 80), (40, 10)]
        // 200 + twice 50 (40 aside, 30 up) + 20 + 200.
        #expect(try abs(distance(relation(square, hole), from: (-200, 50), to: (300, 50)) - 520) < 2)
    }

    @Test func aSquareWithAnUnknownHoleIsNotCrossed() throws {
        var map = WaysInMetres()
        map.add("", (-200, 50), (0, 50))
        map.add("", (100, 50), (300, 50))
        map.addLine("", square)
        map.addArea("highway=pedestrian", 3, 99)
        #expect(try abs(distance(map, from: (-200, 50), to: (300, 50)) - 600) < 2)
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", map.document)
        let report = try RegionImport(into: folder.regions).run(.init(source: file, name: "test"))
        #expect(report.notices.contains { $0.hasPrefix("1 square can only be walked round") })
    }

    @Test func anOpenEdgeIsNoSquare() throws {
        let map = relation([(0, 50), (0, 0), (100, 0), (100, 50)])
        // Round by the edge that there is: 50 + 100 + 50.
        #expect(try abs(distance(map, from: (-200, 50), to: (300, 50)) - 600) < 2)
    }

    @Test func aRelationWithoutAccessIsNoSquare() throws {
        let map = relation(square, tags: "highway=pedestrian access=no")
        #expect(try map.region().graph.edgeCount == 2)
    }

    @Test func anIncompleteSquareIsSaid() throws {
        let folder = try ScratchFolder()
        let file = try folder.write(
            "map.osm", relation([(0, 50), (0, 0), (100, 0), (100, 50)]).document)
        let report = try RegionImport(into: folder.regions).run(.init(source: file, name: "test"))
        #expect(report.notices.contains { $0.hasPrefix("1 square can only be walked round") })
    }

    @Test func ringsOfWaysInAnyOrderAndDirection() {
        #expect(AreaRings.joined([[1, 2], [4, 1], [4, 3, 2]]) == [[1, 2, 3, 4]])
        #expect(AreaRings.joined([[1, 2, 3, 1], [5, 6, 7, 5]]) == [[1, 2, 3], [5, 6, 7]])
        #expect(AreaRings.joined([[1, 2, 3]]) == nil)
        #expect(AreaRings.joined([[1, -1, 3, 1]]) == nil)
        #expect(AreaRings.joined([[1, 2, 3, 1, 4, 5, 1]]) == nil)
        #expect(AreaRings.joined([]) == [])
    }
}
