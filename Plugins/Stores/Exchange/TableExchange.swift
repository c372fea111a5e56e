import Formats
import Foundation
import GRDB
import PluginKit
import TrailStores

/// Writes tables of a store as CSV or JSON, and imports rows into a table.
enum TableExchange {
    /// The encoded tables, and their number of rows. CSV has one table only.
    static func export(
        _ connection: StoreConnection, tables wanted: [String], as format: TableFormat,
        progress: ProgressReporter
    ) async throws -> (data: Data, rows: Int) {
        try await connection.stoppableRead { db, signal in
            let all = try StoreTables(db, StoreFormat.all.flatMap(\.tables))
            var out: [UInt8] = []
            var rows = 0
            for (index, table) in wanted.enumerated() {
                guard let columns = all.columns[table]?.names else {
                    throw StoreErrors.schema(
                        "no such table: \(table)", at: .parameter("table"),
                        fix: "`store show --schema` lists the tables")
                }
                let list = columns.map(\.sqlIdentifier).joined(separator: ", ")
                let order = all.columns[table]?.hasRowID == true ? " ORDER BY _rowid_" : ""
                let statement = try RawStatement(
                    db, "SELECT \(list) FROM \(table.sqlIdentifier)\(order)")
                begin(table, columns, format, index, &out)
                var isFirst = true
                while try statement.next() {
                    try signal.check()
                    rows += 1
                    if rows % StoreSettings.batchStep == 0 { progress.report("writing \(table)", done: rows) }
                    add(statement.cells(), columns, format, isFirst, &out)
                    isFirst = false
                }
                if format == .json { out += Array((isFirst ? "]" : "\n]").utf8) }
            }
            if format == .json { out += Array("\n}\n".utf8) }
            return (Data(out), rows)
        }
    }

