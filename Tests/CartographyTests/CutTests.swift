import Testing

@testable import Cartography

/// Outlines cut by the edge of an extract, and lines across the 180° meridian.
@Suite("cut outlines")
struct CutTests {
    private static func point(_ x: Int32, _ y: Int32) -> MapPoint { MapPoint(x: 10_000 + x, y: 10_000 + y) }

    private static var box: MapBox {
        var box = MapBox()
        box.add(point(0, 0))
        box.add(point(1000, 1000))
        return box
    }

    @Test("a wood like a C whose back is outside has two arms, and the clearing between them")
    func arms() throws {
        let north = [Self.point(970, 100), Self.point(200, 100), Self.point(200, 250), Self.point(960, 250)]
        let south = [Self.point(970, 750), Self.point(200, 750), Self.point(200, 900), Self.point(970, 900)]
        let rings = try #require(ClippedArea.rings([north, south], in: Self.box))
        for inside in [(500, 150), (995, 150), (500, 800), (995, 800)] as [(Int32, Int32)] {
            #expect(RingMeasures.contains(Self.point(inside.0, inside.1), rings), "\(inside)")
        }
        for outside in [(500, 500), (995, 500), (100, 150), (500, 50), (500, 950)] as [(Int32, Int32)] {
            #expect(!RingMeasures.contains(Self.point(outside.0, outside.1), rings), "\(outside)")
        }
    }

    @Test("a wood over a corner has the corner")
    func corner() throws {
        let rings = try #require(
            ClippedArea.rings(
                [[Self.point(300, -50), Self.point(300, 300), Self.point(-50, 300)]], in: Self.box))
        #expect(RingMeasures.contains(Self.point(10, 10), rings))
        #expect(!RingMeasures.contains(Self.point(500, 500), rings))
    }

    @Test("which side is inside is not guessed across the middle, nor where an outline ends inside")
    func doubt() {
        #expect(ClippedArea.rings([[Self.point(-9, 500), Self.point(1009, 500)]], in: Self.box) == nil)
        #expect(ClippedArea.rings([[Self.point(-9, 200), Self.point(500, 500)]], in: Self.box) == nil)
    }

    @Test("a way across the 180° meridian is drawn on both sides, and not around the world")
    func meridian() {
        let last = Int32(MapLevel.world) - 1
        let sides = MeridianCut.sides([[MapPoint(x: last - 100, y: 5), MapPoint(x: 100, y: 205)]])
        #expect(sides.count == 2)
        for side in sides {
            for part in side { #expect(!zip(part, part.dropFirst()).contains { MeridianCut.jumps($0, $1) }) }
        }
        // One that has a point on the meridian.
        let touching = MeridianCut.sides([
            [MapPoint(x: last - 100, y: 5), MapPoint(x: last, y: 5), MapPoint(x: 100, y: 205)]
        ])
        #expect(touching.joined().joined().allSatisfy { $0.x >= 0 && $0.x <= last })
        let ring = [
            MapPoint(x: last - 100, y: 0), MapPoint(x: 100, y: 0), MapPoint(x: 100, y: 100),
            MapPoint(x: last - 100, y: 100), MapPoint(x: last - 100, y: 0),
        ]
        let halves = MeridianCut.sides([ring])
        #expect(halves.count == 2)
        #expect(halves.contains { RingMeasures.contains(MapPoint(x: 50, y: 50), $0) })
        #expect(halves.contains { RingMeasures.contains(MapPoint(x: last - 50, y: 50), $0) })
    }
}
