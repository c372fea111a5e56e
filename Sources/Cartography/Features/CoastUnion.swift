/// The sea of rings that cross each other, as those of islands that were drawn over each other.
///
/// Filled even-odd, the common part of two islands would be sea. By winding it is land: the shores of a sea run clockwise
/// around it and count 1, islands run against the clock and count -1, and the sea is where the sum is 1.
struct CoastUnion {
    private let segments: [Segment]
    private let rows: SegmentRows

    private struct Segment: Hashable {
        var from: MapPoint
        var to: MapPoint

        /// The same for both directions.
        var undirected: Segment {
            (from.y, from.x) < (to.y, to.x) ? self : Segment(from: to, to: from)
        }
    }

    /// Rings that cross nowhere, filled even-odd; those given if none meets another, and `nil` if there is no consistent sea, or
    /// they cross more often than coasts do. `check` throws to cancel.
    static func rings(_ rings: [[MapPoint]], in box: MapBox, check: () throws -> Void) rethrows
        -> [[MapPoint]]?
    {
        let whole = rings.flatMap { ring in
            zip(ring, ring.dropFirst()).filter { $0 != $1 }.map { Segment(from: $0, to: $1) }
        }
        guard let cuts = try cuts(of: whole, rows(whole, in: box), check) else { return nil }
        // Rings that share a point may cross in it.
        guard !cuts.isEmpty || Set(whole.map(\.from)).count < whole.count else { return rings }
        return try CoastUnion(divided(whole, cuts), in: box).outlines(check)
    }

    private init(_ segments: [Segment], in box: MapBox) {
        self.segments = segments
        rows = Self.rows(segments, in: box)
    }

    private static func rows(_ segments: [Segment], in box: MapBox) -> SegmentRows {
        var rows = SegmentRows(in: box)
        for (index, segment) in segments.enumerated() { rows.add(index, from: segment.from, to: segment.to) }
        return rows
    }

    // MARK: Crossings

    /// The points in which segments meet between their ends, by segment; `nil` if there are too many.
    private static func cuts(
        of segments: [Segment], _ rows: SegmentRows, _ check: () throws -> Void
    ) rethrows -> [Int: Set<MapPoint>]? {
        var cuts: [Int: Set<MapPoint>] = [:]
        var count = 0
        func cut(_ index: Int, at point: MapPoint) {
            guard point != segments[index].from, point != segments[index].to else { return }
            if cuts[index, default: []].insert(point).inserted { count += 1 }
        }
        for band in rows.bands {
            try check()
            let sorted = band.map { (index: $0, west: min(segments[$0].from.x, segments[$0].to.x)) }
                .sorted { ($0.west, $0.index) < ($1.west, $1.index) }
            for place in sorted.indices {
                guard count <= mostCuts * segments.count else { return nil }
                let first = sorted[place].index
                let east = max(segments[first].from.x, segments[first].to.x)
                for next in sorted[(place + 1)...] {
                    guard next.west <= east else { break }
                    for point in meetings(segments[first], segments[next.index]) {
                        cut(first, at: point)
                        cut(next.index, at: point)
                    }
                }
            }
        }
        return cuts
    }

    /// The points in which two segments meet: their crossing, or the ends of one that lie on the other.
    private static func meetings(_ a: Segment, _ b: Segment) -> [MapPoint] {
        let sides = (
            side(b.from, of: a), side(b.to, of: a), side(a.from, of: b), side(a.to, of: b)
        )
        var points: [MapPoint] = []
        if sides.0 == 0, holds(b.from, a) { points.append(b.from) }
        if sides.1 == 0, holds(b.to, a) { points.append(b.to) }
        if sides.2 == 0, holds(a.from, b) { points.append(a.from) }
        if sides.3 == 0, holds(a.to, b) { points.append(a.to) }
        guard points.isEmpty, (sides.0 > 0) != (sides.1 > 0), (sides.2 > 0) != (sides.3 > 0) else {
            return points
        }
        let share = Double(sides.2) / (Double(sides.2) - Double(sides.3))
        let (x, y) = (Double(a.from.x), Double(a.from.y))
        return [
            MapPoint(
                x: Int32((x + share * (Double(a.to.x) - x)).rounded()),
                y: Int32((y + share * (Double(a.to.y) - y)).rounded()))
        ]
    }

