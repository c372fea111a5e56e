import Formats
import Foundation
import PluginKit
import TrailStores

/// A table's rows as CSV or JSON, and back. Lossless: the notation of a cell determines its type.
enum TableFormat: String, Sendable, CaseIterable {
    /// Comma-separated values (RFC 4180).
    case csv
    /// An array of objects for each table.
    case json
}

/// CSV: text in quotes; NULL as an empty cell; numbers plain, those that are not integers with a point or an exponent;
/// `inf` and `-inf`; blobs as `x'…'` in hexadecimal digits.
enum CSVTable {
    static func line(_ cells: some Sequence<StoredCell>) -> [UInt8] {
        var line = CSVLine()
        for cell in cells {
            switch cell {
            case .null: line.append([])
            case .integer(let number): line.append(String(number).utf8)
            case .real(let number): line.append(CellNumber.text(number).utf8)
            case .text(let bytes): line.append(bytes, isQuoted: true)
            case .blob(let bytes): line.append("x'\(Hexadecimal.text(bytes))'".utf8)
            }
        }
        return line.bytes + Array(CSVLine.end.utf8)
    }

    /// The rows of a text, each with the line it begins at; the first has the columns' names.
    ///
    /// Unquoted words of other programs are text, numbers where they are written like numbers.
    static func rows(_ bytes: [UInt8]) throws(RutterError) -> [(line: Int, cells: [StoredCell])] {
        var dialect = CSVDialect()
        dialect.isStrict = false
        // A row of one column that is NULL is an empty line.
        dialect.skipsEmptyLines = false
        var rows: [(Int, [StoredCell])] = []
        do {
            let reader = try CSVTokenizer(dialect, bytes: bytes)
            while try reader.next() {
                rows.append((reader.line, (0..<reader.count).map { cell(reader, $0) }))
            }
        } catch {
            throw ExchangeErrors.text("\(error)")
        }
        return rows
    }

    private static func cell(_ reader: CSVTokenizer, _ index: Int) -> StoredCell {
        let word = Array(reader[index])
        if reader.isQuoted(index) { return .text(word) }
        if word.isEmpty { return .null }
        let text = String(decoding: word, as: UTF8.self)
        if text.hasPrefix("x'"), text.hasSuffix("'"),
            let blob = Hexadecimal.bytes(text.dropFirst(2).dropLast())
        {
            return .blob(blob)
        }
        return CellNumber.cell(text) ?? .text(word)
    }
}

/// Numbers as text that keeps integers and reals distinct.
enum CellNumber {
    static func text(_ number: Double) -> String {
        if number.isInfinite { return number < 0 ? "-inf" : "inf" }
        // The shortest text that reads back as the same number; it always has a point or an exponent.
        return "\(number)"
    }

    static func cell(_ text: String) -> StoredCell? {
        if text == "inf" { return .real(.infinity) }
        if text == "-inf" { return .real(-.infinity) }
        guard let first = text.utf8.first, "+-.0123456789".utf8.contains(first),
            text.utf8.allSatisfy({ "+-.eE0123456789".utf8.contains($0) })
        else { return nil }
        // Telephone numbers and postcodes begin with a zero, and stay text.
        let digits = text.drop { $0 == "-" || $0 == "+" }
        if digits.count > 1, digits.first == "0", digits.allSatisfy(\.isNumber) { return nil }
        if let whole = Int64(text) { return .integer(whole) }
        return Double(text).map { .real($0) }
    }
}

enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            out.append(digits[Int(byte >> 4)])
            out.append(digits[Int(byte & 15)])
        }
        return String(decoding: out, as: UTF8.self)
    }

    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let values = text.utf8.map { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
            default: nil
            }
        }
        let nibbles = values.compactMap { $0 }
        guard nibbles.count == values.count, nibbles.count % 2 == 0 else { return nil }
        return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    }
}

/// Errors of import and export.
enum ExchangeErrors {
    /// A text is not in the form that an import reads.
    static let text = ErrorKind(
        "E-IMPORT-TEXT", "the file cannot be read as rows",
        explanation: """
            CSV has the columns' names in its first line; JSON is an array of objects, or an object with such an array for \
            each table. The message names the place.
            """)
    /// Rows do not fit the table.
    static let rows = ErrorKind(
        "E-IMPORT-ROWS", "the rows do not fit the table",
        explanation: """
            A column is not in the table, or a row is refused by the table's own rules, such as a key that is there \
            already (--replace then takes the new row). Nothing was imported.
            """)
    static let all = [text, rows]
}
