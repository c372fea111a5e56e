import Testing

@testable import Cartography

@Suite("Cancellation of map building")
struct StoppingTests {
    private struct Stop: Error {}

    /// Many times more lines than between two checks for cancellation.
    private static let lines = 4_000
    private static let looks = 4

    /// A stream of many pieces.
    private var stream: PackedFeatures {
        var stream = PackedFeatures()
        for index in 0..<Int32(Self.lines) {
            stream.begin(PackedFeatures.Head(kind: 0))
            stream.add([MapPoint(x: index * 100, y: 0), MapPoint(x: (index + 1) * 100, y: 0)])
        }
        return stream
    }

    /// Paths on an island.
    private var island: MapTableBuilder {
        var builder = MapTableBuilder()
        func add(_ tags: [String: String], _ places: [(Int, Int)]) {
            builder.add(
                SourceFeature(origin: .way, tags: tags, isClosed: false),
                parts: [places.flatMap { [Int32(470_000_000 + $0.0), Int32(90_000_000 + $0.1)] }])
        }
        let (south, north, east) = (-1000, 1000, 10 * Self.lines + 1000)
        add(
            ["natural": "coastline"],
            [(south, south), (south, east), (north, east), (north, south), (south, south)])
        for index in 0..<Self.lines {
            add(["highway": "path"], [(0, 10 * index), (5, 10 * index + 5)])
        }
        return builder
    }

    /// Expects work that is cancelled at a check to stop there.
    private func expectStop(at look: Int, of work: (_ check: () throws -> Void) throws -> Void) {
        var count = 0
        #expect(throws: Stop.self) {
            try work {
                count += 1
                if count == look { throw Stop() }
            }
        }
        #expect(count == look)
    }

    @Test("joining lines checks for cancellation in each of its steps")
    func joining() {
        var looks = 0
        let joined = JoinedLines(stream) { looks += 1 }
        #expect(joined.count < Self.lines)
        // Grouping, looking for ends, and joining.
        #expect(looks >= 3 * Self.looks)
        for look in [1, Self.looks + 2, 2 * Self.looks + 2] {
            expectStop(at: look) { _ = try JoinedLines(stream, check: $0) }
        }
    }

    @Test("building the sea checks for cancellation")
    func sea() throws {
        var looks = 0
        var whole = island
        try whole.finish { looks += 1 }
        #expect(looks >= Self.looks)
        for look in [1, looks / 2, looks] {
            expectStop(at: look) {
                var builder = island
                try builder.finish(check: $0)
            }
        }
    }

    @Test("storing a map checks for cancellation")
    func storing() throws {
        var looks = 0
        var whole = island
        try whole.prepare { looks += 1 }
        // The paths are visited in at least one level of detail, and again when they are written.
        #expect(looks >= 2 * Self.looks)
        expectStop(at: looks) {
            var builder = island
            try builder.prepare(check: $0)
        }
    }
}
