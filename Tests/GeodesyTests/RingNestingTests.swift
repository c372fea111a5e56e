import Geodesy
import Testing

/// Polygons of rings, by hand.
struct RingNestingTests {
    private func square(_ south: Double, _ west: Double, _ size: Double, isHole: Bool = false) -> [Coordinate]
    {
        let corners = [(0.0, 0.0), (0, size), (size, size), (size, 0)].map { north, east in
            let longitude = west + east
            return Coordinate(
                latitude: south + north, longitude: longitude > 180 ? longitude - 360 : longitude)
        }
        return isHole ? corners.reversed() : corners
    }

    @Test func holesBelongToTheSmallestRingAround() {
        let island = square(4, 4, 1)
        let polygons = RingNesting.polygons([
            square(3, 3, 3, isHole: true), square(0, 0, 10), island, square(20, 20, 2),
            square(20.5, 20.5, 1, isHole: true),
        ])
        #expect(
            polygons == [
                [square(0, 0, 10), square(3, 3, 3, isHole: true)], [island],
                [square(20, 20, 2), square(20.5, 20.5, 1, isHole: true)],
            ])
    }

    @Test func aHoleInNothingIsLeftOut() {
        #expect(
            RingNesting.polygons([square(0, 0, 1), square(5, 5, 1, isHole: true)]) == [[square(0, 0, 1)]])
    }

    /// Many write areas clockwise.
    @Test func ringsThatAllGoTheOtherWayAreAreas() {
        #expect(RingNesting.polygons([square(0, 0, 1, isHole: true)]) == [[square(0, 0, 1)]])
    }

    @Test func anAreaAcrossTheAntimeridianIsCutInTwo() {
        let polygons = RingNesting.polygons([square(0, 179, 3), square(1, 179.5, 1, isHole: true)])
        #expect(polygons.count == 2)
        let longitudes = polygons.map {
            $0.map { ring in [ring.map(\.longitude).min(), ring.map(\.longitude).max()] }
        }
        #expect(
            longitudes.sorted { ($0[0][0] ?? 0) < ($1[0][0] ?? 0) } == [
                [[-180, -178], [-180, -179.5]], [[179, 180], [179.5, 180]],
            ])
    }
}
