import Core

/// The cells of a terminal: dots below, characters above. Characters never overlap each other.
struct CellCanvas {
    private enum Cell {
        case empty
        case character(Character, Color?)
        /// The right half of a wide character.
        case tail
        /// Kept blank, to separate text from the dots beside it.
        case blank
    }

    var dots: DotGrid
    /// The background of each cell, below its dots.
    private var shades: [TerminalShade?]
    let style: TerminalStyle
    private var cells: [Cell]

    init(columns: Int, rows: Int, style: TerminalStyle) {
        dots = DotGrid(columns: columns, rows: rows)
        self.style = style
        cells = [Cell](repeating: .empty, count: columns * rows)
        shades = [TerminalShade?](repeating: nil, count: columns * rows)
    }

    /// Shades the cells that an area, in dots, covers by half or more.
    mutating func shade(_ rings: [[ScenePoint]], _ shade: TerminalShade) {
        var covered = DotGrid(columns: columns, rows: rows)
        covered.fill(rings, ink: Ink(.black), density: 1)
        for index in shades.indices where covered.cells[index].nonzeroBitCount >= 4 { shades[index] = shade }
    }

    var columns: Int { dots.columns }
    var rows: Int { dots.rows }

    /// The text as the style can show it.
    func shown(_ text: String) -> String {
        style.shown(text)
    }

    /// Whether text fits there: inside the canvas, with no character below it or directly before or after it.
    func isFree(column: Int, row: Int, width: Int) -> Bool {
        guard row >= 0, row < rows, column >= 0, column + width <= columns, width > 0 else { return false }
        let from = max(0, column - 1)
        let to = min(columns - 1, column + width)
        return (from...to).allSatisfy { isOpen($0, row) }
    }

    /// Whether a cell holds no character.
    func isVacant(column: Int, row: Int) -> Bool { isOpen(column, row) }

    private func isOpen(_ column: Int, _ row: Int) -> Bool {
        switch cells[row * columns + column] {
        case .empty, .blank: true
        case .character, .tail: false
        }
    }

    /// The number of dots that text there would cover.
    func dotsCovered(column: Int, row: Int, width: Int) -> Int {
        (column..<column + width).reduce(0) { $0 + dots.dots(column: $1, row: row).nonzeroBitCount }
    }

    /// Writes text into cells known to be free.
    mutating func write(_ text: String, column: Int, row: Int, color: Color?) {
        var column = column
        for character in text {
            let width = DisplayWidth.of(character)
            guard width > 0, column + width <= columns else { continue }
            cells[row * columns + column] = .character(character, color)
            if width == 2 { cells[row * columns + column + 1] = .tail }
            column += width
        }
    }

    /// Writes text into cells known to be free and keeps the cells beside it clear of dots.
    mutating func writeClear(_ text: String, column: Int, row: Int, color: Color?) {
        write(text, column: column, row: row, color: color)
        clear(column: column - 1, row: row)
        clear(column: column + DisplayWidth.of(text), row: row)
    }

    /// Keeps a cell clear of dots unless a character is there.
    private mutating func clear(column: Int, row: Int) {
        guard column >= 0, column < columns, row >= 0, row < rows, isOpen(column, row) else { return }
        cells[row * columns + column] = .blank
    }

    /// The lines, without spaces at their ends.
    func lines() -> [String] {
        (0..<rows).map { row in
            var line = StyledLine(colors: style.colors)
            for column in 0..<columns { append(column, row, to: &line) }
            return line.finished()
        }
    }

    private func append(_ column: Int, _ row: Int, to line: inout StyledLine) {
        let shade = shades[row * columns + column]
        switch cells[row * columns + column] {
        case .character(let character, let color): line.append(character, color, on: shade?.color)
        case .tail: break
        case .blank: line.append(" ", nil, on: shade?.color)
        case .empty:
            let bits = dots.dots(column: column, row: row)
            if bits == 0, let shade, style.colors == .none, (column + row).isMultiple(of: 2) {
                return line.append(style.glyphs == .plain ? shade.ascii : shade.symbol, nil)
            }
            let character = style.glyphs == .plain ? DotCharacters.ascii(bits) : DotCharacters.braille(bits)
            line.append(character, dots.colors[row * columns + column], on: shade?.color)
        }
    }
}
