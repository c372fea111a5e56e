import Foundation
import PluginKit
import TrailStores

/// A table's rows as CSV or JSON, and back. Nothing is lost: what a cell is can be told from how it is written.
enum TableFormat: String, Sendable, CaseIterable {
    /// Comma-separated values (RFC 4180).
    case csv
    /// An array of objects for each table.
    case json
}

/// CSV: text in quotes; NULL as nothing at all; numbers plain, those that are no whole ones with a point or an exponent;
/// `inf` and `-inf`; blobs as `x'…'` in hexadecimal digits.
enum CSVTable {
    static func line(_ cells: some Sequence<StoredCell>) -> [UInt8] {
        var out: [UInt8] = []
        for (index, cell) in cells.enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            switch cell {
            case .null: break
            case .integer(let number): out += Array(String(number).utf8)
            case .real(let number): out += Array(CellNumber.text(number).utf8)
            case .text(let bytes): quote(bytes, &out)
            case .blob(let bytes): out += Array("x'\(Hexadecimal.text(bytes))'".utf8)
            }
        }
        return out + [0x0D, 0x0A]
    }

    private static func quote(_ bytes: [UInt8], _ out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        for byte in bytes {
            if byte == UInt8(ascii: "\"") { out.append(byte) }
            out.append(byte)
        }
        out.append(UInt8(ascii: "\""))
    }

    /// The rows of a text, each with the line it begins at; the first has the columns' names.
    ///
    /// Unquoted words of other programs are text, numbers where they are written like numbers.
    static func rows(_ bytes: [UInt8]) throws(RutterError) -> [(line: Int, cells: [StoredCell])] {
        var reader = CSVBytes(bytes: bytes)
        return try reader.rows()
    }
}

private struct CSVBytes {
    let bytes: [UInt8]
    private var index = 0
    private var line = 1

    init(bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    mutating func rows() throws(RutterError) -> [(line: Int, cells: [StoredCell])] {
        var rows: [(Int, [StoredCell])] = []
        while index < bytes.count {
            let start = line
            var cells: [StoredCell] = []
            var isEnd = false
            while !isEnd {
                cells.append(try cell())
                isEnd = endOfCell()
            }
            rows.append((start, cells))
        }
        return rows
    }

    /// Passes the mark after a cell; `true` at the end of a row.
    private mutating func endOfCell() -> Bool {
        guard index < bytes.count else { return true }
        if bytes[index] == UInt8(ascii: ",") {
            index += 1
            return false
        }
        if bytes[index] == 0x0D { index += 1 }
        if index < bytes.count, bytes[index] == 0x0A { index += 1 }
        line += 1
        return true
    }

    private mutating func cell() throws(RutterError) -> StoredCell {
        guard index < bytes.count else { return .null }
        if bytes[index] != UInt8(ascii: "\"") { return plain() }
        let start = line
        index += 1
        var text: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") {
                guard index < bytes.count, bytes[index] == byte else {
                    guard index == bytes.count || [0x2C, 0x0D, 0x0A].contains(bytes[index]) else {
                        throw ExchangeErrors.text("line \(line): something follows a closing quote")
                    }
                    return .text(text)
                }
                index += 1
            }
            if byte == 0x0A { line += 1 }
            text.append(byte)
        }
        throw ExchangeErrors.text("line \(start): a quote does not end")
    }

    private mutating func plain() -> StoredCell {
        let start = index
        while index < bytes.count, ![0x2C, 0x0D, 0x0A].contains(bytes[index]) { index += 1 }
        let word = Array(bytes[start..<index])
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

/// Numbers as text, so that whole ones and others are told apart.
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

/// Kinds of error of import and export.
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
            already (then --replace takes the new row). Nothing was imported.
            """)
    static let all = [text, rows]
}
