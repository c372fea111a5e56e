import Geodesy

extension LineSimplification {
    /// A simplified copy of a line.
    static func simplified(_ line: [MapPoint], tolerance: Double) -> [MapPoint] {
        var (simple, own): ([MapPoint], LineSimplification) = ([], LineSimplification())
        line.withUnsafeBufferPointer { own.simplify($0, tolerance: tolerance, into: &simple) }
        return simple
    }

    /// No point is farther than `tolerance` from the result, which replaces the contents of `simple`. Both ends are kept,
    /// and for a ring the point farthest from its start.
    mutating func simplify(
        _ line: UnsafeBufferPointer<MapPoint>, tolerance: Double, into simple: inout [MapPoint]
    ) {
        simple.removeAll(keepingCapacity: true)
        guard line.count > 2 else { return simple.append(contentsOf: line) }
        var fixed: Int?
        if line[0] == line[line.count - 1], line.count > 3 {
            fixed = line.indices.max { line[$0].square(to: line[0]) < line[$1].square(to: line[0]) }
        }
        run(
            count: line.count, tolerance: tolerance * tolerance, fixed: fixed,
            metric: { line[$0].plane.square(from: line[$1].plane, to: line[$2].plane) })
        for (index, point) in line.enumerated() where isKept[index] { simple.append(point) }
    }
}

extension MapPoint {
    /// The point in units of the map's grid.
    fileprivate var plane: PlanePoint { PlanePoint(x: Double(x), y: Double(y)) }

    fileprivate func square(to other: MapPoint) -> Double {
        let (dx, dy) = (Double(x) - Double(other.x), Double(y) - Double(other.y))
        return dx * dx + dy * dy
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

    /// Whether the area of a ring, filled even-odd, exceeds another. The loops of a ring that crosses itself, such as a figure
    /// of eight, cancel each other in its signed area.
    static func exceeds(_ area: Double, _ ring: [MapPoint]) -> Bool {
        if abs(doubleArea(ring)) / 2 > area { return true }
        var box = MapBox()
        for point in ring { box.add(point) }
        guard !box.isEmpty, Double(box.width) * Double(box.height) > area else { return false }
        let height = Double(box.height) / Double(rows)
        var sum = 0.0
        for row in 0..<rows {
            let y = Double(box.minY) + (Double(row) + 0.5) * height
            let crossings = crossings(of: [ring], at: y).sorted()
            for index in stride(from: 0, to: crossings.count - 1, by: 2) {
                sum += (crossings[index + 1] - crossings[index]) * height
            }
        }
        return sum > area
    }
    /// Lines across a ring that its area is measured along.
    private static let rows = 32

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
    static func crossings(of rings: [[MapPoint]], at y: Double) -> [Double] {
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
