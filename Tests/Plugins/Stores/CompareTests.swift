import Foundation
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import StoresPlugin

/// Byte-identical rows are skipped in a comparison without being decoded; the result is the same.
struct CompareTests {
    private static let changes = [
        "UPDATE t SET name = name || '!' WHERE _rowid_ % 17 = 3", "DELETE FROM t WHERE _rowid_ % 23 = 5",
        "INSERT INTO t SELECT id || 'x', name, size, long FROM t WHERE _rowid_ % 31 = 2",
        // The same row under another number, and two that have changed places.
        "UPDATE t SET _rowid_ = _rowid_ + 5000 WHERE _rowid_ % 19 = 4",
        "UPDATE t SET id = 'swap' || id WHERE _rowid_ IN (7, 8); UPDATE t SET id = CASE _rowid_ WHEN 7 THEN 'row 8' ELSE 'row 7' END WHERE _rowid_ IN (7, 8)",
        "UPDATE t SET size = size + 1 WHERE _rowid_ < 40",
        "UPDATE t SET long = long || 'z' WHERE long IS NOT NULL",
        "VACUUM", "DELETE FROM t", "DELETE FROM n WHERE a > 100", "UPDATE n SET b = 'c' WHERE a = 50",
        "UPDATE w SET b = 9 WHERE a = 'row 9'", "ALTER TABLE t ADD COLUMN more DEFAULT 5",
    ]

    @Test func whatIsTheSameIsLeftOut() async throws {
        let folder = try TemporaryFolder()
        let first = folder.url.appendingPathComponent("a.db")
        try FormatFixture.database(
            first,
            """
            CREATE TABLE t(id TEXT PRIMARY KEY, name TEXT, size REAL, long TEXT);
            CREATE TABLE n(a INTEGER, b TEXT); CREATE TABLE w(a TEXT PRIMARY KEY, b) WITHOUT ROWID;
            WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < 400)
            INSERT INTO t SELECT 'row ' || i, 'name ' || i, i, CASE WHEN i % 40 = 0 THEN hex(zeroblob(3000)) END FROM i;
            INSERT INTO n SELECT _rowid_, name FROM t; INSERT INTO w SELECT id, size FROM t;
            """)
        for (index, change) in Self.changes.enumerated() {
            let second = folder.url.appendingPathComponent("b\(index).db")
            try FileManager.default.copyItem(at: first, to: second)
            _ = try RutterProcess.shell("sqlite3", [second.path, change])
            for (one, other) in [(first, second), (second, first)] {
                let stores = (try StoreConnection.reading(one), try StoreConnection.reading(other))
                let quick = try await StoreComparison(stores.0, stores.1).run(progress: ProgressReporter())
                let slow = try await StoreComparison(stores.0, stores.1, readsPages: false).run(
                    progress: ProgressReporter())
                #expect("\(quick)" == "\(slow)", "\(change)")
                // Rows are matched by their keys, not by their numbers.
                let changesNothing = change == "VACUUM" || change.hasPrefix("UPDATE t SET _rowid_")
                #expect(slow.isNone == changesNothing, "\(change)")
            }
        }
    }

    /// Rows in invalid pages are not reported as identical.
    @Test func damagedPages() async throws {
        let folder = try TemporaryFolder()
        let first = folder.url.appendingPathComponent("a.db")
        try FormatFixture.database(
            first,
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT);
            WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < 2000)
            INSERT INTO t SELECT i, 'name ' || i FROM i;
            """)
        let bytes = try Data(contentsOf: first)
        var random = Xoshiro256(seed: 5)
        for round in 0..<60 {
            var damaged = bytes
            let page = Int.random(in: 1..<bytes.count / 4096, using: &random) * 4096
            damaged[page + Int.random(in: 0..<12, using: &random)] = UInt8.random(in: 0...255, using: &random)
            let second = folder.url.appendingPathComponent("b\(round).db")
            try damaged.write(to: second)
            func difference(_ readsPages: Bool) async -> String {
                do {
                    let stores = (try StoreConnection.reading(first), try StoreConnection.reading(second))
                    let found = try await StoreComparison(stores.0, stores.1, readsPages: readsPages).run(
                        progress: ProgressReporter())
                    return "\(found)"
                } catch { return "\((error as? RutterError)?.code ?? "\(error)")" }
            }
            let (quick, slow) = (await difference(true), await difference(false))
            #expect(quick == slow, "round \(round)")
        }
    }
}
