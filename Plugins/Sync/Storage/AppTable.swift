import Foundation
import GRDB
import PluginKit
import TrailStores

/// A table of an app's own store as rows of fields: every column is a field, under its own name.
final class AppTable {
    let type: RecordType
    let table: String
    let connection: StoreConnection
    /// The synced columns, in name order.
    let columns: [Column]
    /// Required columns without a default.
    let needed: [String]
    /// Index of the column with the modification time.
    let momentIndex: Int?
    private let selection: String
    /// Whether its rows have numbers, by which blobs are read and written in parts. The apps' own tables do.
    let hasRowNumbers: Bool
    /// The state of the file (SQLite's `data_version`) before the first row was read since the last write. While it is the
    /// same, no other connection has written, and rows need not be compared again before they are replaced.
    private var seen: Int64?
    /// The log of rows written since the last scan.
    private(set) var log: ChangeLog

    /// A synced column.
    struct Column {
        let name: String
        /// Whether its contents are sent as blobs.
        let isBlob: Bool
        /// Whether it is NOT NULL.
        let isRequired: Bool
    }

    private static let blobs: Set<String> = ["photo_data", "photo_thumbnail", "track_data"]
    /// Columns that are local to a device.
    private static let own: Set<String> = ["id", "cloudkit_record_id"]

    init(
        _ type: RecordType, table: String, connection: StoreConnection, device: UInt64, mark: LogPosition?
    ) throws {
        let log = ChangeLog(table: table, device: device, mark: mark)
        self.log = log
        self.type = type
        self.table = table
        self.connection = connection
        hasRowNumbers = try connection.read { db in
            (try? RawStatement(db, "SELECT _rowid_ FROM \(table) LIMIT 0")) != nil
        }
        let found = try connection.read { db in try db.columns(in: table) }
            .filter { !Self.own.contains($0.name) }
        needed = found.filter { $0.isNotNull && $0.defaultValueSQL == nil }.map(\.name)
        columns =
            found
            .map { Column(name: $0.name, isBlob: Self.blobs.contains($0.name), isRequired: $0.isNotNull) }
            .sorted { $0.name < $1.name }
        momentIndex = columns.firstIndex { $0.name == "modified_at" }
        selection = columns.map { column in
            let name = column.name.quotedDatabaseIdentifier
            return column.isBlob ? "length(\(name))" : name
        }.joined(separator: ", ")
        try connection.write { db in
            try Self.prepare(db)
            try log.prepare(db)
        }
    }

    /// Creates the tables that record the rows written by a sync.
    private static func prepare(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS rutter_sync_written (id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER);
                CREATE TABLE IF NOT EXISTS rutter_sync_left (name TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID;
                """)
        // The first version stored only the names, for the last commit only.
        guard try db.tableExists("rutter_sync_skipped") else { return }
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO rutter_sync_left
                SELECT name, (SELECT number FROM rutter_sync_written) FROM rutter_sync_skipped;
                DROP TABLE rutter_sync_skipped;
                """)
    }

    // MARK: Reading

    /// All rows, in any order. A blob has no digest yet, only its size.
    func all(_ body: (RecordKey, Row) throws -> Void) throws {
        try connection.read { db in
            try noteState(db)
            let rows = try RawStatement(db, "SELECT id, \(selection) FROM \(table)", isCached: true)
            while try rows.next() {
                guard let name = rows.text(0).flatMap({ RecordName(text: $0) }) else { continue }
                try body(RecordKey(type: type, name: name), fields(rows) { .blob(BlobReference(ofSize: $1)) })
            }
        }
    }

    /// The records whose rows were written since the last scan; `nil` if all rows must be read.
    func loggedChanges() throws -> [RecordName]? { try connection.read { db in try log.changes(db) } }

