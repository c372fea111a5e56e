import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// Checks a store against the rules of its format.
protocol StoreChecking: Sendable {
    var kind: StoreKind { get }
    /// Checks a store of the kind and adds its findings. It writes nothing, and calls `run.step` for every
    /// row.
    func check(_ run: CheckRun) throws
}

/// A running check: the database, and the findings so far.
final class CheckRun {
    /// The database; documents appear in it as a table.
    let db: Database
    /// The file or folder.
    let url: URL
    /// The time of the check, after which nothing can have been recorded; `nil` if unknown.
    let now: Timestamp?
    /// The findings, in the order they were found.
    private(set) var outcome = CheckOutcome(findings: [])
    private var kept: [String: Int] = [:]
    private var rows: [String: Int] = [:]
    /// The table of the last row, and the number of rows visited in it.
    private var stepped = (table: "", count: 0)
    private let signal: StopSignal
    private let progress: ProgressReporter

    /// A check of a database.
    init(_ db: Database, of url: URL, now: Timestamp?, signal: StopSignal, progress: ProgressReporter) {
        self.db = db
        self.now = now
        self.url = url
        self.signal = signal
        self.progress = progress
    }

    /// The profile of the app that wrote the store; that of iOS if unknown.
    private(set) lazy var profile: FormatProfile = {
        // An unreadable schema is a separate finding.
        let writer = (try? FormatProfile.writer(db)) ?? nil
        return FormatProfile.of(writer ?? .ios)
    }()

    /// Adds a finding; `repair` is the statement that fixes it without data loss, if there is one.
    func add(
        _ kind: FindingKind, table: String? = nil, row: Int64? = nil, id: @autoclosure () -> String? = nil,
        _ what: String, repair: String? = nil
    ) {
        let count = kept[kind.code, default: 0]
        guard count < CheckSettings.findingsOfAKind else {
            outcome.dropped[kind.code, default: 0] += 1
            return
        }
        kept[kind.code] = count + 1
        outcome.findings.append(
            Finding(kind: kind, table: table, row: row, id: id(), what: what, repair: repair))
    }

    /// A text of a row visited before; `nil` if it cannot be read again.
    func text(_ column: String, _ table: String, _ row: Int64) -> String? {
        let sql = "SELECT \(column.sqlIdentifier) FROM \(table.sqlIdentifier) WHERE _rowid_ = ?"
        guard let statement = try? RawStatement(db, sql, arguments: [row], isCached: true),
            (try? statement.next()) == true, statement.storage(0) == .text
        else { return nil }
        return statement.text(0)
    }

    /// Called for every row: throws if the check is cancelled, and reports progress.
    func step(_ table: String) throws {
        try signal.check()
        if table != stepped.table {
            rows[stepped.table] = stepped.count
            stepped = (table, rows[table, default: 0])
        }
        stepped.count += 1
        let count = stepped.count
        if count % StoreSettings.batchStep == 0 { progress.report("checking \(table)", done: count) }
    }

    /// Visits the rows of a table in order. If SQLite cannot continue reading, that is a finding. Columns
    /// have the names of the format, whatever their app calls them; missing columns read as NULL.
    func visit(_ table: String, _ columns: [String], _ body: (CheckedRow) throws -> Void) throws {
        let stored = try self.columns(table)
        let list = columns.map { FormatProfile.stored($0, in: stored)?.sqlIdentifier ?? "NULL" }
        let known = FormatProfile.known(in: stored)
        let present = columns.map(known.contains)
        var last: Int64?
        do {
            let sql = "\(list.joined(separator: ", ")) FROM \(table.sqlIdentifier)"
            // A view or a table WITHOUT ROWID has no row numbers.
            let hasNumbers = (try? db.makeStatement(sql: "SELECT _rowid_, \(sql)")) != nil
            let row = try RawStatement(db, "SELECT \(hasNumbers ? "_rowid_" : "NULL"), \(sql)")
            let checked = CheckedRow(row: row, columns: columns, present: present)
            while try row.next() {
                try step(table)
                last = checked.number
                try body(checked)
            }
        } catch let error as DatabaseError {
            if error.isInterruption { throw error }
            let location = last.map { "after row \($0)" } ?? "from its first row on"
            add(SQLiteFindings.unreadable, table: table, "unreadable \(location): \(error.reason)")
        }
    }
}

/// The row under check: cells by column name, of whatever type they are stored as. Valid until the next row.
struct CheckedRow {
    let row: RawStatement
    let columns: [String]
    /// Which of the columns the table has.
    let present: [Bool]

    private func index(_ column: String) -> Int32? {
        columns.firstIndex(of: column).map { Int32($0 + 1) }
    }

    /// SQLite's row number.
    var number: Int64? { row.storage(0) == .integer ? row.integer(0) : nil }

    /// Whether the table has a column.
    func has(_ column: String) -> Bool { index(column).map { present[Int($0) - 1] } ?? false }

    /// A cell as stored; NULL if the table has no such column.
    subscript(_ column: String) -> DatabaseValue.Storage {
        guard let index = index(column) else { return .null }
        switch row.storage(index) {
        case .null: return .null
        case .integer: return .int64(row.integer(index))
        case .real: return .double(row.number(index))
        case .text: return .string(row.text(index) ?? "")
        case .blob: return .blob(row.bytes(index).map { Data($0) } ?? Data())
        }
    }

    /// Whether a cell is NULL; does not read blobs.
    func isNull(_ column: String) -> Bool { index(column).map { row.isNull($0) } ?? true }

    /// A cell that is text.
    func text(_ column: String) -> String? {
        guard let index = index(column), row.storage(index) == .text else { return nil }
        return row.text(index)
    }

    /// A cell that is text, as its bytes.
    func utf8<T>(_ column: String, _ body: (UnsafeBufferPointer<UInt8>) -> T?) -> T? {
        guard let index = index(column), row.storage(index) == .text else { return nil }
        return body(row.utf8(index))
    }

    /// A text cell with a time.
    func moment(_ column: String) -> Timestamp? { utf8(column) { ISO8601.timestamp(utf8: $0) } }

    /// A text cell with a UUID.
    func identifier(_ column: String) -> UUID? { utf8(column) { UUID(hexadecimal: $0) } }

    /// A cell with an integer.
    func integer(_ column: String) -> Int64? {
        guard let index = index(column), row.storage(index) == .integer else { return nil }
        return row.integer(index)
    }

    /// A cell with a number.
    func number(_ column: String) -> Double? {
        guard let index = index(column) else { return nil }
        let storage = row.storage(index)
        return storage == .real || storage == .integer ? row.number(index) : nil
    }
}

extension DatabaseValue.Storage {
    /// The description of an invalid cell in a finding.
    var shown: String {
        switch self {
        case .null: "missing"
        case .int64(let number): "\(number)"
        case .double(let number): Literal.number(number)
        case .string(let text): "'\(text.prefix(CheckedText.longest).replacing("\0", with: "\\0"))'"
        case .blob(let data): "a blob of \(data.count) bytes"
        }
    }

    var isNull: Bool {
        if case .null = self { return true }
        return false
    }
}

/// Limit of a quoted text in a finding.
private enum CheckedText {
    static let longest = 40
}
