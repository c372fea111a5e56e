import Foundation
import Geodesy
import Testing

@testable import Pictures

@Suite struct MapViewTests {
    private static let sizes = SceneSize(width: 640, height: 400)

    /// The formula of the seed document, with y turned downwards.
    private func seedFormula(_ coordinate: Coordinate, center: Coordinate, zoom: Int, size: SceneSize)
        -> ScenePoint
    {
        func position(_ coordinate: Coordinate) -> (Double, Double) {
            let n = Double(1 << zoom)
            let x = (coordinate.longitude + 180.0) / 360.0 * n
            let y = (1.0 - asinh(tan(coordinate.latitude * .pi / 180.0)) / .pi) / 2.0 * n
            return (x, y)
        }
        let (x, y) = position(coordinate)
        let (centerX, centerY) = position(center)
        return ScenePoint(size.width / 2 + (x - centerX) * 256, size.height / 2 + (y - centerY) * 256)
    }

    @Test(arguments: [0, 3, 11, 17]) func projectsAsTheSeedDoes(zoom: Int) {
        let center = Coordinate(latitude: 42.5063, longitude: 1.5218)
        let view = MapView(center: center, zoom: Double(zoom))
        for place in [(42.5449, 1.5148), (42.5063, 1.5218), (-33.8688, 151.2093), (85, -170), (0, 0)] {
            let place = Coordinate(latitude: place.0, longitude: place.1)
            let expected = seedFormula(place, center: center, zoom: zoom, size: view.size)
            let point = view.point(for: place)
            #expect(abs(point.x - expected.x) < 1e-6)
            #expect(abs(point.y - expected.y) < 1e-6)
        }
    }

    @Test func thereAndBack() {
        let view = MapView(center: Coordinate(latitude: 46.5, longitude: 179.9), zoom: 9.3)
        for point in [ScenePoint(0, 0), ScenePoint(640, 400), ScenePoint(333, 111)] {
            let back = view.point(for: view.coordinate(at: point))
            #expect(abs(back.x - point.x) < 1e-6 && abs(back.y - point.y) < 1e-6)
        }
    }

