import PluginKit

/// Reads the records of one table of a feed.
struct TableReader {
    let table: FeedTable
    let reader: CSVReader
    private var columns: [String: Int] = [:]
    private var damaged = 0
    private var rows = 0
    private let columnCount: Int

    /// Opens a table; `nil` when the feed has none of that name. Throws when its header is not right.
    init?(_ source: FeedSource, _ table: FeedTable, required: [String], _ problems: inout FeedProblems) throws
    {
        guard let bytes = try source.open(table) else { return nil }
        self.table = table
        reader = try CSVReader(bytes, file: table.rawValue)
        guard try reader.next() else { throw Self.header(table, "it is empty") }
        columnCount = reader.count
        for index in 0..<reader.count {
            let name = String(decoding: reader[index], as: UTF8.self)
            if columns[name] != nil, !name.isEmpty {
                try problems.add(
                    table, line: reader.line, "the column \(name) stands there twice", .mended,
                    kind: TransitErrors.header)
            } else {
                columns[name] = index
            }
        }
        for name in required where columns[name] == nil {
            throw Self.header(table, "the column \(name) is missing")
        }
    }

    private static func header(_ table: FeedTable, _ what: String) -> RutterError {
        TransitErrors.header(
            "\(table.rawValue), line 1: \(what)", at: .file(path: table.rawValue, line: 1, column: nil))
    }

    /// The place of a column in records; −1, which reads as empty, where the table does not have it.
    func column(_ name: String) -> Int { columns[name] ?? -1 }

    /// Goes to the next record; leaves lines out that cannot be read at all where that is allowed.
    mutating func next(_ problems: inout FeedProblems, progress: ProgressReporter) throws -> Bool {
        rows += 1
        if rows % TransitSettings.rowStep == 0 {
            try Interruption.check()
            progress.report("reading \(table.rawValue)", done: rows)
        }
        while true {
            do {
                guard try reader.next() else { return false }
            } catch let error as RutterError
                where problems.isLenient && error.kind == TransitErrors.row
                && damaged < TransitSettings.listedProblems
            {
                damaged += 1
                try problems.add(table, line: reader.failedLine, error.message)
                try reader.skipLine()
                continue
            }
            return true
        }
    }

    /// The line of the present record.
    var line: Int { reader.line }

    @inline(__always)
    subscript(_ column: Int) -> FieldBytes { reader[column] }

    /// A field as text.
    func text(_ column: Int) -> String { String(decoding: reader[column], as: UTF8.self) }

    /// A field as text; `nil` where it is empty.
    func optionalText(_ column: Int) -> String? {
        let bytes = reader[column]
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the record has a value beyond the last column: an unquoted comma in a text, as a rule.
    var hasExcess: Bool {
        guard reader.count > columnCount else { return false }
        return (columnCount..<reader.count).contains { !reader[$0].isEmpty }
    }
}
