import Foundation
import Geodesy
import Testing

@testable import Cartography

/// Coasts that are whole, cut, broken or reversed: land is never drawn as sea.
@Suite("the sea")
struct SeaTests {
    private static let corner = MapPoint(Coordinate(latitude: 20.5, longitude: -29.6))
    /// About 10 km.
    private static let side = Int32(1) << 18

    private static func point(_ x: Double, _ y: Double) -> MapPoint {
        MapPoint(x: corner.x + Int32(x * Double(side)), y: corner.y + Int32(y * Double(side)))
    }

    private static var box: MapBox {
        var box = MapBox()
        box.add(point(0, 0))
        box.add(point(1, 1))
        return box
    }

    /// A coast from west to east with capes and bays: land in the north.
    private static func shore(_ x: Double) -> Double { 0.5 + 0.08 * sin(9 * x) + 0.03 * sin(23 * x + 1) }

    /// Whether there is land, in shares of the box: north of the coast, and on an island.
    private static func isLand(_ x: Double, _ y: Double) -> Bool {
        y < shore(x) || hypot(x - 0.6, y - 0.8) < 0.08
    }

    private static func height(_ latitude: Double, _ longitude: Double) -> Double? {
        let place = MapPoint(Coordinate(latitude: latitude, longitude: longitude))
        let (x, y) = (
            Double(place.x - corner.x) / Double(side), Double(place.y - corner.y) / Double(side)
        )
        return isLand(x, y) ? 25 : 0
    }

    private static func coast(_ from: Double, _ to: Double) -> [MapPoint] {
        (0...400).map { Double($0) / 400 }.map { from + (to - from) * $0 }.map { point($0, shore($0)) }
    }

    private static let island: [MapPoint] = {
        let ring = (0..<60).map { -Double($0) / 60 * 2 * Double.pi }
            .map { point(0.6 + 0.08 * cos($0), 0.8 + 0.08 * sin($0)) }
        return ring + [ring[0]]
    }()

    private struct Shares {
        var flooded = 0
        var sea = 0.0
    }

    /// The land drawn as sea, farther from the shore than a cell, and the share of the sea that is drawn.
    private static func shares(_ rings: [[MapPoint]]) -> Shares {
        var shares = Shares()
        var (wet, drawn) = (0.0, 0.0)
        for row in 0..<70 {
            let y = (Double(row) + 0.41) / 70
            let crossings = RingMeasures.crossings(of: rings, at: Double(point(0, y).y) + 0.25)
            for column in 0..<70 {
                let x = (Double(column) + 0.37) / 70
                let near = [(-0.003, 0.0), (0.003, 0.0), (0.0, -0.003), (0.0, 0.003)]
                if near.contains(where: { isLand(x + $0.0, y + $0.1) != isLand(x, y) }) { continue }
                let isSea = !crossings.count { $0 < Double(point(x, y).x) }.isMultiple(of: 2)
                if isLand(x, y) {
                    if isSea { shares.flooded += 1 }
                } else {
                    wet += 1
                    if isSea { drawn += 1 }
                }
            }
        }
        shares.sea = drawn / wet
        return shares
    }

    @Test("a whole coast bounds the whole sea, down to the edges of the area")
    func whole() {
        let sea = Sea(
            coastlines: [Self.coast(-0.1, 1.1), Self.island], box: Self.box, isDeclared: true, check: {})
        #expect(sea.looseEnds == 0 && !sea.isBroken)
        let shares = Self.shares(sea.rings)
        #expect(shares.flooded == 0 && shares.sea > 0.99)
    }

