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
        // What was written back is not known one by one any more.
        try await writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }
        #expect(await session.result("store at 0 live.db").failure?.code == "E-STORE-COMMIT")
        try writer.close()
    }
}
