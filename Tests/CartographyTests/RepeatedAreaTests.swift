import GRDB
import Geodesy
import Testing

@testable import Cartography

@Suite("What a file has twice, and coasts drawn backwards")
struct RepeatedAreaTests {
    private static func box(_ south: Double, _ west: Double, _ north: Double, _ east: Double) -> [Int32] {
        [(south, west), (south, east), (north, east), (north, west), (south, west)].flatMap {
            [Int32(($0.0 * 1e7).rounded()), Int32(($0.1 * 1e7).rounded())]
        }
    }

    private static func reversed(_ ring: [Int32]) -> [Int32] {
        stride(from: ring.count - 2, through: 0, by: -2).flatMap { [ring[$0], ring[$0 + 1]] }
    }

    /// Whether an area of a kind covers a place of the written map.
    private static func covers(_ kind: String, _ place: (Double, Double), _ builder: MapTableBuilder) throws
        -> Bool
    {
        let fixture = try RegionFixture()
        defer { fixture.remove() }
        let file = fixture.url("a.routing.db")
        let queue = try DatabaseQueue(path: file.path)
        try queue.write { try builder.write(to: $0) }
        try queue.close()
        let point = MapPoint(Coordinate(latitude: place.0, longitude: place.1))
        var isCovered = false
        let table = try MapTable(file)
        let index = try #require(MapKinds.byName[kind])
        try table.features(
            level: MapLevel.all.count - 1,
            in: MapBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
        ) {
            if $0.kind == index, RingMeasures.contains(point, $0.parts) { isCovered = true }
        }
        return isCovered
    }

    @Test(
        "the edge of a lake that is tagged like the lake does not flood its island", arguments: [true, false])
    func lake(isWayFirst: Bool) throws {
        var builder = MapTableBuilder()
        let (outer, inner) = (Self.box(46.1, 8.1, 46.5, 8.5), Self.box(46.2, 8.2, 46.3, 8.3))
        func way() {
            builder.add(
                SourceFeature(origin: .way, tags: ["landuse": "reservoir"], isClosed: true),
                parts: [Self.reversed(outer)])
        }
        if isWayFirst { way() }
        builder.add(
            SourceFeature(origin: .relation, tags: ["natural": "water"], isClosed: true),
            parts: [outer, Self.reversed(inner)])
        if !isWayFirst { way() }
        // A pond that is tagged on the island's edge stays.
        builder.add(
            SourceFeature(origin: .way, tags: ["natural": "water"], isClosed: true),
            parts: [Self.box(46.22, 8.22, 46.24, 8.24)])
        try builder.finish {}
        #expect(try Self.covers("water", (46.15, 8.15), builder))
        #expect(try !Self.covers("water", (46.28, 8.28), builder))
        #expect(try Self.covers("water", (46.23, 8.23), builder))
    }

    @Test(
        "a coast that is drawn backwards as a whole is turned, if roads tell that it is",
        arguments: [true, false])
    func coast(hasRoads: Bool) throws {
        var builder = MapTableBuilder(
            declared: BoundingBox(south: 46, west: 8, north: 47, east: 9))
        // Land lies north of the line, on its right: as drawn, the sea would be there.
        func line(_ places: [(Double, Double)]) -> [Int32] {
            places.flatMap { [Int32(($0.0 * 1e7).rounded()), Int32(($0.1 * 1e7).rounded())] }
        }
        builder.add(
            SourceFeature(origin: .way, tags: ["natural": "coastline"], isClosed: false),
            parts: [line([(46.5, 9.1), (46.55, 8.7), (46.45, 8.3), (46.5, 7.9)])])
        for step in 0..<(hasRoads ? 6 : 0) {
            let north = 46.7 + Double(step) * 0.04
            builder.add(
                SourceFeature(origin: .way, tags: ["highway": "residential"], isClosed: false),
                parts: [line([(north, 8.2), (north, 8.5), (north, 8.8)])])
        }
        builder.add(
            SourceFeature(origin: .node, tags: ["place": "hamlet", "name": "South"], isClosed: false),
            parts: [line([(46.1, 8.5)])])
        builder.add(
            SourceFeature(origin: .node, tags: ["place": "hamlet", "name": "North"], isClosed: false),
            parts: [line([(46.95, 8.5)])])
        try builder.finish {}
        #expect(builder.report.turnedCoast == (hasRoads ? 1 : 0))
        #expect(try Self.covers("sea", (46.2, 8.5), builder) == hasRoads)
        #expect(try Self.covers("sea", (46.85, 8.5), builder) != hasRoads)
    }