    @Test(
        "of a coast that is cut anywhere no land is sea; with heights nearly all of the sea is drawn",
        arguments: [
            [-0.1, 0.5], [0.3, 1.1], [0.2, 0.8], [-0.1, 0.3, 0.5, 1.1], [0.1, 0.2, 0.6, 0.7],
            [-0.1, 0.45, 0.55, 0.75],
        ], [true, false])
    func cut(ends: [Double], hasHeights: Bool) {
        let heights: Sea.Heights? = hasHeights ? { Self.height($0, $1) } : nil
        let lines =
            stride(from: 0, to: ends.count, by: 2).map { Self.coast(ends[$0], ends[$0 + 1]) } + [Self.island]
        let sea = Sea(
            coastlines: lines, box: Self.box, isDeclared: true, heights: heights, check: {})
        #expect(sea.isBroken && sea.looseEnds > 0)
        let shares = Self.shares(sea.rings)
        #expect(shares.flooded == 0)
        // Without heights no more than a strip along the shore is known.
        if hasHeights { #expect(shares.sea > 0.5) }
        // Nor is the land at the shore itself, nearer than a cell; where the coast is missing only heights tell, a cell at a time.
        let drawn = stride(from: 0, to: ends.count, by: 2).map { ends[$0] + 0.003...ends[$0 + 1] - 0.003 }
        for x in stride(from: 0.003, to: 1, by: 0.0043) where drawn.contains(where: { $0.contains(x) }) {
            #expect(!RingMeasures.contains(Self.point(x, Self.shore(x) - 0.0004), sea.rings), "\(x)")
        }
    }

    @Test("an island whose ring is cut keeps its land, with and without heights", arguments: [true, false])
    func openIsland(hasHeights: Bool) {
        let heights: Sea.Heights? = hasHeights ? { Self.height($0, $1) } : nil
        for range in [0..<40, 10..<58, 20..<35] {
            let sea = Sea(
                coastlines: [Self.coast(-0.1, 1.1), Array(Self.island[range])], box: Self.box,
                isDeclared: true, heights: heights, check: {})
            #expect(sea.isBroken)
            #expect(Self.shares(sea.rings).flooded == 0)
        }
    }

    @Test("where a stretch of the coast is missing, an islet far from its ends floods no land")
    func isletOfMissingCoast() {
        // The mainland's coast is drawn in the west only, with an islet in the east just off the missing coast.
        let (x, y) = (0.8, Self.shore(0.8) + 0.02)
        let islet = [(-0.005, 0.0), (0.0, 0.005), (0.005, 0.0), (0.0, -0.005), (-0.005, 0.0)]
            .map { Self.point(x + $0.0, y + $0.1) }
        for ring in [islet, islet.reversed()] {
            let sea = Sea(
                coastlines: [Self.coast(-0.1, 0.2), ring], box: Self.box, isDeclared: true, check: {})
            #expect(Self.shares(sea.rings).flooded == 0)
        }
    }

    @Test("a coast drawn in the wrong direction floods nothing where heights are known")
    func reversed() {
        let sea = Sea(
            coastlines: [Self.coast(-0.1, 1.1).reversed()], box: Self.box, isDeclared: true,
            heights: Self.height, check: {})
        #expect(sea.isBroken)
        #expect(Self.shares(sea.rings).flooded == 0)
    }

    @Test("a stretch of a coast that is drawn in the wrong direction is turned", arguments: [true, false])
    func reversedStretch(hasHeights: Bool) {
        let heights: Sea.Heights? = hasHeights ? { Self.height($0, $1) } : nil
        let coast = Self.coast(-0.1, 1.1)
        let sea = Sea(
            coastlines: [
                Array(coast[...150]), coast[150...210].reversed(), Array(coast[210...]), Self.island,
            ], box: Self.box, isDeclared: true, heights: heights, check: {})
        #expect(sea.turned == 1 && !sea.isBroken)
        let shares = Self.shares(sea.rings)
        #expect(shares.flooded == 0 && shares.sea > 0.99)
    }

    @Test("land below the sea's level behind a whole coast stays land")
    func polder() {
        let sea = Sea(
            coastlines: [Self.coast(-0.1, 1.1)], box: Self.box, isDeclared: true, heights: { _, _ in -3 },
            check: {})
        #expect(!sea.isBroken)
        #expect(!RingMeasures.contains(Self.point(0.5, 0.1), sea.rings))
    }

    @Test("a coast that ends a segment before the edge reaches it, and a slip of the map is bridged")
    func slips() {
        let sea = Sea(
            coastlines: [Self.coast(0.002, 0.4), Self.coast(0.401, 0.998)], box: Self.box, isDeclared: true,
            check: {})
        #expect(sea.looseEnds == 0)
    }

    @Test("an island whose coast is all that is known of the area lies in the sea", arguments: [true, false])
    func islandAlone(isDeclared: Bool) {
        // Its outermost points are on the edges of the area.
        let area = Self.island.reduce(into: MapBox()) { $0.add($1) }
        let sea = Sea(coastlines: [Self.island], box: area, isDeclared: isDeclared, check: {})
        #expect(!sea.isBroken && sea.looseEnds == 0)
        // The circle fills π/4 of its box.
        var wet = 0
        for row in 0..<50 {
            for column in 0..<50 {
                let (x, y) = (
                    0.52 + 0.16 * (Double(column) + 0.5) / 50, 0.72 + 0.16 * (Double(row) + 0.5) / 50
                )
                let isSea = RingMeasures.contains(Self.point(x, y), sea.rings)
                if isSea { wet += 1 }
                let far = hypot(x - 0.6, y - 0.8) - 0.08
                if abs(far) > 0.002 { #expect(isSea == (far > 0), "\(x), \(y)") }
            }
        }
        #expect(abs(Double(wet) / 2_500 - (1 - Double.pi / 4)) < 0.02)
    }

    @Test("a cape and an inlet that touch the edge of the area part neither land nor sea")
    func touching() {
        /// From west to east at the middle, with a cape to the south edge and an inlet to the north edge.
        let coast = [
            (-0.1, 0.5), (0.2, 0.5), (0.3, 1), (0.4, 0.5), (0.6, 0.5), (0.7, 0), (0.8, 0.5), (1.1, 0.5),
        ]
        .map { Self.point($0.0, $0.1) }
        let sea = Sea(coastlines: [coast], box: Self.box, isDeclared: true, check: {})
        #expect(!sea.isBroken && sea.looseEnds == 0)
        for (x, y) in [(0.1, 0.9), (0.5, 0.9), (0.9, 0.9), (0.7, 0.2), (0.35, 0.9)] {
            #expect(RingMeasures.contains(Self.point(x, y), sea.rings), "\(x), \(y)")
        }
        for (x, y) in [(0.1, 0.1), (0.5, 0.1), (0.9, 0.1), (0.3, 0.9), (0.62, 0.1)] {
            #expect(!RingMeasures.contains(Self.point(x, y), sea.rings), "\(x), \(y)")
        }
    }

    @Test(
        "around an island the sea reaches beyond the features where the ground is known to be sea, and no farther"
    )
    func openWater() {
        let box = Self.island.reduce(into: MapBox()) { $0.add($1) }
        func grown(_ heights: @escaping Sea.Heights, others: [MapBox] = []) -> MapBox {
            OpenWater(heights: heights).grown(
                box, lines: [Self.island], others: others, limit: nil, check: {})
        }
        // Land in the north: that edge stays where it is, the others move by half of the box.
        let north = Self.point(0, 0.7195).coordinate.latitude
        let beside = grown({ latitude, _ in latitude > north ? 25.0 : 0.0 })
        let unknown = grown({ _, _ in nil })
        let taken = grown({ _, _ in 0.0 }, others: [beside])
        #expect(beside.minY == box.minY)
        #expect(beside.minX < box.minX && beside.maxX > box.maxX && beside.maxY > box.maxY)
        #expect(abs(beside.width - 2 * box.width) < 4)
        // Unknown ground is no sea, nor is what another part of the file covers.
        #expect(unknown == box)
        #expect(taken == box)
        // A coast that ends at an edge may go on beyond it.
        let mainland = OpenWater(heights: { _, _ in 0.0 }).grown(
            Self.box, lines: [Self.coast(0, 1)], others: [], limit: nil, check: {})
        #expect(mainland.minX == Self.box.minX && mainland.maxX == Self.box.maxX)
        #expect(mainland.maxY > Self.box.maxY)
    }

    /// A ring around a place, against the clock as islands are, or with it.
    private static func ring(_ x: Double, _ y: Double, _ radius: Double, isIsland: Bool = true) -> [MapPoint]
    {
        let turn = isIsland ? -2 * Double.pi : 2 * Double.pi
        let ring = (0..<40).map { Double($0) / 40 * turn }
            .map { point(x + radius * cos($0), y + radius * sin($0)) }
        return ring + [ring[0]]
    }

    @Test("an islet that is tagged as a coast on land is land, and so is an island that is drawn twice")
    func onLand() {
        let again = Array(Self.island[20...] + Self.island[1...20])
        let sea = Sea(
            coastlines: [Self.coast(-0.1, 1.1), Self.island, again, Self.ring(0.3, 0.2, 0.05)], box: Self.box,
            isDeclared: true, check: {})
        #expect(!sea.isBroken && sea.onLand == 1)
        #expect(!RingMeasures.contains(Self.point(0.3, 0.2), sea.rings))
        let shares = Self.shares(sea.rings)
        #expect(shares.flooded == 0 && shares.sea > 0.99)
    }

    @Test("a line that crosses itself everywhere is no coast")
    func tangled() {
        let count = 101
        let star = (0...count).map { index in
            let angle = 2 * Double.pi * Double(index * 50 % count) / Double(count)
            return Self.point(0.5 + 0.4 * cos(angle), 0.5 + 0.4 * sin(angle))
        }
        #expect(CoastUnion.rings([star], in: Self.box, check: {}) == nil)
    }

    @Test(
        "the common part of islands that are drawn over each other is land",
        arguments: [
            [(0.3, 0.7, 0.1), (0.4, 0.75, 0.1)],
            [(0.3, 0.7, 0.1), (0.4, 0.75, 0.1), (0.35, 0.65, 0.08), (0.37, 0.72, 0.01)],
            // Onto the mainland, and nearly the same island twice.
            [(0.5, 0.5, 0.1)], [(0.3, 0.75, 0.1), (0.301, 0.75, 0.1)],
            // Two that cross in points of both: at 72° and 108° of 40 corners.
            [(0.4, 0.75, 0.1), (0.4618034, 0.75, 0.1)],
        ])
    func overlapping(islands: [(x: Double, y: Double, radius: Double)]) throws {
        let mainland = [Self.point(1.1, 0.5), Self.point(-0.1, 0.5)]
        let sea = Sea(
            coastlines: [mainland.reversed()] + islands.map { Self.ring($0.x, $0.y, $0.radius) },
            box: Self.box, isDeclared: true, check: {})
        #expect(!sea.isBroken)
        var (drawn, wet) = (0, 0)
        for row in 0..<90 {
            for column in 0..<90 {
                let (x, y) = ((Double(column) + 0.37) / 90, (Double(row) + 0.41) / 90)
                let depths = islands.map { hypot(x - $0.x, y - $0.y) - $0.radius } + [y - 0.5]
                let depth = depths.min() ?? 0
                let isSea = RingMeasures.contains(Self.point(x, y), sea.rings)
                if depth < -0.001 { #expect(!isSea, "\(x), \(y)") }
                if depth > 0.001 {
                    wet += 1
                    if isSea { drawn += 1 }
                }
            }
        }
        #expect(wet > 0 && drawn == wet)
    }

    @Test("a coast that comes in over the edge and ends just inside is a gap, not a shore of the whole area")
    func scrap() {
        // From the west over the edge, and a scrap that lies at the edge; the rest of the coast is missing.
        for line in [[(-0.1, 0.5), (-0.01, 0.48), (0.003, 0.5)], [(0.003, 0.5), (0.004, 0.504)]] {
            let sea = Sea(
                coastlines: [line.map { Self.point($0.0, $0.1) }, Self.ring(0.6, 0.8, 0.08)], box: Self.box,
                isDeclared: true, check: {})
            #expect(sea.isBroken)
            #expect(Self.shares(sea.rings).flooded == 0)
        }
    }

    @Test(
        "beside a broken coast an island that is drawn in the wrong direction is no sea",
        arguments: [true, false])
    func reversedIsland(hasHeights: Bool) {
        let heights: Sea.Heights? = hasHeights ? { Self.height($0, $1) } : nil
        let sea = Sea(
            coastlines: [Self.coast(-0.1, 0.5), Self.island.reversed()], box: Self.box, isDeclared: true,
            heights: heights, check: {})
        #expect(sea.isBroken)
        #expect(Self.shares(sea.rings).flooded == 0)
    }

    @Test("an island whose coastline is missing is no sea where the heights show it")
    func missingIsland() {
        let sea = Sea(
            coastlines: [Self.coast(-0.1, 1.1)], box: Self.box, isDeclared: true, heights: Self.height,
            check: {})
        #expect(sea.isBroken && sea.looseEnds == 0)
        let shares = Self.shares(sea.rings)
        #expect(shares.flooded == 0 && shares.sea > 0.97)
    }

    @Test("where coastlines meet head-on, neither tells on which side the sea is")
    func headOn() {
        let coast = Self.coast(-0.1, 1.1)
        for middle in [150, 200, 300] {
            let sea = Sea(
                coastlines: [Array(coast[...middle]), coast[middle...].reversed()], box: Self.box,
                isDeclared: true, check: {})
            #expect(sea.isBroken)
            #expect(Self.shares(sea.rings).flooded == 0, "\(middle)")
        }
        // A much longer one is right.
        let sea = Sea(
            coastlines: [Array(coast[...350]), coast[350...].reversed(), Self.island], box: Self.box,
            isDeclared: true, check: {})
        #expect(Self.shares(sea.rings).flooded == 0 && !sea.rings.isEmpty)
    }

    @Test(
        "a coast that ends inside contradicts none: its missing end may lie between",
        arguments: [true, false])
    func looseEndIsNoContradiction(hasHeights: Bool) {
        // The north of an island in the south, and the west of one in the east whose last stretch is missing.
        let south = [(0.5, 1.1), (0.45, 0.95), (0.35, 0.95), (0.3, 1.1)]
        let east = [(1.1, 0.2), (0.9, 0.25), (0.9, 0.45), (0.985, 0.5)]
        func isLand(_ x: Double, _ y: Double) -> Bool { x > 0.9 && (0.2...0.52).contains(y) || y > 0.95 }
        let heights: Sea.Heights = { latitude, longitude in
            let place = MapPoint(Coordinate(latitude: latitude, longitude: longitude))
            return isLand(
                Double(place.x - Self.corner.x) / Double(Self.side),
                Double(place.y - Self.corner.y) / Double(Self.side)) ? 25 : 0
        }
        let sea = Sea(
            coastlines: [south, east].map { $0.map { Self.point($0.0, $0.1) } }, box: Self.box,
            isDeclared: true,
            heights: hasHeights ? heights : nil, check: {})
        #expect(sea.isBroken && sea.looseEnds == 1)
        for place in [(0.95, 0.35), (0.98, 0.3), (0.4, 0.98)] {
            #expect(!RingMeasures.contains(Self.point(place.0, place.1), sea.rings))
        }
        #expect(RingMeasures.contains(Self.point(0.5, 0.5), sea.rings) == hasHeights)
    }

    @Test("an islet between coasts of unknown direction does not tell that all beside it is sea")
    func isletAmongDoubts() {
        // Land in the north of both: one of them is drawn in the wrong direction.
        let lines = [0.3, 0.7].map { y in [Self.point(-0.1, y), Self.point(1.1, y)] }
        let sea = Sea(
            coastlines: lines + [Self.ring(0.5, 0.5, 0.05)], box: Self.box, isDeclared: true, check: {})
        #expect(sea.isBroken)
        for y in [0.1, 0.5, 0.9] { #expect(!RingMeasures.contains(Self.point(0.2, y), sea.rings)) }
    }

    @Test("an inland sea is sea, and its island is land")
    func inland() {
        let sea = Sea(
            coastlines: [
                Self.coast(-0.1, 1.1), Self.ring(0.3, 0.2, 0.1, isIsland: false), Self.ring(0.3, 0.2, 0.03),
            ], box: Self.box, isDeclared: true, check: {})
        #expect(!sea.isBroken && sea.onLand == 0)
        #expect(RingMeasures.contains(Self.point(0.37, 0.2), sea.rings))
        #expect(!RingMeasures.contains(Self.point(0.3, 0.2), sea.rings))
        #expect(!RingMeasures.contains(Self.point(0.45, 0.2), sea.rings))
    }
}
