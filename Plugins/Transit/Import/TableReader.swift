import Formats
import PluginKit

/// Bytes of a field, valid until the next record is read.
typealias FieldBytes = UnsafeBufferPointer<UInt8>

/// Reads the records of one table of a feed.
struct TableReader {
    let table: FeedTable
    let reader: CSVTokenizer
    private var columns: [String: Int] = [:]
    private var damaged = 0
    private var rows = 0
    private let bytes: TextRepair
    let repairs: ValueRepairs
    private var isEncodingReported = false
    let columnCount: Int
    /// Blank lines, which are not records.
    private(set) var blankLines = 0
    private(set) var firstBlankLine = 0

    /// Opens a table; `nil` if the feed does not have it. Throws for an invalid header.
    init?(_ source: FeedSource, _ table: FeedTable, required: [String], _ problems: inout FeedProblems) throws
    {
        guard let file = try source.open(table) else { return nil }
        let bytes = TextRepair(file)
        self.bytes = bytes
        self.table = table
        repairs = ValueRepairs(isLenient: problems.isLenient)
        reader = try CSVTokenizer(Self.dialect, read: bytes.read)
        do {
            let hasHeader = try reader.next()
            if bytes.isUTF16 {
                try problems.add(
                    table, line: 1,
                    FeedFault(.invalidCharacter, "it is UTF-16, not UTF-8, and read all the same"),
                    .repaired, kind: TransitErrors.encoding)
            }
            guard hasHeader else { throw problems.refusal(table, FeedFault(.emptyFile, "it is empty")) }
        } catch let fault as CSVFault {
            throw Self.error(fault, table)
        }
        columnCount = reader.count
        if let other = source.otherName(of: table) {
            try problems.add(
                table, line: 1, FeedFault(nil, "the file \(other) is read as \(table.rawValue)"), .repaired,
                kind: TransitErrors.header)
        }
        for index in 0..<reader.count {
            let name = String(decoding: reader[index].trimmed.withoutControls, as: UTF8.self)
            if columns[name] != nil, !name.isEmpty {
                try problems.add(
                    table, line: reader.line,
                    FeedFault(.duplicatedColumn, "the column \(name) is repeated", field: name), .repaired,
                    kind: TransitErrors.header)
            } else {
                columns[name] = index
            }
        }
        let known = TableRule.all.first { $0.table == table }?.columns.map(\.name) ?? required
        let others = columns.filter { name, _ in
            name != name.lowercased() && columns[name.lowercased()] == nil
                && known.contains(name.lowercased())
        }
        // Of names that differ in capitals alone the first one counts.
        for (name, index) in others.sorted(by: { $0.value < $1.value })
        where columns[name.lowercased()] == nil {
            columns[name] = nil
            columns[name.lowercased()] = index
        }
        if let first = others.min(by: { $0.value < $1.value })?.key {
            try problems.add(
                table, line: reader.line,
                FeedFault(
                    .unknownColumn, "the column \(first) is read as \(first.lowercased())", field: first),
                .repaired, kind: TransitErrors.header)
        }
        for name in required where columns[name] == nil {
            guard let form = Self.otherForm(reader) else {
                throw problems.refusal(table, .missingColumn(name))
            }
            throw problems.refusal(
                table, FeedFault(.missingRequiredColumn, form, field: name), fix: "save it with commas")
        }
    }

    /// What a first line is that does not have the names of columns separated by commas; `nil` if it may have them.
    private static func otherForm(_ reader: CSVTokenizer) -> String? {
        let first = String(decoding: reader[0].withoutControls, as: UTF8.self)
        if first.lowercased().hasPrefix("sep=") {
            return "it has the separator of a spreadsheet (`sep=`), not the names of the columns"
        }
        guard reader.count == 1 else { return nil }
        for (separator, name) in [(";", "`;`"), ("\t", "tabs"), ("|", "`|`")] where first.contains(separator)
        {
            return "its columns are separated by \(name), not by commas"
        }
        return nil
    }

    /// Tolerates deviations from RFC 4180 in real feeds: quotes inside fields, also undoubled ones, blanks around quotes.
    private static var dialect: CSVDialect {
        var dialect = CSVDialect()
        dialect.isStrict = false
        dialect.takesBlanksAroundQuotes = true
        dialect.takesInnerQuotes = true
        dialect.longestRecord = TransitSettings.longestRecord
        dialect.mostFields = TransitSettings.mostColumns
        dialect.chunk = TransitSettings.chunk
        return dialect
    }

