import Formats
import Foundation
import Geodesy
import Pictures
import Testing

@testable import Pages

/// A line of dots that grows by one a step.
struct GrowingLine: SteppedPicture {
    var count: Int
    var chainStyle: MapLineStyle { MapLineStyle(stroke: Stroke(.black, width: 5), label: "chain") }
    var ground: [MapFeature] { [] }
    var frames: [PictureFrame] {
        (0..<count).map { index in
            func place(_ index: Int) -> Coordinate {
                Coordinate(
                    latitude: 47 + Double(index % 100) * 0.001, longitude: 9 + Double(index / 100) * 0.001)
            }
            var features: [MapFeature] = [
                .point(
                    place(index),
                    MapPointStyle(color: .ink, label: index % 50 == 0 ? "n\(index)" : "", legend: "dot"))
            ]
            if index > 0 {
                features.append(
                    .line(
                        [place(index - 1), place(index)], MapLineStyle(stroke: Stroke(.ink), label: "edge")))
            }
            var change = MarkChange("m\(index)", features, parent: index > 0 ? "m\(index - 1)" : nil)
            if index % 7 == 0 { change.queue = ("n\(index)", Double(index)) }
            return PictureFrame([change], present: index % 100 < 20 ? ["m\(index)"] : [])
        }
    }
}

@Suite struct PlayerPageTests {
    private func trace(_ count: Int, changed: Int? = nil) throws -> PlayedTrace {
        let steps = (0..<count).map { index in
            PlayedTrace.Step(
                number: index + 1, kind: index % 3 == 0 ? "settle" : "relax",
                values: [("node", "n\(index)"), ("f", index == changed ? "0" : "\(index)")],
                why: "because </script><!-- \(index % 5)")
        }
        let film = try #require(try Film(of: GrowingLine(count: count)))
        return PlayedTrace(text: "route <plan> & more", steps: steps, scenes: [(0, .film(film))])
    }

    @Test func theFirstDifferenceIsFound() throws {
        let (one, other) = (try trace(9), try trace(9, changed: 4))
        #expect(one.firstDifference(from: one) == nil)
        #expect(one.firstDifference(from: other) == 4)
        #expect(one.firstDifference(from: other, on: ["node"]) == nil)
        #expect(one.firstDifference(from: try trace(12)) == 9)
    }

    @Test func theDataCannotEndItsScript() throws {
        let page = PlayerPage.page(title: "a & <b>", traces: [try trace(5)], differs: nil)
        #expect(page.contains("<title>a &amp; &lt;b&gt;</title>"))
        #expect(!page.contains("</script><!--"))
        // Nothing is loaded from elsewhere, and no attribute contains code.
        for word in ["src=", "href=\"http", " onclick", "javascript:"] { #expect(!page.contains(word)) }
    }

    @Test func theDataHasEveryStep() throws {
        let json = try JSONTree(parsing: Data(PlayerData.json(traces: [try trace(7)], differs: 3).utf8))
        guard case .object(let members) = json,
            case .list(let traces)? = members.first(where: { $0.key == "traces" })?.value,
            case .object(let trace)? = traces.first
        else { throw CocoaError(.fileReadCorruptFile) }
        func list(_ key: String) -> [JSONTree] {
            if case .list(let items)? = trace.first(where: { $0.key == key })?.value { items } else { [] }
        }
        #expect(list("steps").count == 7)
        #expect(
            list("steps")[1] == .list([.number("2"), .number("1"), .number("1"), .text("n1"), .text("1")]))
        #expect(list("kinds") == [.text("settle"), .text("relax")])
    }

    @Test func tenThousandStepsStaySmall() throws {
        let page = PlayerPage.page(title: "long", traces: [try trace(10_000)], differs: nil)
        #expect(page.utf8.count < 3_000_000)
        if let folder = ProcessInfo.processInfo.environment["RUTTER_KEEP_PAGES"] {
            try Data(page.utf8).write(to: URL(fileURLWithPath: folder + "/long.html"))
        }
    }

    @Test func anAnimatedSVGShowsEachMarkInItsTime() throws {
        let film = try #require(try Film(of: GrowingLine(count: 4)))
        let svg = AnimatedSVG.render(film, secondsPerStep: 1)
        // Four steps of a second, the last one three seconds long: the second mark is seen from 1/6 on.
        #expect(svg.contains("16.6667%{visibility:visible}"))
        #expect(svg.contains("step-end infinite"))
        #expect(!svg.contains("<script"))
    }

    @Test func anAnimatedPNGHasItsFramesInOrder() throws {
        let film = try #require(try Film(of: GrowingLine(count: 3)))
        let frames = try film.scenes(film.frames.indices).map {
            (png: try ScenePNG.render($0, scale: 1), hundredths: 50)
        }
        let bytes = Array(try AnimatedPNG.join(frames))
        func count(_ name: String) -> Int {
            let mark = Array(name.utf8)
            return bytes.indices.dropLast(4).count { Array(bytes[$0..<$0 + 4]) == mark }
        }
        #expect(count("acTL") == 1)
        #expect(count("fcTL") == 3)
        #expect(count("fdAT") >= 2)
        #expect(throws: PictureError.self) { try AnimatedPNG.join([]) }
        // The checksum of the standard's own example: IEND without data.
        let end = bytes.suffix(4)
        #expect(Array(end) == [0xAE, 0x42, 0x60, 0x82])
    }
}
