import Formats
import Foundation
import PluginKit

/// What is doubtful about the rows of a table, whatever the kinds of their cells.
struct RowDoubts {
    private let width: Int
    private let separator: UInt8
    private var rows = 0
    /// Rows of which all cells are empty, and the line of the first.
    private var blank = (count: 0, line: 0)
    /// Rows with one cell more than the first line.
    private var shifted = 0
    /// Whether each column has empty cells in quotes, and whether it shows that quotes are not around every cell.
    private var quotedEmpty: [Bool]
    private var unquoted: [Bool]
    /// Cells in quotes of one line, which show that quotes enclose cells.
    private var enclosed = 0
    /// The first and last line of the first row whose lines would be rows if its quotes were text.
    private var joined: (first: Int, last: Int)?

    init(width: Int, separator: UInt8) {
        self.width = width
        self.separator = separator
        quotedEmpty = Array(repeating: false, count: width)
        unquoted = quotedEmpty
    }

    mutating func take(_ reader: CSVTokenizer) {
        rows += 1
        if reader.count == width + 1 { shifted += 1 }
        var isBlank = true
        for index in 0..<reader.count {
            let cell = reader[index]
            let isQuoted = reader.isQuoted(index)
            if !cell.allSatisfy(CSVLine.isBlank) { isBlank = false }
            if !isQuoted {
                if index < width { unquoted[index] = true }
            } else if cell.isEmpty {
                if index < width { quotedEmpty[index] = true }
            } else if !cell.contains(Self.lineEnd) {
                enclosed += 1
            } else if joined == nil, areRows(cell, at: index, of: reader.count) {
                joined = (reader.line, reader.line + cell.count { $0 == Self.lineEnd })
            }
        }
        if isBlank, width > 1 { blank = (blank.count + 1, blank.count == 0 ? reader.line : blank.line) }
    }

    private static let lineEnd = UInt8(ascii: "\n")

    /// Whether each line of a cell, with what stands before and behind it, has as many cells as the first line of the text.
    private func areRows(_ cell: UnsafeBufferPointer<UInt8>, at index: Int, of count: Int) -> Bool {
        guard width > 1 else { return false }
        var separators = [index]
        for byte in cell {
            if byte == Self.lineEnd { separators.append(0) }
            if byte == separator { separators[separators.count - 1] += 1 }
        }
        separators[separators.count - 1] += count - 1 - index
        return separators.allSatisfy { $0 == width - 1 }
    }

    /// Whether all rows have one cell more than the first line.
    var areShifted: Bool { rows > 0 && shifted == rows }

    /// What is said of the rows; `reading` is the command that reads the text with one more option.
    func notes(_ columns: [String], _ kinds: [ColumnKind?], isWhole: Bool, _ reading: (String) -> String)
        -> [String]
    {
        var notes: [String] = []
        let least = isWhole ? "" : "at least "
        if blank.count > 0 {
            notes.append("\(least)\(blank.count, of: "row") of empty cells alone, first line \(blank.line)")
        }
        if let joined, enclosed == 0 {
            notes.append(
                "lines \(joined.first) to \(joined.last) are one row, by a quote in the first that is closed in the last, "
                    + "but each has as many cells as the names: quotes that are text, as of inches, are written twice within quotes"
            )
        }
        let empty = quotedEmpty.indices.first {
            quotedEmpty[$0] && unquoted[$0] && columns.indices.contains($0) && kinds.indices.contains($0)
                && (kinds[$0] == .text || kinds[$0] == nil)
        }
        if let first = empty {
            notes.append(
                "`\(columns[first])` has empty texts in quotes, which are read as missing; `\(reading("--quoted-text"))` keeps them"
            )
        }
        return notes
    }

    /// What is said of repeated names in the first line, which are numbered.
    static func repeated(_ header: [String], _ columns: [String]) -> String? {
        let renamed = zip(header, columns).enumerated().filter { _, names in
            let own = names.0.trimmingCharacters(in: .whitespaces)
            return !own.isEmpty && own != names.1
        }
        guard let first = renamed.first else { return nil }
        let own = first.element.0.trimmingCharacters(in: .whitespaces)
        return
            "the name `\(own.prefix(30))` repeats: column \(first.offset + 1) is `\(first.element.1.prefix(32))`"
            + (renamed.count > 1
                ? ", and \(renamed.count - 1, of: "other") \(renamed.count == 2 ? "is" : "are") numbered, too"
                : "")
    }
}
