import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import StoresPlugin

/// `sql`: results, rejected statements, cancellation.
@Suite(.needs(.photos))
struct SQLTests {
    private func session() async throws -> TestSession {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("w.db"))
        await session.run("store open w.db")
        return session
    }

    @Test func valuesOfEveryType() async throws {
        let session = try await session()
        #expect(
            await session.run(
                "sql \"SELECT 1 AS i, 1.5 AS r, 'Zürich' AS t, x'00ff' AS b, NULL AS n, 1 AS i\"") == """
                    i    r  t       b                n  i_2
                    1  1.5  Zürich  blob of 2 bytes       1
                    """)
        #expect(await session.run("sql 'SELECT label FROM waypoints WHERE 0'") == "label\n(no rows)")
        #expect(await session.run("sql 'SELECT max(latitude) AS m FROM waypoints' | get m") == "46.7")
    }

    @Test func numbersThatSQLTakesForEqualAreSaid() async throws {
        let session = try await session()
        let value = try await session.value("[{id: 11111111112222222222} {id: 11111111112222222223}]")
        let rows = try #require(value.asRows)
        let tables = try ValueTables([("it", rows)], for: "SELECT count(DISTINCT id) FROM it", zone: .gmt)
        let note = try #require(tables.notes.first)
        #expect(note.contains("`id` has 11111111112222222222 and 11111111112222222223"), "\(note)")
    }

    /// Rows of the pipe are compared as they are in the language, and what is selected unchanged comes back.
    @Test(
        arguments: [
            (
                "[{v: 0.1234567890123456789} {v: 0.5} {v: 3.25}] | sql 'SELECT count(*) n FROM it WHERE v > 1' | get n",
                "1"
            ),
            (
                "[{v: 0.1234567890123456789} {v: 0.5}] | sql 'SELECT v FROM it ORDER BY v LIMIT 1' | get v",
                "0.1234567890123456789"
            ),
            (
                "[{a: 12345678901234567890} {a: 9223372036854775807}] | sql 'SELECT a FROM it ORDER BY a DESC LIMIT 1' | get a",
                "12345678901234567890"
            ),
            (
                "[{t: 2026-01-01T10:00:00.123456Z} {t: 2026-01-01T10:00:00.123457Z}] | sql 'SELECT t, count(*) n FROM it GROUP BY t' | get t",
                "2026-01-01T10:00:00.123456Z\n2026-01-01T10:00:00.123457Z"
            ),
            (
                "[{t: 2026-01-01} {t: 2026-07-01}] | sql \"SELECT strftime('%Y', t) y, count(*) n FROM it GROUP BY y\" | get n",
                "2"
            ),
            (
                "[{t: 2026-01-01} {t: 2026-07-01}] | sql 'SELECT t FROM it ORDER BY t DESC LIMIT 1' | get t",
                "2026-07-01"
            ),
        ])
    func rowsKeepTheirValues(_ entry: String, _ shown: String) async throws {
        let session = try Fixture.session()
        await session.run("set timezone Europe/Rome")
        let result = await session.run(entry)
        #expect(result.replacing("+01:00", with: "Z").replacing("T11:", with: "T10:") == shown, "\(entry)")
    }

    /// SQL has no units: 1 km and 2 s would be 1002.
    @Test func aColumnOfTwoDimensionsIsRefused() async throws {
        let session = try Fixture.session()
        #expect(
            await session.result("[{a: 1km} {a: 2s}] | sql 'SELECT sum(a) s FROM it'").failure?.code
                == "E-INPUT-KIND")
        #expect(
            await session.result("[{a: 1km} {a: 3}] | sql 'SELECT sum(a) s FROM it'").failure?.code
                == "E-INPUT-KIND")
    }

    /// Columns that a statement cannot read need not have one kind; all others are there, however they are named.
    @Test(arguments: [
        ("SELECT sum(a) FROM it", "3"), ("SELECT count(*) FROM it", "2"), ("SELECT count( * ) FROM it", "2"),
        ("SELECT sum(\"A\") FROM it", "3"), ("SELECT sum(a * 2) FROM it", "6"),
        ("SELECT sum(x.a) FROM it x NATURAL JOIN (SELECT 1 AS a)", nil), ("SELECT * FROM it", nil),
        ("SELECT DISTINCT * FROM it", nil), ("SELECT 1, * FROM it", nil), ("SELECT x.* FROM it x", nil),
        ("SELECT count(*) FROM (SELECT * FROM it)", nil), ("SELECT a FROM it ORDER BY B", nil),
    ])
    func columnsThatAreNotReadAreNotFilled(statement: String, shown: String?) async throws {
        let session = try Fixture.session()
        let entry = "[{a: 1 b: 1km c: 46.5,7.9} {a: 2 b: 2s c: 46.6,7.9}] | sql '\(statement)'"
        guard let shown else {
            #expect(await session.result(entry).failure?.code == "E-INPUT-KIND")
            return
        }
        #expect(await session.run("\(entry) | to csv").hasSuffix("\n\(shown)"))
    }

    /// Where it is not sure which columns are read, all are: one that is not filled would be empty.
    @Test(arguments: [
        "SELECT -- all of it\n* FROM it", "SELECT /* all */ * FROM it", "DELETE FROM it RETURNING *",
    ])
    func doubtfulStatementsReadAll(statement: String) {
        #expect(StatementColumns(statement).reads("other", of: 2))
        #expect(StatementColumns("SELECT a FROM it").reads("b\"c", of: 2))
        #expect(!StatementColumns("SELECT a FROM it").reads("other", of: 2))
    }

    @Test func partsOfCoordinatesAndSingleColumnsAreFilled() async throws {
        let session = try Fixture.session()
        let points = "[{a: 1 c: 46.5,7.9} {a: 2 c: 46.6,7.9}]"
        #expect(await session.run("\(points) | sql 'SELECT max(c_latitude) m FROM it' | get m") == "46.6")
        #expect(await session.run("[{v: 2}] | sql 'SELECT 2 IN it AS found' | get found") == "1")
    }

    @Test func parametersComeFromTheRecordInThePipe() async throws {
        let session = try await session()
        let line = "sql 'SELECT label FROM waypoints WHERE label = :label' | first 1 | get label"
        #expect(await session.run("'{\"label\": \"Pass\"}' | from json | \(line)") == "Pass")
        #expect(await session.result(line).failure?.code == "E-SQL-STATEMENT")
        #expect(await session.result("[1 2] | \(line)").failure?.code == "E-INPUT-KIND")
    }

    /// Expected values by the haversine formula on a sphere of 6,372,797.6 m: a tenth of a degree along a meridian.
    @Test func distancesAndBearings() async throws {
        let session = try await session()
        let metres = await session.run("sql 'SELECT distance_m(46.5, 7.9, 46.6, 7.9) AS d' | get d")
        let metre = try #require(Double(metres))
        #expect(abs(metre - 6_372_797.6 * .pi / 1800) < 1e-6)
        #expect(await session.run("sql 'SELECT bearing_deg(0, 0, 0, 1) AS b' | get b") == "90")
        #expect(await session.run("sql 'SELECT distance_m(95, 0, 0, 0) IS NULL AS b' | get b") == "1")
        #expect(await session.run("sql \"SELECT distance_m('x', 0, 0, NULL) IS NULL AS b\" | get b") == "1")
        #expect(await session.result("sql 'SELECT distance_m(1, 2)'").failure?.code == "E-STORE-SQL")
    }

    @Test func chanceAndTimeAreTheSessions() async throws {
        let line = "sql 'SELECT random() AS r, CURRENT_TIMESTAMP AS t' --store :memory:"
        let first = try await Fixture.session().run(line)
        #expect(try await Fixture.session().run(line) == first)
        #expect(first.contains("2026-02-06 08:00:00"))
    }

    static let writing = [
        "DELETE FROM waypoints", "UPDATE waypoints SET label = 'x'",
        "INSERT INTO waypoints (id) VALUES ('x')",
        "DROP TABLE waypoints", "CREATE TABLE t (a)", "CREATE TEMP TABLE t (a)", "VACUUM",
        "VACUUM INTO 'x.db'",
        "REINDEX", "ANALYZE", "ALTER TABLE waypoints RENAME TO w", "CREATE VIRTUAL TABLE f USING fts5(a)",
        "WITH c AS (SELECT 1) INSERT INTO waypoints (id) SELECT * FROM c",
        "DELETE FROM waypoints RETURNING id",
        "CREATE TRIGGER g AFTER INSERT ON waypoints BEGIN SELECT 1; END", "DROP INDEX idx_waypoints_hike",
        "CREATE INDEX i ON waypoints(label)", "CREATE VIEW v AS SELECT 1", "CREATE TEMP VIEW v AS SELECT 1",
        "REPLACE INTO waypoints (id) VALUES ('x')",
        // A statement that is only explained writes nothing: here it is SQLite's authorizer alone that refuses.
        "EXPLAIN DELETE FROM waypoints", "EXPLAIN QUERY PLAN UPDATE waypoints SET label = 'x'",
        "EXPLAIN INSERT INTO waypoints (id) VALUES ('x')",
    ]

    static let refused = [
        "ATTACH 'other.db' AS o", "DETACH main", "BEGIN", "COMMIT", "SAVEPOINT s", "PRAGMA user_version = 7",
        "PRAGMA journal_mode = WAL", "PRAGMA wal_checkpoint", "PRAGMA query_only = 0",
        "PRAGMA writable_schema = 1",
        "SELECT load_extension('x.so')", "PRAGMA incremental_vacuum(1)", "PRAGMA optimize",
        "PRAGMA shrink_memory",
    ]

    @Test(arguments: writing)
    func readingStoresCannotBeChanged(_ statement: String) async throws {
        let session = try await session()
        let before = try FolderState(session.folder.url)
        #expect(
            await session.result("sql \"\(statement)\"").failure?.code == "E-STORE-READONLY", "\(statement)")
        #expect(try FolderState(session.folder.url) == before)
    }

    @Test(arguments: refused, [false, true])
    func someStatementsAreNeverAllowed(_ statement: String, isWritable: Bool) async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("w.db"))
        await session.run("store open w.db\(isWritable ? " --write" : "")")
        let before = try FolderState(session.folder.url)
        let code = await session.result("sql \"\(statement)\"").failure?.code
        #expect(code == "E-SQL-REFUSED", "\(statement)")
        #expect(try FolderState(session.folder.url) == before)
    }

    @Test(arguments: [
        "SELECT value FROM json_each('[1]')", "SELECT count(*) FROM dbstat",
        "PRAGMA table_info(waypoints)", "PRAGMA integrity_check", "PRAGMA page_count",
        "SELECT name FROM pragma_table_info('waypoints')", "EXPLAIN QUERY PLAN SELECT * FROM waypoints",
        "SELECT label FROM waypoints;  -- the end", "VALUES (1), (2)",
    ])
    func whatOnlyTellsIsAllowed(_ statement: String) async throws {
        let result = try await session().result("sql \"\(statement)\"")
        #expect(result.failure == nil, "\(result.text)")
    }

    /// The statements by which the developers of the app look into a store: times are those that SQLite's own functions read.
    @Test func theAppsOwnQueriesRun() async throws {
        let session = try await session()
        let rows = await session.run(
            "sql 'SELECT id, label, category, datetime(timestamp) AS t FROM waypoints' | get t")
        let times = rows.split(separator: "\n")
        #expect(!times.isEmpty)
        #expect(times.allSatisfy { $0.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/) != nil }, "\(rows)")
        #expect(await session.result("sql 'SELECT length(photo_data) FROM waypoints'").failure == nil)
    }

    @Test func nobodyUpdatesTheSchema() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("w.db"))
        for way in ["", " --write"] {
            await session.run("store open w.db\(way)")
            for statement in ["UPDATE sqlite_master SET sql = ''", "DELETE FROM sqlite_schema"] {
                #expect(await session.result("sql \"\(statement)\"").failure != nil, "\(statement)")
            }
            await session.run("store close w")
        }
        #expect(await session.run("store show w.db --schema | count") == "14")
    }

    @Test func virtualTablesCanBeRead() async throws {
        let session = try Fixture.session()
        try Fixture.change(
            session.file("f.db"), "CREATE VIRTUAL TABLE f USING fts5(a); INSERT INTO f VALUES ('stone hut')")
        #expect(
            await session.run("sql \"SELECT a FROM f WHERE f MATCH 'hut'\" --store f.db | get a")
                == "stone hut")
        try Fixture.change(
            session.file("f.db"),
            """
            CREATE VIRTUAL TABLE r USING rtree(id, a, b); INSERT INTO r VALUES (1, 2, 3);
            CREATE VIRTUAL TABLE g USING fts4(a); INSERT INTO g VALUES ('stone hut'), ('spring')
            """)
        #expect(
            await session.run("sql 'SELECT count(*) AS n FROM r WHERE a < 3' --store f.db | get n") == "1")
        #expect(
            await session.run("sql \"SELECT a FROM g WHERE g MATCH 'spr*'\" --store f.db | get a") == "spring"
        )
        for statement in [
            "INSERT INTO f VALUES ('x')", "DELETE FROM r", "INSERT INTO f(f) VALUES ('optimize')",
            "DELETE FROM r_node", "UPDATE g_content SET c0a = 'x'", "DROP TABLE f",
        ] {
            #expect(
                await session.result("sql \"\(statement)\" --store f.db").failure?.code == "E-STORE-READONLY",
                "\(statement)")
        }
    }

    @Test func mistakesAreExplained() async throws {
        let session = try await session()
        #expect(await session.run("sql 'SELECT lable FROM waypoints'").contains("did you mean `label`?"))
        #expect(await session.run("sql 'SELECT 1 FROM waypoint'").contains("did you mean `waypoints`?"))
        #expect(await session.result("sql 'SELECT 1; SELECT 2'").failure?.code == "E-SQL-STATEMENT")
        #expect(await session.result("sql ' -- nothing'").failure?.code == "E-SQL-STATEMENT")
        #expect(await session.result("sql 'SELEC 1'").failure?.code == "E-STORE-SQL")
        #expect(await session.result("sql 'SELECT 1' --store nowhere.db").failure?.code == "E-STORE-UNKNOWN")
    }

    @Test func resultsAreLimited() async throws {
        let session = try await session()
        #expect(await session.result("sql 'SELECT zeroblob(1000000000)'").failure?.code == "E-STORE-SQL")
        let endless =
            "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT printf('%100000d', x) FROM c"
        #expect(await session.result("sql \"\(endless)\"").failure?.code == "E-SQL-TOOMUCH")
    }

    // MARK: Stopping

    static let endless = [
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c WHERE x < 0",
        "UPDATE waypoints SET label = (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT sum(x) FROM c)",
    ]

    @Test(.timeLimit(.minutes(10)), arguments: endless)
    func longStatementsStop(_ statement: String) async throws {
        let stop = CancelAtProgress()
        let session = try Fixture.session(progress: stop.reporter)
        try Fixture.waypoints(at: session.file("w.db"))
        await session.run("store open w.db --write")
        for _ in 0..<2 {
            let (result, isReached) = await stop.run(stoppingAt: "running the statement") {
                await session.result("sql \"\(statement)\"")
            }
            #expect(isReached)
            #expect(result.failure?.code == "E-INTERRUPTED")
        }
        #expect(
            await session.run("sql \"SELECT group_concat(label) AS l FROM waypoints\" | get l")
                == "Hut,Spring,Pass")
    }
}