    /// Positive on the right of a segment, y down; 0 on its line.
    private static func side(_ point: MapPoint, of line: Segment) -> Int {
        (Int(line.to.x) - Int(line.from.x)) * (Int(point.y) - Int(line.from.y))
            - (Int(line.to.y) - Int(line.from.y)) * (Int(point.x) - Int(line.from.x))
    }

    /// Whether a point on the line of a segment is between its ends.
    private static func holds(_ point: MapPoint, _ line: Segment) -> Bool {
        min(line.from.x, line.to.x) <= point.x && point.x <= max(line.from.x, line.to.x)
            && min(line.from.y, line.to.y) <= point.y && point.y <= max(line.from.y, line.to.y)
    }

    /// The segments between their cuts.
    private static func divided(_ segments: [Segment], _ cuts: [Int: Set<MapPoint>]) -> [Segment] {
        segments.indices.flatMap { index -> [Segment] in
            guard let points = cuts[index] else { return [segments[index]] }
            let start = segments[index].from
            func distance(_ point: MapPoint) -> Int {
                abs(Int(point.x) - Int(start.x)) + abs(Int(point.y) - Int(start.y))
            }
            let stops =
                [start]
                + points.sorted { (distance($0), $0.y, $0.x) < (distance($1), $1.y, $1.x) }
                + [segments[index].to]
            return zip(stops, stops.dropFirst()).filter { $0 != $1 }.map { Segment(from: $0, to: $1) }
        }
    }

    // MARK: Outlines

    /// How often the rings go round a place, clockwise.
    private func winding(_ x: Double, _ y: Double) -> Int {
        rows.at(y).reduce(0) { sum, index in
            let (from, to) = (segments[index].from, segments[index].to)
            guard (Double(from.y) > y) != (Double(to.y) > y) else { return sum }
            let along = (y - Double(from.y)) / (Double(to.y) - Double(from.y))
            guard Double(from.x) + along * (Double(to.x) - Double(from.x)) < x else { return sum }
            return sum + (to.y < from.y ? 1 : -1)
        }
    }

    /// Segments with sea on their right and none on their left, joined to rings.
    private func outlines(_ check: () throws -> Void) rethrows -> [[MapPoint]]? {
        var known: Set<Segment> = []
        var next: [MapPoint: [MapPoint]] = [:]
        var order: [MapPoint] = []
        for (index, segment) in segments.enumerated() where known.insert(segment.undirected).inserted {
            if index % Self.step == 0 { try check() }
            let (dx, dy) = (
                Double(segment.to.x) - Double(segment.from.x), Double(segment.to.y) - Double(segment.from.y)
            )
            let length = (dx * dx + dy * dy).squareRoot()
            let (x, y) = (Double(segment.from.x) + dx / 2, Double(segment.from.y) + dy / 2)
            let (aside, down) = (-dy / length * Self.offset, dx / length * Self.offset)
            let isSea = (
                left: winding(x - aside, y - down) == 1, right: winding(x + aside, y + down) == 1
            )
            guard isSea.left != isSea.right else { continue }
            let (from, to) = isSea.right ? (segment.from, segment.to) : (segment.to, segment.from)
            next[from, default: []].append(to)
            order.append(from)
        }
        var rings: [[MapPoint]] = []
        for start in order {
            while let first = next[start]?.popLast() {
                var ring = [start, first]
                while let here = ring.last, here != start {
                    guard let point = next[here]?.popLast() else { return nil }
                    ring.append(point)
                }
                rings.append(ring)
            }
        }
        return rings
    }
    private static let step = 1_000
    /// The largest number of cuts of a segment on average: the same coast drawn twice has about two.
    private static let mostCuts = 8
    /// Where both sides of a segment are looked at, in stored units beside its middle.
    private static let offset = 0.25
}

/// The numbers of segments by bands of rows, so that each is compared with few others.
struct SegmentRows {
    private(set) var bands: [[Int]]
    private let top: Int
    private let height: Int

    private static let count = 4_096

    init(in box: MapBox) {
        top = Int(box.minY)
        height = max(1, (box.height + Self.count) / Self.count)
        bands = Array(repeating: [], count: Self.count)
    }

    mutating func add(_ index: Int, from: MapPoint, to: MapPoint) {
        for band in band(Double(min(from.y, to.y)))...band(Double(max(from.y, to.y))) {
            bands[band].append(index)
        }
    }

    /// The segments that may meet a row of coordinates.
    func at(_ y: Double) -> [Int] { bands[band(y)] }

    private func band(_ y: Double) -> Int {
        max(0, min(Self.count - 1, (Int(y.rounded(.down)) - top) / height))
    }
}
