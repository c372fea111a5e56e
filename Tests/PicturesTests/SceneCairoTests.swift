import Foundation
import PhotoFixtures
import Photos
import PluginTestKit
import Testing

@testable import Pictures

@Suite struct SceneCairoTests {
    /// Colours expected from the scene's own values, at places well inside the shapes.
    @Test func pixelsAreWhereTheSceneSays() throws {
        let bitmap = try Photos.decode(ScenePNG.render(SceneSamples.all, scale: 2))
        #expect((bitmap.width, bitmap.height) == (240, 160))
        let half = try #require(bitmap.color(x: 20, y: 4))
        #expect(PhotoFixtures.distance(half, Color(0x93D7B0)) < 30, "half of 27AE60 on white")
        #expect(bitmap.color(x: 30, y: 30) == .white, "the hole")
        #expect(bitmap.color(x: 238, y: 2) == .white)
        let line = try #require(bitmap.color(x: 120 - 50, y: 80))
        #expect(PhotoFixtures.distance(line, Color(0x2F7DE1)) < 30, "the middle of the line's first leg")
    }

    @Test func markerHasColourWhiteEdgeAndIcon() throws {
        var scene = SceneSamples.marker
        scene.background = .black
        let bitmap = try Photos.decode(ScenePNG.render(scene, scale: 4))
        // The circle's middle is 15 points above the tip at (20, 35); the drop covers it.
        #expect(bitmap.color(x: 80, y: 80) == .white)
        #expect(bitmap.color(x: 80 - 7 * 4, y: 80) == Color(0x3498DB))
        #expect(bitmap.color(x: 80 - 9 * 4 - 1, y: 80) == .white)
        #expect(bitmap.color(x: 80 - 11 * 4, y: 80) == .black)
        #expect(bitmap.color(x: 80, y: 32 * 4) == Color(0x3498DB), "the stem")
    }

    /// Programs that read aloud find the texts of each page, on a background too: painting it makes cairo forget earlier tags.
    @Test(arguments: [nil, Color.white]) func documentsAreTagged(background: Color?) throws {
        var pages = [SceneSamples.all, SceneSamples.marker, SceneSamples.all]
        for index in pages.indices { pages[index].background = background }
        let data = try ScenePDF.render(pages: pages, metadata: PDFMetadata(title: "A"))
        for part in ["/StructTreeRoot", "/Marked true", "/S /Document", "/S /Sect", "/S /P"] {
            #expect(data.range(of: Data(part.utf8)) != nil, "\(part)")
        }
    }

    @Test(arguments: [nil, Color.white]) func anElementThatCoversThePageKeepsItsTags(background: Color?)
        throws
    {
        var page = Scene(size: SceneSize(width: 40, height: 30), background: background)
        let all = SceneRect(x: 0, y: 0, width: 40, height: 30)
        page.add(.polygon([all.corners], fill: Fill(.white), stroke: nil))
        page.add(.text(TextShape("Hut", at: ScenePoint(5, 20), size: 8)))
        let data = try ScenePDF.render(pages: [page, page], metadata: PDFMetadata(title: "A"))
        for part in ["/StructTreeRoot", "/S /Document", "/S /Sect", "/S /P"] {
            #expect(data.range(of: Data(part.utf8)) != nil, "\(part)")
        }
    }

    @Test func transparentWithoutBackground() throws {
        let png = try ScenePNG.render(SceneSamples.marker)
        #expect(try Photos.decode(png).color(x: 0, y: 0) == .white)
        #expect(png[25] == 6, "colour type: with alpha")
    }

    @Test(.needs(.photos)) func tilesAreDrawn() throws {
        var scene = Scene(size: SceneSize(width: 32, height: 8))
        scene.add(.image(bytes: TinyJPEG.progressive, SceneRect(x: 0, y: 0, width: 16, height: 8)))
        scene.add(.image(bytes: [1, 2, 3], SceneRect(x: 16, y: 0, width: 16, height: 8)))
        let bitmap = try Photos.decode(ScenePNG.render(scene))
        #expect(PhotoFixtures.nearest(try #require(bitmap.color(x: 3, y: 4))) == "A")
        #expect(PhotoFixtures.nearest(try #require(bitmap.color(x: 12, y: 4))) == "C")
        #expect(bitmap.color(x: 24, y: 4) == Color(0xD5D9DF), "what is no image is a grey box")
    }

    @Test func groupsAreCut() throws {
        var scene = Scene(size: SceneSize(width: 20, height: 20))
        let all = SceneRect(x: 0, y: 0, width: 20, height: 20)
        let area = SceneShape.polygon([all.corners], fill: Fill(.black), stroke: nil)
        scene.add(.group([SceneElement(shape: area)], clip: SceneRect(x: 5, y: 5, width: 5, height: 5)))
        let bitmap = try Photos.decode(ScenePNG.render(scene))
        #expect(bitmap.color(x: 7, y: 7) == .black)
        #expect(bitmap.color(x: 3, y: 7) == .white)
        #expect(bitmap.color(x: 12, y: 7) == .white)
    }

