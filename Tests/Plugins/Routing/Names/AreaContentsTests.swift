import Geodesy
import Testing

@testable import RoutingPlugin

/// An area's check of one place agrees with an `AreaFinder` for many.
@Suite struct AreaContentsTests {
    /// A square of one degree with a hole in its middle.
    private static func square(_ name: String, level: Int, west: Double = 8) -> NamedArea {
        func ring(_ low: Double, _ high: Double) -> [Coordinate] {
            [(low, low), (low, high), (high, high), (high, low), (low, low)].map {
                Coordinate(latitude: 47 + $0.0, longitude: west + $0.1)
            }
        }
        return NamedArea(
            name: name, otherNames: [], kind: "administrative", level: level,
            rings: [ring(0, 1), ring(0.4, 0.6)],
            box: BoundingBox(south: 47, west: west, north: 48, east: west + 1))
    }

    @Test(
        "inside, outside, and in the hole",
        arguments: [(0.5, 0.2, true), (0.5, 0.5, false), (0.5, 1.2, false)])
    func squareWithAHole(north: Double, east: Double, isInside: Bool) {
        let place = Coordinate(latitude: 47 + north, longitude: 8 + east)
        #expect(Self.square("A", level: 8).contains(place) == isInside)
    }

    @Test("the municipality is the one that the finder of many places gives")
    func municipality() {
        let areas = [
            Self.square("Parish", level: 10), Self.square("B", level: 8), Self.square("A", level: 8),
            Self.square("District", level: 6, west: 8.5),
        ]
        let finder = AreaFinder(areas)
        var names: Set<String?> = []
        for north in stride(from: -0.15, through: 1.2, by: 0.1) {
            for east in stride(from: -0.15, through: 1.7, by: 0.1) {
                let place = Coordinate(latitude: 47 + north, longitude: 8 + east)
                let name = NamedArea.municipality(of: areas) { areas[$0].contains(place) }
                #expect(name == finder.municipality(at: place))
                names.insert(name)
            }
        }
        #expect(names == ["A", "District", nil])
    }
}
