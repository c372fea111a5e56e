/// The screen of a terminal after a program's output, limited to the sequences that line editors
/// use.
public struct VirtualScreen {
    /// The row of the cursor, from 0.
    public private(set) var row = 0
    /// The column of the cursor, from 0.
    public private(set) var column = 0
    private let rows: Int
    private let columns: Int
    private var cells: [[String]]
    private var wrapsNext = false
    private var insertsCells = false

    /// Processes a transcript.
    public init(_ transcript: String, rows: Int = 24, columns: Int = 80) {
        self.rows = rows
        self.columns = columns
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        var rest = transcript.unicodeScalars[...]
        while let scalar = rest.popFirst() { play(scalar, &rest) }
    }

    /// The rows as text, without spaces at the end, and without empty rows at the bottom.
    public var lines: [String] {
        var lines = cells.map { cells in
            var text = cells.joined()
            while text.last == " " { text.removeLast() }
            return text
        }
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    private mutating func play(_ scalar: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView) {
        switch scalar {
        case "\r":
            column = 0
            wrapsNext = false
        case "\n": lineFeed()
        case "\u{08}":
            column = max(0, column - 1)
            wrapsNext = false
        case "\t": column = min(columns - 1, (column / 8 + 1) * 8)
        case "\u{1B}": escape(&rest)
        case "\u{00}"..."\u{1F}": break
        default: put(scalar)
        }
    }

    private mutating func lineFeed() {
        wrapsNext = false
        if row < rows - 1 {
            row += 1
        } else {
            cells.removeFirst()
            cells.append(Array(repeating: " ", count: columns))
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        let width = Self.width(scalar)
        guard width > 0 else {
            cells[row][max(0, column - 1)].unicodeScalars.append(scalar)
            return
        }
        if wrapsNext || column + width > columns {
            column = 0
            lineFeed()
        }
        if insertsCells { shift(by: width) }
        cells[row][column] = String(scalar)
        if width == 2 { cells[row][column + 1] = "" }
        wrapsNext = column + width >= columns
        column = min(columns - 1, column + width)
    }

    private mutating func escape(_ rest: inout Substring.UnicodeScalarView) {
        guard rest.popFirst() == "[" else { return }
        var parameters = ""
        while let scalar = rest.popFirst() {
            if ("@"..."~").contains(scalar) {
                let number = Int(parameters.split(separator: ";").first ?? "")
                return perform(scalar, number, isPrivate: parameters.hasPrefix("?"))
            }
            parameters.unicodeScalars.append(scalar)
        }
    }

    private mutating func perform(_ final: Unicode.Scalar, _ number: Int?, isPrivate: Bool) {
        guard !isPrivate else { return }
        let count = max(1, number ?? 1)
        wrapsNext = false
        switch final {
        case "A": row = max(0, row - count)
        case "B": row = min(rows - 1, row + count)
        case "C": column = min(columns - 1, column + count)
        case "D": column = max(0, column - count)
        case "G": column = min(columns - 1, count - 1)
        case "H": (row, column) = (0, 0)
        case "J": clear(from: column, to: rows - 1, whole: number == 2)
        case "K": clear(from: column, to: row, whole: false)
        case "P":
            cells[row].removeSubrange(column..<min(columns, column + count))
            cells[row] += Array(repeating: " ", count: columns - cells[row].count)
        case "@": shift(by: count)
        case "h" where number == 4: insertsCells = true
        case "l" where number == 4: insertsCells = false
        default: break
        }
    }

    private mutating func shift(by count: Int) {
        cells[row].insert(contentsOf: Array(repeating: " ", count: count), at: column)
        cells[row].removeLast(count)
    }

    private mutating func clear(from start: Int, to last: Int, whole: Bool) {
        let blank = Array(repeating: " ", count: columns)
        if whole { cells = Array(repeating: blank, count: rows) }
        cells[row].replaceSubrange(start..., with: blank[start...])
        for below in (row + 1)..<max(row + 1, last + 1) { cells[below] = blank }
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x0300...0x036F: 0
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0x1F300...0x1FAFF:
            2
        default: 1
        }
    }
}
