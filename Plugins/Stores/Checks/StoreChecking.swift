import Foundation
import GRDB
import PluginKit
import TrailStores

/// Checks a store against the rules of its format.
protocol StoreChecking: Sendable {
    var kind: StoreKind { get }
    /// Looks at everything in a store of the kind and adds what it finds. It writes nothing, and calls
    /// `run.step` for every row.
    func check(_ run: CheckRun) throws
}

/// A check under way: the database, and what was found so far.
final class CheckRun {
    /// The database; documents stand in it as a table.
    let db: Database
    /// The file or folder.
    let url: URL
    /// The findings, in the order they were found.
    private(set) var outcome = CheckOutcome(findings: [])
    private var kept: [String: Int] = [:]
    private var rows: [String: Int] = [:]
    private let signal: StopSignal
    private let progress: ProgressReporter

    /// A check of a database.
    init(_ db: Database, of url: URL, signal: StopSignal, progress: ProgressReporter) {
        self.db = db
        self.url = url
        self.signal = signal
        self.progress = progress
    }

    /// Adds a finding.
    func add(
        _ kind: FindingKind, table: String? = nil, row: Int64? = nil, id: String? = nil, _ what: String
    ) {
        let count = kept[kind.code, default: 0]
        guard count < CheckSettings.findingsOfAKind else {
            outcome.dropped[kind.code, default: 0] += 1
            return
        }
        kept[kind.code] = count + 1
        outcome.findings.append(Finding(kind: kind, table: table, row: row, id: id, what: what))
    }

    /// Called for every row: stops a cancelled check by throwing, and reports progress.
    func step(_ table: String) throws {
        try signal.check()
        let count = rows[table, default: 0] + 1
        rows[table] = count
        if count % StoreSettings.batchStep == 0 { progress.report("checking \(table)", done: count) }
    }

    /// Visits the rows of a table in their order. Where SQLite cannot read on, that is a finding.
    ///
    /// Columns that the table lacks read as NULL.
    func visit(_ table: String, _ columns: [String], _ body: (CheckedRow) throws -> Void) throws {
        let present = Set(try db.columns(in: table).map(\.name))
        let list = columns.map { present.contains($0) ? $0.sqlIdentifier : "NULL" }
        var last: Int64?
        do {
            let sql = "\(list.joined(separator: ", ")) FROM \(table.sqlIdentifier)"
            // A view or a table WITHOUT ROWID has no numbers.
            let hasNumbers = (try? db.makeStatement(sql: "SELECT _rowid_, \(sql)")) != nil
            let rows = try Row.fetchCursor(db, sql: "SELECT \(hasNumbers ? "_rowid_" : "NULL"), \(sql)")
            while let row = try rows.next() {
                try step(table)
                let checked = CheckedRow(row: row, columns: columns, present: present)
                last = checked.number
                try body(checked)
            }
        } catch let error as DatabaseError {
            if error.isInterruption { throw error }
            let place = last.map { "after row \($0)" } ?? "from its first row on"
            add(SQLiteFindings.unreadable, table: table, "unreadable \(place): \(error.reason)")
        }
    }
}

/// A row under check: cells by column name, of whatever type they are stored as.
struct CheckedRow {
    let row: Row
    let columns: [String]
    let present: Set<String>

    /// SQLite's number of the row.
    var number: Int64? {
        if case .int64(let number) = (row[0] as DatabaseValue).storage { return number }
        return nil
    }

    /// Whether the table has a column.
    func has(_ column: String) -> Bool { present.contains(column) }

    /// A cell as it is stored; NULL where the table has no such column.
    subscript(_ column: String) -> DatabaseValue.Storage {
        guard let index = columns.firstIndex(of: column) else { return .null }
        return (row[index + 1] as DatabaseValue).storage
    }

    /// A cell that is text.
    func text(_ column: String) -> String? {
        if case .string(let text) = self[column] { return text }
        return nil
    }

    /// A cell that is a number.
    func number(_ column: String) -> Double? {
        switch self[column] {
        case .double(let number): number
        case .int64(let number): Double(number)
        default: nil
        }
    }
}

extension DatabaseValue.Storage {
    /// How a finding shows an invalid cell.
    var shown: String {
        switch self {
        case .null: "missing"
        case .int64(let number): "\(number)"
        case .double(let number): Literal.number(number)
        case .string(let text): "'\(text.prefix(CheckedText.longest))'"
        case .blob(let data): "a blob of \(data.count) bytes"
        }
    }

    var isNull: Bool {
        if case .null = self { return true }
        return false
    }
}

/// How much of a stored text a finding quotes.
private enum CheckedText {
    static let longest = 40
}
