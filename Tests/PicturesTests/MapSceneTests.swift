import Core
import Foundation
import Geodesy
import PhotoFixtures
import PluginTestKit
import Testing

@testable import Pictures

@Suite struct MapSceneTests {
    static let line = [(42.50, 1.50), (42.52, 1.53), (42.51, 1.56), (42.54, 1.58)].map {
        Coordinate(latitude: $0.0, longitude: $0.1)
    }
    static let id = "6B29FC40-CA47-1067-B31D-00DD010662DA"

    static func features() throws -> [MapFeature] {
        let uuid = try #require(UUID(uuidString: id))
        return [
            .position(line[1], heading: 45, accuracy: 200),
            .waypoint(
                MapWaypoint(
                    id: uuid, coordinate: line[2], label: "Refugi de Juclà", colorHex: "7F8C8D", icon: "house"
                )),
            .waypoint(
                MapWaypoint(name: "stop-1", coordinate: line[0], label: "東京", colorHex: "?", icon: "what")),
            .track(line.map { Coordinate(latitude: $0.latitude - 0.004, longitude: $0.longitude) }),
            .route(line),
            .polygon([line], MapAreaStyle(fill: Fill(Color(0xC8E6C9)))),
            .point(line[3], MapPointStyle(color: .black, symbol: "x", label: "end")),
        ]
    }

    static func map() throws -> MapScene {
        let furniture = MapFurniture(title: "Andorra", attribution: "© OSM", grid: .degrees)
        return try #require(try MapScene(fitting: features(), furniture: furniture))
    }

