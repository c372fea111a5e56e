import Foundation
import GRDB
import PluginKit
import TrailStores

/// Writing rows into the table of the app.
extension AppTable {
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
            try log.write(db, next, again: unreadable.keys.map(\.name).sorted()) {
                if !plans.isEmpty { written = try write(plans, commit: commit, db, content) }
                if let own = next.lineage { try LineageTable.write(db, own.mark) }
            }
            return written
        }
        log.wrote(next)
        seen = nil
        if let own = next.lineage {
            lineage = own
            present = own.mark
        }
        return written
    }

    /// What the device will remember of this store after a commit; `nil` if it must not change.
    func nextLineage(commit: Int64, isWhole: Bool) -> StoreLineage? {
        guard isExamined else { return nil }
        let columns = isWhole ? columnNames : lineage?.columns
        guard let columns else { return nil }
        return StoreLineage(
            mark: StoreMark(device: device, commit: commit), former: present, columns: columns)
    }

    func write(
        _ plans: [Plan], commit: Int64, _ db: Database, _ content: (BlobReference) throws -> BlobCell?
    ) throws -> [RecordKey] {
        let isAsRead = try Self.state(db) == seen
        let finder = try RowFinder(db, self)
        let watch = try plans.isEmpty ? nil : DeletionWatch(db, table)
        defer { try? watch?.end() }
        var writer = RowWriter(db, self, watch: watch)
        var written: [RecordKey] = []
        let hasLeft = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM rutter_sync_left)") ?? false
        func leave(_ plan: Plan) throws {
            try db.execute(
                sql: "INSERT OR REPLACE INTO rutter_sync_left VALUES (?, ?)",
                arguments: [plan.key.name.text, commit])
        }
        refused = [:]
        var waiting: [Plan] = []
        func done(_ plan: Plan) throws {
            refused[plan.key] = nil
            written.append(plan.key)
            if hasLeft {
                try db.execute(
                    sql: "DELETE FROM rutter_sync_left WHERE name = ?", arguments: [plan.key.name.text])
            }
        }
        func place(_ plan: Plan) throws {
            if let why = try Self.refusal(db, { try writer.write(plan, content) }) {
                refused[plan.key] = why
                return waiting.append(plan)
            }
            try done(plan)
        }
        for plan in plans {
            if try isAsRead || finder.row(plan.key) == plan.before {
                try place(plan)
            } else {
                try leave(plan)
            }
        }
        // A row may be refused only until another one is written, such as one that gives up a unique name. Values that
        // move on by one row are often refused in one order only.
        while !waiting.isEmpty {
            let again = waiting
            waiting = []
            for plan in again.reversed() { try place(plan) }
            if waiting.count < again.count { continue }
            let exchanged = try RowExchange(db, self, watch: watch).write(waiting, content)
            if exchanged.isEmpty { break }
            for plan in waiting where exchanged.contains(plan.key) { try done(plan) }
            waiting.removeAll { exchanged.contains($0.key) }
        }
        for plan in waiting { try leave(plan) }
        try db.execute(
            sql: "INSERT OR REPLACE INTO rutter_sync_written VALUES (1, ?)", arguments: [commit])
        return written
    }

    /// Runs a write; returns why the store refuses it, if a constraint or trigger does, or needs what only its app has. Nothing of it
    /// remains then.
    static func refusal(_ db: Database, _ write: () throws -> Void) throws -> String? {
        try db.execute(sql: "SAVEPOINT rutter_row")
        do {
            try write()
            try db.execute(sql: "RELEASE rutter_row")
            return nil
        } catch let failure as DatabaseError
            where [.SQLITE_CONSTRAINT, .SQLITE_ERROR].contains(failure.resultCode)
        {
            try db.execute(sql: "ROLLBACK TO rutter_row; RELEASE rutter_row")
            return failure.message ?? "a constraint of its table"
        }
    }

    /// Why the store would refuse a row now; `nil` if it would take it.
    func refusal(_ plan: Plan, _ content: (BlobReference) throws -> BlobCell?) throws -> String? {
        var why: String?
        try connection.write { db in
            try db.execute(sql: "SAVEPOINT rutter_trial")
            defer { try? db.execute(sql: "ROLLBACK TO rutter_trial; RELEASE rutter_trial") }
            let watch = try DeletionWatch(db, table)
            defer { try? watch?.end() }
            var writer = RowWriter(db, self, watch: watch)
            why = try Self.refusal(db) { try writer.write(plan, content) }
        }
        return why
    }

    /// Writes a row over one that cannot be read: every value of it, whatever stands there.
    func overwrite(_ key: RecordKey, _ row: Row, content: (BlobReference) throws -> BlobCell?) throws {
        let before = row.map { field in
            let other: FieldValue = field.value == .absent ? .bytes([]) : .absent
            return RowField(key: field.key, value: other)
        }
        try connection.write { db in
            _ = try findSpellings(db)
            let watch = try DeletionWatch(db, table)
            defer { try? watch?.end() }
            var writer = RowWriter(db, self, watch: watch)
            let why = try Self.refusal(db) {
                try writer.write(Plan(key: key, before: before, after: row), content)
            }
            guard let why else { return }
            throw StoreErrors.other(
                "\(key.name.text) stays as it is: \(why)",
                fix: "change the row in its app, or drop the trigger or constraint, then repeat it")
        }
        unreadable[key] = nil
    }

    /// Writes the names of records that the cloud has into rows that have none, as the app does after a sync. It is no edit. SQLite
    /// rewrites a row as a whole, so one with a very large photo or track is left as it is.
    func nameRecords(_ names: [RecordName]) throws {
        if names.isEmpty || !hasRecordColumn { return }
        let sizes = columns.filter(\.isBlob).map { "ifnull(length(\($0.name.sqlIdentifier)), 0)" }
        let size = (["0"] + sizes).joined(separator: " + ")
        try connection.write { db in
            _ = try findSpellings(db)
            let clause = try ConflictClause.refusing(db, table)
            let statement = try db.cachedStatement(
                sql: """
                    UPDATE\(clause) \(table) SET \(Self.recordColumn) = ?
                    WHERE id IN (?, ?) AND \(Self.recordColumn) IS NULL AND \(size) <= ?
                    """)
            let watch = try DeletionWatch(db, table)
            defer { try? watch?.end() }
            try log.withoutLogging(db) {
                for name in names {
                    let (text, other) = spellings(of: name)
                    // A constraint of the app's own goes before.
                    _ = try Self.refusal(db) {
                        try statement.execute(
                            arguments: [name.text, text, other, SyncSettings.largestRewrittenRow])
                        try watch?.requireNoOther(than: name)
                    }
                }
            }
        }
        // SQLite does not count this connection's own writes.
        if seen != nil { seen = -1 }
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
