import Core
import Formats
import Foundation
import PluginKit

/// The cells of a row.
extension CSVSource {
    /// A sample of a long text may end within quotes.
    func tokenizer(
        _ read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int, isSample: Bool = false
    ) throws -> CSVTokenizer {
        var dialect = CSVDialect()
        dialect.separator = options.separator ?? CSVSeparator.standard
        dialect.isStrict = !options.isLenient
        dialect.takesOddQuotes = options.isLenient
        dialect.takesUnclosedQuotes = options.isLenient && (bytes.isWhole || !isSample)
        dialect.takesBlanksAroundQuotes = true
        dialect.comment = options.comment
        let reader = try CSVTokenizer(dialect, read: read)
        if options.startsWithSeparator { try reader.skipLine() }
        for _ in 0..<options.skippedLines { try reader.skipLine() }
        return reader
    }

    func next(_ reader: CSVTokenizer) throws -> Bool {
        do {
            return try reader.next()
        } catch let fault as CSVFault {
            throw origin.error(
                DataErrors.csv, fault.message, line: fault.line,
                fix: readsLeniently(to: fault.line) ? "`\(lenient)` takes quotes as they stand" : nil)
        }
    }

    /// The text of a cell; `nil` for one that is not UTF-8, unless it is read as Windows-1252.
    func readable(_ reader: CSVTokenizer, _ index: Int) -> String? {
        if let text = String(validating: reader[index], as: UTF8.self) { return text }
        guard options.takesForeignCells, let text = DataEncoding.windows1252.converted(Array(reader[index]))
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    func text(_ reader: CSVTokenizer, _ index: Int) throws(RutterError) -> String {
        if let text = readable(reader, index) { return text }
        let isMixture = ForeignLines(in: bytes.sample)?.isMixture == true
        throw origin.error(
            DataErrors.encoding, "invalid UTF-8" + (isMixture ? ", among lines of UTF-8" : ""),
            line: reader.line,
            fix: isMixture && !options.isLenient
                ? "`\(lenient)` reads lines that are not UTF-8 as Windows-1252" : origin.conversion)
    }

    /// Whether a cell is in quotes to say that it is text: a separator or a line end in it needs them anyway.
    func isQuotedText(_ reader: CSVTokenizer, _ index: Int) -> Bool {
        guard options.keepsQuotedText, reader.isQuoted(index) else { return false }
        let separator = options.separator ?? CSVSeparator.standard
        return !reader[index].contains { $0 == separator || $0 == 10 || $0 == 13 }
    }

    /// The text without blanks and tabs around it; other white space belongs to it.
    static func trimmed(_ text: String) -> String {
        guard let first = text.utf8.first, let last = text.utf8.last,
            CSVLine.isBlank(first) || CSVLine.isBlank(last)
        else { return text }
        let start = text.utf8.firstIndex { !CSVLine.isBlank($0) } ?? text.endIndex
        let end = text.utf8.lastIndex { !CSVLine.isBlank($0) }.map { text.utf8.index(after: $0) } ?? start
        return String(text[start..<end])
    }

    /// Whether a cell is blank, or a text for a missing value.
    func isMissing(_ text: String) -> Bool {
        Self.isBlank(text) || !options.missing.isEmpty && options.missing.contains(Self.trimmed(text))
    }

    static func isBlank(_ text: String) -> Bool { text.utf8.allSatisfy(CSVLine.isBlank) }
}
