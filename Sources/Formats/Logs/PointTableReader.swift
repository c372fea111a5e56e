import Archives
import Core
import Foundation

/// Reads tables of points with columns for latitude and longitude, as loggers, telephones and spreadsheets write them. With times, or
/// without names, the rows are a track; rows with names and without times are places.
enum PointTableReader {
    /// Whether a text begins with a line that names such columns, or with rows whose values show them.
    static func isTable(_ text: String) -> Bool { GnssLog.isLog(text) || columns(text) != nil }

    /// The columns of a text by its first lines.
    private static func columns(_ text: String) -> PointColumns? {
        let (names, below) = header(text)
        if let named = PointColumns(names, units: below) ?? PointColumns(names) { return named }
        // The last line of a sample may be cut.
        let lines = text.split(whereSeparator: \.isNewline)
        return UnnamedColumns(Array(lines.count > 1 ? lines.dropLast() : lines))?.columns
    }

    /// The line of names: the first that is neither empty nor a comment, or the last comment before it that names columns; and the line
    /// below it.
    private static func header(_ text: String) -> (names: String, below: String) {
        let lines = text.split(whereSeparator: \.isNewline).lazy
            .map { $0.trimmingCharacters(in: .whitespaces.union(["\u{FEFF}"])) }
            .filter { !$0.isEmpty }
        let plain = Array(lines.drop { $0.hasPrefix("#") }.prefix(2)) + ["", ""]
        guard PointColumns(plain[0]) == nil else { return (plain[0], plain[1]) }
        return lines.prefix { $0.hasPrefix("#") }.last { PointColumns($0) != nil }.map { ($0, plain[0]) }
            ?? (plain[0], plain[1])
    }

    /// Bytes in which the names of columns stand.
    private static let headLength = 4096

    /// The track or the places of a table.
    static func document(_ file: SourceBytes, check: () throws -> Void) throws -> GPXDocument {
        try JSONSource.checkSize(file)
        let isLog = GnssLog.isLog(HeadText(try file.bytes(at: 0, count: headLength)).text)
        let log = isLog ? try GnssLog(file) : nil
        let source = log?.table ?? file
        let head = HeadText(try source.bytes(at: 0, count: headLength))
        guard let columns = Self.columns(head.text) else {
            throw ImportErrors.format("\(source.name) names no columns for latitude and longitude")
        }
        var dialect = CSVDialect()
        dialect.separator = columns.separator
        dialect.isStrict = false
        let bytes = try source.all()
        let encoding = DataEncoding(head: bytes, isWhole: true)
        let text = encoding.converted(bytes) ?? bytes
        func built(_ columns: PointColumns) throws -> PointTableBuilder {
            var builder = PointTableBuilder(columns)
            for (what, count) in log?.doubts.kinds ?? [] { builder.log.doubts.add(what, count: count) }
            if let note = encoding.note { builder.log.doubts.add("texts \(note)") }
            try add(
                try CSVTokenizer(dialect, bytes: text), columns, to: &builder, check: check)
            return builder
        }
        var builder = try built(columns)
        if let degrees = builder.degreesOfUnit {
            var columns = columns
            columns.takeAngles(in: degrees)
            builder = try built(columns)
            builder.log.doubts.add(
                "\(WholeAngles.words(of: degrees)), as only their size shows", count: builder.log.points.count
            )
        }
        let document = builder.document()
        try builder.checkAxes(source.name)
        return document
    }

    /// Adds the rows of a table.
    private static func add(
        _ rows: CSVTokenizer, _ columns: PointColumns, to builder: inout PointTableBuilder,
        check: () throws -> Void
    ) throws {
        var count = 0
        var isInTable = columns.areUnnamed
        var isBelowNames = false
        while true {
            do {
                guard try rows.next() else { break }
            } catch is CSVFault {
                builder.leaveOutRow()
                try rows.skipLine()
                continue
            }
            let cells = (0..<rows.count).map { index in
                String(decoding: rows[index], as: UTF8.self).trimmingCharacters(in: .whitespaces)
            }
            if !isInTable {
                isInTable = PointColumns.isHeader(cells)
                isBelowNames = isInTable && columns.hasUnits
                continue
            }
            if isBelowNames {
                // The line of units.
                isBelowNames = false
                continue
            }
            if columns.areUnnamed, cells.first?.hasPrefix("#") ?? true { continue }
            builder.add(cells)
            count += 1
            if count % GPXSettings.checkInterval == 0 { try check() }
            guard count <= GPXSettings.mostPoints else {
                throw ImportErrors.tooLarge("the table has more than \(GPXSettings.mostPoints) rows")
            }
        }
    }
}
