import Core
import Formats
import Foundation
import PluginKit

/// How a text of separated values is read.
struct CSVOptions: Sendable {
    /// The byte between cells; `nil` to recognise it by the first lines.
    var separator: UInt8?
    /// Whether the first line only declares the separator.
    var startsWithSeparator = false
    /// Lines before the one that names the columns.
    var skippedLines = 0
    /// The first byte of lines that are left out; `nil` if none are.
    var comment: UInt8?
    /// Texts of cells that stand for a missing value.
    var missing: Set<String> = []
    /// Whether names end with units, or else the line below the names has them, or further names, and is no row.
    var hasUnits = false
    /// Whether all cells stay text.
    var keepsText = false
    /// Whether cells in quotes stay text, and an empty one is an empty text.
    var keepsQuotedText = false
    /// Whether the first line is a row like the others.
    var lacksHeader = false
    /// Whether rows may be shorter or longer than the first line, and quotes stand anywhere.
    var isLenient = false
    /// Whether cells that are not UTF-8 are read as Windows-1252.
    var takesForeignCells = false
    /// Kinds of columns that are set, by name.
    var kinds: [String: ColumnKind] = [:]
    /// The zone of times without an offset.
    var zone = TimeZone.gmt
}

/// A CSV text or file as a stream of rows.
///
/// The kinds of the columns are found from a short file, or from the beginning of a long one, and hold for all rows: a cell
/// further on that is of another kind is an error with its line.
struct CSVSource: Sendable {
    let bytes: DataBytes
    let origin: TextOrigin
    var options = CSVOptions()

    /// The rows. The beginning is read at once, for the columns.
    func rows() throws -> Value {
        guard let prepared = try prepared() else {
            var none = Rows([], columns: [], fields: [])
            none.note =
                options.skippedLines > 0
                ? "nothing follows the \(options.skippedLines, of: "line") of --skip"
                : "\(origin.file ?? "the text") \(bytes.head.isEmpty ? "is empty" : "has only blank lines")"
            return .rows(none)
        }
        return .rows(prepared.rows)
    }

    /// A source whose beginning has been read.
    struct Prepared: Sendable {
        fileprivate let source: CSVSource
        fileprivate var table: Table
        /// What is said of the encoding and of the first line.
        fileprivate let guess: String?

        var columns: [String] { table.columns }

        /// The kind of each column; `nil` where no cell is filled.
        var kinds: [ColumnKind?] {
            get { table.kinds }
            set {
                // What was said of a kind goes with it.
                for index in newValue.indices where newValue[index] != table.kinds[index] {
                    table.columnNotes[index] = nil
                }
                table.kinds = newValue
            }
        }

        var rows: Rows {
            let (source, table) = (source, table)
            var rows = Rows(columns: table.columns, fields: { table.columns }) { try source.iterator(table) }
            rows.note = Rows.note([guess] + table.columnNotes + table.notes)
            return rows
        }
    }

