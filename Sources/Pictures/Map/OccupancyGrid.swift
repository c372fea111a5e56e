/// The occupied space of a picture in a grid, so that testing a label stays fast among a hundred thousand
/// pins.
package struct OccupancyGrid {
    /// Points along a side of a square: about the length of a label.
    private static let side = 64.0

    private let columns: Int
    private let rows: Int
    private var boxes: [[SceneRect]]

    /// An empty picture.
    package init(size: SceneSize) {
        columns = Self.count(size.width)
        rows = Self.count(size.height)
        boxes = Array(repeating: [], count: columns * rows)
    }

    /// Marks a box as occupied; boxes outside the picture are ignored.
    package mutating func add(_ box: SceneRect) {
        // A box within an occupied one adds nothing.
        for square in squares(box) where !boxes[square].contains(where: { $0.encloses(box) }) {
            boxes[square].append(box)
        }
    }

    /// Whether a box intersects occupied space.
    package func meets(_ box: SceneRect) -> Bool {
        squares(box).contains { square in boxes[square].contains { $0.intersects(box) } }
    }

    private func squares(_ box: SceneRect) -> [Int] {
        let across = Self.range(box.x, box.maxX, columns)
        return Self.range(box.y, box.maxY, rows).flatMap { row in across.map { row * columns + $0 } }
    }

    private static func count(_ length: Double) -> Int {
        max(1, Int((min(max(length, 0), Double(PictureSettings.maximumCanvasSide)) / side).rounded(.up)))
    }

    private static func range(_ from: Double, _ to: Double, _ count: Int) -> Range<Int> {
        guard from.isFinite, to.isFinite, to >= 0, from < Double(count) * side else { return 0..<0 }
        let first = Int(max(0, from) / side)
        let last = Int(min(to, Double(count) * side - 1) / side)
        return first..<max(first, min(last + 1, count))
    }
}
