import Foundation
import GRDB
import Geodesy
import Pictures
import Testing

@testable import Cartography

@Suite("Areas whose ring crosses itself")
struct FigureEightTests {
    /// Two equal loops: their signed areas cancel.
    private static let eight: [(Double, Double)] = [
        (47.0, 9.0), (47.02, 9.04), (47.0, 9.04), (47.02, 9.0), (47.0, 9.0),
    ]

    @Test("both loops of a figure of eight are drawn", arguments: [11.0, 14])
    func drawn(zoom: Double) throws {
        let fixture = try RegionFixture()
        defer { fixture.remove() }
        var builder = MapTableBuilder()
        builder.add(
            SourceFeature(origin: .way, tags: ["natural": "wood"], isClosed: true),
            parts: [Self.eight.flatMap { [Int32($0.0 * 1e7), Int32($0.1 * 1e7)] }])
        try builder.finish {}
        let file = fixture.url("eight.routing.db")
        let queue = try DatabaseQueue(path: file.path)
        try queue.write { try builder.write(to: $0) }
        try queue.close()
        let view = MapView(center: Coordinate(latitude: 47.01, longitude: 9.02), zoom: zoom)
        let drawn = try MapSource(file).drawing(of: view, style: "light", blocked: [])
        let areas = drawn.elements.compactMap { element -> [[ScenePoint]]? in
            if case .polygon(let rings, _, _) = element.shape { return rings }
            return nil
        }
        #expect(areas.count == 1)
        #expect(areas.first?.first?.count ?? 0 >= 4)
    }

    @Test("a line there and back has no area")
    func flat() {
        let there = [MapPoint(x: 0, y: 0), MapPoint(x: 100, y: 50), MapPoint(x: 0, y: 0)]
        #expect(!RingMeasures.exceeds(0, there))
        let square = [(0, 0), (10, 0), (10, 10), (0, 10), (0, 0)].map { MapPoint(x: $0.0, y: $0.1) }
        #expect(RingMeasures.exceeds(99, square))
        #expect(!RingMeasures.exceeds(101, square))
        let eight = [(0, 0), (20, 10), (20, 0), (0, 10), (0, 0)].map { MapPoint(x: $0.0, y: $0.1) }
        #expect(RingMeasures.doubleArea(eight) == 0)
        #expect(RingMeasures.exceeds(90, eight))
        #expect(!RingMeasures.exceeds(110, eight))
    }
}
