import Geodesy
import Pictures
import Testing

@testable import Cartography

@Suite("Order of areas")
struct AreaOrderTests {
    private static let center = Coordinate(latitude: 46.55, longitude: 8.55)
    private let style = MapStyle.builtIn(.light)

    /// A square around the middle of the map; `side` in stored units.
    private func square(_ kind: String, side: Int32, hole: Int32? = nil) throws -> DrawnFeature {
        let middle = MapPoint(Self.center)
        func ring(_ side: Int32) -> [MapPoint] {
            [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)].map {
                MapPoint(x: middle.x + $0.0 * side / 2, y: middle.y + $0.1 * side / 2)
            }
        }
        let parts = [ring(side)] + (hole.map { [ring($0)] } ?? [])
        var box = MapBox()
        for point in parts.joined() { box.add(point) }
        return DrawnFeature(
            kind: try #require(MapKinds.byName[kind]), flags: [], layer: 0, name: nil, parts: parts, box: box)
    }

    /// The fills of features from the lowest to the highest.
    private func fills(_ features: [DrawnFeature], zoom: Double = 14, above: Bool = false) throws -> [Color] {
        let frame = MapProjection(MapView(center: Self.center, zoom: zoom))
        let drawing = FeatureDrawing(frame: frame, style: style)
        let byKind = Dictionary(grouping: features, by: \.kind)
        return try drawing.areas(byKind, above: above).compactMap {
            if case .polygon(_, let fill, _) = $0.shape { fill?.color } else { nil }
        }
    }

    private func colors(_ kinds: [String]) throws -> [Color] {
        try kinds.map { kind in
            try #require(style.areas.first { $0.kind == MapKinds.byName[kind] }).fill
        }
    }

    @Test(
        "an area inside a larger one is drawn over it, whichever kinds they are",
        arguments: [
            ["wood", "meadow"], ["meadow", "wood"], ["scrub", "orchard"], ["wood", "park"],
            ["scree", "meadow"], ["glacier", "rock"], ["wood", "residential"], ["residential", "wood"],
        ])
    func nested(kinds: [String]) throws {
        let side: Int32 = 30_000
        let features = [try square(kinds[0], side: side), try square(kinds[1], side: side / 3)]
        #expect(try fills(features) == colors(kinds))
        #expect(try fills(features.reversed()) == colors(kinds))
    }

    @Test("a clearing that fills most of a wood's hole is not under the wood's next ring")
    func hole() throws {
        let wood = try square("wood", side: 30_000, hole: 29_000)
        let meadow = try square("meadow", side: 28_000)
        #expect(try fills([wood, meadow]) == colors(["wood", "meadow"]))
    }

    @Test("areas that reach far out of view are ordered by all of them")
    func outOfView() throws {
        // Both fill the picture.
        let features = [try square("wood", side: 30_000_000), try square("meadow", side: 10_000_000)]
        #expect(try fills(features) == colors(["wood", "meadow"]))
    }

    @Test("equal areas keep the order of the style, as do water and buildings")
    func equal() throws {
        let same = [try square("wood", side: 30_000), try square("meadow", side: 30_000)]
        #expect(try fills(same) == colors(["meadow", "wood"]))
        let above = [try square("building", side: 30_000), try square("water", side: 10_000)]
        #expect(try fills(above, above: true) == colors(["water", "building"]))
    }
}
