/// A picture as values: elements with their positions and their drawing order.
///
/// A scene is independent of files and libraries. `SceneSVG`, `ScenePNG`, `ScenePDF` and `SceneTerminal` draw
/// it; the same scene produces the same bytes.
public struct Scene: Sendable, Hashable {
    /// The size in points.
    public var size: SceneSize
    /// The background of the page; `nil` leaves it transparent.
    public var background: Color?
    /// The title of the picture, for screen readers.
    public var title: String
    /// The elements in the order they were added.
    public private(set) var elements: [SceneElement] = []

    /// Makes an empty picture.
    public init(size: SceneSize, background: Color? = .white, title: String = "") {
        self.size = size
        self.background = background
        self.title = title
    }

    /// Adds an element; of two with the same `z` the later one lies above.
    public mutating func add(_ shape: SceneShape, z: Int = 0, id: String? = nil) {
        elements.append(SceneElement(shape: shape, z: z, id: id))
    }

    /// Adds an element.
    public mutating func add(_ element: SceneElement) {
        elements.append(element)
    }

    /// The elements from the lowest to the highest.
    public var ordered: [SceneElement] { elements.inDrawingOrder }
}

/// A shape of a picture with its drawing order and, if it has one, its name.
public struct SceneElement: Sendable, Hashable {
    /// The shape.
    public var shape: SceneShape
    /// Elements with a higher value are drawn above.
    public var z: Int
    /// A name, such as `waypoint-<UUID>`; the id of the element in an SVG.
    public var id: String?

    /// Makes an element.
    public init(shape: SceneShape, z: Int = 0, id: String? = nil) {
        self.shape = shape
        self.z = z
        self.id = id
    }
}

/// A shape that can be drawn.
public indirect enum SceneShape: Sendable, Hashable {
    /// A line through points. A point that is not finite breaks it.
    case polyline([ScenePoint], Stroke)
    /// An area; further rings are holes (even-odd).
    case polygon([[ScenePoint]], fill: Fill?, stroke: Stroke?)
    /// A circle.
    case circle(center: ScenePoint, radius: Double, fill: Fill?, stroke: Stroke?)
    /// An outline with curves, filled even-odd.
    case path(PathData, fill: Fill?, stroke: Stroke?)
    /// A line of text.
    case text(TextShape)
    /// A pin on a map.
    case marker(Marker)
    /// A JPEG or PNG stretched over a rectangle; undecodable data is drawn as a grey box.
    case image(bytes: [UInt8], SceneRect)
    /// Pixels stretched over a rectangle, smoothly; not shown in a terminal.
    case raster(SceneRaster, SceneRect)
    /// Shown as one character in a terminal, and as a drawing elsewhere.
    case symbol(TerminalSymbol, drawing: [SceneElement])
    /// Elements that belong together, cut to a rectangle where one is given.
    case group([SceneElement], clip: SceneRect?)
}

/// A character that represents an object in a terminal, with its label beside it.
public struct TerminalSymbol: Sendable, Hashable {
    /// The point it marks.
    public var at: ScenePoint
    /// The character, one cell wide.
    public var symbol: Character
    /// The character where only ASCII is shown.
    public var ascii: Character
    /// Its colour.
    public var color: Color
    /// The label; empty for none. Omitted if it does not fit.
    public var label: String
    /// The text in the legend; `nil` for the label.
    public var legend: String?
    /// Several characters around the point, in place of `symbol`; shown whole or not at all.
    public var words: String?

    /// Makes a symbol.
    public init(at: ScenePoint, symbol: Character, ascii: Character, color: Color, label: String = "") {
        self.at = at
        self.symbol = symbol
        self.ascii = ascii
        self.color = color
        self.label = label
    }
}

extension Array where Element == SceneElement {
    /// From the lowest to the highest; equals stay in the order they were added.
    var inDrawingOrder: [SceneElement] {
        // A picture has few distinct values and may have very many elements, so elements are grouped by value
        // instead of sorted.
        let piles = Dictionary(grouping: self, by: \.z)
        return piles.sorted { $0.key < $1.key }.flatMap(\.value)
    }
}
