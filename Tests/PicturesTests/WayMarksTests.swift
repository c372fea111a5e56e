import Foundation
import Geodesy
import Testing

@testable import Pictures

@Suite("Marks along ways")
struct WayMarksTests {
    /// Metres of a degree along a meridian of the sphere.
    private static let degree = GeodesySettings.earthRadius * .pi / 180

    private static func north(_ metres: Double, longitude: Double = 0) -> Coordinate {
        Coordinate(latitude: metres / degree, longitude: longitude)
    }

    private static func scene(
        _ features: [MapFeature], units: ScaleUnits = .metric, nearest: Double = 16
    ) throws -> Scene {
        let places = features.flatMap(\.coordinates)
        let view = try #require(MapView(fitting: places, nearest: nearest))
        return MapScene(view: view, features: features, furniture: MapFurniture(scale: units)).scene()
    }

    /// The numbers on a map with their positions.
    private static func distances(_ scene: Scene) -> [(text: String, at: ScenePoint)] {
        scene.elements.filter { $0.z == MapLayer.milestone }.compactMap { element in
            guard case .group(let parts, _) = element.shape,
                case .circle(let center, _, _, _) = parts[0].shape,
                case .text(let text) = parts[1].shape
            else { return nil }
            return (text.string, center)
        }
    }

    @Test("kilometres stand where so many metres have been walked")
    func kilometres() throws {
        let line = [Self.north(0), Self.north(1_700), Self.north(4_300)]
        let features: [MapFeature] = [.route(line), .milestones([line], .black)]
        let view = try #require(MapView(fitting: line))
        // 328 points for 4.3 km: a kilometre is 76 points, and each is marked.
        let found = Self.distances(try Self.scene(features))
        #expect(found.map(\.text) == ["1", "2", "3", "4"])
        for (index, mark) in found.enumerated() {
            let place = view.point(for: Self.north(Double(index + 1) * 1_000))
            #expect(abs(mark.at.x - place.x) < 0.01 && abs(mark.at.y - place.y) < 0.1)
        }
        // On a map of half the scale every second one, and none nearer than they can be read.
        var small = view
        small.zoom -= 1
        let marked = Self.distances(MapScene(view: small, features: features).scene())
        #expect(marked.map(\.text) == ["2", "4"])
    }

    @Test("miles where lengths are imperial")
    func miles() throws {
        let line = [Self.north(0), Self.north(8_000)]
        let found = Self.distances(
            try Self.scene([.route(line), .milestones([line], .black)], units: .imperial))
        // 8 km are 4.97 miles.
        #expect(found.map(\.text) == ["2", "4"])
    }

    @Test("what lies between two parts of a track is not walked")
    func parts() throws {
        let parts = [
            [Self.north(0), Self.north(600)], [Self.north(2_000), Self.north(3_000)],
        ]
        let features = parts.map(MapFeature.track) + [.milestones(parts, .black)]
        let view = try #require(MapView(fitting: parts.joined()))
        let found = Self.distances(try Self.scene(features))
        #expect(found.map(\.text) == ["1"])
        let place = view.point(for: Self.north(2_400))
        #expect(found.allSatisfy { abs($0.at.y - place.y) < 0.1 })
    }

    @Test("arrows point along the way, and there is none where it turns back")
    func arrows() throws {
        let east = [Self.north(0), Self.north(0, longitude: 0.05)]
        let there = try Self.scene([.track(east), .milestones([east], .black)])
        let tips = there.elements.filter { $0.z == MapLayer.arrow }.compactMap { element -> Bool? in
            guard case .polygon(let rings, _, _) = element.shape, let tip = rings[0].first else { return nil }
            return rings[0].dropFirst().allSatisfy { $0.x < tip.x }
        }
        #expect(tips.count > 2 && tips.allSatisfy { $0 })
        let back = try Self.scene([.track(east.reversed()), .milestones([east.reversed()], .black)])
        let others = back.elements.filter { $0.z == MapLayer.arrow }.compactMap { element -> Bool? in
            guard case .polygon(let rings, _, _) = element.shape, let tip = rings[0].first else { return nil }
            return rings[0].dropFirst().allSatisfy { $0.x > tip.x }
        }
        #expect(others.count == tips.count && others.allSatisfy { $0 })
    }

