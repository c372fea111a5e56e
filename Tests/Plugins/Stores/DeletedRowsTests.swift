import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import StoresPlugin

/// Deleted rows, compared with the earlier content of the store.
struct DeletedRowsTests {
    /// How rows are deleted.
    enum Way: String, CaseIterable {
        case scattered, neighbours, all, dropped, inTheLog
    }

    private struct Case {
        let before: Set<[StoredCell]>
        let after: Set<[StoredCell]>
        let found: DeletedRows
    }

    /// Rows like an app's: an identifier, numbers, short and long text, times, a picture that needs pages of its own.
    private static func fill(_ db: Database, _ random: inout Xoshiro256) throws {
        try db.execute(
            sql: """
                CREATE TABLE waypoints(id TEXT PRIMARY KEY NOT NULL, latitude REAL NOT NULL, longitude REAL NOT NULL,
                  timestamp TEXT NOT NULL, label TEXT NOT NULL DEFAULT '', count INTEGER, photo BLOB);
                CREATE TABLE visits(id INTEGER PRIMARY KEY, place TEXT NOT NULL, day INTEGER NOT NULL, note TEXT);
                CREATE TABLE other(a INTEGER, b TEXT)
                """)
        for number in 0..<600 {
            let text = String(repeating: "abc ", count: Int.random(in: 0...20, using: &random))
            let photo =
                number % 40 == 0
                ? Data((0..<6000).map { _ in UInt8.random(in: 0...255, using: &random) }) : nil
            try db.execute(
                sql: "INSERT INTO waypoints VALUES (?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    "5EED-\(number)-\(UInt64.random(in: 0 ... .max, using: &random))",
                    Double.random(in: -90...90, using: &random),
                    Double.random(in: -180...180, using: &random),
                    "2026-02-05T08:\(10 + number % 50):00.000Z", "Label \(number) \(text)",
                    number % 3 == 0 ? nil : number * 7, photo,
                ])
            try db.execute(
                sql: "INSERT INTO visits(place, day, note) VALUES (?, ?, ?)",
                arguments: ["place \(number)", 20_000 + number, number % 2 == 0 ? nil : "note \(text)"])
            try db.execute(sql: "INSERT INTO other VALUES (?, ?)", arguments: [number, "row \(number)"])
        }
    }

    /// A store that is written and closed.
    private static func write(
        _ url: URL, secureDelete: Bool = false, _ body: (Database) throws -> Void
    ) throws {
        let queue = try DatabaseQueue(path: url.path)
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA secure_delete = \(secureDelete ? "ON" : "OFF")")
            try body($0)
        }
        try queue.close()
    }

    private static func rows(_ db: Database, _ table: String) throws -> [[StoredCell]] {
        try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { row in
            row.databaseValues.map { value in
                switch value.storage {
                case .null: .null
                case .int64(let number): .integer(number)
                case .double(let number): .real(number)
                case .string(let text): .text(Array(text.utf8))
                case .blob(let data): .blob(Array(data))
                }
            }
        }
    }

    private func made(_ way: Way, seed: UInt64, table: String, in session: TestSession) throws -> Case {
        var random = Xoshiro256(seed: seed)
        let url = session.file("\(way.rawValue)-\(seed).db")
        let queue = try DatabaseQueue(path: url.path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA secure_delete = OFF")
            if way == .inTheLog {
                try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
            }
        }
        try queue.write { try Self.fill($0, &random) }
        let before = try queue.read { try Self.rows($0, table) }
        if way == .inTheLog {
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        try queue.write { db in
            switch way {
            case .scattered, .inTheLog:
                // A row in six, each by a statement of its own, in no order.
                for row in (1...600).shuffled(using: &random).prefix(100) {
                    try db.execute(sql: "DELETE FROM \(table) WHERE rowid = ?", arguments: [row])
                }
            case .neighbours: try db.execute(sql: "DELETE FROM \(table) WHERE rowid BETWEEN 200 AND 320")
            case .all: try db.execute(sql: "DELETE FROM \(table)")
            case .dropped: try db.execute(sql: "DROP TABLE \(table)")
            }
        }
        let after = way == .dropped ? [] : try queue.read { try Self.rows($0, table) }
        if way != .inTheLog { try queue.close() }
        let found = try #require(try DeletedRows.search(url, check: {}))
        return Case(before: Set(before), after: Set(after), found: found)
    }

    /// In total nine of ten rows are found, and every found row existed.
    @Test(arguments: ["waypoints", "visits"])
    func nineOfTenAreFound(_ table: String) throws {
        let session = try Fixture.session()
        var (deleted, recovered) = (0, 0)
        // Of `visits` the number is the identifier, which is lost with the first bytes of a cell.
        let key = table == "visits" ? 1 : 0
        for way in Way.allCases {
            let made = try made(way, seed: 1, table: table, in: session)
            let truth = Set(made.before.subtracting(made.after).map { Array($0.dropFirst(key)) })
            let rows = made.found.rows.filter { $0.table == table && $0.confidence != .low }
            let invented = rows.filter { !truth.contains(Array($0.cells.dropFirst(key))) }.map {
                "\($0.location): \($0.cells.map(\.shown))"
            }
            #expect(invented == [], "\(way)")
            let misnumbered = rows.count {
                key == 1 && $0.number != nil && $0.cells[0] != .integer($0.number ?? 0)
            }
            #expect(misnumbered == 0, "\(way)")
            // Nothing was deleted from the others.
            let others = made.found.rows.count { $0.table != table && $0.confidence != .low }
            #expect(others == 0, "\(way)")
            let found = truth.intersection(rows.map { Array($0.cells.dropFirst(key)) }).count
            deleted += truth.count
            recovered += found
        }
        #expect(Double(recovered) >= 0.9 * Double(deleted), "\(recovered) of \(deleted)")
    }

    @Test func nothingIsInvented() throws {
        let session = try Fixture.session()
        let url = session.file("sound.db")
        try Self.write(url) { db in
            var random = Xoshiro256(seed: 9)
            try Self.fill(db, &random)
        }
        #expect(try #require(try DeletedRows.search(url, check: {})).rows.isEmpty)
    }

    /// SQLite's own tables have the same shapes as those of others, and their rows are not deleted.
    @Test func tablesThatSQLiteKeepsAreInUse() async throws {
        let session = try Fixture.session()
        try Self.write(session.file("kept.db")) { db in
            try db.execute(
                sql: """
                    CREATE TABLE a(id INTEGER PRIMARY KEY AUTOINCREMENT, b TEXT); CREATE TABLE pairs(name TEXT, number INTEGER);
                    INSERT INTO a(b) VALUES ('one'), ('two'); CREATE INDEX ab ON a(b); ANALYZE
                    """)
        }
        #expect(await session.run("store deleted kept.db | count") == "0")
    }

    /// The text of a table is untrusted: anything after its CREATE statement, or instead of it, is not run.
    @Test(arguments: ["DROP TABLE t", "no more"])
    func statementsBehindATableAreNotRun(_ first: String) async throws {
        let session = try Fixture.session()
        let made = session.file("made.db")
        try Self.write(session.file("hostile.db")) { db in
            try db.execute(sql: "CREATE TABLE t(a TEXT, b TEXT); INSERT INTO t VALUES ('x', 'y')")
            let create = "CREATE TABLE t(a TEXT, b TEXT); ATTACH '\(made.path)' AS m; CREATE TABLE m.z(q)"
            try db.execute(sql: "PRAGMA writable_schema = ON")
            try db.execute(sql: "UPDATE sqlite_master SET sql = ? WHERE name = 't'", arguments: [create])
            try db.execute(sql: "PRAGMA writable_schema = RESET")
            if first == "DROP TABLE t" { try db.execute(sql: first) }
        }
        for entry in ["store deleted hostile.db", "store repair hostile.db --out out.db"] {
            await session.run(entry)
            #expect(!FileManager.default.fileExists(atPath: made.path), "\(entry)")
        }
    }

    @Test func secureDeleteLeavesNothing() async throws {
        let session = try Fixture.session()
        try Self.write(session.file("wiped.db"), secureDelete: true) { db in
            var random = Xoshiro256(seed: 9)
            try Self.fill(db, &random)
            try db.execute(sql: "DELETE FROM waypoints WHERE rowid % 5 = 0")
        }
        #expect(await session.run("store deleted wiped.db | count") == "0")
    }

    @Test func aRowHasItsColumnsAndTheCommandItsErrors() async throws {
        let session = try Fixture.session()
        try Self.write(session.file("small.db")) { db in
            try db.execute(
                sql: """
                    CREATE TABLE huts(name TEXT PRIMARY KEY NOT NULL, beds INTEGER, valley TEXT);
                    INSERT INTO huts VALUES ('Illa', 50, 'Madriu'), ('Sorteny', 46, 'Ordino'), ('Perafita', 6, NULL);
                    UPDATE huts SET valley = 'Perafita' WHERE beds = 6; DELETE FROM huts WHERE name = 'Sorteny'
                    """)
        }
        #expect(
            await session.shown(
                "store deleted small.db | where remark == nothing | select table name beds valley") == """
                    table  name     beds  valley
                    huts   Sorteny    46  Ordino
                    """)
        #expect(await session.run("store deleted small.db --table nosuch | count") == "0")
        #expect(await session.result("store deleted").failure?.code == "E-STORE-NONE")
        #expect(await session.result("store deleted nosuch.db").failure?.code == "E-STORE-UNKNOWN")
    }
}
