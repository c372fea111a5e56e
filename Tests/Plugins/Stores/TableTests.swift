import Foundation
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// `store rows`, `store blob`, `sql --read-only` and `store list --own`: a part of a table, for browsing.
@Suite(.needs(.photos))
struct TableTests {
    private static let things = """
        CREATE TABLE things(id INTEGER PRIMARY KEY, "a.b" TEXT, kind, "it's" REAL, data BLOB);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
          INSERT INTO things SELECT i, 'thing ' || i, CASE i % 3 WHEN 0 THEN 'x' WHEN 1 THEN 5 ELSE NULL END, i / 2.0, NULL FROM n;
        UPDATE things SET data = x'FFD8FF' WHERE id = 1;
        UPDATE things SET data = x'00010203' WHERE id = 2;
        UPDATE things SET data = 'plain' WHERE id = 3;
        CREATE TABLE hidden(rowid TEXT, _rowid_ TEXT, name TEXT);
        INSERT INTO hidden VALUES ('not', 'these', 'third');
        CREATE TABLE keyed(name TEXT PRIMARY KEY, data BLOB) WITHOUT ROWID;
        INSERT INTO keyed VALUES ('one', x'01'), ('it''s' || char(10) || 'two', x'0202'), ('drei ä', x'030303');
        CREATE VIEW seen AS SELECT id, kind FROM things WHERE id < 4;
        CREATE VIEW pictured AS SELECT "a.b", kind, data FROM things WHERE id IN (1, 2) UNION ALL SELECT 'same', 1.5, x'AA'
          UNION ALL SELECT 'same', 1.5, x'BB';
        """

    private func session() throws -> TestSession {
        let session = try Fixture.session()
        try FormatFixture.database(session.file("t.db"), Self.things)
        return session
    }

