import Foundation
import Geodesy
import Testing

@testable import Pictures

@Suite("The grid of UTM")
struct MetricGridTests {
    /// A page of A4 at 1:25,000.
    private static func view(_ latitude: Double, _ longitude: Double, ratio: Double = 25_000) -> MapView {
        let center = Coordinate(latitude: latitude, longitude: longitude)
        let metres = WebMercator.metresPerPixel(zoom: 0, latitude: latitude)
        return MapView(
            center: center, zoom: log2(metres / (ratio * 0.0254 / 72)),
            size: SceneSize(width: 595, height: 842))
    }

    private static func parts(_ view: MapView, _ grid: MapGrid = .utm) -> (
        texts: [TextShape], lines: [[ScenePoint]]
    ) {
        var scene = Scene(size: view.size)
        GridDrawing(grid, view: view).add(to: &scene)
        var (texts, lines): ([TextShape], [[ScenePoint]]) = ([], [])
        for element in scene.elements {
            if case .text(let text) = element.shape { texts.append(text) }
            if case .polyline(let line, _) = element.shape { lines.append(line) }
        }
        return (texts, lines)
    }

    @Test("at 1:25,000 lines are a kilometre apart, with the numbers of the zone at both ends")
    func kilometres() throws {
        let view = Self.view(46.75, 9.45)
        let (texts, _) = Self.parts(view)
        let words = texts.map(\.string)
        #expect(words.contains("32T"))
        for number in ["534", "535", "5177", "5178"] {
            #expect(words.count { $0 == number } == 2, "\(number)")
        }
        // 534,371 E is the middle: 534 is 371 m to the left, 42 points at 1:25,000.
        let left = try #require(texts.first { $0.string == "534" && $0.at.y < 100 })
        let right = try #require(texts.first { $0.string == "535" && $0.at.y < 100 })
        #expect(abs(right.at.x - left.at.x - 113.4) < 0.6)
        #expect(left.at.x < 297.5 && right.at.x > 297.5)
    }

    @Test(
        "lines turn by the meridian convergence, eastwards and westwards",
        arguments: [(11.9, 2.11), (12.1, -2.11)])
    func convergence(row: (Double, Double)) throws {
        let (_, lines) = Self.parts(Self.view(46.75, row.0))
        let upright = lines.filter { abs(($0.first?.y ?? 0) - ($0.last?.y ?? 0)) > 700 }
        #expect(upright.count > 3)
        for line in upright {
            let low = try #require(line.max { $0.y < $1.y })
            let high = try #require(line.min { $0.y < $1.y })
            // Clockwise from the top of the map, which is true north.
            let angle = atan2(high.x - low.x, low.y - high.y).degrees
            #expect(abs(angle - row.1) < 0.05)
        }
    }

    @Test("where two zones meet each has its own lines, its name and the border between them")
    func zones() throws {
        let view = Self.view(46.75, 12)
        let (texts, lines) = Self.parts(view)
        #expect(texts.map(\.string).contains("32T"))
        #expect(texts.map(\.string).contains("33T"))
        let border = try #require(lines.first { $0.allSatisfy { abs($0.x - 297.5) < 0.01 } })
        #expect(border.count == 2)
        for line in lines {
            let sides = Set(line.map { $0.x < 297.4 ? -1 : $0.x > 297.6 ? 1 : 0 }).subtracting([0])
            #expect(sides.count <= 1)
        }
        // 6° at 46.75° end at 729 km, and begin at 270 km.
        #expect(texts.contains { $0.string == "729" && $0.at.x < 297.5 })
        #expect(texts.contains { $0.string == "271" && $0.at.x > 297.5 })
    }

    @Test("in MGRS the letters of squares, and digits within them")
    func mgrs() {
        let words = Self.parts(Self.view(46.75, 9.45), .mgrs).texts.map(\.string)
        #expect(words.contains("NS"))
        #expect(words.contains("34"))
        #expect(words.contains("77"))
        #expect(!words.contains("534"))
    }

    @Test(
        "lines stay apart at each scale", arguments: [2_500.0, 25_000, 50_000, 100_000, 250_000, 2_500_000])
    func steps(ratio: Double) throws {
        let view = Self.view(46.75, 9.45, ratio: ratio)
        let step = try #require(MetricGrid(view: view, isMGRS: false).step)
        #expect(step / view.metresPerPoint >= 25)
        if ratio == 50_000 || ratio == 25_000 || ratio == 100_000 { #expect(step == 1_000) }
    }

    @Test("labels do not overlap each other nor what is blocked")
    func room() {
        let view = Self.view(46.75, 12)
        let blocked = [SceneRect(x: 0, y: 0, width: 200, height: 60)]
        var scene = Scene(size: view.size)
        GridDrawing(.mgrs, view: view, blocked: blocked).add(to: &scene)
        let boxes = scene.elements.compactMap { element -> SceneRect? in
            if case .text(let text) = element.shape { return GridDrawing.box(of: text) }
            return nil
        }
        #expect(boxes.count > 10)
        for (index, box) in boxes.enumerated() {
            #expect(!blocked[0].intersects(box))
            for other in boxes[(index + 1)...] { #expect(!box.intersects(other)) }
        }
    }

    @Test("across the 180° meridian both zones are labelled, and at small scales nothing traps")
    func world() {
        let words = Self.parts(Self.view(-45, 180)).texts.map(\.string)
        #expect(words.contains("60G") && words.contains("1G"))
        for zoom in [0.0, 2, 4, 6] {
            let view = MapView(center: Coordinate(latitude: 60, longitude: 10), zoom: zoom)
            _ = Self.parts(view)
            _ = Self.parts(MapView(center: Coordinate(latitude: 84.5, longitude: 180), zoom: zoom + 8), .mgrs)
        }
    }

    @Test(
        "a grid without lines is said",
        arguments: [
            (84.5, 25_000.0, true), (-80.4, 25_000, true), (83.9, 25_000, false), (46.75, 25_000, false),
            (46.75, 20_000_000, true),
        ])
    func lack(row: (Double, Double, Bool)) {
        let view = Self.view(row.0, 9.45, ratio: row.1)
        let furniture = MapFurniture(grid: .utm)
        let said = MapScene(view: view, features: [], furniture: furniture).lack
        #expect((said != nil) == row.2)
        #expect(Self.parts(view).texts.contains { Int($0.string) != nil } != row.2)
        #expect(MapScene(view: view, features: []).lack == nil)
    }
}
