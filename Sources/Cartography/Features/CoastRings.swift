/// Closed coastlines that agree with the sea around them.
///
/// An islet of a river is often tagged as a coast by mistake, and an island may be drawn twice. As rings that are filled
/// even-odd, both would be sea.
struct CoastRings {
    /// The rings of the sea, filled even-odd.
    private(set) var rings: [[MapPoint]]
    /// Coastlines around land that lie on land: left out.
    private(set) var onLand = 0

    private var rows: RowIndex
    /// Vertices of a ring that are looked at.
    private static let samples = 16

    /// Adds closed coastlines to the shores of a sea, the largest first.
    init(_ shores: [[MapPoint]], adding islands: [[MapPoint]], in box: MapBox, check: () throws -> Void)
        rethrows
    {
        rings = shores
        rows = RowIndex(box)
        for ring in shores { rows.add(ring) }
        var known: Set<Shape> = []
        let measured = islands.map { (ring: $0, area: RingMeasures.doubleArea($0)) }
        for index in measured.indices.sorted(by: {
            (abs(measured[$1].area), $0) < (abs(measured[$0].area), $1)
        }) {
            try check()
            let (ring, area) = measured[index]
            guard known.insert(Shape(ring, area)).inserted else { continue }
            // Land is on the left: inside a ring that runs against the clock.
            if area < 0, !meetsSea(ring) {
                onLand += 1
            } else {
                rings.append(ring)
                rows.add(ring)
            }
        }
    }

    /// A closed coastline, whichever of its points is the first.
    private struct Shape: Hashable {
        var first: MapPoint
        var area: Double
        var count: Int

        init(_ ring: [MapPoint], _ area: Double) {
            first = ring.min { ($0.y, $0.x) < ($1.y, $1.x) } ?? MapPoint(x: 0, y: 0)
            (self.area, count) = (area, ring.count)
        }
    }

    /// Whether there is sea inside of a ring or at its coast, before it is added.
    private func meetsSea(_ ring: [MapPoint]) -> Bool {
        guard let middle = RingMeasures.inside([ring]) else { return true }
        if rows.isInside(middle) { return true }
        let step = max(1, ring.count / Self.samples)
        return stride(from: 0, to: ring.count, by: step).contains { rows.isInside(ring[$0]) }
    }
}

/// The segments of rings by bands of rows.
private struct RowIndex {
    private var segments: [(from: MapPoint, to: MapPoint)] = []
    private var rows: SegmentRows

    init(_ box: MapBox) { rows = SegmentRows(in: box) }

    mutating func add(_ ring: [MapPoint]) {
        for (from, to) in zip(ring, ring.dropFirst()) where from.y != to.y {
            rows.add(segments.count, from: from, to: to)
            segments.append((from, to))
        }
    }

    /// Whether a point is inside the rings, even-odd.
    func isInside(_ point: MapPoint) -> Bool {
        // Between two rows of coordinates no crossing meets a vertex.
        let y = Double(point.y) + 0.25
        let crossings = rows.at(y).count { index in
            let (from, to) = segments[index]
            guard (Double(from.y) > y) != (Double(to.y) > y) else { return false }
            let along = (y - Double(from.y)) / (Double(to.y) - Double(from.y))
            return Double(from.x) + along * (Double(to.x) - Double(from.x)) < Double(point.x)
        }
        return !crossings.isMultiple(of: 2)
    }
}
