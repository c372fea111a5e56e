import Foundation
import Geodesy

/// The outline of the area around lines.
///
/// Lines are drawn on a grid, one cell wide plus one on each side; the outline follows the edges of cells.
enum AreaOutline {
    /// Cells along the longer side of the area.
    static let resolution = 96
    /// The minimum width of a cell in metres.
    static let finest = 20.0

    private struct Corner: Hashable {
        var x: Int
        var y: Int
    }

    /// The rings around lines: counter-clockwise around the area, clockwise around holes.
    static func rings(around lines: [[Coordinate]]) -> [[Coordinate]] {
        guard let box = BoundingBox(around: lines.joined()) else { return [] }
        let plane = LocalPlane(at: Coordinate(latitude: box.south, longitude: box.west))
        let corner = plane.point(box.north, box.east)
        let cell = max(finest, max(corner.x, corner.y) / Double(resolution))
        let (columns, rows) = (Int(corner.x / cell) + 5, Int(corner.y / cell) + 5)
        var covered = [Bool](repeating: false, count: columns * rows)
        for line in lines { draw(line, plane, cell, columns, rows, &covered) }
        return trace(covered, columns, rows).map { ring in
            ring.map { corner in
                let north = (Double(corner.y) - 2) * cell / plane.northScale
                let east = (Double(corner.x) - 2) * cell / plane.eastScale
                return Coordinate(
                    latitude: box.south + north, longitude: Angle.longitude(box.west + east))
            }
        }
    }

    private static func draw(
        _ line: [Coordinate], _ plane: LocalPlane, _ cell: Double, _ columns: Int, _ rows: Int,
        _ covered: inout [Bool]
    ) {
        let points = line.map(plane.point)
        for (a, b) in zip(points, points.dropFirst()) {
            let steps = max(1, Int((hypot(b.x - a.x, b.y - a.y) / cell * 2).rounded(.up)))
            for step in 0...steps {
                let share = Double(step) / Double(steps)
                let column = Int(((a.x + (b.x - a.x) * share) / cell).rounded(.down)) + 2
                let row = Int(((a.y + (b.y - a.y) * share) / cell).rounded(.down)) + 2
                for y in max(1, row - 1)...max(1, min(rows - 2, row + 1)) {
                    for x in max(1, column - 1)...max(1, min(columns - 2, column + 1)) {
                        covered[y * columns + x] = true
                    }
                }
            }
        }
    }

    /// Follows the border with the covered cells on the left.
    private static func trace(_ covered: [Bool], _ columns: Int, _ rows: Int) -> [[Corner]] {
        var next: [Corner: [Corner]] = [:]
        func add(_ x1: Int, _ y1: Int, _ x2: Int, _ y2: Int) {
            next[Corner(x: x1, y: y1), default: []].append(Corner(x: x2, y: y2))
        }
        for y in 1..<rows - 1 {
            for x in 1..<columns - 1 where covered[y * columns + x] {
                if !covered[(y - 1) * columns + x] { add(x, y, x + 1, y) }
                if !covered[y * columns + x + 1] { add(x + 1, y, x + 1, y + 1) }
                if !covered[(y + 1) * columns + x] { add(x + 1, y + 1, x, y + 1) }
                if !covered[y * columns + x - 1] { add(x, y + 1, x, y) }
            }
        }
        var rings: [[Corner]] = []
        let starts = next.keys.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
        for start in starts {
            while next[start]?.isEmpty == false {
                var ring = [start]
                while let here = ring.last, let to = step(from: here, before: ring.dropLast().last, &next) {
                    ring.append(to)
                    if to == start { break }
                }
                rings.append(straightened(ring))
            }
        }
        return rings
    }

    /// Takes the next border at a corner; if two begin there, the one that turns left, so that rings do not
    /// cross.
    private static func step(
        from here: Corner, before: Corner?, _ next: inout [Corner: [Corner]]
    ) -> Corner? {
        guard var choices = next[here], !choices.isEmpty else { return nil }
        var index = 0
        if let before, choices.count > 1 {
            let (dx, dy) = (here.x - before.x, here.y - before.y)
            index = choices.firstIndex { $0.x - here.x == -dy && $0.y - here.y == dx } ?? 0
        }
        let to = choices.remove(at: index)
        next[here] = choices
        return to
    }

    /// The ring without collinear corners.
    private static func straightened(_ ring: [Corner]) -> [Corner] {
        guard ring.count > 3 else { return ring }
        var kept: [Corner] = []
        for (index, corner) in ring.enumerated() {
            if index > 0, index < ring.count - 1 {
                let (before, after) = (ring[index - 1], ring[index + 1])
                if before.x == after.x || before.y == after.y { continue }
            }
            kept.append(corner)
        }
        return kept
    }
}