    @Test func orderIsThatOfTheApp() throws {
        let check = XMLCheck()
        #expect(check.accepts(SceneSVG.render(try Self.map().scene())))
        #expect(
            check.ids == [
                "route", "track", "waypoint-" + Self.id, "stop-1", "accuracy", "heading", "position", "title",
                "scale",
                "attribution", "compass",
            ])
    }

    @Test func heightsAreThoseOfTheApp() throws {
        let heights = try Self.map().scene().elements.reduce(into: [String: Int]()) { found, element in
            if let id = element.id { found[id] = element.z }
        }
        let expected = [
            "route": 40, "track": 50, "stop-1": 75, "heading": 99, "position": 100, "compass": 200,
        ]
        for (id, z) in expected { #expect(heights[id] == z, "\(id)") }
    }

    @Test func tilesLieLowest() throws {
        var map = try Self.map()
        map.features.append(.tile(TileAddress(zoom: 12, x: 2065, y: 1512), data: TinyJPEG.grey))
        let first = try #require(map.scene().ordered.dropFirst().first)
        #expect(first.id == "tiles")
        #expect(first.z == 0)
    }

    @Test func markerGeometryIsThatOfTheSeed() {
        let marker = Marker(at: ScenePoint(50, 50), color: .black, icon: "eye")
        #expect(Marker.Geometry.stem == 6)
        #expect(Marker.Geometry.radius == 10)
        #expect(Marker.Geometry.icon == 13)
        #expect(marker.bounds == SceneRect(x: 40, y: 25, width: 20, height: 25))
        guard case .circle(let center, let radius, _, let edge) = marker.parts[1] else {
            Issue.record("the second part is the circle")
            return
        }
        #expect(center == marker.circleCenter)
        #expect(radius + (edge?.width ?? 0) / 2 == 10)
        #expect(edge?.color == .white)
    }

    /// A purple line at 40, and orange discs of 28 points around the place, as the seed has them on a phone's map.
    @Test func theAppsStyleIsAPurpleLineAndOrangeDiscs() throws {
        let hut = MapWaypoint(
            name: "waypoint-1", coordinate: Coordinate(latitude: 46.5, longitude: 7.9), label: "Hut",
            colorHex: "7F8C8D", icon: "house")
        let line = [hut.coordinate, Coordinate(latitude: 46.6, longitude: 7.9)]
        let track = MapFeature.track(line)
        let features = AppMapStyle.applied(to: [.route(line), track, .waypoint(hut)])
        guard case .line(_, let style) = features[0], case .waypoint(let pin) = features[2] else {
            Issue.record("a line and a waypoint")
            return
        }
        #expect(style.stroke.color.hex == "AF52DE")
        #expect(style.layer == 40)
        #expect(features[1] == track)
        #expect(pin.colorHex == "FF9500")
        let marker = Marker(at: ScenePoint(50, 50), color: pin.color, icon: pin.icon, isDisc: pin.isDisc)
        #expect(marker.bounds == SceneRect(x: 36, y: 36, width: 28, height: 28))
        #expect(marker.parts.count == 2)
        guard case .circle(let center, let radius, _, let edge) = marker.parts[0] else {
            Issue.record("the first part is the disc")
            return
        }
        #expect(center == ScenePoint(50, 50))
        #expect(radius == 14)
        #expect(edge == nil)
    }

    @Test func unreadableColourAndIconFallBack() throws {
        let scene = try Self.map().scene()
        let marker = scene.elements.compactMap { element -> Marker? in
            guard element.id == "stop-1", case .marker(let marker) = element.shape else { return nil }
            return marker
        }
        #expect(marker.first?.color.hex == "E67E22")
        #expect(IconGlyph.named("what").name == "mappin")
    }

    @Test func labelsDoNotOverlap() throws {
        // A hundred pins in a small place: some labels must be omitted, and none may overlap
        // another.
        var numbers = SplitMix(seed: 9)
        let features = (0..<100).map { index -> MapFeature in
            let place = Coordinate(
                latitude: 42 + Double.random(in: 0...0.1, using: &numbers),
                longitude: 1 + Double.random(in: 0...0.1, using: &numbers))
            return .waypoint(
                MapWaypoint(
                    name: "p\(index)", coordinate: place, label: "Label \(index)", colorHex: "000000",
                    icon: ""))
        }
        let scene = try #require(MapScene(fitting: features)).scene()
        let boxes = scene.elements.compactMap { element -> SceneRect? in
            guard element.z == 75, case .text(let text) = element.shape else { return nil }
            let width = TextShape.estimatedWidth(of: text.string, size: text.size)
            let left =
                text.anchor == .start
                ? text.at.x : text.anchor == .end ? text.at.x - width : text.at.x - width / 2
            return SceneRect(x: left, y: text.at.y - text.size, width: width, height: text.size * 1.3)
        }
        #expect(boxes.count > 5 && boxes.count < 100)
        for (index, box) in boxes.enumerated() {
            #expect(!boxes[(index + 1)...].contains { $0.intersects(box) })
        }
    }

    @Test func nothingToFit() {
        #expect(MapScene(fitting: []) == nil)
        #expect(MapScene(fitting: [.route([])]) == nil)
    }

    @Test func terminalBraille() throws {
        let text = try Self.map().terminal(columns: 60, rows: 12)
        #expect(
            text == #"""
                Andorra
                ⠁            1.50°E           1.55°E      ⢀⡀  1.60°E
                ⠁               ⠈                ⠁       ⢀⡾x end ⠈
                ⠁               ⠈                ⠁     ⠄⢅⡾⡝      ⠈
                ⠁               ⠈                ⠁  ⠄⠅⠅⠅⡾⡝       ⠈
                ⠁               ⠈                ⠅⠅⠅⠅⠅⠅⣽⡹        ⠈
                ⠁               ⠈        ⣠↗⣦⣀⡀⠄⠄⠅⠅⠅⠅⠅⠅⣽⡳⠁        ⠈
                ⠁               ⠈     ⢀⣠⡾⢋⠔⠬⣉⠛⠷⣦⣅⣁⠅⠅⠅⣽⡳⠁         ⠈
                ⠁               ⠈    ⣠⡿⢉⠔⠁   ⠉⠑⠢⢍⡙⠻⢶⌂ Refugi de Juclà
                ⠁               ⠈  ⣠⡾⡫⠊⠁         ⠈⠉⠒⠴⠁           ⠈
                42.50°N         ⢈⣴⠟⡫⠊            ⠁               ⠈
                ⠁ ⠁ ⠁ ⠁ ⠁ ⠁ ⠁ ⠁ ◆⠕⠉ ⠁ ⠁ ⠁ ⠁ ⠁ ⠁ ⠁⠁⠁ ⠁ ⠁ ⠁ ⠁ ⠁ ⠁ ⠁⠈⠁ ⠁ ⠁ ⠁ ⠁
                ⠁             東京               ⠁               ⠈
                ├──────┤ 2 km   N ↑   center 42.518,1.54   zoom 11.9
                ⠒⠒⠒ track   ⠶⠶⠶ route   x end   ⌂ Refugi de Juclà   ◆ 東京
                ↗ position
                © OSM
                """#)
    }

    @Test func terminalPlain() throws {
        let text = try Self.map().terminal(columns: 60, rows: 12, style: .plain)
        #expect(
            text == #"""
                Andorra
                '             1.50E            1.55E      ..   1.60E
                '               '                '      ._/x end '
                '               '                '   ._-\//      '
                '               '                '._-'  //       '
                '               '              ._-'    /+        '
                '               '        _@+__-' '    /+'        '
                '               '     ._/\-/+=++_\   /+'         '
                '               '    _#\-'   ---+/++H Refugi de Jucla
                '               '  _/#-'         '---'           '
                42.50N          |+++-            '               '
                ' ' ' ' ' ' ' ' *+- ' ' ' ' ' ' ''' ' ' ' ' ' ' ''' ' ' ' '
                '             ????               '               '
                |------| 2 km   N ^   center 42.518,1.54   zoom 11.9
                --- track   === route   x end   H Refugi de Jucla   * ????
                @ position
                (c) OSM
                """#)
        #expect(text.allSatisfy { $0.isASCII })
    }

    @Test(arguments: [16, 33, 80]) func terminalFits(columns: Int) throws {
        for style in [TerminalStyle.plain, .braille] {
            let text = try Self.map().terminal(columns: columns, rows: 5, style: style)
            for line in text.split(separator: "\n") {
                #expect(DisplayWidth.of(line) <= columns, "\(line)")
            }
        }
    }

    @Test func longLegendsSayWhatIsLeftOut() throws {
        let features = (0..<200).map { index -> MapFeature in
            let place = Coordinate(latitude: 42 + Double(index) / 1_000, longitude: 1)
            return .waypoint(
                MapWaypoint(
                    name: "p", coordinate: place, label: "Waypoint \(index)", colorHex: "000000", icon: "eye")
            )
        }
        let text = try #require(MapScene(fitting: features)).terminal()
        #expect(text.contains("more"))
        #expect(
            text.split(separator: "\n", omittingEmptySubsequences: false).count <= MapScene.terminalRows + 8)
    }

    @Test func theSameBytesTwice() throws {
        #expect(try SceneSVG.render(Self.map().scene()) == SceneSVG.render(Self.map().scene()))
        #expect(try ScenePNG.render(Self.map().scene()) == ScenePNG.render(Self.map().scene()))
        #expect(try Self.map().terminal() == Self.map().terminal())
    }

    @Test(arguments: [(12.0, 8), (0.0, 5), (22.0, 20)])
    func aZoomThatWasAskedForIsKept(zoom: Double, rows: Int) {
        let map = MapScene(
            view: MapView(center: Coordinate(latitude: 46.5, longitude: 7.9), zoom: zoom), features: [])
        let text = map.terminal(columns: 80, rows: rows, style: .plain, keepsZoom: true) {}
        #expect(text.contains("zoom \(Int(zoom))"))
    }

    @Test func aPictureCanBeStopped() throws {
        struct Stop: Error {}
        let map = try Self.map()
        #expect(throws: Stop.self) { try map.scene { throw Stop() } }
        #expect(throws: Stop.self) {
            try map.terminal(columns: 80, rows: 20, style: .braille, keepsZoom: false) { throw Stop() }
        }
    }

    @Test(arguments: [ScaleUnits.metric, .imperial])
    func noScaleBarIsLongerThanTheWorld(units: ScaleUnits) throws {
        let bar = try #require(ScaleBar(notLongerThan: 1e9, units: units))
        #expect(bar.metres <= 20_037_508)
        #expect(bar.text == (units == .metric ? "20000 km" : "10000 mi"))
    }

    /// Many pins with labels on one map: none of the labels lies on a pin or on another label.
    @Test func labelsKeepOffEachOther() throws {
        let features = (0..<400).map { index in
            MapFeature.point(
                Coordinate(
                    latitude: 46 + Double(index / 20) * 0.01, longitude: 7 + Double(index % 20) * 0.013),
                MapPointStyle(color: .ink, label: "label \(index)"))
        }
        let scene = try #require(MapScene(fitting: features)).scene()
        let boxes = scene.elements.compactMap { element -> SceneRect? in
            guard case .text(let text) = element.shape, text.string.hasPrefix("label") else { return nil }
            let width = TextShape.estimatedWidth(of: text.string, size: text.size)
            let left =
                text.anchor == .start
                ? text.at.x : text.anchor == .end ? text.at.x - width : text.at.x - width / 2
            return SceneRect(x: left, y: text.at.y - text.size, width: width, height: text.size * 1.3)
        }
        #expect(boxes.count > 10)
        for (index, box) in boxes.enumerated() {
            #expect(!boxes[(index + 1)...].contains { $0.intersects(box) })
        }
    }
}