    /// Reads the beginning, for the columns; `nil` if there is no line.
    func prepared() throws -> Prepared? {
        let (text, encoding) = try decoded()
        var bytes = text
        var options = options
        var notes: [String?] = []
        if let plain = bytes.withoutEndMark {
            bytes = plain
            notes.append("the mark at the end (0x1A), which old programs write, is left out")
        }
        if let separator = CSVSeparator.declared(in: bytes.head) {
            options.separator = options.separator ?? separator
            options.startsWithSeparator = true
        }
        if options.comment == nil,
            let comments = CommentLines(in: Self.without(options.skippedLines, bytes.sample))
        {
            notes.append(comments.note(after: options.skippedLines))
            options.skippedLines += comments.count
        }
        if options.isLenient, let foreign = ForeignLines(in: bytes.sample) {
            options.takesForeignCells = true
            notes.append(foreign.note(isWhole: bytes.isWhole))
        }
        let (sample, above) = CommentLines.removed(
            options.comment, from: Self.without(options.skippedLines, bytes.sample))
        if options.separator == nil,
            let layout = TableLayout(markedIn: bytes.sample, skipping: options.skippedLines)
        {
            bytes = DataBytes(bytes, layout: layout)
            options.separator = TableLayout.separator
            notes += layout.notes
        } else if options.separator == nil, !CSVSeparator.hasCells(in: sample),
            let layout = TableLayout(
                blanksIn: bytes.sample, skipping: options.skippedLines, hasHeader: !options.lacksHeader)
        {
            notes += layout.notes + ["if each line is one cell: `\(reading("--separator ','"))`"]
            bytes = DataBytes(bytes, layout: layout)
            options.separator = TableLayout.separator
        } else if options.separator == nil {
            let separator = CSVSeparator.recognised(in: sample)
            options.separator = separator
            let title = options.skippedLines + above + 1
            notes.append(
                CSVSeparator.behindTitle(sample, separator).map {
                    "line \(title) has one cell, those below \($0): if it is a title, `\(skipping(title))`"
                })
            if let byte = CSVSeparator.counts(in: sample, separator).allSatisfy({ $0 == 1 })
                ? CSVSeparator.unusual(in: sample) : nil
            {
                let text = CSVSeparator.literal(byte)
                notes.append(
                    "each line has \(text): if it separates cells, `\(reading("--separator \(text)"))`")
            }
        }
        let source = CSVSource(bytes: bytes, origin: origin, options: options)
        if bytes.isWhole, bytes.head.allSatisfy({ CSVLine.isBlank($0) || $0 == 10 || $0 == 13 }) {
            return nil
        }
        let reader = try source.tokenizer(CSVTokenizer.reader(of: bytes.sample), isSample: true)
        guard try source.next(reader) else { return nil }
        notes.append(LostLetters(in: bytes.sample)?.note(file: origin.file))
        let table = try source.table(reader)
        for name in options.kinds.keys.sorted() where !table.columns.contains(name) {
            throw LanguageErrors.unknownField(
                "no column `\(name)`", at: .parameter("types"),
                fix: "columns: " + table.columns.joined(separator: ", "),
                suggestion: Suggestion.nearest(to: name, in: table.columns))
        }
        var guess = encoding.note
        if case .windows1252 = encoding, let note = guess {
            guess = "\(note); where letters are wrong, \(origin.conversion)"
        }
        return Prepared(source: source, table: table, guess: Rows.note([guess] + notes))
    }