    @Test func acrossTheAntimeridianTheShorterWay() throws {
        let places = [
            Coordinate(latitude: -17, longitude: 179.5), Coordinate(latitude: -17.5, longitude: -179.5),
        ]
        let view = try #require(MapView(fitting: places))
        #expect(abs(abs(view.center.longitude) - 180) < 1e-9)
        let points = places.map { view.point(for: $0) }
        #expect(points[0].x < points[1].x)
        for point in points { #expect(view.visible.contains(point)) }
        #expect(view.zoom > 7)
        #expect(view.bounds.crossesAntimeridian)
    }

    @Test func fittedBoxLeavesThePadding() throws {
        let box = BoundingBox(south: 42.4, west: 1.4, north: 42.7, east: 1.8)
        let view = MapView(fitting: box, padding: 50)
        let corner = view.point(for: Coordinate(latitude: 42.7, longitude: 1.4))
        #expect(min(corner.x, corner.y) >= 50 - 1e-6)
        #expect(abs(min(corner.x, corner.y) - 50) < 1e-6, "one side fits exactly")
    }

    @Test func singlePlaceIsShownNear() throws {
        let view = try #require(MapView(fitting: [Coordinate(latitude: 10, longitude: 20)]))
        #expect(view.zoom == MapView.nearestZoom)
        #expect(abs(view.center.latitude - 10) < 1e-9 && abs(view.center.longitude - 20) < 1e-9)
        #expect(MapView(fitting: [Coordinate(latitude: .nan, longitude: 20)]) == nil)
    }

    @Test func wholeWorld() {
        let view = MapView(fitting: BoundingBox(south: -90, west: -180, north: 90, east: 180), padding: 0)
        #expect(abs(view.worldWidth - 400) < 1e-6)
        #expect(abs(view.visible.width - 400) < 1e-6)
        #expect(view.bounds.west == -180 && view.bounds.east == 180)
        #expect(abs(view.bounds.north - 85.0511) < 1e-3)
        #expect(view.tiles(zoom: 1).count == 4)
    }

    @Test func wholeWorldAroundThePacificShowsEveryTileOnce() {
        let view = MapView(center: Coordinate(latitude: 0, longitude: 160), zoom: 1)
        let tiles = view.tiles(zoom: 1)
        #expect(Set(tiles).count == tiles.count)
        #expect(tiles.count == 4)
        let split = view.placements(of: TileAddress(zoom: 1, x: 0, y: 0))
        #expect(split.count == 2, "the edge of the shown world runs through it")
    }

    /// Tile of the centre by the usual formula (OpenStreetMap wiki, "Slippy map tilenames").
    @Test func tilesCoverThePicture() throws {
        let view = MapView(center: Coordinate(latitude: 46.9481, longitude: 7.4474), zoom: 12)
        let tiles = view.tiles(zoom: 12)
        #expect(tiles.contains(TileAddress(zoom: 12, x: 2132, y: 1441)))
        let rects = tiles.flatMap(view.placements)
        for corner in view.visible.corners {
            #expect(rects.contains { $0.inset(by: -0.01).contains(corner) })
        }
        #expect(rects.reduce(0) { $0 + $1.width * $1.height } >= 640 * 400)
        #expect(view.tiles(zoom: 20).isEmpty, "too many are none")
    }

    @Test func resizedShowsTheSame() {
        let view = MapView(center: Coordinate(latitude: 42, longitude: 1), zoom: 10)
        let other = view.resized(to: SceneSize(width: 320, height: 400))
        #expect(other.zoom == 9)
        #expect(other.bounds.west <= view.bounds.west + 1e-9 && other.bounds.east >= view.bounds.east - 1e-9)
    }

    @Test func linesCrossTheAntimeridianWithoutAStroke() {
        let view = MapView(center: Coordinate(latitude: 0, longitude: 180), zoom: 4)
        let line = [-175.0, 175].map { Coordinate(latitude: 1, longitude: $0) }
        let runs = view.runs(of: line)
        #expect(runs.count == 1)
        #expect(runs.joined().allSatisfy { view.visible.contains($0) })
    }

    @Test func linesAreDrawnOnBothEdgesOfTheWorld() {
        let view = MapView(center: Coordinate(latitude: 0, longitude: 0), zoom: 0)
        let runs = view.runs(of: [
            Coordinate(latitude: 0, longitude: 170), Coordinate(latitude: 0, longitude: -170),
        ])
        #expect(runs.count == 2)
        for run in runs { #expect(run.allSatisfy { view.visible.inset(by: -1e-6).contains($0) }) }
    }

    @Test func invalidPlacesBreakALine() {
        let view = MapView(center: Coordinate(latitude: 0, longitude: 0), zoom: 2)
        let places = [(0.0, 0.0), (1, 1), (.nan, 1), (2, 2), (3, 3), (95, 0)]
        let line = places.map { Coordinate(latitude: $0.0, longitude: $0.1) }
        #expect(view.runs(of: line).count == 2)
    }

    @Test func zoomedInALineStaysSmall() {
        let view = MapView(center: Coordinate(latitude: 46, longitude: 7), zoom: 20)
        let line = [Coordinate(latitude: 45.9, longitude: 6.9), Coordinate(latitude: 46.1, longitude: 7.1)]
        for point in view.runs(of: line).joined() { #expect(abs(point.x) < 1_000 && abs(point.y) < 1_000) }
    }

    /// 40 075.017 km around the equator; with the quadratic mean radius 40 041.5 km, which is the workbench's sphere.
    @Test func scaleAtTheEquator() {
        let view = MapView(center: Coordinate(latitude: 0, longitude: 0), zoom: 0)
        #expect(abs(view.metresPerPoint - 40_041_468.3 / 256) < 1)
    }
}
