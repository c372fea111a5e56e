import Foundation
import PluginKit

/// Several files as one table: a column says which file a row comes from, the other columns are joined by name.
///
/// A column has one kind in all CSV files; where they differ it is text, which is said. What a file lacks is nothing.
struct FileTable {
    private struct Part: Sendable {
        let name: String
        var prepared: CSVSource.Prepared?
        var rows: Rows
        let columns: Set<String>

        init(_ name: String, _ rows: Rows, _ prepared: CSVSource.Prepared? = nil) throws {
            (self.name, self.rows, self.prepared) = (name, rows, prepared)
            if let known = rows.knownFields ?? rows.columns {
                columns = Set(known)
                return
            }
            // The fields of a stream are known once it has been read.
            let all = try rows.collect()
            let names = all.fieldNames(after: []) ?? (all.isEmpty ? [] : [FileTable.plainColumn])
            columns = Set(names)
            self.rows = Rows(all, columns: names, note: rows.note)
        }
    }

    private var parts: [Part] = []

    /// Reads the beginnings of CSV files, and other files as a whole. Throws `E-DATA-ROWS` for a file that is no table.
    init(_ files: [(url: URL, content: FileContent)], notice: @escaping @Sendable (String) -> Void) throws {
        let names = Self.names(of: files.map(\.url))
        for (name, file) in zip(names, files) {
            if case .csv(let source) = file.content {
                let prepared = try source.prepared()
                let rows = prepared?.rows ?? Rows([], columns: [], fields: [])
                parts.append(try Part(name, rows, prepared))
            } else {
                let value = try file.content.value { notice("\(name): \($0)") }
                parts.append(try Part(name, try Self.table(value, name)))
            }
        }
        unifyKinds()
    }

    private static func table(_ value: Value, _ name: String) throws(RutterError) -> Rows {
        if case .record = value { return Rows([value], columns: value.fieldNames) }
        guard let rows = value.asRows else {
            throw DataErrors.notRows(
                "\(name) is \(value.article), not rows", at: .parameter("files"),
                fix: "several files make one table: name only those, such as *.csv")
        }
        return rows
    }

    /// The paths below the folder that all files have in common.
    private static func names(of urls: [URL]) -> [String] {
        let paths = urls.map { $0.standardizedFileURL.pathComponents }
        var depth = 0
        while let part = paths.first.flatMap({ depth < $0.count - 1 ? $0[depth] : nil }),
            paths.allSatisfy({ depth < $0.count - 1 && $0[depth] == part })
        {
            depth += 1
        }
        return paths.map { $0.dropFirst(depth).joined(separator: "/") }
    }

    // MARK: Columns

    /// Columns of different kinds become text; one without a filled cell at the beginning of a file is of the kind of the others.
    private mutating func unifyKinds() {
        var known: [String: (kind: ColumnKind, file: String)] = [:]
        for part in parts {
            guard let prepared = part.prepared else { continue }
            for (column, kind) in zip(prepared.columns, prepared.kinds) {
                guard let kind else { continue }
                guard let before = known[column] else {
                    known[column] = (kind, part.name)
                    continue
                }
                if before.kind.isLike(kind) || mixed[column] != nil { continue }
                mixed[column] =
                    "`\(column)` is text: \(before.kind.rawValue) in \(before.file), \(kind.rawValue) in \(part.name)"
            }
        }
        for index in parts.indices {
            guard var prepared = parts[index].prepared else { continue }
            prepared.kinds = zip(prepared.columns, prepared.kinds).map { column, kind in
                mixed[column] == nil ? kind ?? known[column]?.kind : .text
            }
            parts[index].rows = prepared.rows
        }
    }

    /// The column of rows that have no fields.
    fileprivate static let plainColumn = "value"
    /// What is said of columns whose kinds differ.
    private var mixed: [String: String] = [:]

    /// The name of the column of files: the first that no file has itself.
    private static func fileColumn(besides taken: Set<String>) -> String {
        var name = "file"
        var number = 1
        while taken.contains(name) {
            name = number == 1 ? "sourceFile" : "sourceFile\(number)"
            number += 1
        }
        return name
    }

    /// Most differences of one kind that are named one by one.
    private static let mostNotes = 3

    /// The first sentences of a kind, and how many more there are.
    private static func first(of notes: [String]) -> [String] {
        let more = notes.count - mostNotes
        return Array(notes.prefix(mostNotes)) + (more > 0 ? ["and \(more) more of the kind"] : [])
    }

    /// The rows of all files, in their order.
    var rows: Rows {
        var columns: [String] = []
        var seen = Set<String>()
        for part in parts {
            for column in part.rows.knownFields ?? part.rows.columns ?? [] where seen.insert(column).inserted
            {
                columns.append(column)
            }
        }
        let (parts, own, all) = (parts, columns, [Self.fileColumn(besides: seen)] + columns)
        var rows = Rows(columns: all, fields: { all }) {
            var rest = parts[...]
            var source: (name: Value, rows: Rows.Iterator)?
            var layout = RowLayout(columns: own)
            return Rows.Iterator {
                while true {
                    try Interruption.check()
                    if let (name, iterator) = source, let row = try iterator.next() {
                        return .record(Record(keys: all, values: [name] + layout.values(of: row)))
                    }
                    guard let part = rest.popFirst() else { return nil }
                    source = (.text(part.name), try part.rows.makeIterator())
                }
            }
        }
        rows.note = Rows.note(notes(columns))
        return rows
    }

    private func notes(_ columns: [String]) -> [String] {
        var missing: [String] = []
        let filled = parts.filter { !$0.columns.isEmpty }
        for column in columns {
            let without = filled.filter { !$0.columns.contains(column) }
            guard let first = without.first else { continue }
            let others = without.count - 1
            missing.append(
                "no `\(column)` in \(first.name)" + (others > 0 ? " and \(others, of: "other file")" : ""))
        }
        let empty = parts.filter(\.columns.isEmpty).map { "\($0.name) is empty" }
        let own = parts.filter { !$0.columns.isEmpty }.compactMap { part in
            part.rows.note.map { "\(part.name): \($0)" }
        }
        return [columns.compactMap { mixed[$0] }, missing, empty, own].flatMap(Self.first)
    }
}

extension ColumnKind {
    /// Whether values of both kinds are values of one: numbers with a decimal point and a decimal comma.
    fileprivate func isLike(_ other: ColumnKind) -> Bool {
        let numbers: [ColumnKind] = [.number, .commaNumber]
        return self == other || numbers.contains(self) && numbers.contains(other)
    }
}

/// Puts the fields of rows into the order of common columns.
private struct RowLayout {
    let columns: [String]
    private var keys: [String] = []
    private var indices: [Int?] = []

    init(columns: [String]) { self.columns = columns }

    mutating func values(of row: Value) -> [Value] {
        let record = row.asRecord ?? Record([(FileTable.plainColumn, row)])
        if record.keys == columns { return record.values }
        if record.keys != keys || indices.isEmpty {
            keys = record.keys
            indices = columns.map { keys.firstIndex(of: $0) }
        }
        return indices.map { $0.map { record.values[$0] } ?? .nothing }
    }
}