    private static func error(_ fault: CSVFault, _ table: FeedTable) -> RutterError {
        TransitErrors.row(
            "\(table.rawValue), \(fault)", at: .file(path: table.rawValue, line: fault.line, column: nil))
    }

    /// The names of the columns.
    var names: [String] { columns.keys.sorted() }

    /// The index of a column in records; −1, which reads as empty, if the table does not have it.
    func column(_ name: String) -> Int { columns[name] ?? -1 }

    /// Advances to the next record; a lenient import skips unreadable lines.
    mutating func next(_ problems: inout FeedProblems, progress: ProgressReporter) throws -> Bool {
        rows += 1
        if rows % TransitSettings.rowStep == 0 {
            try Interruption.check()
            progress.report("reading \(table.rawValue)", done: rows)
        }
        while true {
            do {
                let isRow = try reader.next()
                if isRow, reader.count == 1, columnCount > 1, reader[0].withoutControls.isEmpty {
                    if blankLines == 0 { firstBlankLine = reader.line }
                    blankLines += 1
                    continue
                }
                if isRow, reader.hasInnerQuotes {
                    guard try acceptsInnerQuotes(&problems) else { continue }
                }
                try reportRepairs(&problems, isAtEnd: !isRow)
                // This call is one too many; unreadable lines came in none.
                if !isRow { problems.countRows(table, rows - 1 + damaged) }
                return isRow
            } catch let fault as CSVFault {
                damaged += 1
                let error = Self.error(fault, table)
                guard problems.isLenient, damaged <= TransitSettings.listedProblems else { throw error }
                try problems.add(table, line: fault.line, FeedFault(.csvParsingFailed, error.message))
                try reader.skipLine()
            }
        }
    }

    /// Whether a record with quotes within quotes has as many values as there are columns, so that they are what was meant; otherwise
    /// the line is skipped.
    private mutating func acceptsInnerQuotes(_ problems: inout FeedProblems) throws -> Bool {
        let isWhole = reader.count == columnCount
        let text = "quotes within quotes are not doubled"
        try problems.add(
            table, line: reader.line,
            FeedFault(
                .csvParsingFailed,
                isWhole
                    ? "\(text), and read as a part of the text" : "\(text): where the values end is unknown"),
            isWhole ? .repaired : .dropped)
        if !isWhole { damaged += 1 }
        return isWhole
    }

