import Foundation
import Geodesy
import Pictures
import Testing

@testable import Cartography

@Suite("Labels of the map")
struct LabelTests {
    private static func texts(_ drawing: GroundDrawing) -> [TextShape] {
        drawing.labels.compactMap { if case .text(let text) = $0.shape { text } else { nil } }
    }

    private static func feature(
        _ kind: String, _ name: String, _ points: [(Double, Double)], value: Int? = nil
    ) throws -> DrawnFeature {
        let parts = points.map { latitude, longitude -> MapPoint in
            let place = WebMercator.project(Coordinate(latitude: latitude, longitude: longitude))
            return MapPoint(
                x: Int32(place.x * MapLevel.world), y: Int32(place.y * MapLevel.world))
        }
        var box = MapBox()
        for part in parts { box.add(part) }
        return DrawnFeature(
            kind: try #require(MapKinds.byName[kind]), flags: [], layer: 0, name: name, value: value,
            parts: [parts], box: box)
    }

    private static func labels(
        _ features: [DrawnFeature], _ view: MapView, beside route: [ScenePoint] = []
    ) throws -> [TextShape] {
        var room: LabelObstacles = []
        room.routes.add(route)
        let drawing = LabelDrawing(frame: MapProjection(view), style: .builtIn(.light), blocked: room)
        let made = try drawing.elements(Dictionary(grouping: features, by: \.kind), contours: [])
        return made.elements.compactMap { if case .text(let text) = $0.shape { text } else { nil } }
    }

    private static let center = Coordinate(latitude: 47, longitude: 9)

    @Test(
        "a name in any script is written along its way, joined letters in one piece",
        arguments: [
            "شارع الجبل", "רחוב ההר", "पर्वत मार्ग", "山道通り", "Горная улица", "Ὁδὸς τοῦ ὄρους", "ถนนภูเขา",
        ])
    func scripts(name: String) throws {
        let road = try Self.feature("road", name, [(47, 8.99), (47, 9.01)])
        let view = MapView(center: Self.center, zoom: 16)
        let texts = try Self.labels([road], view)
        #expect(texts.first?.string == name)
        let village = try Self.feature("village", name, [(47, 9)])
        let point = try Self.labels([village], MapView(center: Self.center, zoom: 13))
        #expect(point.map(\.string).joined(separator: " ") == name)
    }

    @Test("a name along a way that runs to the left is upright")
    func upright() throws {
        for end in [(47.004, 8.985), (46.996, 8.985), (47.004, 9.015), (46.996, 9.015)] {
            let road = try Self.feature("road", "Alte Landstrasse", [(47, 9), end])
            let texts = try Self.labels([road], MapView(center: Self.center, zoom: 16))
            #expect(!texts.isEmpty)
            for text in texts { #expect(abs(text.rotation) <= 90, "\(end): \(text.string)") }
        }
    }

    @Test("a picture shows whole labels only, a tile also those continued by its neighbour")
    func edges() throws {
        var view = MapView(center: Self.center, zoom: 14, size: SceneSize(width: 256, height: 256))
        let edge = view.coordinate(at: ScenePoint(250, 100))
        let peak = try Self.feature(
            "peak", "Hinterer Gantenstein", [(edge.latitude, edge.longitude)], value: 695)
        let inside = try Self.labels([peak], view)
        #expect(!inside.isEmpty)
        for text in inside {
            #expect(text.anchor != .start, "the label stands to the left of its symbol")
        }
        view.isTile = true
        #expect(try Self.labels([peak], view).allSatisfy { $0.anchor == .start })
        // Features outside the picture have no label in it.
        view.isTile = false
        let beyond = view.coordinate(at: ScenePoint(-6, 100))
        let outside = try Self.feature("peak", "Ochsenkopf", [(beyond.latitude, beyond.longitude)])
        #expect(try Self.labels([outside], view).isEmpty)
        view.isTile = true
        #expect(try !Self.labels([outside], view).isEmpty)
    }

    @Test("a name is placed beside a route if possible, else across it")
    func besideRoutes() throws {
        let view = MapView(center: Self.center, zoom: 14)
        let middle = view.point(for: Self.center)
        let peak = try Self.feature("peak", "Gantenstein", [(47, 9)])
        func sides(_ shifts: [Double]) throws -> [TextAnchor] {
            let line = shifts.flatMap { shift -> [ScenePoint] in
                [ScenePoint(middle.x + shift, 0), ScenePoint(middle.x + shift, view.size.height)]
            }
            return try Self.labels([peak], view, beside: line).map(\.anchor)
        }
        #expect(try sides([]) == [.start])
        #expect(try sides([30]) == [.end])
        #expect(try sides([30, -30]) == [.start])
        // The name of a road moves along it.
        let road = try Self.feature("road", "Alte Landstrasse", [(47, 8.99), (47, 9.01)])
        let close = MapView(center: Self.center, zoom: 16)
        let usual = try #require(try Self.labels([road], close).first).at
        let line = [ScenePoint(usual.x, usual.y - 100), ScenePoint(usual.x, usual.y + 100)]
        let moved = try #require(try Self.labels([road], close, beside: line).first).at
        #expect(abs(moved.x - usual.x) > 30)
    }

    @Test("a lake hides the river that flows through it, and not the aqueduct above it")
    func lakes() throws {
        let style = MapStyle.builtIn(.light)
        let frame = MapProjection(MapView(center: Self.center, zoom: 14))
        let drawing = FeatureDrawing(frame: frame, style: style)
        var river = try Self.feature("river", "Rhein", [(47, 8.99), (47, 9.01)])
        func count(below: Bool) throws -> Int {
            try drawing.lines([river.kind: [river]], belowAreas: below).count
        }
        #expect(try count(below: true) == 1 && count(below: false) == 0)
        river.flags.insert(.bridge)
        #expect(try count(below: true) == 0 && count(below: false) > 0)
    }
}
