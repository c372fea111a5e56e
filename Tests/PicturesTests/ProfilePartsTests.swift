import Testing

@testable import Pictures

@Suite("Parts of a profile")
struct ProfilePartsTests {
    private static func parts(_ segments: [[(Double, Double?)]]) -> [[ProfilePoint]] {
        var parts = ProfileParts<ProfilePoint>()
        for segment in segments {
            parts.begin()
            for (distance, elevation) in segment {
                parts.add(elevation.map { ProfilePoint(distance: distance, elevation: $0) }, at: distance)
            }
        }
        return parts.parts
    }

    @Test("segments are not joined by a wall")
    func segments() {
        let parts = Self.parts([[(0, 500), (100, 510)], [(100, 2_000), (200, 2_010)]])
        #expect(parts.map(\.count) == [2, 2])
        let chart = Chart.profile(parts: parts)
        let lines = chart.scene().elements.compactMap { element -> [ScenePoint]? in
            if element.z == 3, case .polyline(let line, _) = element.shape { return line }
            return nil
        }
        #expect(lines.count == 2)
        // The fill has no edge between them, either.
        let fills = chart.scene().elements.count {
            if $0.z == 1, case .polygon = $0.shape { true } else { false }
        }
        #expect(fills == 2)
        let text = chart.terminal(columns: 60, rows: 8, style: TerminalStyle(glyphs: .plain))
        let joined = Chart.profile(parts: [Array(parts.joined())])
        #expect(text != joined.terminal(columns: 60, rows: 8, style: TerminalStyle(glyphs: .plain)))
    }

    @Test("a long stretch without heights is a gap, a short one is bridged")
    func unknown() {
        #expect(Self.parts([[(0, 1), (100, nil), (200, 2), (300, 3)]]).map(\.count) == [3])
        #expect(Self.parts([[(0, 1), (10, 1), (100, nil), (900, 2), (950, 3)]]).map(\.count) == [2, 2])
        // Points far apart, but all known, are a line.
        #expect(Self.parts([[(0, 1), (5_000, 2)]]).map(\.count) == [2])
    }

    @Test("a chart reaches to the end of the way, where no height is known too")
    func whole() {
        // A third kilometre without heights, and a first one: two of four thousand metres are known.
        let parts = Self.parts([[(0, nil), (1_000, 500), (3_000, 600), (4_000, nil)]])
        let size = SceneSize(width: 400, height: 200)
        func ends(_ chart: Chart) -> (Double, Double) {
            let lines = chart.scene(size: size).elements.compactMap { element -> [ScenePoint]? in
                if element.z == 3, case .polyline(let line, _) = element.shape { return line }
                return nil
            }
            let across = lines.joined().map(\.x)
            return (across.min() ?? 0, across.max() ?? 0)
        }
        let (left, right) = ends(Chart.profile(parts: parts))
        let whole = ends(Chart.profile(parts: parts, length: 4_000))
        #expect(abs((whole.1 - whole.0) - (right - left) / 2) < 1)
        #expect(abs((whole.0 - left) - (right - left) / 4) < 1)
        #expect(abs((right - whole.1) - (right - left) / 4) < 1)
    }

    @Test("parts without heights are none")
    func empty() {
        #expect(Self.parts([]).isEmpty)
        #expect(Self.parts([[(0, nil)], [], [(0, nil), (10, 5)]]).map(\.count) == [1])
    }
}
