import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import StoresPlugin

/// The write-ahead log as a timeline.
struct HistoryTests {
    /// Three commits in the log of a store whose writer still runs.
    private func logged(_ url: URL) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: url.path)
        try queue.writeWithoutTransaction {
            try $0.execute(
                sql: """
                    PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
                    CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, 'one'), (2, 'two');
                    PRAGMA wal_checkpoint(TRUNCATE)
                    """)
            try $0.execute(sql: "INSERT INTO t VALUES (3, 'three')")
            try $0.execute(sql: "UPDATE t SET name = 'ONE' WHERE id = 1")
            try $0.execute(sql: "DELETE FROM t WHERE id = 2")
        }
        return queue
    }

    @Test func theLogIsATimeline() async throws {
        let session = try Fixture.session()
        let writer = try logged(session.file("live.db"))
        #expect(
            await session.run("store history live.db | select commit inserted updated deleted tables") == """
                commit  inserted  updated  deleted  tables
                     1         1        0        0  t
                     2         0        1        0  t
                     3         0        0        1  t
                """)
        #expect(
            await session.run("store history live.db --commit 2 | select row change field before after")
                == """
                row  change   field  before  after
                  1  updated  name   one     ONE
                """)
        for (commit, names) in [(0, "one,two"), (1, "one,two,three"), (2, "ONE,two,three"), (3, "ONE,three")]
        {
            #expect(await session.run("store at \(commit) live.db | get name") == "live@\(commit)")
            #expect(
                await session.run(
                    "sql \"SELECT group_concat(name) AS n FROM t\" --store live@\(commit) | get n") == names)
        }
        #expect(await session.result("store at 4 live.db").failure?.code == "E-STORE-COMMIT")
        // Commits that were written back cannot be separated any more.
        try await writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }
        #expect(await session.result("store at 0 live.db").failure?.code == "E-STORE-COMMIT")
        try writer.close()
    }

    /// A REAL column has no integers, and a column that was added later has its default, as SQLite itself
    /// shows them; omitted rows are reported.
    @Test func valuesAsSQLiteShowsThem() async throws {
        let session = try Fixture.session()
        let writer = try DatabaseQueue(path: session.file("live.db").path)
        try await writer.writeWithoutTransaction {
            try $0.execute(
                sql: """
                    PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
                    CREATE TABLE t(id INTEGER PRIMARY KEY, size REAL); INSERT INTO t VALUES (1, 2), (2, 3);
                    CREATE TABLE w(a TEXT PRIMARY KEY) WITHOUT ROWID;
                    ALTER TABLE t ADD COLUMN word TEXT DEFAULT 'it''s'; ALTER TABLE t ADD COLUMN count REAL DEFAULT 7;
                    PRAGMA wal_checkpoint(TRUNCATE);
                    """)
            try $0.execute(sql: "UPDATE t SET size = 4 WHERE id = 1; INSERT INTO w VALUES ('x')")
            try $0.execute(sql: "DELETE FROM t WHERE id = 2")
        }
        func fields(_ entry: String) async throws -> [String] {
            guard let rows = try await session.value(entry).asRows else { return [] }
            return try rows.collect().map { row in
                "\(row.field("field") ?? .nothing) \(row.field("before") ?? .nothing) \(row.field("after") ?? .nothing)"
            }
        }
        func shown(_ field: String, _ before: Value, _ after: Value) -> String {
            "\(Value.text(field)) \(before) \(after)"
        }
        #expect(
            try await fields("store history live.db --commit 1") == [shown("size", .number(2), .number(4))])
        #expect(
            try await fields("store history live.db --commit 3") == [
                shown("id", .integer(2), .nothing), shown("size", .number(3), .nothing),
                shown("word", .text("it's"), .nothing), shown("count", .number(7), .nothing),
            ])
        let list = await session.run("store history live.db")
        #expect(list.contains("commit 2: rows without numbers: w"), "\(list)")
        #expect(await session.run("store history live.db --commit 2").contains("rows without numbers: w"))
        let deleted =
            try await session.value("store deleted live.db | where row == 2").asRows?.collect() ?? []
        #expect(deleted.map { "\($0.field("size") ?? .nothing)" } == ["\(Value.number(3))"])
        try writer.close()
    }
}
