import Testing

@testable import Pictures

@Suite struct ValueTests {
    @Test func colours() {
        #expect(Color(hex: "4A90D9") == Color(red: 0x4A, green: 0x90, blue: 0xD9))
        #expect(Color(hex: "#4a90d9")?.hex == "4A90D9")
        #expect(Color(0x00000F).hex == "00000F")
        for wrong in ["", "12345", "1234567", "GGGGGG", "+12345", "４A90D9", "##12345"] {
            #expect(Color(hex: wrong) == nil, "\(wrong)")
        }
    }

    @Test(arguments: [
        (1.005, 2, "1"), (2.5, 0, "3"), (-2.5, 0, "-3"), (0.1 + 0.2, 2, "0.3"), (-0.001, 2, "0"),
        (100, 0, "100"),
        (1_200, 2, "1200"), (.nan, 2, "0"), (.infinity, 2, "0"), (-12.3, 1, "-12.3"),
    ])
    func numbers(value: Double, places: Int, text: String) {
        // 1.005 is stored as 1.00499999999999989…
        #expect(NumberText.decimal(value, places: places) == text)
    }

    @Test func fixedNumbersKeepTheirZeros() {
        #expect(NumberText.fixed(8.9, places: 2) == "8.90")
        #expect(NumberText.fixed(-0.04, places: 1) == "0.0")
        #expect(NumberText.fixed(1e18, places: 2) == "1e+18")
    }

    @Test func pathData() throws {
        let path = try #require(PathData("M 1 2 H 5 V 7 C 1 1 2 2 3 3 L 4 4 Z"))
        #expect(
            path.steps == [
                .move(ScenePoint(1, 2)), .line(ScenePoint(5, 2)), .line(ScenePoint(5, 7)),
                .curve(ScenePoint(1, 1), ScenePoint(2, 2), ScenePoint(3, 3)), .line(ScenePoint(4, 4)), .close,
            ])
        #expect(PathData("M 1") == nil)
        #expect(PathData("A 1 1") == nil)
        let moved = PathData("M 1 1 Z")?.placed(at: ScenePoint(10, 0), scale: 2)
        #expect(moved?.steps == [.move(ScenePoint(12, 2)), .close])
    }

    @Test func segmentsAreCutAtTheEdges() throws {
        let box = SceneRect(x: 0, y: 0, width: 10, height: 10)
        let through = try #require(Clipping.segment(ScenePoint(-5, 5), ScenePoint(15, 5), in: box))
        #expect(through == (ScenePoint(0, 5), ScenePoint(10, 5)))
        #expect(Clipping.segment(ScenePoint(-5, -1), ScenePoint(15, -1), in: box) == nil)
        #expect(Clipping.segment(ScenePoint(.nan, 1), ScenePoint(1, 1), in: box) == nil)
        let line = [ScenePoint(1, 1), ScenePoint(20, 1), ScenePoint(20, 2), ScenePoint(1, 2)]
        #expect(Clipping.line(line, in: box).count == 2)
    }

    @Test func areasAreCutAtTheEdges() {
        let box = SceneRect(x: 0, y: 0, width: 10, height: 10)
        let big = SceneRect(x: -100, y: -100, width: 1_000, height: 1_000).corners
        let cut = Clipping.area(big, in: box)
        #expect(Set(cut) == Set(box.corners))
        #expect(Clipping.area(SceneRect(x: 20, y: 0, width: 5, height: 5).corners, in: box).isEmpty)
    }

    @Test func drawingOrderIsHeightThenInsertion() {
        var scene = Scene(size: SceneSize(width: 1, height: 1))
        for (id, z) in [("a", 5), ("b", 0), ("c", 5), ("d", -1)] {
            scene.add(.group([], clip: nil), z: z, id: id)
        }
        #expect(scene.ordered.map(\.id) == ["d", "b", "a", "c"])
    }

    @Test(arguments: [
        (0.9, 0.5), (1, 1), (1.99, 1), (2, 2), (4.99, 2), (5, 5), (9.9, 5), (10, 10), (0.003, 0.002),
        (70_000, 50_000),
    ])
    func roundNumbers(value: Double, floor: Double) {
        #expect(abs(RoundNumber.floor(value) - floor) < floor * 1e-12)
        let ceiling = RoundNumber.ceiling(value)
        #expect(ceiling >= value * (1 - 1e-9))
        #expect(RoundNumber.floor(ceiling) == ceiling)
    }

    /// A mile is 1609.344 m and a foot 0.3048 m by definition.
    @Test(arguments: [
        (640.0, ScaleUnits.metric, "500 m", 500.0), (1_999, .metric, "1 km", 1_000),
        (0.5, .metric, "50 cm", 0.5),
        (1_000, .imperial, "2000 ft", 609.6), (4_000, .imperial, "2 mi", 3_218.688),
        (1e7, .metric, "10000 km", 1e7),
    ])
    func scaleBars(longest: Double, units: ScaleUnits, text: String, metres: Double) throws {
        let bar = try #require(ScaleBar(notLongerThan: longest, units: units))
        #expect(bar.text == text)
        #expect(abs(bar.metres - metres) < 1e-6)
    }

    @Test func scaleBarOfNothing() {
        #expect(ScaleBar(notLongerThan: 0, units: .metric) == nil)
        #expect(ScaleBar(notLongerThan: .nan, units: .imperial) == nil)
    }
}
