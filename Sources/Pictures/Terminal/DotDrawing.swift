/// Lines and areas on a field of dots. Positions are in dots and may be fractional.
extension DotGrid {
    private var frame: SceneRect {
        SceneRect(x: -4, y: -4, width: Double(width) + 8, height: Double(height) + 8)
    }

    /// A line through points. `dash` is in dots.
    mutating func line(_ points: [ScenePoint], ink: Ink, width: Int, dash: [Double]) {
        var travelled = 0.0
        for (from, to) in zip(points, points.dropFirst()) where from.isFinite && to.isFinite {
            let length = Self.distance(from, to)
            if let (start, end) = Clipping.segment(from, to, in: frame) {
                segment(
                    start, end, ink: ink, width: width, dash: dash,
                    after: travelled + Self.distance(from, start))
            }
            travelled += length
        }
    }

    private mutating func segment(
        _ from: ScenePoint, _ to: ScenePoint, ink: Ink, width: Int, dash: [Double], after: Double
    ) {
        let steps = max(1, Int(max(abs(to.x - from.x), abs(to.y - from.y)).rounded(.up)))
        let length = Self.distance(from, to)
        for step in 0...steps {
            let share = Double(step) / Double(steps)
            guard Self.isOn(after + length * share, dash: dash) else { continue }
            let x = from.x + (to.x - from.x) * share
            let y = from.y + (to.y - from.y) * share
            brush(x, y, ink: ink, width: width)
        }
    }

    private mutating func brush(_ x: Double, _ y: Double, ink: Ink, width: Int) {
        let shift = Double(width - 1) / 2
        let left = Int((x - shift).rounded(.down))
        let top = Int((y - shift).rounded(.down))
        for dy in 0..<width {
            for dx in 0..<width { set(left + dx, top + dy, ink: ink) }
        }
    }

    /// An area, even-odd; `density` is the share of dots that are set.
    mutating func fill(_ rings: [[ScenePoint]], ink: Ink, density: Double) {
        let kept = rings.map { Clipping.area($0, in: frame) }
        let rows = kept.joined().map(\.y)
        guard let top = rows.min(), let bottom = rows.max() else { return }
        let (first, last) = (max(0, Int(top.rounded(.down))), min(height - 1, Int(bottom.rounded(.up))))
        // A shape that only touches the frame around the field covers none of its dots.
        guard first <= last else { return }
        for y in first...last {
            let cuts = Self.crossings(of: kept, at: Double(y) + 0.5).sorted()
            for pair in stride(from: 0, to: cuts.count - 1, by: 2) {
                let from = max(0, Int((cuts[pair] - 0.5).rounded(.up)))
                let to = min(width - 1, Int((cuts[pair + 1] - 0.5).rounded(.down)))
                guard from <= to else { continue }
                for x in from...to where ink.isPaper || Self.isInked(x, y, density: density) {
                    set(x, y, ink: ink)
                }
            }
        }
    }

    private static func crossings(of rings: [[ScenePoint]], at y: Double) -> [Double] {
        var result: [Double] = []
        for ring in rings {
            guard var previous = ring.last else { continue }
            for point in ring {
                if (previous.y <= y) != (point.y <= y) {
                    result.append(
                        previous.x + (point.x - previous.x) * (y - previous.y) / (point.y - previous.y))
                }
                previous = point
            }
        }
        return result
    }

    /// Ordered dithering after Bayer: the order in which the dots of a square of sixteen are set.
    private static func isInked(_ x: Int, _ y: Int, density: Double) -> Bool {
        let order = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]
        return Double(order[y % 4 * 4 + x % 4]) < density * 16
    }

    private static func isOn(_ travelled: Double, dash: [Double]) -> Bool {
        let period = dash.reduce(0, +)
        guard period > 0 else { return true }
        var rest = travelled.truncatingRemainder(dividingBy: period)
        for (index, length) in dash.enumerated() {
            if rest < length { return index % 2 == 0 }
            rest -= length
        }
        return true
    }

    private static func distance(_ a: ScenePoint, _ b: ScenePoint) -> Double {
        ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
    }
}