    /// Number of rows.
    func count() throws -> Int {
        try connection.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    /// A row with the digests of its blobs.
    func row(_ key: RecordKey) throws -> Row? {
        try connection.look { db in
            try noteState(db)
            return try RowFinder(db, self).row(key)
        }
    }

    /// Reads several rows from one state of the store.
    func rows(_ keys: [RecordKey], _ body: (RecordKey, Row?) throws -> Void) throws {
        try connection.read { db in
            try noteState(db)
            let finder = try RowFinder(db, self)
            for key in keys { try body(key, finder.row(key)) }
        }
    }

    private func noteState(_ db: Database) throws { if seen == nil { seen = try Self.state(db) } }

    private static func state(_ db: Database) throws -> Int64 {
        let state = try RawStatement(db, "PRAGMA data_version", isCached: true)
        return try state.next() ? state.integer(0) : 0
    }

    /// Reads single rows.
    private struct RowFinder {
        private let db: Database
        private let table: AppTable
        private let find: RawStatement

        init(_ db: Database, _ table: AppTable) throws {
            self.db = db
            self.table = table
            find = try RawStatement(
                db,
                "SELECT id, \(table.selection)\(table.hasRowNumbers ? ", _rowid_" : "") FROM \(table.table) WHERE id = ?",
                isCached: true)
        }

        func row(_ key: RecordKey) throws -> Row? {
            defer { find.reset() }
            guard try goTo(key.name, isLowercase: false) || goTo(key.name, isLowercase: true) else {
                return nil
            }
            return try table.fields(find) { column, size in
                guard let cell = try table.cell(db, column.name, find) else {
                    return .blob(BlobReference(ofSize: size))
                }
                return .blob(try cell.reference())
            }
        }

        /// A cell of a row; `nil` if it is empty.
        func cell(_ key: RecordKey, _ column: String) throws -> BlobCell? {
            defer { find.reset() }
            guard let index = table.columns.firstIndex(where: { $0.name == column }),
                try goTo(key.name, isLowercase: false) || goTo(key.name, isLowercase: true),
                !find.isNull(Int32(index + 1))
            else { return nil }
            return try table.cell(db, column, find)
        }

        /// Steps to the row, whose identifier may be in upper or lower case.
        private func goTo(_ name: RecordName, isLowercase: Bool) throws -> Bool {
            find.reset()
            find.bind(1, name, isLowercase: isLowercase)
            return try find.next()
        }
    }

    private func fields(
        _ row: RawStatement, blob: (Column, Int64) throws -> FieldValue
    ) rethrows -> Row {
        var fields: Row = []
        fields.reserveCapacity(columns.count)
        var index: Int32 = 0
        for column in columns {
            index += 1
            let value =
                column.isBlob && row.storage(index) == .integer
                ? try blob(column, row.integer(index)) : Self.value(row, index)
            fields.append(RowField(key: column.name, value: value))
        }
        return fields
    }

    private static func value(_ row: RawStatement, _ index: Int32) -> FieldValue {
        switch row.storage(index) {
        case .null: .absent
        case .integer: .integer(row.integer(index))
        case .real: .number(row.number(index))
        case .text: row.text(index).map { .text($0) } ?? .absent
        case .blob: .bytes(row.bytes(index).map { Array($0) } ?? [])
        }
    }

    /// A cell of the current row of a statement `id, …, _rowid_`.
    private func cell(_ db: Database, _ column: String, _ row: RawStatement) throws -> BlobCell? {
        let number = hasRowNumbers ? row.integer(Int32(columns.count + 1)) : nil
        if let number, let stream = try BlobStream(db, table: table, column: column, row: number) {
            return .stream(stream)
        }
        guard let id = row.text(0) else { return nil }
        return try Data.fetchOne(
            try db.cachedStatement(
                sql: "SELECT CAST(\(column.quotedDatabaseIdentifier) AS BLOB) FROM \(table) WHERE id = ?"),
            arguments: [id]
        ).map { .data($0) }
    }

    /// Finds the cell of a row that contains a blob, by its digest; `nil` if the row contains another by now.
    func blob<T>(
        _ reference: BlobReference, of key: RecordKey, _ body: (String, BlobCell) throws -> T
    ) throws -> T? {
        try connection.look { db in
            let finder = try RowFinder(db, self)
            for column in columns where column.isBlob {
                guard let cell = try finder.cell(key, column.name), cell.count == Int(reference.size),
                    try cell.reference() == reference
                else { continue }
                return try body(column.name, cell)
            }
            return nil
        }
    }

    /// A cell of a row, without checking its contents.
    func cell<T>(_ column: String, of key: RecordKey, _ body: (BlobCell) throws -> T) throws -> T? {
        try connection.look { db in try RowFinder(db, self).cell(key, column).map(body) }
    }

    /// Whether the row of a commit was written.
    func isWritten(_ key: RecordKey, commit: Int64) throws -> Bool {
        try connection.look { db in
            let number = try Int64.fetchOne(db, sql: "SELECT number FROM rutter_sync_written") ?? 0
            let left = try Int64.fetchOne(
                db, sql: "SELECT number FROM rutter_sync_left WHERE name = ?", arguments: [key.name.text])
            return number >= commit && left != commit
        }
    }

    // MARK: Writing

    /// A planned row.
    struct Plan {
        let key: RecordKey
        let before: Row?
        let after: Row?
    }

    /// The log position for a commit that writes this table.
    func nextMark(commit: Int64, isDue: Bool) throws -> LogPosition? {
        try connection.read { db in try log.next(db, commit: commit, isDue: isDue) }
    }

    /// Writes rows that are unchanged, in one transaction with the number of the commit and the log position.
    /// Rows that the user changed in the meantime are left alone, and recorded until they are written.
    /// `content` returns the bytes of a blob. Returns the records whose row was written.
    func write(
        _ plans: [Plan], commit: Int64, _ next: NextLogPosition, content: (BlobReference) throws -> BlobCell?
    ) throws -> [RecordKey] {
        let written = try connection.write { db in
            var written: [RecordKey] = []
            try log.write(db, next) {
                if !plans.isEmpty { written = try write(plans, commit: commit, db, content) }
            }
            return written
        }
        log.wrote(next)
        seen = nil
        return written
    }

    private func write(
        _ plans: [Plan], commit: Int64, _ db: Database, _ content: (BlobReference) throws -> BlobCell?
    ) throws -> [RecordKey] {
        let isAsRead = try Self.state(db) == seen
        let finder = try RowFinder(db, self)
        var writer = RowWriter(db, self)
        var written: [RecordKey] = []
        let hasLeft = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM rutter_sync_left)") ?? false
        for plan in plans {
            if try isAsRead || finder.row(plan.key) == plan.before {
                try writer.write(plan, content)
                written.append(plan.key)
                if hasLeft {
                    try db.execute(
                        sql: "DELETE FROM rutter_sync_left WHERE name = ?", arguments: [plan.key.name.text])
                }
            } else {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO rutter_sync_left VALUES (?, ?)",
                    arguments: [plan.key.name.text, commit])
            }
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO rutter_sync_written VALUES (1, ?)", arguments: [commit])
        return written
    }

    /// Writes a row as the user would.
    func userWrites(_ plan: Plan, content: (BlobReference) throws -> BlobCell?) throws {
        try connection.write { db in
            guard try RowFinder(db, self).row(plan.key) == plan.before else { return }
            var writer = RowWriter(db, self)
            try writer.write(plan, content)
        }
        // SQLite does not count this connection's own writes: rows read before count as changed.
        if seen != nil { seen = -1 }
    }
}
