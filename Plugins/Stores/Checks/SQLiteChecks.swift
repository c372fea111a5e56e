import GRDB
import PluginKit
import TrailStores

/// SQLite's own checks of a database: integrity and foreign keys.
enum SQLiteFindings {
    /// The file is internally inconsistent.
    static let integrity = FindingKind(
        .error, "F-STORE-INTEGRITY", "the file contradicts itself",
        why: """
            SQLite's integrity check found invalid pages, indexes or cells, as after a crash of a \
            device, a broken copy or a full disk.
            """,
        fix:
            "where only indexes lack rows, `store fix` rebuilds them in a copy; else recover the readable rows with `store repair`, and do not write to the damaged file"
    )
    /// A table cannot be read.
    static let unreadable = FindingKind(
        .error, "F-STORE-UNREADABLE", "rows cannot be read",
        why: "SQLite found damage while reading the table, so later rows were not checked.",
        fix: "recover the readable rows with `store repair`")
    /// A foreign key refers to a missing row.
    static let foreignKey = FindingKind(
        .error, "F-STORE-FOREIGNKEY", "a row refers to a missing row",
        why: "The schema declares a foreign key, and the row that it refers to does not exist.",
        fix: "restore the referenced row, or set the column to NULL")
    /// The store needs something that its app brings.
    static let appPart = FindingKind(
        .info, "F-STORE-APPPART", "a part of the store needs its app",
        why: """
            The schema names a collation, function, tokenizer or module that the app brings and SQLite does not have. That is no \
            damage: other rows are read, but what depends on that part can neither be checked nor written here.
            """, fix: "none needed for reading; let only the app write to the store")
    static let all = [integrity, unreadable, foreignKey, appPart]

    /// The finding that a store cannot even be opened.
    static func unreadable(_ error: RutterError) -> Finding {
        Finding(
            kind: unreadable, table: nil, row: nil, id: nil,
            what: "\(error.message); `store repair` recovers what can be read")
    }

    /// Runs SQLite's checks.
    static func check(_ run: CheckRun) throws {
        try tables(run)
        try modules(run)
        try attempt(run) {
            let rows = try Row.fetchCursor(run.db, sql: "PRAGMA foreign_key_check")
            while let row = try rows.next() {
                try run.step("foreign keys")
                let cells = TypedRow(row, of: "pragma foreign_key_check")
                let (table, parent): (String?, String?) = (
                    try cells.allow("table"), try cells.allow("parent")
                )
                run.add(
                    foreignKey, table: table, row: try cells.allow("rowid"),
                    "refers to a missing row of \(parent ?? "?")")
            }
        }
    }

    /// SQLite checks all tables, or none if one needs a part of its app: then they are checked one by one.
    private static func tables(_ run: CheckRun) throws {
        do {
            try pages(run, of: nil)
        } catch let error as DatabaseError where isAppPart(error) {
            let tables = try String.fetchAll(
                run.db,
                sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name")
            for table in tables { try attempt(run, table) { try pages(run, of: table) } }
        } catch let error as DatabaseError where !error.isInterruption {
            run.add(unreadable, "the check stopped: \(error.reason)")
        }
    }

    private static func pages(_ run: CheckRun, of table: String?) throws {
        try run.db.execute(sql: "PRAGMA cache_size = -\(CheckSettings.integrityCache)")
        // A size that could be set can be reset.
        defer { try? run.db.execute(sql: "PRAGMA cache_size = -\(StoreSettings.pageCache)") }
        let argument = table?.sqlLiteral ?? String(CheckSettings.integrityMessages)
        let messages = try String.fetchCursor(run.db, sql: "PRAGMA integrity_check(\(argument))")
        var lines: [String] = []
        do {
            while let message = try messages.next() {
                try run.step("pages")
                if message == "ok" { continue }
                // Severe damage is reported as one text of several lines.
                lines += message.split(separator: "\n").filter { !$0.hasPrefix("***") }.map(String.init)
            }
        } catch {
            // What was found counts, also if the damage ends the check itself.
            for line in lines { run.add(integrity, table: table, line) }
            throw error
        }
        let rebuild = IndexRebuild(lines, run.db)
        for line in lines { run.add(integrity, table: table, line, repair: rebuild.statement(for: line)) }
    }

    /// Virtual tables whose module is missing here.
    private static func modules(_ run: CheckRun) throws {
        try attempt(run) {
            let tables = try String.fetchAll(
                run.db,
                sql:
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%' ORDER BY name"
            )
            for table in tables {
                try attempt(run, table) {
                    _ = try run.db.makeStatement(sql: "SELECT * FROM \(table.sqlIdentifier) LIMIT 0")
                }
            }
        }
    }

    private static func isAppPart(_ error: DatabaseError) -> Bool {
        let message = error.message ?? ""
        return ["no such collation", "unknown function", "no such function", "no such module", "tokenizer"]
            .contains(
                where: message.contains)
    }

    /// Damage that stops SQLite's check is a finding too.
    private static func attempt(_ run: CheckRun, _ table: String? = nil, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as DatabaseError where isAppPart(error) {
            run.add(appPart, table: table, "\(table ?? "the schema"): \(error.message ?? error.reason)")
        } catch let error as DatabaseError where !error.isInterruption {
            run.add(unreadable, "the check stopped: \(error.reason)")
        }
    }
}