    private static func begin(
        _ table: String, _ columns: [String], _ format: TableFormat, _ index: Int, _ out: inout [UInt8]
    ) {
        switch format {
        case .csv: out += CSVTable.line(columns.map { .text(Array($0.utf8)) })
        case .json:
            out += Array("\(index == 0 ? "{" : ",")\n\(JSONWriter.quoted(table)): [".utf8)
        }
    }

    private static func add(
        _ cells: [StoredCell], _ columns: [String], _ format: TableFormat, _ isFirst: Bool,
        _ out: inout [UInt8]
    ) {
        switch format {
        case .csv: out += CSVTable.line(cells)
        case .json: out += Array(((isFirst ? "\n" : ",\n") + JSONTable.row(columns, cells).compactText).utf8)
        }
    }

    /// Adds the rows of a text to a table, all or none; returns their number. `table` is required if the text
    /// does not name it.
    static func load(
        _ data: Data, as format: TableFormat, into connection: StoreConnection, table: String?,
        replacing: Bool,
        progress: ProgressReporter
    ) async throws -> Int {
        let batches = try batches(data, format, table)
        return try await connection.stoppableWrite { db, signal in
            let all = try StoreTables(db)
            var count = 0
            for batch in batches {
                guard let columns = all.columns[batch.table]?.names else {
                    throw StoreErrors.schema(
                        "no such table: \(batch.table)", at: .parameter("table"),
                        fix: "`store show --schema` lists the tables")
                }
                // SQLite's names are the same in capitals.
                let known = Set(columns.map { $0.lowercased() })
                for row in batch.rows {
                    try signal.check()
                    if let unknown = row.columns.first(where: { !known.contains($0.lowercased()) }) {
                        throw ExchangeErrors.rows(
                            "\(row.location): table \(batch.table) has no column \(unknown)",
                            suggestion: Suggestion.nearest(to: unknown, in: columns))
                    }
                }
                let clause = try ConflictClause.refusing(db, batch.table)
                var statements: [[String]: RawStatement] = [:]
                for row in batch.rows {
                    try signal.check()
                    count += 1
                    if count % StoreSettings.batchStep == 0 { progress.report("importing", done: count) }
                    let statement: RawStatement
                    if let known = statements[row.columns] {
                        statement = known
                    } else {
                        statement = try RawStatement(
                            db, insert(batch.table, row.columns, replacing ? " OR REPLACE" : clause))
                        statements[row.columns] = statement
                    }
                    statement.bind(row.cells)
                    do throws(DatabaseError) {
                        try statement.run()
                    } catch {
                        if error.isInterruption { throw Interruption.stopped }
                        throw ExchangeErrors.rows(
                            "\(row.location): \(error.reason)",
                            fix: replacing ? nil : "use --force to replace rows with the same key")
                    }
                }
            }
            return count
        }
    }

    /// What to do about a first line that is one cell, since something else than commas separates its names.
    private static func separatorFix(_ line: String) -> String? {
        guard let found = [";", "\t", "|"].first(where: { line.contains($0) }) else { return nil }
        let name = found == "\t" ? "tabs" : "`\(found)`"
        return
            "its cells are separated by \(name): write it with commas, such as by `open FILE | save NEW.csv`"
    }

    private static func insert(_ table: String, _ columns: [String], _ clause: String) -> String {
        if columns.isEmpty { return "INSERT\(clause) INTO \(table.sqlIdentifier) DEFAULT VALUES" }
        let list = columns.map(\.sqlIdentifier).joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT\(clause) INTO \(table.sqlIdentifier)(\(list)) VALUES (\(marks))"
    }

    private struct Incoming: Sendable {
        let location: String
        let columns: [String]
        let cells: [StoredCell]
    }

    private static func batches(
        _ data: Data, _ format: TableFormat, _ table: String?
    ) throws(RutterError) -> [(table: String, rows: [Incoming])] {
        func named(_ name: String) throws(RutterError) -> String {
            if let table { return table }
            guard !name.isEmpty else {
                throw ExchangeErrors.text("the file does not name a table", fix: "--table NAME")
            }
            return name
        }
        switch format {
        case .csv:
            let rows = try CSVTable.rows([UInt8](data))
            guard let head = rows.first else { throw ExchangeErrors.text("the file is empty") }
            let columns = head.cells.map { cell -> String in
                if case .text(let bytes) = cell { return String(decoding: bytes, as: UTF8.self) }
                return cell.shown
            }
            var seen: Set<String> = []
            if let twice = columns.first(where: { !seen.insert($0.lowercased()).inserted }) {
                throw ExchangeErrors.text(
                    "the first line has the column \(twice) twice", fix: "rename or remove one of them")
            }
            var incoming: [Incoming] = []
            for row in rows.dropFirst() {
                guard row.cells.count == columns.count else {
                    throw ExchangeErrors.text(
                        "line \(row.line) has \(row.cells.count) cells, the first line \(columns.count)",
                        fix: columns.count == 1 ? separatorFix(columns[0]) : nil)
                }
                incoming.append(Incoming(location: "line \(row.line)", columns: columns, cells: row.cells))
            }
            return [(try named(""), incoming)]
        case .json:
            let tables = try JSONTable.tables(data)
            if tables.count > 1, table != nil {
                throw ExchangeErrors.text("the file has several tables", fix: "omit --table")
            }
            var all: [(String, [Incoming])] = []
            for (name, rows) in tables {
                var incoming: [Incoming] = []
                for (index, row) in rows.enumerated() {
                    guard case .object(let members) = row else {
                        throw ExchangeErrors.text("row \(index + 1) is not an object")
                    }
                    var cells: [StoredCell] = []
                    for member in members { cells.append(try JSONTable.cell(member.value)) }
                    incoming.append(
                        Incoming(location: "row \(index + 1)", columns: members.map(\.key), cells: cells))
                }
                all.append((try named(name), incoming))
            }
            return all
        }
    }
}
