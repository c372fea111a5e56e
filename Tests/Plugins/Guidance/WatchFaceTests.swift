import Geodesy
import Pictures
import PluginKit
import PluginTestKit
import Testing

@testable import GuidancePlugin

@Suite struct WatchFaceTests {
    private static let ground = Ground()
    private static let line = ground.line([(0, 0), (0, 300), (200, 300)])

    private static func face(_ change: (inout Overlay) -> Void = { _ in }) -> WatchFace {
        var overlay = Overlay(
            direction: .right, text: "Turn right onto Mill Lane", distance: 80, progress: 0.25,
            remaining: 1240, time: 1500, warning: nil)
        change(&overlay)
        return WatchFace(
            overlay: overlay,
            map: WatchMap(
                line: line, walked: [line[0], ground.place(0, 200)], center: ground.place(0, 200), heading: 0),
            units: .metric)
    }

    private static func scene(_ face: WatchFace) -> Scene {
        (try? face.scene(on: PlainBacking())) ?? Scene(size: SceneSize(width: 1, height: 1))
    }

    private static func texts(_ face: WatchFace) -> [TextShape] {
        scene(face).ordered.compactMap { if case .text(let text) = $0.shape { text } else { nil } }
    }

    @Test("the instruction above, the progress below, all within the screen")
    func words() {
        let texts = Self.texts(Self.face())
        #expect(
            texts.map(\.string).sorted()
                == ["1.24km  25min", "25%", "80m", "Mill Lane", "Turn right onto"].sorted())
        for text in texts {
            let width = TextShape.estimatedWidth(of: text.string, size: text.size)
            let left = text.anchor == .end ? text.at.x - width : text.at.x
            #expect(left >= 0 && left + width <= 198 + 1, "\(text.string)")
            #expect(text.at.y > 0 && text.at.y < 242)
        }
    }

    @Test("long instructions are truncated to two lines")
    func long() {
        let texts = Self.texts(
            Self.face { $0.text = "Turn sharp left onto the long path of the seven springs, then bear right" }
        )
        #expect(texts.count == 5)
        #expect(texts.contains { $0.string.hasSuffix("…") })
    }

    @Test("a position that may be an outlier is shown as unclear, not as a turn")
    func unclear() {
        let warning = Overlay.Warning(distance: 62.4, isOffRoute: false)
        let strings = Self.texts(Self.face { $0.warning = warning }).map(\.string)
        #expect(strings.contains("62m") && !strings.contains("80m") && !strings.contains("Off route"))
        #expect(strings.contains { $0.hasPrefix("Position") })
    }

    @Test("off route the distance to the line replaces the instruction")
    func offRoute() {
        let strings = Self.texts(Self.face { $0.warning = Overlay.Warning(distance: 62.4, isOffRoute: true) })
            .map(\.string)
        #expect(strings.contains("62m") && strings.contains("Off route") && !strings.contains("80m"))
    }

    @Test("the track is above the route, the position above both, the panels above all")
    func order() throws {
        let layers = Self.scene(Self.face()).ordered.map(\.z)
        #expect(layers == layers.sorted())
        #expect(layers.contains(MapLayer.route) && layers.contains(MapLayer.track))
        #expect(try #require(layers.last) > MapLayer.furniture)
        #expect(Self.face().ground.features.count == 3)
    }

    @Test("the bar is as long as the progress")
    func progress() {
        func longest(_ share: Double) -> Double {
            let lengths = Self.scene(Self.face { $0.progress = share }).elements.compactMap {
                element -> Double? in
                guard case .polyline(let points, let stroke) = element.shape, stroke.color == Color(0x40C057),
                    points.count == 2
                else { return nil }
                return points[1].x - points[0].x
            }
            return lengths.first ?? 0
        }
        #expect(abs(longest(0.5) - longest(1) / 2) < 1e-9)
        #expect(longest(0) == 0 && longest(1) > 100)
    }

    @Test("each direction has a drawing of its own", arguments: TurnDirection.allCases)
    func arrows(direction: TurnDirection) {
        func shapes(_ direction: TurnDirection?) -> [SceneShape] {
            WatchArrow(direction, at: ScenePoint(20, 20), size: 10).shapes
        }
        let others = TurnDirection.allCases.filter {
            // The start is straight on.
            $0 != direction && !(Set([$0, direction]) == [.start, .straight])
        }
        #expect(!shapes(direction).isEmpty && shapes(direction) != shapes(nil))
        for other in others { #expect(shapes(direction) != shapes(other)) }
    }

    @Test("the watch face at a time of a walk is written as SVG and PNG, and shown in a terminal")
    func files() async throws {
        let session = try TestSession(plugins: { [GuidancePlugin()] })
        await session.run(GuidanceCommandTests.line + "; let w = guide simulate $line")
        #expect(await session.run("$w | guide show --elapsed 3min | get distance") == "99.7m")
        #expect(
            await session.run("$w | guide show --elapsed 3min | map --out watch.svg")
                == "map written to watch.svg")
        let svg = try String(
            contentsOf: session.folder.url.appendingPathComponent("watch.svg"), encoding: .utf8)
        #expect(svg.contains("Turn right") && svg.contains("width=\"198\""))
        #expect(
            await session.run("$w | guide show | map --out watch.png") == "map written to watch.png")
        #expect(await session.run("$w | guide show | map").contains("You have arrived"))
        #expect(await session.run("guide start $line | map").contains("Waiting for a position"))
    }
}