    @Test(arguments: [
        (0.0, 10.0, 1.0), (-5, 10, 1), (.nan, 10, 1), (1e9, 10, 1), (9_000, 9_000, 1), (100, 100, .infinity),
        (10, 10, 0),
    ])
    func sizesThatCannotBeDrawn(width: Double, height: Double, scale: Double) {
        #expect(throws: PictureError.self) {
            try ScenePNG.render(Scene(size: SceneSize(width: width, height: height)), scale: scale)
        }
    }

    @Test func oddValuesDoNotStopThePainter() throws {
        var scene = Scene(size: SceneSize(width: 50, height: 50))
        let odd = ScenePoint(.nan, .infinity)
        scene.add(.polyline([odd, odd], Stroke(.black, dash: [-1, 2])))
        scene.add(
            .polyline([ScenePoint(1, 1), ScenePoint(1e300, 40)], Stroke(.black, width: 2, dash: [0, 0])))
        scene.add(.polygon([[odd]], fill: Fill(.black), stroke: Stroke(.black, width: .nan)))
        scene.add(.circle(center: odd, radius: 5, fill: Fill(.black), stroke: nil))
        scene.add(.circle(center: ScenePoint(1, 1), radius: -5, fill: Fill(.black), stroke: nil))
        scene.add(.text(TextShape("a\0b\n\u{1B}", at: ScenePoint(4, 30), size: 12)))
        scene.add(.text(TextShape("x", at: odd)))
        scene.add(.marker(Marker(at: odd, color: .black, icon: "")))
        scene.add(.image(bytes: TinyJPEG.grey, SceneRect(x: 0, y: 0, width: 0, height: -1)))
        scene.add(.path(PathData(steps: [.close, .line(odd)]), fill: Fill(.black), stroke: nil))
        #expect(try !ScenePNG.render(scene).isEmpty)
        #expect(XMLCheck().accepts(SceneSVG.render(scene)))
        for style in [TerminalStyle.plain, .braille] { _ = SceneTerminal.render(scene, style: style) }
    }

    @Test func theSameBytesTwice() throws {
        #expect(try ScenePNG.render(SceneSamples.all) == ScenePNG.render(SceneSamples.all))
    }

    @Test func manyAtOnceAreAllTheSame() async throws {
        let expected = try ScenePNG.render(SceneSamples.all)
        try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<8 { group.addTask { try ScenePNG.render(SceneSamples.all) } }
            for try await png in group { #expect(png == expected) }
        }
    }
}

@Suite struct ScenePDFTests {
    @Test func titleAndNoDate() throws {
        let pdf = try ScenePDF.render(SceneSamples.all, metadata: PDFMetadata(title: "Hike"))
        #expect(pdf.starts(with: Data("%PDF-1.".utf8)))
        #expect(pdf.range(of: Data("/Title (Hike)".utf8)) != nil)
        #expect(pdf.range(of: Data("CreationDate".utf8)) == nil)
    }

    @Test func theSameBytesTwice() async throws {
        let metadata = PDFMetadata(title: "Hike")
        let first = try ScenePDF.render(SceneSamples.all, metadata: metadata)
        // Cairo writes the present second into the file.
        let second = time(nil)
        while time(nil) == second { await Task.yield() }
        #expect(try ScenePDF.render(SceneSamples.all, metadata: metadata) == first)
    }

    @Test func dateThatWasPassed() throws {
        let metadata = PDFMetadata(title: "Hike", created: "2026-02-06T08:15:30Z")
        let pdf = try ScenePDF.render(SceneSamples.all, metadata: metadata)
        #expect(pdf.range(of: Data("/CreationDate (20260206081530".utf8)) != nil)
    }

    @Test func aDateThatIsNone() throws {
        let metadata = PDFMetadata(title: "Hike", created: "yesterday")
        #expect(try ScenePDF.render(SceneSamples.all, metadata: metadata).starts(with: Data("%PDF".utf8)))
    }

    @Test func pagesOfDifferentSizes() throws {
        let pages = [
            Scene(size: SceneSize(width: 595, height: 842)), Scene(size: SceneSize(width: 842, height: 595)),
        ]
        let pdf = try ScenePDF.render(pages: pages, metadata: PDFMetadata(title: ""))
        #expect(pdf.range(of: Data("/Count 2".utf8)) != nil)
        #expect(throws: PictureError.self) {
            try ScenePDF.render(pages: [], metadata: PDFMetadata(title: ""))
        }
    }

    @Test(.needs(.photos)) func photosAreKeptAsTheyAre() throws {
        var scene = Scene(size: SceneSize(width: 100, height: 100))
        let jpeg = [UInt8](try PhotoFixtures.jpeg(PhotoFixtures.noise(width: 200, height: 200, seed: 4)))
        scene.add(.image(bytes: jpeg, SceneRect(x: 0, y: 0, width: 100, height: 100)))
        let pdf = try ScenePDF.render(scene, metadata: PDFMetadata(title: ""))
        #expect(pdf.range(of: Data(jpeg)) != nil)
    }
}

@Suite struct TextMetricsTests {
    @Test func longerTextIsWider() throws {
        let short = try TextMetrics.width(of: "Hut", size: 12)
        #expect(short > 0)
        #expect(try TextMetrics.width(of: "Hut and lake", size: 12) > short)
        #expect(try abs(TextMetrics.width(of: "Hut", size: 24) - 2 * short) < 0.1)
    }

    @Test func linesAreBrokenAtSpaces() throws {
        let text = "The quick brown fox jumps over the lazy dog\n\nSecond paragraph"
        let lines = try TextMetrics.lines(of: text, size: 12, width: 120)
        #expect(lines.count > 4)
        #expect(lines.contains(""))
        #expect(lines.joined(separator: " ").replacing("  ", with: " ").hasPrefix("The quick brown fox"))
        for line in lines { #expect(try TextMetrics.width(of: line, size: 12) <= 121) }
    }
}