    /// A strict import fails at the first byte that is not UTF-8; a lenient one reports once for each table
    /// what it converted.
    private mutating func reportRepairs(_ problems: inout FeedProblems, isAtEnd: Bool) throws {
        if let fault = bytes.fault, !isEncodingReported, isAtEnd || !problems.isLenient {
            isEncodingReported = true
            let count = "\(fault.count, of: "byte") \(fault.count == 1 ? "is" : "are")"
            let extent = problems.isLenient ? count : "it is"
            try problems.add(
                table, line: fault.line,
                FeedFault(
                    .invalidCharacter, "\(extent) not UTF-8; the encoding is probably \(fault.guess)"),
                .repaired, kind: TransitErrors.encoding)
        }
        if isAtEnd, repairs.lines > 0 {
            let count = "\(repairs.lines, of: "line")"
            try problems.add(
                table, line: repairs.firstLine,
                FeedFault(
                    .leadingOrTrailingWhitespaces,
                    "control characters or hidden spaces around values were removed in \(count)"), .repaired)
            repairs.lines = 0
        }
        guard isAtEnd else { return }
        let names = Dictionary(columns.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        for (column, loose) in repairs.loose.sorted(by: { $0.key < $1.key }) {
            let name = names[column] ?? ""
            try problems.add(
                table, line: loose.line,
                FeedFault(
                    loose.rule,
                    "\(name) is not written as \(loose.form) in \(loose.lines, of: "line"), and read all the same: "
                        + "`\(loose.example)`", field: name, value: loose.example), .repaired)
        }
        repairs.loose = [:]
    }

    /// The line of the current record.
    var line: Int { reader.line }

    @inline(__always)
    subscript(_ column: Int) -> FieldBytes {
        let field = reader[column].trimmed
        guard field.count > 0, Self.mayHide(field[0]) || Self.mayHide(field[field.count - 1]) else {
            return field
        }
        return repairs.clean(field, line: reader.line)
    }

    /// Whether a byte at an end of a value may belong to a sign that is not seen: a control character, or the first or
    /// the last byte of a `FieldBytes.hidden` one.
    @inline(__always)
    private static func mayHide(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0xC2 || byte == 0xE2 || byte == 0xEF || byte == 0xA0 || byte == 0x8B
            || byte == 0xBF
    }

    /// A field as text.
    func text(_ column: Int) -> String { String(decoding: self[column], as: UTF8.self) }

    /// A field as text; `nil` if empty.
    func optionalText(_ column: Int) -> String? {
        let bytes = self[column]
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the record has more values than columns: usually an unquoted comma in a text.
    var hasExcess: Bool {
        guard reader.count > columnCount else { return false }
        return (columnCount..<reader.count).contains { !self[$0].isEmpty }
    }
}

/// Counts values from which a lenient import strips control characters.
final class ValueRepairs {
    let isLenient: Bool
    var lines = 0
    private(set) var firstLine = 0
    private var lastLine = 0

    /// The values of a column that are written in another form and read all the same.
    struct Loose {
        var rule: FeedRule?
        var form: String
        var example: String
        var line: Int
        var lines = 0
        /// The last line that was counted: a value may be asked for several times.
        var last = 0
    }

    /// By the index of the column.
    var loose: [Int: Loose] = [:]

    /// Counts such a value.
    func noteLoose(_ column: Int, _ value: String, _ form: String, _ rule: FeedRule?, line: Int) {
        var entry = loose[column] ?? Loose(rule: rule, form: form, example: value, line: line)
        if entry.last != line { entry.lines += 1 }
        entry.last = line
        loose[column] = entry
    }

    /// The numbers of identifiers with letters beyond ASCII, by the column that refers to them; −1 for several that differ in their
    /// form alone. Texts are equal here in each of their Unicode forms.
    private var forms: [Int: [String: Int]] = [:]

    /// The number of the only identifier of a table that is a text in another Unicode form.
    func otherForm(of text: String, _ column: Int, in table: KeyTable) -> Int? {
        if forms[column] == nil {
            var known: [String: Int] = [:]
            for index in 0..<table.count
            where table.withKey(index, { $0.contains { $0 >= 0x80 } }) {
                known[table.text(index)] = known[table.text(index)] == nil ? index : -1
            }
            forms[column] = known
        }
        return forms[column]?[text].flatMap { $0 < 0 ? nil : $0 }
    }

    init(isLenient: Bool) { self.isLenient = isLenient }

    func clean(_ field: FieldBytes, line: Int) -> FieldBytes {
        let cleaned = field.withoutControls
        guard isLenient, cleaned.count != field.count else { return field }
        if line != lastLine {
            if lines == 0 { firstLine = line }
            lines += 1
            lastLine = line
        }
        return cleaned
    }
}

extension FieldBytes {
    /// Signs of spreadsheets that are not seen: the no-break space, the zero-width space, the byte order mark.
    private static let hidden: [[UInt8]] = [[0xC2, 0xA0], [0xE2, 0x80, 0x8B], [0xEF, 0xBB, 0xBF]]

    /// The bytes without surrounding spaces, tabs, other control characters and hidden signs.
    var withoutControls: FieldBytes {
        guard let base = baseAddress else { return self }
        var (start, end) = (0, count)
        while start < end {
            let rest = self[start..<end]
            guard let sign = Self.hidden.first(where: rest.starts) else {
                guard base[start] <= 0x20 else { break }
                start += 1
                continue
            }
            start += sign.count
        }
        while end > start {
            let rest = self[start..<end]
            guard let sign = Self.hidden.first(where: { rest.suffix($0.count).elementsEqual($0) }) else {
                guard base[end - 1] <= 0x20 else { break }
                end -= 1
                continue
            }
            end -= sign.count
        }
        return FieldBytes(start: base + start, count: end - start)
    }

    /// The bytes without surrounding spaces.
    @inline(__always)
    var trimmed: FieldBytes {
        guard let base = baseAddress else { return self }
        var (start, end) = (0, count)
        while start < end, base[start] == 0x20 { start += 1 }
        while end > start, base[end - 1] == 0x20 { end -= 1 }
        return FieldBytes(start: base + start, count: end - start)
    }
}