    @Test func aPartIsReturnedAndSaysWhichOne() async throws {
        let session = try session()
        let rows = try #require(
            try await session.value("store rows things --store t.db --limit 20 --offset 240").asRows)
        #expect(try rows.collect().count == 10 && rows.note == "rows 241–250 of 250" && rows.cut == nil)
        // The default limit marks the rows as incomplete.
        let cut = try #require(try await session.value("store rows things --store t.db").asRows)
        #expect(try cut.collect().count == 100 && cut.cut?.missing == 150)
        #expect(
            await session.shown(
                "store rows things --store t.db --sort \"it's\" --descending --limit 2 | get row")
                == "250\n249")
        #expect(
            await session.shown(
                "store rows things --store t.db --where \"kind IS NULL -- why\" --limit 1 | get id")
                == "2")
    }

    @Test func facetsNameTheConditionThatSelectsThem() async throws {
        let session = try session()
        let rows = try #require(
            try await session.value("store rows things --store t.db --facet kind").asRows
        ).collect()
        #expect(rows.count == 3)
        for row in rows {
            guard case .text(let condition)? = row.field("where"), let count = row.field("count")?.asNumber
            else {
                Issue.record("a facet without a condition")
                continue
            }
            let found = try await session.value(
                "store rows things --store t.db --where \(Literal.text(condition)) --limit 1000 | count")
            #expect(found.asNumber == count, "\(condition)")
        }
    }

    /// Zeros decode as a track that rests at 0,0 since 2001.
    @Test func zeroBytesAreNoTrack() async throws {
        let session = try Fixture.session()
        try FormatFixture.database(
            session.file("z.db"), "CREATE TABLE t(b); INSERT INTO t VALUES (zeroblob(500))")
        #expect(await session.run("store blob t b 1 --store z.db | get holds").hasPrefix("zero bytes only"))
    }

    /// Lists find rows by their numbers: a table without any is refused with a way.
    @Test func aTableWithoutRowNumbersIsRefused() throws {
        let session = try Fixture.session()
        let columns = "id TEXT PRIMARY KEY, latitude REAL, longitude REAL, timestamp TEXT"
        try FormatFixture.database(session.file("w.db"), "CREATE TABLE waypoints(\(columns)) WITHOUT ROWID")
        let error = #expect(throws: RutterError.self) {
            _ = try WaypointStore(session.file("w.db"), access: .foreign)
        }
        #expect(error?.code == "E-STORE-SCHEMA")
        #expect(error?.fix?.hasPrefix("store rows waypoints") == true)
    }

    @Test func rowsHaveTheirNumbersWhateverTheColumnsAreCalled() async throws {
        let session = try session()
        #expect(await session.shown("store rows hidden --store t.db --row 1 | get name") == "third")
        #expect(await session.shown("store rows seen --store t.db | get id") == "1\n2\n3")
        #expect(await session.failure("store rows seen --store t.db --row 1") == "E-STORE-SCHEMA")
        #expect(await session.failure("store rows keyed --store t.db --row 1") == "E-STORE-SCHEMA")
    }

    /// Rows of views and of tables WITHOUT ROWID are selected by their values, whatever letters those have.
    @Test func rowsWithoutNumbersHaveConditions() async throws {
        let session = try session()
        for (table, all) in [("keyed", 3), ("pictured", 4)] {
            let found = try #require(
                try await session.value("store rows \(table) --store t.db --keys").asRows
            ).collect()
            #expect(found.count == all)
            for row in found {
                guard case .text(let condition)? = row.field("row"), case .text(let size)? = row.field("data")
                else {
                    Issue.record("a row without a condition")
                    continue
                }
                #expect(condition.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(condition)")
                let blob = "store blob \(table) data --where \(Literal.text(condition)) --store t.db"
                if case .text("same")? = row.field("a.b") {
                    // Two rows that the condition does not distinguish: neither is shown as the
                    // other.
                    #expect(await session.failure(blob) == "E-STORE-ROW")
                } else {
                    let bytes = try await session.value("\(blob) | get bytes").asNumber ?? 0
                    #expect(size == "blob of \(Int(bytes)) bytes", "\(condition)")
                }
            }
        }
        // Where rows have numbers, those stay.
        #expect(await session.shown("store rows things --store t.db --keys --limit 1 | get row") == "1")
    }

    @Test func aConditionSelectsAndDoesNothingElse() async throws {
        let session = try session()
        await session.run("store open t.db --write")
        for (condition, code) in [
            ("1) ; DELETE FROM things; --", "E-STORE-READONLY"), ("kind = (", "E-STORE-SQL"),
            ("id = 999", "E-STORE-ROW"), ("id IN (1, 2)", "E-STORE-ROW"), ("id = 3", "E-STORE-ROW"),
        ] {
            #expect(
                await session.failure("store blob things data --where \(Literal.text(condition))") == code,
                "\(condition)")
        }
        #expect(await session.failure("store blob things data") == "E-STORE-ROW")
        #expect(await session.failure("store blob things data 1 --where 'id = 1'") == "E-STORE-ROW")
        #expect(await session.run("store rows things | count") == "100")
    }

    @Test func whatIsWrongIsSaid() async throws {
        let session = try session()
        for (entry, code) in [
            ("store rows thing --store t.db", "E-STORE-SCHEMA"),
            ("store rows things --store t.db --sort ids", "E-STORE-SCHEMA"),
            ("store rows things --store t.db --where 'kind = ('", "E-STORE-SQL"),
            ("store rows things --store t.db --where '1) OR (1 /*'", "E-STORE-SQL"),
            ("store blob things data 3 --store t.db", "E-STORE-ROW"),
            ("store blob things data 999 --store t.db", "E-STORE-ROW"),
            ("store blob keyed data 1 --store t.db", "E-STORE-SCHEMA"),
            ("sql 'DELETE FROM things' --store t.db --read-only", "E-STORE-READONLY"),
        ] { #expect(await session.failure(entry) == code, "\(entry)") }
    }

    /// Also where the store was opened for writing.
    @Test func aQueryNeverChangesAStore() async throws {
        let session = try session()
        await session.run("store open t.db --write")
        #expect(await session.failure("sql 'DELETE FROM things' --read-only") == "E-STORE-READONLY")
        #expect(await session.run("sql 'DELETE FROM things WHERE id > 200'") == "50 rows changed in t")
        #expect(await session.run("sql 'SELECT count(*) AS n FROM things' --read-only | get n") == "200")
    }

    @Test func aBlobSaysWhatItHolds() async throws {
        let session = try session()
        // The first bytes of a JPEG alone are not a photo.
        #expect(await session.run("store blob things data 1 --store t.db | get holds") == "unknown data")
        #expect(await session.run("store blob things data 2 --store t.db | get start") == "00010203")
        #expect(
            await session.run("store blob things data 2 --store t.db --out two.bin")
                == "4 bytes written to two.bin")
        #expect(try Data(contentsOf: session.file("two.bin")) == Data([0, 1, 2, 3]))
    }
}

extension TestSession {
    /// The code of the error of an entry.
    fileprivate func failure(_ entry: String) async -> String? { await result(entry).failure?.code }
}