    @Test("marks of a way that is walked twice do not cover each other, nor pins")
    func room() throws {
        let out = (0...40).map { Self.north(Double($0) * 250) }
        let line = out + out.reversed()
        let pin = MapWaypoint(
            name: "hut", coordinate: Self.north(5_000), label: "Hut", colorHex: "000000", icon: "house")
        let features: [MapFeature] = [.route(line), .milestones([line], .black), .waypoint(pin)]
        let found = Self.distances(try Self.scene(features))
        #expect(!found.isEmpty)
        for (index, mark) in found.enumerated() {
            #expect(
                found[(index + 1)...].allSatisfy {
                    abs($0.at.x - mark.at.x) + abs($0.at.y - mark.at.y) > 10
                })
        }
        #expect(!found.contains { $0.text == "5" })
    }

    @Test("a way has a sign at both ends, a round trip one")
    func ends() throws {
        func shapes(_ features: [MapFeature]) -> [PointShape] {
            features.compactMap { feature in
                guard case .point(_, let style) = feature else { return nil }
                return style.shape
            }
        }
        let line = [Self.north(0), Self.north(500), Self.north(1_000)]
        #expect(shapes(WayEnds.signs([line])) == [.start, .finish])
        let loop = line + [Self.north(500, longitude: 0.01), Self.north(20)]
        #expect(shapes(WayEnds.signs([loop])) == [.roundTrip])
        // Parts form one way; it needs two points.
        #expect(shapes(WayEnds.signs([[], line, []])) == [.start, .finish])
        #expect(WayEnds.signs([[Self.north(0)]]).isEmpty && WayEnds.signs([]).isEmpty)
        // In a terminal they are letters with words.
        let text = try #require(
            MapScene(fitting: [.route(line)] + WayEnds.signs([line]))
        ).terminal(style: .plain)
        #expect(text.contains("A start") && text.contains("B finish"))
    }

    @Test("signs of one way are named, those of many speak for themselves")
    func many() throws {
        func words(_ scene: Scene) -> [String] {
            scene.elements.compactMap { element in
                if case .text(let text) = element.shape { return text.string }
                return nil
            }
        }
        let one = [Self.north(0), Self.north(1_000)]
        let two = [Self.north(0, longitude: 0.01), Self.north(1_000, longitude: 0.01)]
        #expect(words(try Self.scene(WayEnds.signs([one]))).filter { $0 == "start" }.count == 1)
        #expect(!words(try Self.scene(WayEnds.signs([one]) + WayEnds.signs([two]))).contains("start"))
    }

    @Test("a legend explains what lies on a map and below it, and only where there is one")
    func legend() throws {
        let line = [Self.north(0), Self.north(1_000)]
        let view = try #require(MapView(fitting: line))
        let map = MapScene(view: view, features: [.route(line)], furniture: MapFurniture(legend: true))
        #expect(map.scene().size == view.size)
        let sample = SceneElement(shape: .polyline([ScenePoint(-13, 0), ScenePoint(13, 0)], Stroke(.black)))
        let ground = GroundDrawing(
            color: Color(0x101010), elements: [], legend: [LegendEntry([sample], words: "alpine path (T4)")])
        let scene = map.scene(check: {}) { _ in ground }
        #expect(scene.size.height > view.size.height)
        let key = try #require(scene.elements.first { $0.id == "legend" })
        guard case .group(let parts, _) = key.shape else {
            Issue.record("the legend is a group")
            return
        }
        let words = parts.compactMap { part -> TextShape? in
            if case .text(let text) = part.shape { return text }
            return nil
        }
        #expect(words.map(\.string) == ["route", "alpine path (T4)"])
        // On a dark ground letters are light.
        #expect(words.allSatisfy { $0.color.luminance > 0.5 })
    }

    @Test("areas of a ground shade cells, with colours and without, and those beside the picture do nothing")
    func shades() throws {
        let line = [Self.north(0), Self.north(1_000)]
        let map = try #require(MapScene(fitting: [.route(line)]))
        func text(_ style: TerminalStyle) -> String {
            map.terminal(columns: 20, rows: 6, style: style, keepsZoom: false, check: {}) { view in
                let (width, height) = (view.size.width, view.size.height)
                func box(_ top: Double, _ bottom: Double) -> [[ScenePoint]] {
                    [
                        [
                            ScenePoint(0, top), ScenePoint(width, top), ScenePoint(width, bottom),
                            ScenePoint(0, bottom),
                        ]
                    ]
                }
                let water = TerminalShade(color: Color(0x005F87), symbol: "~", ascii: "~")
                var ground = TerminalGround()
                // The upper half, and strips that begin where the picture ends.
                ground.areas = [
                    (box(0, height / 2), water), (box(height, height + 9), water), (box(-9, 0), water),
                ]
                ground.names = [
                    TerminalSymbol(
                        at: ScenePoint(30, height - 8), symbol: "▲", ascii: "^", color: .black, label: "Peak")
                ]
                return ground
            }
        }
        let plain = text(.plain).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            plain.prefix(3).allSatisfy { $0.contains("~ ~") } && !plain[3...5].contains { $0.contains("~") })
        #expect(plain[5].contains("^ Peak"))
        let colored = text(TerminalStyle(glyphs: .braille, colors: .ansi256))
            .split(separator: "\n", omittingEmptySubsequences: false)
        // 24 of 256 is the nearest to the colour; each line ends in the terminal's own.
        #expect(colored.prefix(3).allSatisfy { $0.contains("\u{1B}[48;5;24m") && $0.hasSuffix("\u{1B}[0m") })
        #expect(!colored[3...5].contains { $0.contains("48;5;") })
        // Without a background nothing changes.
        #expect(
            map.terminal(columns: 20, rows: 6, style: .plain, keepsZoom: false, check: {}) { _ in nil }
                == map.terminal(columns: 20, rows: 6, style: .plain))
    }

    @Test("the name of a street is written on it, but not where a route runs")
    func street() throws {
        let line = [Self.north(0), Self.north(1_000)]
        let map = try #require(MapScene(fitting: [.route(line)]))
        func text(at share: Double) -> String {
            map.terminal(columns: 40, rows: 6, style: .plain, keepsZoom: false, check: {}) { view in
                let y = view.size.height * 0.6
                var ground = TerminalGround()
                ground.lines = [
                    ([ScenePoint(0, y), ScenePoint(view.size.width, y)], Stroke(Color(0x888888), width: 1))
                ]
                var name = TerminalSymbol(
                    at: ScenePoint(view.size.width * share, y), symbol: " ", ascii: " ", color: .black)
                name.words = "High Street"
                ground.names = [name]
                return ground
            }
        }
        #expect(text(at: 0.25).contains("High Street"))
        // The route runs through the middle from south to north.
        #expect(!text(at: 0.5).contains("High Street"))
        // Names that would be cut at the edge are not written.
        #expect(!text(at: 0.05).contains("Street"))
    }
}
