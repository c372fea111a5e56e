import Core
import Foundation

/// Draws a scene with the characters of a terminal.
///
/// Lines and areas become dots, as many as cells allow; symbols, markers and text are characters above them.
/// Characters never overlap: elements higher in the scene are placed first, and a label without space is
/// omitted. White clears dots, like the paper of the page. Images and rotated text are not shown.
public enum SceneTerminal {
    /// The picture as lines joined by line breaks, at most `columns` wide, without a break at the end. The
    /// scene is scaled to fit, at the top left; without `rows` it takes as many rows as its shape requires.
    public static func render(
        _ scene: Scene, columns: Int = 80, rows: Int? = nil, style: TerminalStyle = .braille
    ) -> String {
        lines(scene, columns: columns, rows: rows, style: style).joined(separator: "\n")
    }

    static func lines(_ scene: Scene, columns: Int, rows: Int?, style: TerminalStyle) -> [String] {
        lines(scene, columns: columns, rows: rows, style: style, check: {})
    }

    static func lines(
        _ scene: Scene, on ground: TerminalGround? = nil, columns: Int, rows: Int?, style: TerminalStyle,
        check: () throws -> Void
    ) rethrows -> [String] {
        let limit = 1...PictureSettings.maximumCells
        let columns = clamped(Double(columns), to: limit)
        let cells = Double(columns) * PictureSettings.cellWidth
        guard scene.size.width > 0, scene.size.height > 0 else { return [] }
        let natural = (scene.size.height * cells / scene.size.width / PictureSettings.cellHeight).rounded(.up)
        let rows = clamped(rows.map(Double.init) ?? natural, to: limit)
        let scale = min(
            cells / scene.size.width, Double(rows) * PictureSettings.cellHeight / scene.size.height)
        var painter = TerminalPainter(columns: columns, rows: rows, style: style, scale: scale)
        if let ground { painter.draw(ground) }
        for element in scene.ordered {
            try check()
            painter.draw(element.shape)
        }
        return try painter.finished(check)
    }

    private static func clamped(_ value: Double, to range: ClosedRange<Int>) -> Int {
        value.isFinite
            ? Int(max(Double(range.lowerBound), min(Double(range.upperBound), value))) : range.lowerBound
    }
}

/// Draws elements from the lowest to the highest; texts wait until all dots are set.
struct TerminalPainter {
    private var canvas: CellCanvas
    /// Terminal points per point of the scene.
    private let scale: Double
    private var symbols: [TerminalSymbol] = []
    private var texts: [TextShape] = []
    /// The names of the base map, written where space is left, the most important first.
    private var names: [TerminalSymbol] = []
    /// The dots of the base map alone.
    private var groundDots: DotGrid?

    /// Points along a side of a dot.
    private static let dot = PictureSettings.cellWidth / Double(DotGrid.dotsAcross)
    /// A circle of at most this many dots is filled.
    private static let smallCircle = 2.5
    /// Share of the dots that an opaque area sets: enough to see it, few enough to see elements above
    /// it.
    private static let densest = 0.25

    init(columns: Int, rows: Int, style: TerminalStyle, scale: Double) {
        canvas = CellCanvas(columns: columns, rows: rows, style: style)
        self.scale = scale
    }

    mutating func draw(_ ground: TerminalGround) {
        for area in ground.areas { canvas.shade(area.rings.map { $0.map(dots) }, area.shade) }
        for line in ground.lines { outline(line.points.map(dots), line.stroke) }
        names = ground.names
        groundDots = canvas.dots
    }

    mutating func draw(_ shape: SceneShape) {
        switch shape {
        case .polyline(let points, let stroke): outline(points.map(dots), stroke)
        case .polygon(let rings, let fill, let stroke): area(rings.map { $0.map(dots) }, fill, stroke)
        case .circle(let center, let radius, let fill, let stroke): circle(center, radius, fill, stroke)
        case .path: break
        case .image, .raster: break
        case .text(let text): texts.append(text)
        case .marker(let marker): symbols.append(marker.terminalSymbol)
        case .symbol(let symbol, _): symbols.append(symbol)
        case .group(let elements, _): for element in elements.inDrawingOrder { draw(element.shape) }
        }
    }

    /// Places the characters and returns the lines.
    mutating func finished(_ check: () throws -> Void) rethrows -> [String] {
        var placed: [TerminalSymbol] = []
        for symbol in symbols.reversed() {
            try check()
            if place(symbol) { placed.append(symbol) }
        }
        for text in texts.reversed() {
            try check()
            place(text)
        }
        for symbol in placed.reversed() { label(symbol) }
        for name in names {
            try check()
            if name.words != nil { inscribe(name) } else if place(name) { label(name) }
        }
        return canvas.lines()
    }

    private func dots(_ point: ScenePoint) -> ScenePoint {
        ScenePoint(point.x * scale / Self.dot, point.y * scale / Self.dot)
    }

    private mutating func outline(_ points: [ScenePoint], _ stroke: Stroke) {
        let length = scale / Self.dot
        let width = max(1, min(8, Int((stroke.width * length).rounded(.toNearestOrAwayFromZero))))
        let dash = stroke.usableDash.map { max(1, $0 * length) }
        canvas.dots.line(points, ink: Ink(stroke.color), width: width, dash: dash)
    }

