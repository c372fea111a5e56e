import Geodesy
import Testing

@testable import Pictures

@Suite struct SteppedPictureTests {
    private let here = Coordinate(latitude: 47, longitude: 9)
    private let there = Coordinate(latitude: 47.01, longitude: 9)

    private func dot(_ label: String) -> MapFeature { .point(here, MapPointStyle(color: .ink, label: label)) }

    private func labels(_ features: [MapFeature]) -> [String] {
        features.compactMap { if case .point(_, let style) = $0 { style.label } else { nil } }
    }

    @Test func marksComeChangeAndGo() {
        var board = MarkBoard()
        let style = MapLineStyle(stroke: Stroke(.ink))
        board.take(PictureFrame([MarkChange("a", [dot("a")]), MarkChange("b", [dot("b")])]))
        #expect(labels(board.features(chain: style)) == ["a", "b"])
        board.take(PictureFrame([MarkChange("a", [dot("A")])]))
        #expect(labels(board.features(chain: style)) == ["b", "A"])
        board.take(PictureFrame([MarkChange("b", [])]))
        #expect(labels(board.features(chain: style)) == ["A"])
        board.take(PictureFrame([.clearing, MarkChange("c", [dot("c")])]))
        #expect(labels(board.features(chain: style)) == ["c"])
    }

    @Test func theChainFollowsTheParentsAndEndsInACircle() {
        var board = MarkBoard()
        let line = MapFeature.line([here, there], MapLineStyle(stroke: Stroke(.ink)))
        board.take(
            PictureFrame(
                [
                    MarkChange("a", [line], parent: "c"), MarkChange("b", [line], parent: "a"),
                    MarkChange("c", [line], parent: "b"), MarkChange("d", [line]),
                ], present: ["b"]))
        let chain = MapLineStyle(stroke: Stroke(.black, width: 5), label: "chain")
        let drawn = board.features(chain: chain).filter {
            if case .line(_, let style) = $0 { style.label == "chain" } else { false }
        }
        #expect(drawn.count == 3)
    }

    @Test func aLegendIsDrawnBelowPicturesThatNameKinds() {
        let plain = MapScene(fitting: [dot("x")])?.scene()
        let style = MapPointStyle(color: .ink, shape: .diamond, label: "x", legend: "present")
        let named = MapScene(fitting: [.point(here, style)])?.scene()
        #expect(plain?.size.height == MapView.defaultSize.height)
        #expect((named?.size.height ?? 0) > MapView.defaultSize.height)
        #expect(named.map(SceneSVG.render)?.contains(">present<") == true)
    }
}
