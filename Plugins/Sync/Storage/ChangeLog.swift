import GRDB
import TrailStores

/// The position up to which the log of a table was read: the commit that stored it, and the file's schema
/// version at that time.
struct LogPosition: Hashable, Sendable {
    let commit: Int64
    let schema: Int64
}

/// The log position stored with a commit: `nil` if unknown; and whether the last scan is complete.
struct NextLogPosition {
    let mark: LogPosition?
    let isDue: Bool
    /// What is remembered of the store; `nil` if that does not change.
    var lineage: StoreLineage?
}

/// A log in an app's own store of the rows written since the last scan, so that a scan need not read every
/// row. Triggers write it, for all programs. It is trusted only while the store confirms that this device's
/// last commit was the last to read it: not in a file restored from a copy, or in another device's file. It
/// is not trusted after a schema change, which may change rows or drop the triggers; nor in a table with a
/// further unique index, where REPLACE deletes rows without a trigger. Then all rows are read.
struct ChangeLog {
    /// The rows found by the last scan.
    private struct Scan {
        /// The last log entry before the scan.
        let last: Int64
        let schema: Int64
        /// Whether all rows were read.
        let isFull: Bool
    }

    private let table: String
    private let device: Int64
    /// The position stored in `sync.db`.
    private var mark: LogPosition?
    private var scan: Scan?

    init(table: String, device: UInt64, mark: LogPosition?) {
        self.table = table
        self.device = Int64(bitPattern: device)
        self.mark = mark
    }

    /// Whether there was a scan with a result since the last mark.
    var isDue: Bool { scan.map { $0.isFull || $0.last > 0 } ?? false }

    /// Whether the log was never interrupted since it was created. The triggers go with their table when an app replaces
    /// it.
    func isWhole(_ db: Database) throws -> Bool {
        guard try db.tableExists("rutter_sync_log") else { return try !db.tableExists(LineageTable.name) }
        let triggers = try Int.fetchOne(
            db,
            sql:
                "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? AND name IN (?, ?, ?)",
            arguments: [table, "rutter_sync_insert", "rutter_sync_delete", "rutter_sync_update"])
        let isMuted = try Bool.fetchOne(db, sql: "SELECT muted FROM rutter_sync_log") ?? false
        return triggers == 3 && !isMuted
    }

    /// Whether the file's schema is that of the last scan.
    func hasSameSchema(_ db: Database) throws -> Bool {
        guard let mark else { return false }
        return try Self.schema(db) == mark.schema
    }

    /// The records named since the last scan, in any spelling; `nil` if rows may have been written without an entry.
    func written(_ db: Database) throws -> Set<RecordName>? {
        if try hasFurtherUniqueIndex(db) { return nil }
        var names: Set<RecordName> = []
        let rows = try RawStatement(db, "SELECT name FROM rutter_sync_changed", isCached: true)
        while try rows.next() {
            if let name = rows.text(0).flatMap({ RecordName(text: $0) }) { names.insert(name) }
        }
        return names
    }

    private func hasFurtherUniqueIndex(_ db: Database) throws -> Bool {
        let unique = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM pragma_index_list(?) WHERE \"unique\" AND origin <> 'pk'",
            arguments: [table])
        return unique != 0
    }

    /// Creates the log and its triggers.
    func prepare(_ db: Database) throws {
        func trigger(_ event: String, _ names: String) -> String {
            """
            CREATE TRIGGER IF NOT EXISTS rutter_sync_\(event) AFTER \(event) ON \(table)
            WHEN NOT EXISTS (SELECT 1 FROM rutter_sync_log WHERE muted) BEGIN
                INSERT INTO rutter_sync_changed (name) \(names);
            END;
            """
        }
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS rutter_sync_changed (number INTEGER PRIMARY KEY, name TEXT);
                CREATE TABLE IF NOT EXISTS rutter_sync_log (
                    id INTEGER PRIMARY KEY CHECK (id = 1), device INTEGER, number INTEGER, muted INTEGER NOT NULL);
                \(trigger("insert", "VALUES (new.id)"))
                \(trigger("delete", "VALUES (old.id)"))
                \(trigger("update", "SELECT old.id UNION SELECT new.id"))
                INSERT OR IGNORE INTO rutter_sync_log VALUES (1, NULL, NULL, 0);
                """)
    }

    /// The records whose rows were written since the last scan; `nil` if all rows must be read. The rows are
    /// read after this call, so that concurrent writes are in the log of the next scan.
    mutating func changes(_ db: Database) throws -> [RecordName]? {
        let last = try Int64.fetchOne(db, sql: "SELECT max(number) FROM rutter_sync_changed") ?? 0
        let names = try isTrusted(db) ? self.names(db) : nil
        scan = Scan(last: last, schema: try Self.schema(db), isFull: names == nil)
        return names
    }

    private func names(_ db: Database) throws -> [RecordName]? {
        var names: Set<RecordName> = []
        let rows = try RawStatement(db, "SELECT name FROM rutter_sync_changed", isCached: true)
        while try rows.next() {
            guard let text = rows.text(0), let name = RecordName(text: text) else { continue }
            // Single rows are found by these spellings only.
            if text != name.text, text != name.lowercaseText { return nil }
            names.insert(name)
        }
        return names.sorted()
    }

    private static func schema(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
    }

    private func isTrusted(_ db: Database) throws -> Bool {
        guard let mark, try Self.schema(db) == mark.schema else { return false }
        let row = try RawStatement(
            db, "SELECT device, number FROM rutter_sync_log WHERE NOT muted", isCached: true)
        guard try row.next(), row.integer(0) == device, !row.isNull(1), row.integer(1) == mark.commit else {
            return false
        }
        return try !hasFurtherUniqueIndex(db)
    }

    /// The mark of a commit that writes the store: that of the scan if it is complete, otherwise the previous
    /// position, or `nil` if unknown.
    func next(_ db: Database, commit: Int64, isDue: Bool) throws -> LogPosition? {
        if isDue, let scan { return LogPosition(commit: commit, schema: scan.schema) }
        guard let mark, try isTrusted(db) else { return nil }
        return LogPosition(commit: commit, schema: mark.schema)
    }

    /// Writes rows without logging them, together with the mark, in a transaction. The records named in `again` are read
    /// by the next scan too.
    func write(
        _ db: Database, _ next: NextLogPosition, again: [RecordName], _ body: () throws -> Void
    ) throws {
        try db.execute(sql: "UPDATE rutter_sync_log SET muted = 1")
        try body()
        if next.isDue, let scan {
            try db.execute(
                sql: "DELETE FROM rutter_sync_changed WHERE number <= ?", arguments: [scan.last])
            for name in again {
                try db.execute(
                    sql: "INSERT INTO rutter_sync_changed (name) VALUES (?)", arguments: [name.text])
            }
        }
        try db.execute(
            sql: "UPDATE rutter_sync_log SET device = ?, number = ?, muted = 0",
            arguments: [device, next.mark?.commit])
    }

    /// Writes what is no content of a record, without logging it, in a transaction.
    func withoutLogging(_ db: Database, _ body: () throws -> Void) throws {
        try db.execute(sql: "UPDATE rutter_sync_log SET muted = 1")
        try body()
        try db.execute(sql: "UPDATE rutter_sync_log SET muted = 0")
    }

    /// Applies the mark after the transaction.
    mutating func wrote(_ next: NextLogPosition) {
        mark = next.mark
        if next.isDue { scan = nil }
    }
}
