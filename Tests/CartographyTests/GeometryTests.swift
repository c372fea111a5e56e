import Core
import Geodesy
import Testing

@testable import Cartography

@Suite("Map geometry")
struct GeometryTests {
    private func point(_ x: Int32, _ y: Int32) -> MapPoint { MapPoint(x: x, y: y) }

    @Test("a simplified line deviates by no more than the tolerance")
    func simplification() {
        let line = [point(0, 0), point(10, 3), point(20, -2), point(30, 40), point(40, 0)]
        #expect(
            LineSimplification.simplified(line, tolerance: 8) == [
                point(0, 0), point(20, -2), point(30, 40), point(40, 0),
            ])
        #expect(LineSimplification.simplified(line, tolerance: 100) == [point(0, 0), point(40, 0)])
        let square = [point(0, 0), point(100, 0), point(100, 100), point(0, 100), point(0, 0)]
        #expect(LineSimplification.simplified(square, tolerance: 5) == square)
    }

    @Test("a label of a ring-shaped area is in the ring, not in its hole")
    func inside() throws {
        let outer = [point(0, 0), point(90, 0), point(90, 90), point(0, 90), point(0, 0)]
        let hole = [point(20, 20), point(70, 20), point(70, 70), point(20, 70), point(20, 20)]
        let place = try #require(RingMeasures.inside([outer, hole]))
        #expect((0...90).contains(place.x) && (0...90).contains(place.y))
        #expect(!((20...70).contains(place.x) && (20...70).contains(place.y)))
    }

    @Test("lines of one name that meet are joined, in the direction of the first")
    func joining() {
        var lines = PackedFeatures()
        func add(_ points: [MapPoint], name: Int32 = 0) {
            var head = PackedFeatures.Head(kind: 0)
            head.name = name
            lines.begin(head)
            lines.add(points)
        }
        add([point(0, 0), point(10, 0)])
        add([point(20, 5), point(10, 0)])
        add([point(20, 5), point(30, 0)], name: 1)
        // Three lines meet at an end of the first, so that it stays alone.
        for end in [point(50, 0), point(60, 0), point(70, 0)] { add([point(40, 0), end], name: 2) }
        #expect(
            Self.lines(JoinedLines(lines) {}) == [
                [[point(0, 0), point(10, 0), point(20, 5)]], [[point(20, 5), point(30, 0)]],
                [[point(40, 0), point(50, 0)]], [[point(40, 0), point(60, 0)]],
                [[point(40, 0), point(70, 0)]],
            ])
    }

    @Test("pieces before the first one are joined in its direction")
    func joiningBackwards() {
        var lines = PackedFeatures()
        for points in [
            [point(20, 0), point(30, 0)], [point(20, 0), point(10, 5), point(10, 0)],
            [point(0, 0), point(10, 0)],
            [point(40, 0), point(30, 0)],
        ] {
            lines.begin(PackedFeatures.Head(kind: 0))
            lines.add(points)
        }
        #expect(
            Self.lines(JoinedLines(lines) {}) == [
                [
                    [
                        point(0, 0), point(10, 0), point(10, 5), point(20, 0), point(30, 0), point(40, 0),
                    ]
                ]
            ])
    }

    private static func lines(_ joined: JoinedLines) -> [[[MapPoint]]] {
        var buffer: [MapPoint] = []
        return (0..<joined.count).map { line in
            var parts: [[MapPoint]] = []
            joined.forEachPart(of: line, &buffer) { parts.append(Array($0)) }
            return parts
        }
    }

    @Test("decoded features equal the encoded ones, rounded to the detail of their level")
    func coding() throws {
        let kind = try #require(MapKinds.byName["peak"])
        var names = TextTable()
        var features = PackedFeatures()
        var name = "Grauspitz Ⅱ"
        var head = PackedFeatures.Head(kind: kind, flags: .isPrivate, layer: -2)
        head.name = name.withUTF8 { names.index(of: UnsafeRawBufferPointer($0)) }
        head.value = 2599
        features.begin(head)
        features.add([point(123_456_789, 987_654_321)])
        var writer = FeatureWriter(count: 2, level: 3)
        for _ in 0..<2 { writer.add(features, 0, names) }
        let bytes = writer.bytes
        let kinds: [Int?] = MapKinds.all.indices.map { $0 }
        let read = try #require(FeatureCoding.features(bytes, level: 3, kinds: kinds))
        #expect(read.count == 2)
        #expect(read[0].name == "Grauspitz Ⅱ" && read[0].value == 2599 && read[0].layer == -2)
        #expect(abs(read[1].parts[0][0].x - 123_456_789) <= 2)
        #expect(abs(read[1].parts[0][0].y - 987_654_321) <= 2)
        // A truncated block is rejected, whatever its last byte.
        for count in 0..<bytes.count {
            #expect(FeatureCoding.features(Array(bytes.prefix(count)), level: 3, kinds: kinds) == nil)
        }
    }

    @Test("an island lies in the sea, and a coast that crosses the extract has water on its right")
    func sea() {
        var box = MapBox()
        box.add(point(0, 0))
        box.add(point(100, 100))
        // Anticlockwise on the map: land on the left.
        let island = [point(40, 40), point(40, 60), point(60, 60), point(60, 40), point(40, 40)]
        let around = Sea(coastlines: [island], box: box, check: {})
        #expect(around.rings.count == 2 && around.looseEnds == 0)
        // From the left edge to the right: the water is below.
        let coast = Sea(coastlines: [[point(0, 50), point(50, 40), point(100, 50)]], box: box, check: {})
        #expect(coast.rings.count == 1)
        #expect(coast.rings[0].contains(point(100, 100)) && coast.rings[0].contains(point(0, 100)))
        #expect(!coast.rings[0].contains(point(0, 0)))
        // The ends of a coastline cut inside the extract are counted.
        let cut = Sea(coastlines: [[point(5, 50), point(50, 40), point(95, 50)]], box: box, check: {})
        #expect(cut.looseEnds == 2 && cut.isBroken)
        // An island with a gap in its shore keeps its land.
        let open = Sea(coastlines: [Array(island.dropLast())], box: box, check: {})
        #expect(open.looseEnds == 2)
        #expect(!RingMeasures.contains(point(50, 50), open.rings))
    }

    @Test("the area between distant extracts is unknown, and not sea")
    func pieces() {
        func box(_ x: Int32, _ y: Int32, _ side: Int32) -> MapBox {
            var box = MapBox()
            box.add(point(x, y))
            box.add(point(x + side, y + side))
            return box
        }
        let cell = Int32(1) << 22
        var known = CoveredParts(zoom: 8)
        // A town, an island ten cells away with the shore around it, and a ferry line between them.
        known.add(box(10 * cell, 10 * cell, 500))
        known.add(box(10 * cell, 10 * cell, 10 * cell))
        known.add(box(20 * cell + 300, 20 * cell + 300, 100))
        let shore = [
            point(20 * cell + 200, 20 * cell + 200), point(20 * cell + 200, 20 * cell + 800),
            point(20 * cell + 800, 20 * cell + 800), point(20 * cell + 200, 20 * cell + 200),
        ]
        known.add(shore)
        let pieces = known.pieces(of: [shore])
        #expect(pieces.map(\.lines) == [[], [shore]])
        #expect(pieces[0].box == box(10 * cell, 10 * cell, 500))
        #expect(pieces[1].box == box(20 * cell + 200, 20 * cell + 200, 600))
        // In adjacent cells they are one part.
        known.add(box(11 * cell, 10 * cell, 500))
        #expect(known.pieces(of: []).count == 2)
    }

    @Test("point in rings, also level with a vertex")
    func contains() {
        let ring = [point(0, 0), point(100, 0), point(100, 100), point(0, 100), point(0, 0)]
        let hole = [point(40, 40), point(60, 40), point(60, 60), point(40, 60), point(40, 40)]
        #expect(RingMeasures.contains(point(20, 50), [ring, hole]))
        #expect(RingMeasures.contains(point(20, 40), [ring, hole]))
        #expect(!RingMeasures.contains(point(50, 50), [ring, hole]))
        #expect(!RingMeasures.contains(point(101, 0), [ring, hole]))
    }

    @Test("contours of a plane that rises to the east are straight, evenly spaced and connected")
    func contours() {
        let values = (0..<30 * 20).map { Float($0 % 30) * 10 }
        let window = HeightWindow(
            values: values, columns: 30, perDegree: 1200, firstColumn: 0, firstRow: 0)
        let lines = Contours.lines(window, step: 50)
        #expect(lines.map(\.height) == [50, 100, 150, 200, 250])
        for line in lines {
            #expect(line.points.allSatisfy { abs($0.x - line.height / 10) < 0.01 })
            #expect(line.points.count == 20)
        }
    }

    @Test(
        "slopes towards the light are brighter than flat ground, those away from it darker, unknown ones blank"
    )
    func hillshade() {
        func brightness(_ value: (Int, Int) -> Float) -> Float {
            let values = (0..<49).map { value($0 % 7, $0 / 7) }
            let window = HeightWindow(
                values: values, columns: 7, perDegree: 1200, firstColumn: 1_000_000, firstRow: 52_000)
            return Hillshade.brightness(window, exaggeration: 1)[24]
        }
        #expect(abs(brightness { _, _ in 500 }) < 0.001)
        // Rising to the south east, a slope faces the light in the north west.
        #expect(brightness { Float(20 * ($0 + $1)) } > 0.1)
        #expect(brightness { Float(-20 * ($0 + $1)) } < -0.1)
        #expect(brightness { x, y in x == 4 && y == 3 ? .nan : 500 }.isNaN)
    }
}
