/// A field of dots, two across and four down in every cell of a terminal, with one colour per cell.
struct DotGrid {
    let columns: Int
    let rows: Int
    private(set) var cells: [UInt8]
    private(set) var colors: [Color?]

    static let dotsAcross = 2
    static let dotsDown = 4

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = [UInt8](repeating: 0, count: columns * rows)
        colors = [Color?](repeating: nil, count: columns * rows)
    }

    var width: Int { columns * Self.dotsAcross }
    var height: Int { rows * Self.dotsDown }

    /// The bit of a dot, numbered as in the Unicode braille block.
    static func bit(x: Int, y: Int) -> UInt8 {
        switch (x, y) {
        case (0, 3): 0x40
        case (1, 3): 0x80
        case (0, _): UInt8(1 << y)
        default: UInt8(8 << y)
        }
    }

    /// Sets a dot, or clears it if the ink is paper.
    mutating func set(_ x: Int, _ y: Int, ink: Ink) {
        guard x >= 0, y >= 0, x < width, y < height else { return }
        let cell = (y / Self.dotsDown) * columns + x / Self.dotsAcross
        let bit = Self.bit(x: x % Self.dotsAcross, y: y % Self.dotsDown)
        if ink.isPaper {
            cells[cell] &= ~bit
        } else {
            cells[cell] |= bit
            colors[cell] = ink.color
        }
    }

    /// Whether a dot is set.
    func isSet(_ x: Int, _ y: Int) -> Bool {
        guard x >= 0, y >= 0, x < width, y < height else { return false }
        let cell = (y / Self.dotsDown) * columns + x / Self.dotsAcross
        return cells[cell] & Self.bit(x: x % Self.dotsAcross, y: y % Self.dotsDown) != 0
    }

    /// The dots of a cell.
    func dots(column: Int, row: Int) -> UInt8 { cells[row * columns + column] }

    /// Whether a cell has the dots and the colour that it has in another grid of the same size.
    func holdsSame(as other: DotGrid, column: Int, row: Int) -> Bool {
        let cell = row * columns + column
        return cells[cell] == other.cells[cell] && colors[cell] == other.colors[cell]
    }
}

/// The ink of dots.
struct Ink {
    var color: Color
    /// Pale enough to count as paper: it erases.
    var isPaper: Bool

    init(_ color: Color) {
        self.color = color
        isPaper = color.luminance > PictureSettings.paperLuminance
    }
}
