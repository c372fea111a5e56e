import Formats
import Foundation
import PluginKit
import TrailStores

/// A table's rows as CSV or JSON. Lossless: the notation of a cell determines its type.
enum TableFormat: String, Sendable, CaseIterable {
    /// Comma-separated values (RFC 4180).
    case csv
    /// An array of objects for each table.
    case json
}

/// CSV: text in quotes; NULL as an empty cell; numbers without quotes, reals with a point or an exponent;
/// `inf` and `-inf`; blobs as `x'…'` in hexadecimal.
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

    /// The rows of a text, each with the number of its first line; the first row has the column names.
    /// Unquoted words from other programs are text, or numbers if they look like numbers.
    static func rows(_ bytes: [UInt8]) throws(RutterError) -> [(line: Int, cells: [StoredCell])] {
        var dialect = CSVDialect()
        dialect.isStrict = false
        // A row with a single NULL column is an empty line.
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
        // What `store export` wrote begins with a name in quotes, and keeps texts as their bytes are.
        if bytes.first != UInt8(ascii: "\"") { try requireText(rows) }
        return rows
    }

    /// Throws if a cell is in another encoding: its bytes would be no text for any app.
    private static func requireText(_ rows: [(line: Int, cells: [StoredCell])]) throws(RutterError) {
        for row in rows {
            for cell in row.cells {
                guard case .text(let word) = cell, String(validating: word, as: UTF8.self) == nil else {
                    continue
                }
                throw ExchangeErrors.text(
                    "line \(row.line) has bytes that are no text in UTF-8",
                    fix: "convert the file first, such as with `iconv -f WINDOWS-1252 -t UTF-8`")
            }
        }
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
        // The shortest text that parses to the same number; it always has a point or an exponent.
        return "\(number)"
    }

    static func cell(_ text: String) -> StoredCell? {
        if text == "inf" { return .real(.infinity) }
        if text == "-inf" { return .real(-.infinity) }
        guard let first = text.utf8.first, "+-.0123456789".utf8.contains(first),
            text.utf8.allSatisfy({ "+-.eE0123456789".utf8.contains($0) })
        else { return nil }
        // Telephone numbers and postal codes may begin with a zero, and stay text.
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
    /// A text is not in a supported form.
    static let text = ErrorKind(
        "E-IMPORT-TEXT", "the file cannot be read as rows",
        explanation: """
            CSV has the columns' names in its first line; JSON is an array of objects, or an object with such an array for \
            each table. The message names the location.
            """)
    /// Rows do not match the table.
    static let rows = ErrorKind(
        "E-IMPORT-ROWS", "the rows do not match the table",
        explanation: """
            A column is missing in the table, or a row violates a constraint, such as a key that already \
            exists (--force then uses the new row). Nothing was imported.
            """)
    static let all = [text, rows]
}
