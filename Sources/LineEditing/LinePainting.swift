/// Draws colours over a line that libedit has drawn, and the rest of a suggestion after it.
///
/// libedit does not support text styles. It tracks which characters are on the screen, and rewrites those
/// that change; so the same characters can be overwritten in colour without its knowledge, as long as each
/// stays in its cell and the cursor returns. A suggestion is drawn where libedit assumes the screen is empty,
/// and erased before libedit continues.
struct LinePainting: Equatable {
    /// What is written to the terminal.
    let output: String
    /// Whether a suggestion after the line must be erased.
    let hasSuggestion: Bool

    /// Longest line that is coloured, in scalars: it is redrawn with every key.
    static let longest = 4000

    /// `nil` if the line cannot be painted safely: taller than the screen, or with characters of uncertain width.
    init?(
        prompt: String, text: Scalars, cursor: Int, styles: [StyledRange], suggestion: Scalars,
        suggestionStyle: String, size: (rows: Int, columns: Int)
    ) {
        guard text.count <= Self.longest, let cells = Cells(prompt: prompt, text: text, width: size.columns),
            cells.end.row < size.rows, cursor <= text.count
        else { return nil }
        var pen = Pen(position: cells.cursor(at: cursor))
        var style = styles.makeIterator()
        var present = style.next()
        for (index, value) in text.enumerated() where value != Key.newline {
            while let range = present?.range, range.upperBound <= index { present = style.next() }
            let isStyled = present.map { $0.range.contains(index) } ?? false
            pen.put(
                value, at: cells.starts[index], columns: cells.widths[index], isStyled ? present?.style : nil)
        }
        var shown: Scalars = []
        var column = cells.end.column
        if cursor == text.count {
            for value in suggestion {
                guard let width = Unicode.Scalar(value).flatMap(EditorColumns.of), width > 0,
                    column + width < size.columns
                else { break }
                shown.append(value)
                column += width
            }
            for (offset, value) in shown.enumerated() {
                pen.put(value, at: offset == 0 ? cells.end : nil, columns: 1, suggestionStyle)
            }
        }
        hasSuggestion = !shown.isEmpty
        pen.moveTo(cells.cursor(at: cursor))
        output = text.isEmpty && shown.isEmpty ? "" : pen.output
    }

    /// Erases a suggestion; the cursor is before it.
    static let erasure = "\u{1B}[K"
}

/// A cell of the screen, counted from the row in which the prompt begins.
struct ScreenCell: Equatable {
    var row: Int
    var column: Int
}

/// The cells in which libedit draws the scalars of a line.
private struct Cells {
    var starts: [ScreenCell] = []
    var widths: [Int] = []
    var end: ScreenCell

    /// `nil` for a line with combining, nonprinting or multi-cell control characters.
    init?(prompt: String, text: Scalars, width: Int) {
        guard width > 1 else { return nil }
        end = ScreenCell(row: 0, column: 0)
        for scalar in prompt.unicodeScalars {
            guard let columns = EditorColumns.of(scalar), columns > 0 else { return nil }
            _ = place(columns, width)
        }
        for value in text {
            if value == Key.newline {
                starts.append(end)
                widths.append(0)
                end = ScreenCell(row: end.row + 1, column: 0)
                continue
            }
            guard let columns = Unicode.Scalar(value).flatMap(EditorColumns.of), columns > 0 else {
                return nil
            }
            starts.append(place(columns, width))
            widths.append(columns)
        }
    }

    func cursor(at offset: Int) -> ScreenCell { offset < starts.count ? starts[offset] : end }

    private mutating func place(_ columns: Int, _ width: Int) -> ScreenCell {
        if columns > 1, end.column + columns > width { end = ScreenCell(row: end.row + 1, column: 0) }
        let cell = end
        end.column += columns
        if end.column >= width { end = ScreenCell(row: end.row + 1, column: end.column - width) }
        return cell
    }
}

/// Writes to cells, moving the cursor only if the next cell is not adjacent.
private struct Pen {
    private static let hide = "\u{1B}[?25l"
    private static let show = "\u{1B}[?25h"
    private static let plain = "\u{1B}[0m"

    private var text = Pen.hide
    private var position: ScreenCell
    private var style: String?

    init(position: ScreenCell) { self.position = position }

    var output: String { text + Pen.show }

    /// Writes a scalar; without a cell, after the previous one.
    mutating func put(_ value: UInt32, at cell: ScreenCell?, columns: Int, _ wanted: String?) {
        if let cell { move(to: cell) }
        if wanted != style {
            text += wanted.map { Pen.plain + "\u{1B}[\($0)m" } ?? Pen.plain
            style = wanted
        }
        text.unicodeScalars.append(Unicode.Scalar(value) ?? "\u{FFFD}")
        position.column += columns
    }

    /// Ends the styles and moves to a cell.
    mutating func moveTo(_ cell: ScreenCell) {
        text += Pen.plain
        style = nil
        position.column = -1
        move(to: cell)
    }

    private mutating func move(to cell: ScreenCell) {
        if cell == position { return }
        let rows = cell.row - position.row
        text += "\r"
        if rows != 0 { text += "\u{1B}[\(abs(rows))\(rows < 0 ? "A" : "B")" }
        if cell.column > 0 { text += "\u{1B}[\(cell.column)C" }
        position = cell
    }
}
