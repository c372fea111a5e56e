import GRDB
import TrailStores

/// Watches which rows a trigger of the app's deletes while a sync writes another one, such as one that keeps only the newest.
/// A row that nobody deleted must not look deleted later: the write that causes it is refused.
struct DeletionWatch {
    private let db: Database
    private let table: String

    /// Watches a table until `end`; `nil` if it has no triggers but those of the log, and so deletes nothing by itself.
    init?(_ db: Database, _ table: String) throws {
        let foreign = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE
                AND name NOT LIKE 'rutter\\_sync\\_%' ESCAPE '\\')
                """, arguments: [table])
        guard foreign == true else { return nil }
        self.db = db
        self.table = table
        try db.execute(
            sql: """
                CREATE TEMP TABLE IF NOT EXISTS rutter_sync_gone (name TEXT);
                DELETE FROM temp.rutter_sync_gone;
                CREATE TEMP TRIGGER IF NOT EXISTS rutter_sync_watch AFTER DELETE ON main.\(table) BEGIN
                    INSERT INTO rutter_sync_gone VALUES (old.id);
                END
                """)
    }

    /// Throws if another row than that of a record was deleted since the last call.
    func requireNoOther(than name: RecordName) throws {
        let gone = try RawStatement(db, "SELECT name FROM temp.rutter_sync_gone")
        var isAny = false
        while try gone.next() {
            isAny = true
            if gone.text(0).flatMap({ RecordName(text: $0) }) == name { continue }
            throw DatabaseError(
                resultCode: .SQLITE_CONSTRAINT, message: "a trigger of \(table) would delete other rows")
        }
        if isAny { try db.execute(sql: "DELETE FROM temp.rutter_sync_gone") }
    }

    /// Ends the watch.
    func end() throws {
        try db.execute(sql: "DROP TRIGGER temp.rutter_sync_watch; DROP TABLE temp.rutter_sync_gone")
    }
}
