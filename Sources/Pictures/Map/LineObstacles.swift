/// The main lines of a map, in sections with bounding boxes, so that testing whether a label crosses one
/// stays fast for recordings of a hundred thousand points.
package struct LineObstacles: Sendable {
    /// Segments of a line in a section.
    private static let steps = 64

    private struct Stretch: Sendable {
        var box: SceneRect
        var points: ArraySlice<ScenePoint>
    }

    private var stretches: [Stretch] = []

    /// Adds a line.
    package mutating func add(_ line: [ScenePoint]) {
        var start = 0
        while start + 1 < line.count {
            let end = min(start + Self.steps, line.count - 1)
            let points = line[start...end]
            stretches.append(Stretch(box: Self.box(around: points, line[start]), points: points))
            start = end
        }
    }

    /// Whether it is empty.
    package var isEmpty: Bool { stretches.isEmpty }

    /// Whether a line crosses a box.
    package func crosses(_ box: SceneRect) -> Bool {
        stretches.contains { stretch in
            box.meets(stretch.box)
                && zip(stretch.points, stretch.points.dropFirst()).contains { from, to in
                    Clipping.segment(from, to, in: box) != nil
                }
        }
    }

    private static func box(around points: ArraySlice<ScenePoint>, _ first: ScenePoint) -> SceneRect {
        var low = first
        var high = first
        for point in points {
            low = ScenePoint(min(low.x, point.x), min(low.y, point.y))
            high = ScenePoint(max(high.x, point.x), max(high.y, point.y))
        }
        return SceneRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }
}

extension SceneRect {
    /// Whether the boxes intersect or touch: a vertical or horizontal line has a box without area.
    fileprivate func meets(_ other: SceneRect) -> Bool {
        x <= other.maxX && other.x <= maxX && y <= other.maxY && other.y <= maxY
    }
}
