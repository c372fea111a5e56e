/// Cutting lines and areas to a rectangle, so that nothing is drawn a million points off the page.
package enum Clipping {
    /// The part of a segment inside a rectangle, by Liang and Barsky (1984); `nil` when it misses.
    static func segment(
        _ from: ScenePoint, _ to: ScenePoint, in rect: SceneRect
    ) -> (ScenePoint, ScenePoint)? {
        guard from.isFinite, to.isFinite else { return nil }
        let dx = to.x - from.x
        let dy = to.y - from.y
        var enter = 0.0
        var leave = 1.0
        let edges = [
            (-dx, from.x - rect.x), (dx, rect.maxX - from.x), (-dy, from.y - rect.y),
            (dy, rect.maxY - from.y),
        ]
        for (direction, room) in edges {
            if direction == 0 {
                if room < 0 { return nil }
            } else if direction < 0 {
                enter = max(enter, room / direction)
            } else {
                leave = min(leave, room / direction)
            }
        }
        guard enter <= leave else { return nil }
        let start = enter == 0 ? from : from.moved(dx * enter, dy * enter)
        let end = leave == 1 ? to : from.moved(dx * leave, dy * leave)
        return (start, end)
    }

    /// The runs of a line inside a rectangle. A point that is not finite breaks the line.
    package static func line(_ points: [ScenePoint], in rect: SceneRect) -> [[ScenePoint]] {
        var runs: [[ScenePoint]] = []
        var run: [ScenePoint] = []
        for (from, to) in zip(points, points.dropFirst()) {
            guard let (start, end) = segment(from, to, in: rect) else { continue }
            if run.last != start {
                if run.count > 1 { runs.append(run) }
                run = [start]
            }
            run.append(end)
        }
        if run.count > 1 { runs.append(run) }
        return runs
    }

    /// The part of an area inside a rectangle, by Sutherland and Hodgman (1974).
    package static func area(_ points: [ScenePoint], in rect: SceneRect) -> [ScenePoint] {
        var ring = points.filter(\.isFinite)
        ring = cut(ring, inside: { $0.x >= rect.x }, at: { crossing($0, $1, x: rect.x) })
        ring = cut(ring, inside: { $0.x <= rect.maxX }, at: { crossing($0, $1, x: rect.maxX) })
        ring = cut(ring, inside: { $0.y >= rect.y }, at: { crossing($0, $1, y: rect.y) })
        return cut(ring, inside: { $0.y <= rect.maxY }, at: { crossing($0, $1, y: rect.maxY) })
    }

    /// The line without points nearer than `distance` to the last remaining one; both ends remain.
    static func thinned(_ points: [ScenePoint], distance: Double) -> [ScenePoint] {
        guard points.count > 2, let first = points.first, let last = points.last else { return points }
        var kept = [first]
        var previous = first
        for point in points.dropFirst().dropLast()
        where abs(point.x - previous.x) >= distance || abs(point.y - previous.y) >= distance {
            kept.append(point)
            previous = point
        }
        kept.append(last)
        return kept
    }

    /// The line split at points that are not finite.
    static func finiteRuns(_ points: [ScenePoint]) -> [[ScenePoint]] {
        points.split { !$0.isFinite }.map(Array.init)
    }

    private static func cut(
        _ ring: [ScenePoint], inside: (ScenePoint) -> Bool,
        at crossing: (ScenePoint, ScenePoint) -> ScenePoint
    ) -> [ScenePoint] {
        guard var previous = ring.last else { return [] }
        var result: [ScenePoint] = []
        for point in ring {
            if inside(point) != inside(previous) { result.append(crossing(previous, point)) }
            if inside(point) { result.append(point) }
            previous = point
        }
        return result
    }

    private static func crossing(_ a: ScenePoint, _ b: ScenePoint, x: Double) -> ScenePoint {
        ScenePoint(x, a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x))
    }

    private static func crossing(_ a: ScenePoint, _ b: ScenePoint, y: Double) -> ScenePoint {
        ScenePoint(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y), y)
    }
}