    private mutating func area(_ rings: [[ScenePoint]], _ fill: Fill?, _ stroke: Stroke?) {
        if let fill {
            let isPaper = Ink(fill.color).isPaper && fill.opacity < 0.5
            if canvas.style.glyphs == .plain && !Ink(fill.color).isPaper {
                // In ASCII, scattered dots are not recognisable as an area, so its edge is drawn.
                if stroke == nil { for ring in rings { outline(ring + ring.prefix(1), Stroke(fill.color)) } }
            } else if !isPaper {
                canvas.dots.fill(rings, ink: Ink(fill.color), density: fill.opacity * Self.densest)
            }
        }
        guard let stroke else { return }
        for ring in rings where ring.count > 1 { outline(ring + ring.prefix(1), stroke) }
    }

    private mutating func circle(_ center: ScenePoint, _ radius: Double, _ fill: Fill?, _ stroke: Stroke?) {
        let middle = dots(center)
        let reach = radius * scale / Self.dot
        guard middle.isFinite, reach.isFinite, reach > 0 else { return }
        let count = max(8, min(720, Int(reach * 4)))
        let ring = (0..<count).map { index in
            let angle = Double(index) / Double(count) * 2 * .pi
            return ScenePoint(middle.x + reach * cos(angle), middle.y + reach * sin(angle))
        }
        if reach <= Self.smallCircle, let fill {
            return canvas.dots.fill([ring], ink: Ink(fill.color), density: 1)
        }
        area([ring], fill, stroke)
    }

    private func cell(_ point: ScenePoint) -> (column: Int, row: Int)? {
        let column = (point.x * scale / PictureSettings.cellWidth).rounded(.down)
        let row = (point.y * scale / PictureSettings.cellHeight).rounded(.down)
        guard column >= 0, row >= 0, column < Double(canvas.columns), row < Double(canvas.rows) else {
            return nil
        }
        return (Int(column), Int(row))
    }

    private mutating func place(_ symbol: TerminalSymbol) -> Bool {
        guard let (column, row) = cell(symbol.at) else { return false }
        if let words = symbol.words { return place(canvas.shown(words), column, row, symbol.color) }
        let character = canvas.style.glyphs == .plain ? symbol.ascii : symbol.symbol
        guard canvas.isVacant(column: column, row: row), DisplayWidth.of(character) == 1 else { return false }
        canvas.write(String(character), column: column, row: row, color: symbol.color)
        return true
    }

    /// Writes words around a cell, moved from the edges of the picture.
    private mutating func place(_ words: String, _ column: Int, _ row: Int, _ color: Color) -> Bool {
        let width = DisplayWidth.of(words)
        guard width > 0, width <= canvas.columns else { return false }
        let start = max(0, min(column - width / 2, canvas.columns - width))
        guard (start..<start + width).allSatisfy({ canvas.isVacant(column: $0, row: row) }) else {
            return false
        }
        canvas.write(words, column: start, row: row, color: color)
        return true
    }

    private mutating func place(_ text: TextShape) {
        let words = canvas.shown(text.string)
        let width = DisplayWidth.of(words)
        let line = text.at.moved(0, -text.size / 3)
        guard text.rotation == 0, width > 0, let (column, row) = cell(line) else { return }
        let start =
            text.anchor == .start ? column : text.anchor == .middle ? column - width / 2 : column - width
        // Rounding may push a text over the edge by one cell.
        let first = start == -1 ? 0 : start + width == canvas.columns + 1 ? start - 1 : start
        guard canvas.isFree(column: first, row: row, width: width) else { return }
        canvas.write(words, column: first, row: row, color: text.color)
    }

    /// Writes names of the base map along their lines, where only the base map is drawn.
    private mutating func inscribe(_ name: TerminalSymbol) {
        guard let (column, row) = cell(name.at), let groundDots else { return }
        let words = canvas.shown(name.words ?? "")
        let width = DisplayWidth.of(words)
        let start = column - width / 2
        guard canvas.isFree(column: start, row: row, width: width),
            (start..<start + width).allSatisfy({
                canvas.dots.holdsSame(as: groundDots, column: $0, row: row)
            })
        else { return }
        canvas.write(words, column: start, row: row, color: name.color)
    }

    /// Puts a label beside its symbol, on the side where it covers the fewest dots.
    private mutating func label(_ symbol: TerminalSymbol) {
        guard !symbol.label.isEmpty, let (column, row) = cell(symbol.at) else { return }
        let words = canvas.shown(symbol.label)
        let width = DisplayWidth.of(words)
        let sides = [
            (column + 2, row), (column - 1 - width, row), (column - width / 2, row - 1),
            (column - width / 2, row + 1),
        ]
        let free = sides.filter { canvas.isFree(column: $0.0, row: $0.1, width: width) }
        let covers = free.map { canvas.dotsCovered(column: $0.0, row: $0.1, width: width) }
        guard let best = free.indices.min(by: { (covers[$0], $0) < (covers[$1], $1) }) else { return }
        let (start, line) = free[best]
        canvas.writeClear(words, column: start, row: line, color: symbol.color)
    }
}
