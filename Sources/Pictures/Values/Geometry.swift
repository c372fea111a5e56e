/// A position in a picture: points from the top left corner, x to the right, y down.
public struct ScenePoint: Sendable, Hashable {
    /// Points to the right.
    public var x: Double
    /// Points down.
    public var y: Double

    /// Makes a position.
    public init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    /// Whether both numbers are finite; other positions are not drawn.
    public var isFinite: Bool { x.isFinite && y.isFinite }

    static func + (left: ScenePoint, right: ScenePoint) -> ScenePoint {
        ScenePoint(left.x + right.x, left.y + right.y)
    }

    func moved(_ dx: Double, _ dy: Double) -> ScenePoint { ScenePoint(x + dx, y + dy) }
}

/// Width and height in points.
public struct SceneSize: Sendable, Hashable {
    /// Points across.
    public var width: Double
    /// Points down.
    public var height: Double

    /// Makes a size.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

/// An axis-aligned rectangle.
public struct SceneRect: Sendable, Hashable {
    /// The left edge.
    public var x: Double
    /// The top edge.
    public var y: Double
    /// Points across.
    public var width: Double
    /// Points down.
    public var height: Double

    /// Makes a rectangle from its top left corner and its size.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The right edge.
    public var maxX: Double { x + width }
    /// The bottom edge.
    public var maxY: Double { y + height }
    /// The middle.
    public var center: ScenePoint { ScenePoint(x + width / 2, y + height / 2) }
    /// The corners, clockwise from the top left.
    public var corners: [ScenePoint] {
        [ScenePoint(x, y), ScenePoint(maxX, y), ScenePoint(maxX, maxY), ScenePoint(x, maxY)]
    }

    /// Whether a point lies inside or on the edge.
    public func contains(_ point: ScenePoint) -> Bool {
        point.x >= x && point.x <= maxX && point.y >= y && point.y <= maxY
    }

    /// Whether the two share an area.
    public func intersects(_ other: SceneRect) -> Bool {
        x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
    }

    /// Whether the other is entirely inside.
    public func encloses(_ other: SceneRect) -> Bool {
        other.x >= x && other.maxX <= maxX && other.y >= y && other.maxY <= maxY
    }

    /// The rectangle with every side moved inwards (outwards when negative).
    public func inset(by distance: Double) -> SceneRect {
        SceneRect(
            x: x + distance, y: y + distance, width: width - 2 * distance, height: height - 2 * distance)
    }
}
