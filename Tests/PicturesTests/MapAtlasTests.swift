import Foundation
import Geodesy
import Testing

@testable import Pictures

@Suite("Pages of an atlas")
struct MapAtlasTests {
    private static let paper = SceneSize(width: 420, height: 595)

    private static func atlas(_ features: [MapFeature], ratio: Double = 25_000) -> MapAtlas {
        MapAtlas(of: features, size: paper) { place in
            log2(WebMercator.metresPerPixel(zoom: 0, latitude: place.latitude) / (ratio * 0.0254 / 72))
        }
    }

    private static func line(_ places: [(Double, Double)]) -> MapFeature {
        .route(places.map { Coordinate(latitude: $0.0, longitude: $0.1) })
    }

    /// Whether a coordinate is on a page.
    private static func shows(_ page: MapView, _ place: Coordinate) -> Bool {
        let at = page.point(for: place)
        return (0...page.size.width).contains(at.x) && (0...page.size.height).contains(at.y)
    }

    @Test("each place of a way is on a page, in order, and pages overlap the next")
    func covers() throws {
        let places = (0...400).map { index -> (Double, Double) in
            let along = Double(index)
            return (46.5 + 0.2 * sin(along / 60), 9 + along / 1_000)
        }
        let atlas = Self.atlas([Self.line(places)])
        #expect(atlas.pages.count > 8)
        for place in places {
            let coordinate = Coordinate(latitude: place.0, longitude: place.1)
            #expect(atlas.pages.contains { Self.shows($0, coordinate) })
        }
        for index in atlas.pages.indices.dropLast() {
            let neighbours = atlas.neighbours(of: index)
            let next = try #require(neighbours.first { $0.number == index + 2 })
            // Both margins at least.
            let overlap = max(
                Self.paper.width - abs(next.offset.x), Self.paper.height - abs(next.offset.y))
            #expect(overlap > MapAtlas.Settings.overlap * Self.paper.width)
            #expect(abs(next.offset.x) < Self.paper.width && abs(next.offset.y) < Self.paper.height)
        }
    }

    @Test("every page has the scale that is asked for, at its own latitude")
    func scale() {
        let atlas = Self.atlas([Self.line([(46, 9), (47, 9)])])
        #expect(atlas.pages.count > 20)
        for page in atlas.pages {
            #expect(abs(page.metresPerPoint - 25_000 * 0.0254 / 72) < 1e-6)
        }
    }

    @Test("a way back on the same line needs no more pages")
    func back() {
        let there = (0...50).map { index -> (Double, Double) in (46.5, 9 + Double(index) / 300) }
        let once = Self.atlas([Self.line(there)]).pages.count
        #expect(once > 2)
        #expect(Self.atlas([Self.line(there + there.reversed())]).pages.count == once)
    }

    @Test("two points of a straight leg are joined by pages; two ways with a gap are not")
    func gap() {
        let joined = Self.atlas([Self.line([(46.5, 9), (46.5, 9.5)])])
        #expect(joined.pages.count > 8)
        let apart = Self.atlas([
            Self.line([(46.5, 9), (46.5, 9.001)]), Self.line([(46.5, 9.5), (46.5, 9.501)]),
        ])
        #expect(apart.pages.count == 2)
        #expect(apart.neighbours(of: 0).map(\.number) == [2])
    }

    @Test("points beside the way have pages, too")
    func points() {
        let far = Coordinate(latitude: 46.7, longitude: 9.2)
        let features = [
            Self.line([(46.5, 9), (46.5, 9.01)]), MapFeature.point(far, MapPointStyle(color: .ink)),
        ]
        let atlas = Self.atlas(features)
        #expect(atlas.pages.count == 2)
        #expect(Self.shows(atlas.pages[1], far))
    }

    @Test("a way across the 180° meridian is followed, not taken round the world")
    func dateLine() {
        let atlas = Self.atlas([Self.line([(-30, 179.97), (-30, -179.97)])])
        #expect((1...3).contains(atlas.pages.count))
        for longitude in [179.97, 180, -179.97] {
            let place = Coordinate(latitude: -30, longitude: longitude)
            #expect(atlas.pages.contains { Self.shows($0, place) })
        }
    }

    @Test("an atlas of too many pages says so, and stops")
    func limit() {
        let atlas = Self.atlas([Self.line([(40, 0), (50, 20)])], ratio: 1_000)
        #expect(atlas.isOverfull)
        #expect(atlas.pages.count == MapAtlas.Settings.mostPages)
    }

    @Test("invalid coordinates and places beyond the map break a way")
    func invalid() {
        let atlas = Self.atlas([Self.line([(46.5, 9), (.nan, 9), (89, 9), (46.5, 9.01)])])
        #expect(atlas.pages.count == 1)
        #expect(Self.atlas([]).pages.isEmpty)
    }

    @Test("the numbers of neighbours are at the edges in their directions")
    func numbers() throws {
        let atlas = Self.atlas([Self.line([(46.5, 9), (46.5, 9.2)])])
        let furniture = MapFurniture(title: "", scale: nil, compass: false)
        var map = MapScene(view: atlas.pages[1], features: [], furniture: furniture)
        map.furniture.neighbours = atlas.neighbours(of: 1)
        let texts = map.scene().elements.flatMap { element -> [TextShape] in
            guard case .group(let parts, _) = element.shape else { return [] }
            return parts.compactMap { if case .text(let text) = $0.shape { text } else { nil } }
        }
        let before = try #require(texts.first { $0.string == "← 1" })
        let after = try #require(texts.first { $0.string == "→ 3" })
        #expect(before.at.x < 40)
        #expect(after.at.x > Self.paper.width - 40)
    }
}
