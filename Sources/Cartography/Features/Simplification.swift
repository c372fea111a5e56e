/// Line simplification, with memory that is reused from line to line.
struct Simplification {
    private var kept: [Bool] = []
    private var waiting: [(Int, Int)] = []

    /// A simplified copy of a line.
    static func simplified(_ line: [MapPoint], tolerance: Double) -> [MapPoint] {
        var (simple, own): ([MapPoint], Simplification) = ([], Simplification())
        line.withUnsafeBufferPointer { own.simplify($0, tolerance: tolerance, into: &simple) }
        return simple
    }

    /// Douglas and Peucker (1973): no point is farther than `tolerance` from the result, which replaces the
    /// contents of `simple`. Both ends are kept, and for a ring the point farthest from its start.
    mutating func simplify(
        _ line: UnsafeBufferPointer<MapPoint>, tolerance: Double, into simple: inout [MapPoint]
    ) {
        simple.removeAll(keepingCapacity: true)
        guard line.count > 2 else { return simple.append(contentsOf: line) }
        kept.removeAll(keepingCapacity: true)
        kept.append(contentsOf: repeatElement(false, count: line.count))
        let last = line.count - 1
        (kept[0], kept[last]) = (true, true)
        if line[0] == line[last], line.count > 3 {
            let furthest =
                line.indices.max {
                    Self.squared(line[$0], line[0]) < Self.squared(line[$1], line[0])
                } ?? 0
            kept[furthest] = true
            waiting.append((0, furthest))
            waiting.append((furthest, last))
        } else {
            waiting.append((0, last))
        }
        let limit = tolerance * tolerance
        while let (start, end) = waiting.popLast() {
            guard end - start > 1 else { continue }
            var (best, furthest) = (limit, -1)
            for index in start + 1..<end {
                let distance = Self.squared(line[index], from: line[start], to: line[end])
                if distance > best { (best, furthest) = (distance, index) }
            }
            guard furthest > 0 else { continue }
            kept[furthest] = true
            waiting.append((start, furthest))
            waiting.append((furthest, end))
        }
        for (index, point) in line.enumerated() where kept[index] { simple.append(point) }
    }

    private static func squared(_ a: MapPoint, _ b: MapPoint) -> Double {
        let (dx, dy) = (Double(a.x) - Double(b.x), Double(a.y) - Double(b.y))
        return dx * dx + dy * dy
    }

    private static func squared(_ point: MapPoint, from: MapPoint, to: MapPoint) -> Double {
        let (dx, dy) = (Double(to.x) - Double(from.x), Double(to.y) - Double(from.y))
        let (px, py) = (Double(point.x) - Double(from.x), Double(point.y) - Double(from.y))
        let length = dx * dx + dy * dy
        let along = length > 0 ? max(0, min(1, (px * dx + py * dy) / length)) : 0
        let (ox, oy) = (px - along * dx, py - along * dy)
        return ox * ox + oy * oy
    }
}

/// Measures of rings.
enum RingMeasures {
    /// Twice the signed area; positive clockwise as the map is drawn, y down.
    static func doubleArea(_ ring: some Collection<MapPoint>) -> Double {
        guard let first = ring.first else { return 0 }
        var sum = 0.0
        var last = first
        for point in ring.dropFirst() {
            sum +=
                (Double(last.x) - Double(first.x)) * (Double(point.y) - Double(first.y))
                - (Double(point.x) - Double(first.x)) * (Double(last.y) - Double(first.y))
            last = point
        }
        return sum
    }

    /// A point well inside rings, even-odd: the middle of the widest stretch among some lines across.
    static func inside(_ rings: [[MapPoint]]) -> MapPoint? {
        var box = MapBox()
        for ring in rings { for point in ring { box.add(point) } }
        guard !box.isEmpty else { return nil }
        var best: (width: Double, point: MapPoint)?
        for share in [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8] {
            let y = Double(box.minY) + share * Double(box.height) + 0.25
            let crossings = crossings(of: rings, at: y).sorted()
            // Prefer the middle to a slightly wider stretch.
            let weight = 1 - abs(share - 0.5)
            for index in stride(from: 0, to: crossings.count - 1, by: 2) {
                let width = (crossings[index + 1] - crossings[index]) * weight
                guard width > best?.width ?? 0 else { continue }
                let x = (crossings[index] + crossings[index + 1]) / 2
                best = (width, MapPoint(x: Int32(x), y: Int32(y)))
            }
        }
        return best?.point
    }

    /// Whether a point is inside rings, even-odd.
    static func contains(_ place: MapPoint, _ rings: [[MapPoint]]) -> Bool {
        // Between two rows of coordinates no crossing meets a vertex.
        !crossings(of: rings, at: Double(place.y) + 0.25).count { $0 < Double(place.x) }.isMultiple(of: 2)
    }

    /// The intersections of rings with a horizontal line, from west to east.
    private static func crossings(of rings: [[MapPoint]], at y: Double) -> [Double] {
        var crossings: [Double] = []
        for ring in rings {
            for (a, b) in zip(ring, ring.dropFirst()) where (Double(a.y) > y) != (Double(b.y) > y) {
                let along = (y - Double(a.y)) / (Double(b.y) - Double(a.y))
                crossings.append(Double(a.x) + along * (Double(b.x) - Double(a.x)))
            }
        }
        return crossings
    }
}
