import Geodesy
import Testing

@testable import Pictures

@Suite("Whose data a picture shows")
struct CreditLinesTests {
    private static let credit = "© OpenStreetMap contributors · elevation: SRTM (NASA)"

    @Test("nothing of an attribution is cut, however narrow the picture", arguments: [64.0, 100, 200, 640])
    func whole(width: Double) {
        let lines = CreditLines(Self.credit, width: width, size: 9)
        #expect(lines.lines.joined(separator: " · ") == Self.credit)
        #expect(lines.width <= width + 0.001)
        #expect(lines.size == 9 || lines.lines.count == 2)
    }

    @Test(
        "in a narrow map it stands within the picture and clear of the scale",
        arguments: [64.0, 120, 200, 320])
    func map(width: Double) throws {
        let view = MapView(
            center: Coordinate(latitude: 47, longitude: 9), zoom: 12,
            size: SceneSize(width: width, height: 200))
        let scene = MapScene(
            view: view, features: [], furniture: MapFurniture(attribution: Self.credit, compass: false)
        ).scene()
        let element = try #require(scene.elements.first { $0.id == "attribution" })
        var texts: [TextShape] = []
        if case .text(let text) = element.shape { texts = [text] }
        if case .group(let parts, _) = element.shape {
            texts = parts.compactMap { if case .text(let text) = $0.shape { text } else { nil } }
        }
        #expect(texts.map(\.string).joined(separator: " · ") == Self.credit)
        for text in texts {
            #expect(text.at.x - TextShape.estimatedWidth(of: text.string, size: text.size) >= -0.001)
        }
    }

    @Test("a terminal breaks it where its columns end", arguments: [16, 24, 60, 100])
    func terminal(columns: Int) {
        let view = MapView(center: Coordinate(latitude: 47, longitude: 9), zoom: 12)
        let text = MapScene(
            view: view, features: [], furniture: MapFurniture(attribution: Self.credit)
        ).terminal(columns: columns, rows: 3)
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.hasSuffix(Self.credit))
    }
}
