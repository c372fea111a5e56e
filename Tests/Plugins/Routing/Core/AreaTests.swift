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
}
