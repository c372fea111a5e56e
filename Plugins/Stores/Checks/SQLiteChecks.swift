import GRDB
import PluginKit
import TrailStores

/// What SQLite itself can tell about a database: its own integrity check, and the foreign keys.
enum SQLiteFindings {
    /// The file contradicts itself.
    static let integrity = FindingKind(
        .error, "F-STORE-INTEGRITY", "the file contradicts itself",
        why: """
            SQLite's own integrity check found pages, indexes or cells that cannot be right, as after a crash of a \
            device, a broken copy or a full disk.
            """,
        mend: "copy the rows that can be read into a new file; the damaged one is only good for reading")
    /// A table cannot be read.
    static let unreadable = FindingKind(
        .error, "F-STORE-UNREADABLE", "rows cannot be read",
        why: "SQLite met damage while it read the table, so rows behind that place were not checked.",
        mend: "copy the rows that can be read into a new file")
    /// A foreign key leads nowhere.
    static let foreignKey = FindingKind(
        .error, "F-STORE-FOREIGNKEY", "a row refers to one that is not there",
        why: "The schema declares that a column names a row of another table, and there is no such row.",
        mend: "bring back the row that is referred to, or empty the column")
    static let all = [integrity, unreadable, foreignKey]

    /// The finding that a store cannot even be opened.
    static func unreadable(_ error: RutterError) -> Finding {
        Finding(kind: unreadable, table: nil, row: nil, id: nil, what: error.message)
    }

    /// Runs SQLite's checks.
    static func check(_ run: CheckRun) throws {
        try attempt(run) {
            let messages = try String.fetchCursor(
                run.db, sql: "PRAGMA integrity_check(\(CheckSettings.integrityMessages))")
            while let message = try messages.next() {
                try run.step("pages")
                if message == "ok" { continue }
                // What cannot be in an intact file comes as one text of several lines.
                for line in message.split(separator: "\n") where !line.hasPrefix("***") {
                    run.add(integrity, String(line))
                }
            }
        }
        try attempt(run) {
            let rows = try Row.fetchCursor(run.db, sql: "PRAGMA foreign_key_check")
            while let row = try rows.next() {
                try run.step("foreign keys")
                let table: String? = row[0]
                let parent: String? = row[2]
                run.add(
                    foreignKey, table: table, row: row[1],
                    "refers to a row of \(parent ?? "?") that is not there")
            }
        }
    }

    /// Damage that stops SQLite's check is a finding too.
    private static func attempt(_ run: CheckRun, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as DatabaseError where !error.isInterruption {
            run.add(unreadable, "the check itself cannot read on: \(error.reason)")
        }
    }
}