    /// The bytes after some lines.
    private static func without(_ lines: Int, _ bytes: [UInt8]) -> [UInt8] {
        var rest = bytes[...]
        for _ in 0..<lines {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return [] }
            rest = rest[(end + 1)...]
        }
        return Array(rest)
    }

    /// What the beginning says of all rows.
    fileprivate struct Table: Sendable {
        var columns: [String]
        /// `nil` for a column that has no filled cell there.
        var kinds: [ColumnKind?]
        /// Cells of the first line.
        var width: Int
        /// The units of columns whose names have one.
        var units: [ColumnUnit?] = []
        /// Whether the line below the names is no row.
        var skipsLine = false
        /// What is said of each column.
        var columnNotes: [String?] = []
        var notes: [String?] = []

        /// Takes the units out of the names of columns of numbers. Other columns keep their names.
        mutating func takeUnits() {
            for (index, unit) in units.enumerated() {
                guard let unit, [.number, .commaNumber, .quantity, nil].contains(kinds[index]) else {
                    units[index] = nil
                    continue
                }
                columns[index] = unit.name
            }
        }
    }

    /// The bytes as UTF-8.
    private func decoded() throws -> (DataBytes, DataEncoding) {
        let encoding = DataEncoding(head: bytes.head, isWhole: bytes.isWhole)
        if case .utf8 = encoding { return (bytes, encoding) }
        guard let text = encoding.converted(try bytes.all(most: DataSettings.mostKept)) else {
            throw origin.error(DataErrors.encoding, "the text is cut or mixes encodings", line: 1)
        }
        return (DataBytes(text), encoding)
    }

    // MARK: Columns

    /// Reads the sample; the first line is the current one.
    private func table(_ reader: CSVTokenizer) throws -> Table {
        var columns = try names(reader)
        let width = columns.count
        let header = options.lacksHeader ? [] : try (0..<width).map { try text(reader, $0) }
        var evidence = [ColumnEvidence](repeating: ColumnEvidence(), count: width)
        var uneven: (count: Int, line: Int)?
        let separator = options.separator ?? CSVSeparator.standard
        var doubts = RowDoubts(width: width, separator: separator)
        let repeated = RowDoubts.repeated(header, columns)
        if options.lacksHeader {
            try observe(reader, &evidence)
            doubts.take(reader)
        }
        let units = options.hasUnits ? ColumnUnit.found(in: columns) : []
        var skipsLine = options.hasUnits
        var isRowOfUnits = false
        if skipsLine, (try? next(reader)) == true {
            if units.contains(where: { $0 != nil }) {
                skipsLine = hasFurtherNames(reader, below: units)
            } else {
                var own = [ColumnEvidence](repeating: ColumnEvidence(), count: width)
                try observe(reader, &own)
                isRowOfUnits = own.contains(where: \.hasValues)
                skipsLine = !isRowOfUnits
            }
            if !skipsLine {
                try observe(reader, &evidence)
                doubts.take(reader)
            }
        }
        var firstRow: (line: Int, hasValues: Bool)?
        var footer = FooterDoubt()
        // Errors further on are reported when their line is asked for.
        while let isRow = try? next(reader), isRow {
            if reader.count != width {
                guard options.isLenient else { break }
                uneven = ((uneven?.count ?? 0) + 1, uneven?.line ?? reader.line)
                while columns.count < reader.count {
                    columns.append(unusedName(columns))
                    evidence.append(ColumnEvidence())
                }
            }
            try observe(reader, &evidence)
            doubts.take(reader)
            if bytes.isWhole { footer.take(reader) }
            // A line with a number or a date is no line of units.
            if firstRow == nil { firstRow = (reader.line, evidence.contains(where: \.hasValues)) }
            try Interruption.check()
        }
        var table = Table(columns: columns, kinds: [], width: width, units: units, skipsLine: skipsLine)
        if let line = reader.unclosedLine {
            table.notes.append("a quote in line \(line) is not closed: it is read as it stands")
        }
        if let line = reader.innerMarkLine {
            table.notes.append(
                "line \(line) begins with a byte order mark, which is left out: files may have been joined there"
            )
        }
        table.notes.append(repeated)
        for (name, found) in zip(columns, evidence) {
            let recognised = found.kind(separator: separator)
            let chosen = options.kinds[name] ?? (options.keepsText ? .text : recognised)
            table.kinds.append(chosen)
            let isFound = options.kinds[name] == nil && !options.keepsText
            table.columnNotes.append(isFound ? found.exception(name, recognised, separator: separator) : nil)
        }
        if isRowOfUnits {
            table.notes.append(
                "--units: no name ends with a unit, and the line below the names has values: it is a row")
        }
        if let value = HeaderDoubt.value(among: header, table.kinds, in: CellTime(zone: options.zone)) {
            table.notes.append(
                "the names of the columns have a value, `\(value.prefix(20))`; if the first line is a row: "
                    + "`\(reading("--no-header"))`")
        }
        if let firstRow, !firstRow.hasValues, !options.lacksHeader, !options.hasUnits, !options.keepsText,
            let units = evidence.lazy.compactMap({ $0.cellAboveNumbers(in: firstRow.line) }).first
        {
            for (index, found) in evidence.enumerated()
            where found.cellAboveNumbers(in: firstRow.line) != nil {
                table.columnNotes[index] = nil
            }
            table.notes.append(
                "line \(firstRow.line) has `\(units.prefix(20))` above numbers: if it has units or further names, "
                    + "`\(reading("--units"))`")
        }
        if !bytes.isWhole { takeLast(&footer, width) }
        table.notes.append(footer.note(columns, table.kinds))
        table.notes.append(placeholders(evidence))
        table.notes += doubts.notes(
            columns, options.keepsQuotedText ? [] : table.kinds, isWhole: bytes.isWhole, reading)
        if uneven != nil, doubts.areShifted {
            table.notes.append(
                "each row has one cell more than the first line: if the first cells are names of rows, as R writes them, "
                    + "the columns are one to the right of their names")
        } else if let uneven {
            table.notes.append(
                (bytes.isWhole ? "" : "at least ")
                    + "\(uneven.count, of: "row") not as long as the first line, first line \(uneven.line)")
        }
        table.takeUnits()
        return table
    }

    /// Whether a line has texts in the columns of numbers with a unit, and only there: the names of another language, say.
    private func hasFurtherNames(_ reader: CSVTokenizer, below units: [ColumnUnit?]) -> Bool {
        let cells = units.indices.filter { units[$0] != nil && $0 < reader.count }
            .compactMap { readable(reader, $0) }.filter { !isMissing($0) }
        return !cells.isEmpty
            && cells.allSatisfy { !NumberInText.isPlaceholder($0) && NumberInText.value($0) == nil }
    }

    /// The last row of a long file, far behind the sample.
    private func takeLast(_ footer: inout FooterDoubt, _ width: Int) {
        var source = self
        (source.options.skippedLines, source.options.startsWithSeparator) = (0, false)
        guard let line = try? bytes.lastLine(),
            let reader = try? source.tokenizer(CSVTokenizer.reader(of: line)),
            (try? reader.next()) == true, reader.count == width
        else { return }
        footer.take(reader, isCounted: false)
    }

    private func observe(_ reader: CSVTokenizer, _ evidence: inout [ColumnEvidence]) throws {
        if options.keepsText { return }
        let time = CellTime(zone: options.zone)
        for index in 0..<min(reader.count, evidence.count) {
            if isQuotedText(reader, index) {
                evidence[index].takeText()
                continue
            }
            guard let text = readable(reader, index), !isMissing(text) else { continue }
            evidence[index].take(text, line: reader.line, in: time)
        }
    }

    /// How words for a missing value are read as one, where a column is text because of them.
    private func placeholders(_ evidence: [ColumnEvidence]) -> String? {
        var words: [String] = []
        for word in evidence.flatMap(\.placeholders) where !words.contains(word) { words.append(word) }
        guard !words.isEmpty else { return nil }
        let list = words.sorted().joined(separator: ",")
        let shown = words.map { "`\($0)`" }.joined(separator: ", ")
        return
            "if \(shown) \(words.count == 1 ? "stands" : "stand") for a missing value: `\(reading("--missing \(Literal.text(list))"))`"
    }

    private func unusedName(_ columns: [String]) -> String {
        var number = columns.count + 1
        while columns.contains("column\(number)") { number += 1 }
        return "column\(number)"
    }

    /// The first line's cells as names: empty and repeated names are numbered, by numbers that no other column has.
    private func names(_ header: CSVTokenizer) throws -> [String] {
        let own = try (0..<header.count).map { index in
            let text = try text(header, index).trimmingCharacters(in: .whitespaces)
            return options.lacksHeader ? "" : text
        }
        var taken = Set(own)
        var seen = Set<String>()
        return own.enumerated().map { index, text in
            if !text.isEmpty, seen.insert(text).inserted { return text }
            let base = text.isEmpty ? "column" : text
            var number = text.isEmpty ? index + 1 : 2
            while !taken.insert(base + String(number)).inserted { number += 1 }
            return base + String(number)
        }
    }

    // MARK: Rows

    fileprivate func iterator(_ table: Table) throws -> Rows.Iterator {
        let reader = try tokenizer(bytes.reader())
        if !options.lacksHeader {
            _ = try next(reader)
            if table.skipsLine { _ = try next(reader) }
        }
        let columns = table.columns
        let units = table.units.contains { $0 != nil } ? table.units : []
        var kinds = table.kinds
        return Rows.Iterator {
            guard try next(reader) else { return nil }
            try Interruption.check()
            guard reader.count == table.width || options.isLenient && reader.count <= columns.count else {
                let preamble = reader.line - (options.startsWithSeparator ? 2 : 1)
                throw origin.error(
                    DataErrors.csv,
                    "the row has \(reader.count, of: "cell"), the first line \(table.width)",
                    line: reader.line,
                    fix: isComment(reader)
                        ? commentFix
                        : reader.count > table.width && table.width == 1 && options.skippedLines == 0
                            ? "quote a cell that contains a separator; or, if the names of the columns stand in "
                                + "line \(reader.line): `\(skipping(preamble))`"
                            : reader.count > table.width
                                ? "quote a cell that contains a separator, or read it with `\(lenient)`"
                                : "`\(lenient)` leaves missing cells empty")
            }
            var values = try columns.indices.map { try value(reader, $0, columns[$0], &kinds[$0]) }
            for (index, unit) in units.enumerated() {
                if let unit { values[index] = unit.value(values[index]) }
            }
            return .record(Record(keys: columns, values: values))
        }
    }

    private func value(
        _ reader: CSVTokenizer, _ index: Int, _ column: String, _ kind: inout ColumnKind?
    ) throws(RutterError) -> Value {
        guard index < reader.count else { return .nothing }
        let text = try text(reader, index)
        if isQuotedText(reader, index), kind == nil || kind == .text {
            kind = .text
            return .text(text)
        }
        if isMissing(text), kind != .text || !options.missing.isEmpty {
            return kind == .text && Self.isBlank(text) && reader.isQuoted(index) && !text.isEmpty
                ? .text(text) : .nothing
        }
        if kind == .text, !text.isEmpty {
            // Blanks between a separator and a text belong to neither; quotes keep them.
            return reader.isQuoted(index)
                ? .text(text) : Self.isBlank(text) ? .nothing : .text(Self.trimmed(text))
        }
        if text.isEmpty { return .nothing }
        let time = CellTime(zone: options.zone)
        guard let known = kind else {
            // The first filled cell is behind the sample.
            let found = ColumnKind.found.first { $0.value(text, in: time) != nil } ?? .text
            kind = found
            return found.value(text, in: time) ?? .text(reader.isQuoted(index) ? text : Self.trimmed(text))
        }
        if let value = known.value(text, in: time) { return value }
        let isSet = options.kinds[column] == known
        if isSet, known == .boolean, let holds = YesAndNo.value(text) { return .boolean(holds) }
        throw origin.error(
            DataErrors.mixed,
            "`\(text.prefix(40))` is not a \(known.rawValue), as column `\(column)` is \(isSet ? "set" : "before")",
            line: reader.line, fix: isComment(reader) ? commentFix : fix(column))
    }

    /// Whether the text could be read leniently as far as a line that could not be read strictly.
    func readsLeniently(to line: Int) -> Bool {
        guard !options.isLenient, options.separator != TableLayout.separator else { return false }
        var source = self
        source.options.isLenient = true
        // A quote may be closed behind the sample, which alone is read here.
        if !bytes.isWhole { return true }
        guard let reader = try? source.tokenizer(CSVTokenizer.reader(of: bytes.sample)) else { return false }
        while let isRow = try? reader.next() {
            if !isRow || reader.line >= line { return true }
        }
        return false
    }

    private func isComment(_ reader: CSVTokenizer) -> Bool {
        options.comment == nil && reader[0].first == CommentLines.usual
    }

}
