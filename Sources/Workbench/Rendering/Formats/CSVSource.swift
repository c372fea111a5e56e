import Formats
import PluginKit

/// A CSV text or file as a stream of rows.
struct CSVSource: Sendable {
    /// Opens the text from its beginning; the result reads into a buffer and returns the number of bytes, 0 at the
    /// end.
    let open: @Sendable () throws -> (UnsafeMutableRawBufferPointer) throws -> Int
    let origin: TextOrigin
    var separator = UInt8(ascii: ",")
    /// Whether cells that are numbers stay text.
    var keepsText = false
    /// Whether the first line is a row like the others.
    var lacksHeader = false

    /// The rows. The first line is read at once, for the columns.
    func rows() throws -> Value {
        let reader = try reader()
        let columns = try next(reader) ? try names(reader) : []
        // Detects an empty file at once; errors in the second line are reported when it is read.
        if !lacksHeader, (try? next(reader)) == false {
            return .rows(Rows([], columns: columns, fields: columns))
        }
        return .rows(
            Rows(columns: columns, fields: { columns }) {
                let reader = try self.reader()
                if !lacksHeader { _ = try next(reader) }
                return Rows.Iterator {
                    guard try next(reader) else { return nil }
                    try Interruption.check()
                    guard reader.count == columns.count else {
                        throw origin.error(
                            DataErrors.csv,
                            "the row has \(reader.count, of: "cell"), the first line "
                                + "\(columns.count)", line: reader.line,
                            fix: reader.count > columns.count
                                ? "quote a cell that contains a separator" : nil)
                    }
                    let values = try (0..<columns.count).map { try value(reader, $0) }
                    return .record(Record(keys: columns, values: values))
                }
            })
    }

    private func reader() throws -> CSVTokenizer {
        var dialect = CSVDialect()
        dialect.separator = separator
        return try CSVTokenizer(dialect, read: open())
    }

    private func next(_ reader: CSVTokenizer) throws -> Bool {
        do {
            return try reader.next()
        } catch let fault as CSVFault {
            throw origin.error(DataErrors.csv, fault.message, line: fault.line)
        }
    }

    /// The first line's cells as names: empty and repeated names are numbered.
    private func names(_ header: CSVTokenizer) throws -> [String] {
        var taken = Set<String>()
        return try (0..<header.count).map { index in
            let text = try text(header, index)
            let base = lacksHeader || text.isEmpty ? "column\(index + 1)" : text
            var name = base
            var number = 2
            while !taken.insert(name).inserted {
                name = base + String(number)
                number += 1
            }
            return name
        }
    }

    private func text(_ reader: CSVTokenizer, _ index: Int) throws(RutterError) -> String {
        if let text = String(validating: reader[index], as: UTF8.self) { return text }
        throw origin.error(DataErrors.encoding, "invalid UTF-8", line: reader.line)
    }

    private func value(_ reader: CSVTokenizer, _ index: Int) throws(RutterError) -> Value {
        let text = try text(reader, index)
        if reader.isQuoted(index) { return .text(text) }
        if text.isEmpty { return .nothing }
        return keepsText ? .text(text) : Value(numberText: text) ?? .text(text)
    }
}
