import Formats
import PluginKit

/// The byte between the cells of a text.
enum CSVSeparator {
    /// RFC 4180's.
    static let standard = UInt8(ascii: ",")
    /// Those that are tried, the most usual first: text in a table of commas has semicolons, too.
    static let known = [standard, UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]

    /// The separator of a first line `sep=;`, which spreadsheets write before the names.
    static func declared(in head: [UInt8]) -> UInt8? {
        let start = head.starts(with: UTF8Check.byteOrderMark) ? UTF8Check.byteOrderMark.count : 0
        let line = head[start...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard String(decoding: line.dropLast(), as: UTF8.self).lowercased() == "sep=",
            let separator = line.last,
            known.contains(separator), head[line.endIndex...].prefix(2).contains(UInt8(ascii: "\n"))
        else { return nil }
        return separator
    }

    /// The first separator that gives the first lines the same number of cells, and more than one; otherwise the one that
    /// most of them have, the first among them, so that a row of another length is an error.
    static func recognised(in sample: [UInt8]) -> UInt8 {
        let lines = known.map { ($0, cells(in: sample, $0)) }
        let tables = lines.filter { isTable($0.1.counts) && $0.1.isWhole }.map(\.0)
        if tables.first == standard, let other = tables.dropFirst().first, commasAreDecimal(in: sample) {
            return other
        }
        if let separator = tables.first { return separator }
        let usual = lines.filter { _, cells in
            let several = cells.counts.count { $0 > 1 }
            return (cells.counts.first ?? 0) > 1 && 2 * several > cells.counts.count
        }
        let most = usual.map { $0.1.counts.count { $0 > 1 } }.max()
        return usual.first { $0.1.counts.count { $0 > 1 } == most }?.0 ?? standard
    }

    /// The numbers of cells of the first lines.
    static func counts(in sample: [UInt8], _ separator: UInt8) -> [Int] {
        cells(in: sample, separator).counts
    }

    /// Whether a separator divides most of the first lines, or the lines behind a title.
    static func hasCells(in sample: [UInt8]) -> Bool {
        let separator = recognised(in: sample)
        let counts = cells(in: sample, separator).counts
        return 2 * counts.count { $0 > 1 } > counts.count || behindTitle(sample, separator) != nil
    }

    /// Whether each comma stands between digits, as in `1,5;2,25`, so that it may be a decimal comma.
    private static func commasAreDecimal(in sample: [UInt8]) -> Bool {
        func isDigit(_ index: Int) -> Bool {
            sample.indices.contains(index) && (48...57).contains(sample[index])
        }
        return sample.indices.allSatisfy { sample[$0] != standard || isDigit($0 - 1) && isDigit($0 + 1) }
    }

    /// How the lines behind the first are divided, if it has one cell and they have the same number of several: `3 by ;`.
    static func behindTitle(_ sample: [UInt8], _ separator: UInt8) -> String? {
        guard cells(in: sample, separator).counts.first == 1,
            let end = sample.firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let rest = Array(sample[(end + 1)...])
        for candidate in known {
            let cells = cells(in: rest, candidate)
            guard cells.isWhole, cells.counts.count >= fewestRows, isTable(cells.counts),
                let count = cells.counts.first
            else { continue }
            let name = candidate == UInt8(ascii: "\t") ? "tabs" : "`\(Character(UnicodeScalar(candidate)))`"
            return "\(count) by \(name)"
        }
        return nil
    }

    /// A character that stands equally often in all first lines of a table of one column, and may separate its cells: `^`.
    static func unusual(in sample: [UInt8]) -> UInt8? {
        let lines = sample.split { $0 == 10 || $0 == 13 }.prefix(DataSettings.separatorLines)
        guard let first = lines.first, lines.count > fewestRows, !first.contains(UInt8(ascii: "\"")) else {
            return nil
        }
        return first.first { byte in
            guard isUnusual(byte) else { return false }
            let count = first.count { $0 == byte }
            return lines.allSatisfy { $0.count { $0 == byte } == count }
        }
    }

    /// A separator as an option takes it.
    static func literal(_ separator: UInt8) -> String {
        separator < 32
            ? "\"\\u{\(String(separator, radix: 16))}\"" : Literal.text(String(UnicodeScalar(separator)))
    }

    private static func isUnusual(_ byte: UInt8) -> Bool {
        (1..<32).contains(byte) || "^~!*&".utf8.contains(byte)
    }

    /// Fewest lines that say how a table is divided.
    private static let fewestRows = 2

    private static func isTable(_ counts: [Int]) -> Bool {
        guard let first = counts.first, first > 1 else { return false }
        return counts.allSatisfy { $0 == first }
    }

    /// The numbers of cells of the first lines, and whether all could be read.
    private static func cells(in sample: [UInt8], _ separator: UInt8) -> (counts: [Int], isWhole: Bool) {
        var dialect = CSVDialect()
        dialect.separator = separator
        dialect.takesBlanksAroundQuotes = true
        guard let reader = try? CSVTokenizer(dialect, bytes: sample) else { return ([], false) }
        var counts: [Int] = []
        for _ in 0..<DataSettings.separatorLines {
            guard let isRow = try? reader.next() else { return (counts, false) }
            if !isRow { break }
            counts.append(reader.count)
        }
        return (counts, true)
    }
}
