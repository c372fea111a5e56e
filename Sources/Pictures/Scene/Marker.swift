/// A pin: a stem whose tip is at the marked point, a circle with a white edge, an icon in it. Or a disc around the point.
public struct Marker: Sendable, Hashable {
    /// The position of the tip of the stem.
    public var at: ScenePoint
    /// The colour of stem and circle.
    public var color: Color
    /// An icon's name; unknown names are drawn as `mappin`.
    public var icon: String
    /// The name of the place; empty for none. It is drawn by the terminal, which places labels itself;
    /// the other renderers use it as the element's title.
    public var label: String
    /// Whether it is a disc around the point, without stem and edge.
    var isDisc = false

    /// Makes a pin.
    public init(at: ScenePoint, color: Color, icon: String, label: String = "", isDisc: Bool = false) {
        self.isDisc = isDisc
        self.at = at
        self.color = color
        self.icon = icon
        self.label = label
    }

    /// The measures of a pin, in points.
    public enum Geometry {
        /// Height of the stem.
        public static let stem = 6.0
        /// Half the width of the stem where it meets the circle.
        static let stemHalfWidth = 4.0
        /// Radius of the circle with its edge.
        public static let radius = 10.0
        /// Width of the white edge.
        public static let edge = 1.5
        /// Side of the square the icon fills.
        public static let icon = 13.0
        /// How far the circle reaches down over the stem, so that no gap shows.
        static let overlap = 1.0
        /// From the tip up to the middle of the circle.
        public static let rise = stem + radius - overlap
        /// From the tip up to the top.
        public static let height = rise + radius
        /// Diameter of a disc.
        public static let disc = 28.0
    }

    /// The middle of the circle.
    var circleCenter: ScenePoint { isDisc ? at : at.moved(0, -Geometry.rise) }

    /// The space that the pin occupies.
    public var bounds: SceneRect {
        if isDisc {
            return SceneRect(
                x: at.x - Geometry.disc / 2, y: at.y - Geometry.disc / 2, width: Geometry.disc,
                height: Geometry.disc)
        }
        return SceneRect(
            x: at.x - Geometry.radius, y: at.y - Geometry.height, width: 2 * Geometry.radius,
            height: Geometry.height)
    }

    /// The symbol of the pin in a terminal.
    var terminalSymbol: TerminalSymbol {
        let glyph = IconGlyph.named(icon)
        return TerminalSymbol(at: at, symbol: glyph.symbol, ascii: glyph.ascii, color: color, label: label)
    }

    /// The shapes of the pin, from the lowest to the highest.
    var parts: [SceneShape] {
        let edge = Stroke(.white, width: Geometry.edge)
        let stem = [
            at, at.moved(-Geometry.stemHalfWidth, -Geometry.stem),
            at.moved(Geometry.stemHalfWidth, -Geometry.stem),
        ]
        let side = Geometry.icon
        let scale = side / IconGlyph.grid
        let glyph = IconGlyph.named(icon).path.placed(
            at: circleCenter.moved(-side / 2, -side / 2), scale: scale)
        let icon = SceneShape.path(glyph, fill: Fill(.white), stroke: nil)
        if isDisc {
            return [
                .circle(center: at, radius: Geometry.disc / 2, fill: Fill(color), stroke: nil), icon,
            ]
        }
        return [
            .polygon([stem], fill: Fill(color), stroke: edge),
            .circle(
                center: circleCenter, radius: Geometry.radius - Geometry.edge / 2, fill: Fill(color),
                stroke: edge),
            icon,
        ]
    }
}