    @Test(
        "islands beside land whose coast is missing are no lakes: roads on that land turn nothing",
        arguments: [1, 8])
    func islandsAlone(roads: Int) throws {
        var builder = MapTableBuilder(declared: BoundingBox(south: 46, west: 8, north: 47, east: 9))
        func line(_ places: [(Double, Double)]) -> [Int32] {
            places.flatMap { [Int32(($0.0 * 1e7).rounded()), Int32(($0.1 * 1e7).rounded())] }
        }
        for (south, west) in [(46.1, 8.1), (46.2, 8.5)] {
            let (north, east) = (south + 0.05, west + 0.05)
            builder.add(
                SourceFeature(origin: .way, tags: ["natural": "coastline"], isClosed: true),
                parts: [line([(south, west), (south, east), (north, east), (north, west), (south, west)])])
        }
        for step in 0..<roads {
            let north = 46.7 + Double(step) * 0.03
            builder.add(
                SourceFeature(origin: .way, tags: ["highway": "residential"], isClosed: false),
                parts: [line([(north, 8.2), (north, 8.5), (north, 8.8)])])
        }
        try builder.finish {}
        #expect(builder.report.turnedCoast == 0)
        #expect(try !Self.covers("sea", (46.12, 8.12), builder))
        #expect(try !Self.covers("sea", (46.75, 8.5), builder))
    }

    @Test("a coast that would flood roads floods no smaller area without any, unless the ground there is sea")
    func refusedIsland() throws {
        for height in [nil, 400.0, 5.0, 0.0] {
            var builder = MapTableBuilder(
                declared: BoundingBox(south: 46.5, west: 8.5, north: 46.6, east: 8.6))
            func add(_ tags: [String: String], _ places: [(Double, Double)], isClosed: Bool = false) {
                builder.add(
                    SourceFeature(origin: .way, tags: tags, isClosed: isClosed),
                    parts: [
                        places.flatMap { [Int32(($0.0 * 1e7).rounded()), Int32(($0.1 * 1e7).rounded())] }
                    ])
            }
            // A pond whose edge is tagged as a coast, with its land inside; woods and, farther away, roads around it.
            func box(_ south: Double, _ west: Double, _ side: Double) -> [(Double, Double)] {
                [(0, 0), (0, side), (side, side), (side, 0), (0, 0)].map { (south + $0.0, west + $0.1) }
            }
            add(["natural": "coastline"], box(46.54, 8.54, 0.02), isClosed: true)
            add(["natural": "wood"], box(46.53, 8.525, 0.005), isClosed: true)
            for west in [8.501, 8.599] {
                add(["highway": "path"], [(46.501, west), (46.55, west), (46.599, west)])
            }
            try builder.finish(heights: { height.map { height in { _, _ in height } } }, check: {})
            #expect(try Self.covers("sea", (46.5365, 8.535), builder) == (height == 0))
            #expect(try !Self.covers("sea", (46.58, 8.58), builder))
        }
    }

    @Test("a coast over the 180° meridian that goes on beyond the declared area is whole")
    func overTheMeridian() throws {
        // As readers of files have it: the corners in order.
        var builder = MapTableBuilder(
            declared: BoundingBox(south: -17.06, west: -179.94, north: -16.94, east: 179.94))
        func add(_ tags: [String: String], _ places: [(Double, Double)]) {
            builder.add(
                SourceFeature(origin: .way, tags: tags, isClosed: false),
                parts: [places.flatMap { [Int32(($0.0 * 1e7).rounded()), Int32(($0.1 * 1e7).rounded())] }])
        }
        // Land lies south of the line, on its left.
        add(["natural": "coastline"], [(-17, -179.9), (-17.01, -179.97), (-17, 179.98), (-17.01, 179.9)])
        for west in [179.95, -179.96] { add(["highway": "path"], [(-17.04, west), (-17.045, west + 0.01)]) }
        try builder.finish {}
        #expect(builder.report.looseCoast == 0)
        for longitude in [179.95, 179.99, -179.99, -179.95] {
            #expect(try Self.covers("sea", (-16.97, longitude), builder))
            #expect(try !Self.covers("sea", (-17.03, longitude), builder))
        }
    }

    @Test("roads in the sea are said, from a few of a hundred on", arguments: [0, 1])
    func wetRoads(count: Int) throws {
        var builder = MapTableBuilder(
            declared: BoundingBox(south: 46, west: 8, north: 47, east: 9))
        func add(_ tags: [String: String], _ places: [(Double, Double)]) {
            builder.add(
                SourceFeature(origin: .way, tags: tags, isClosed: false),
                parts: [places.flatMap { [Int32(($0.0 * 1e7).rounded()), Int32(($0.1 * 1e7).rounded())] }])
        }
        // Land lies north of the line, on its left.
        add(["natural": "coastline"], [(46.5, 7.9), (46.45, 8.3), (46.55, 8.7), (46.5, 9.1)])
        for road in 0..<9 {
            let north = 46.7 + Double(road) * 0.02
            add(["highway": "residential"], [(north, 8.2), (north, 8.5), (north, 8.8)])
        }
        // On an island whose own coastline is missing.
        for _ in 0..<count { add(["highway": "residential"], [(46.2, 8.2), (46.2, 8.5), (46.2, 8.8)]) }
        try builder.finish {}
        #expect(try Self.covers("sea", (46.3, 8.5), builder))
        #expect(abs(builder.report.wetRoads - Double(count) / 10) < 1e-9)
        #expect(builder.report.notices.count == count)
        #expect(builder.report.notices.allSatisfy { $0.hasPrefix("10 % of the roads lie in the sea") })
    }
}
