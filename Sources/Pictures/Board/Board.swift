import Core

/// A table as a picture, with a sign for the outcome of each row, and a legend of the signs.
public struct Board: Sendable, Hashable {
    /// A sign: a character, its ASCII form, its colour, and its legend label.
    public struct Sign: Sendable, Hashable {
        let character: Character
        let ascii: Character
        let color: Color
        let words: String

        /// A sign.
        public init(_ character: Character, ascii: Character, color: Color, words: String) {
            (self.character, self.ascii, self.color, self.words) = (character, ascii, color, words)
        }
    }

    /// A row of cells with its sign.
    public typealias Row = (cells: [String], sign: Sign)

    /// The title.
    public var title: String
    /// The column headers.
    public var columns: [String]
    private var cells: [[String]]
    private var signs: [Sign]
    /// A caption below.
    public var caption: String
    /// Number of omitted earlier rows.
    private let hidden: Int

    /// Maximum number of rows shown; earlier ones are omitted.
    public static let shownRows = 24
    /// Maximum number of characters shown of a cell.
    private static let widestCell = 36

    /// Makes a board of the last rows.
    public init(_ title: String, columns: [String], rows: [Row], caption: String = "") {
        (self.title, self.columns, self.caption) = (title, columns, caption)
        let shown = rows.suffix(Self.shownRows)
        hidden = rows.count - shown.count
        cells = shown.map { $0.cells.map { DisplayWidth.truncated(Self.line($0), to: Self.widestCell) } }
        signs = shown.map(\.sign)
    }

    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private var legend: [Sign] {
        signs.reduce(into: [Sign]()) { if !$0.contains($1) { $0.append($1) } }
    }

    private var widths: [Int] {
        columns.indices.map { column in
            ([columns[column]] + cells.compactMap { $0.indices.contains(column) ? $0[column] : nil })
                .map { DisplayWidth.of($0) }.max() ?? 0
        }
    }

    // MARK: Terminal

    /// The board in a terminal.
    public func terminal(columns width: Int, style: TerminalStyle) -> String {
        func plain(_ text: String) -> String { style.shown(text) }
        func sign(_ sign: Sign) -> Character { style.glyphs == .plain ? sign.ascii : sign.character }
        let widths = widths
        func row(_ cells: [String], _ first: Character) -> String {
            let padded = zip(cells, widths).map { DisplayWidth.padded($0, to: $1) }
            let line = "\(first) " + padded.joined(separator: "  ")
            return DisplayWidth.truncated(plain(Self.trimmed(line)), to: width)
        }
        var lines = [plain(title), row(columns, " ")]
        if hidden > 0 { lines.append("  (\(hidden) earlier rows)") }
        lines += zip(cells, signs).map { row($0, sign($1)) }
        let legend = legend.map { "\(sign($0)) \($0.words)" }.joined(separator: "   ")
        if !legend.isEmpty { lines.append(plain(legend)) }
        return lines.joined(separator: "\n")
    }

    private static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }

    // MARK: Drawing

    private static let size = 12.0
    private static let lineHeight = 22.0
    private static let margin = 14.0
    private static let gap = 18.0
    private static let signWidth = 22.0

    /// The board as a picture.
    public func scene() -> Scene {
        let widths = widths.map { Double($0) * Self.size * PictureSettings.characterWidth }
        let legendWidth = legend.reduce(0.0) { $0 + Self.width($1.words) + Self.signWidth + Self.gap }
        let inner =
            [
                widths.reduce(Self.signWidth) { $0 + $1 + Self.gap }, Self.width(title), Self.width(caption),
                legendWidth, 240,
            ].max() ?? 240
        let lines = cells.count + 3 + (hidden > 0 ? 1 : 0) + (caption.isEmpty ? 0 : 1)
        let size = SceneSize(
            width: inner + 2 * Self.margin, height: Double(lines) * Self.lineHeight + 2 * Self.margin)
        var scene = Scene(size: size, title: title)
        var y = Self.margin
        func text(_ string: String, _ x: Double, weight: TextWeight = .normal, color: Color = .ink) {
            let at = ScenePoint(x, y + Self.lineHeight * 0.68)
            scene.add(.text(TextShape(string, at: at, size: Self.size, color: color, weight: weight)), z: 1)
        }
        func row(_ cells: [String], weight: TextWeight = .normal) {
            var x = Self.margin + Self.signWidth
            for (cell, width) in zip(cells, widths) {
                text(cell, x, weight: weight)
                x += width + Self.gap
            }
        }
        func draw(_ sign: Sign, at x: Double) {
            text(String(sign.character), x, weight: .bold, color: sign.color)
        }
        text(title, Self.margin, weight: .bold)
        y += Self.lineHeight
        row(columns, weight: .bold)
        y += Self.lineHeight
        if hidden > 0 {
            text("(\(hidden) earlier rows)", Self.margin, color: .faint)
            y += Self.lineHeight
        }
        for (cells, sign) in zip(cells, signs) {
            let box = SceneRect(x: Self.margin - 6, y: y, width: inner + 12, height: Self.lineHeight - 2)
            let corners = [
                ScenePoint(box.x, box.y), ScenePoint(box.maxX, box.y),
                ScenePoint(box.maxX, box.y + box.height),
                ScenePoint(box.x, box.y + box.height),
            ]
            scene.add(.polygon([corners], fill: Fill(sign.color, opacity: 0.1), stroke: nil))
            draw(sign, at: Self.margin)
            row(cells)
            y += Self.lineHeight
        }
        var x = Self.margin
        for sign in legend {
            draw(sign, at: x)
            text(sign.words, x + Self.signWidth)
            x += Self.signWidth + Self.width(sign.words) + Self.gap
        }
        y += Self.lineHeight
        if !caption.isEmpty { text(caption, Self.margin, color: .faint) }
        return scene
    }

    private static func width(_ text: String) -> Double {
        TextShape.estimatedWidth(of: text, size: size)
    }
}
