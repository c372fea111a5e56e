import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import StoresPlugin

/// Comparing, copying, import and export, and bundles.
@Suite(.needs(.photos))
struct ExchangeTests {
    /// One row with every kind of cell.
    private static let everything = """
        CREATE TABLE t(k INTEGER PRIMARY KEY, v);
        INSERT INTO t(v) VALUES (NULL), (''), (x''), (0), (-9223372036854775808), (1.0), (0.1), (-0.0), (9e999), (-9e999),
          (5e-324), ('text'), ('inf'), ('12'), ('x''00'''), ('a,"b"' || char(10, 13) || 'c'), ('NULL'), (x'00FF'),
          (CAST(x'FF41' AS TEXT)), (char(0x1F600)), ('tab' || char(9)), (1e16), ('007'), (CAST(x'4100' AS TEXT));
        """

    private func cells(_ url: URL) throws -> [String] {
        let queue = try DatabaseQueue(path: url.path)
        return try queue.read {
            try String.fetchAll(
                $0, sql: "SELECT k || ' ' || typeof(v) || ' ' || coalesce(hex(v), '') FROM t ORDER BY k")
        }
    }

    @Test(arguments: ["csv", "json"])
    func roundTripsLoseNothing(_ format: String) async throws {
        let session = try Fixture.session()
        try FormatFixture.database(session.file("a.db"), Self.everything)
        let before = try cells(session.file("a.db"))
        #expect(
            await session.run("store export \(format) x.txt --store a.db") == "24 rows of t written to x.txt")
        #expect(
            await session.result("store export \(format) x.txt --store a.db").failure?.code == "E-FILE-EXISTS"
        )
        await session.run("store open a.db --write; sql 'DELETE FROM t'")
        #expect(await session.run("store import \(format) x.txt") == "24 rows imported into a")
        await session.run("store close a")
        #expect(try cells(session.file("a.db")) == before)
    }

    @Test func importsHappenWhollyOrNotAtAll() async throws {
        let session = try Fixture.session()
        try FormatFixture.database(
            session.file("a.db"), "CREATE TABLE t(k INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (2, 'old')")
        await session.run("store open a.db --write")
        try Data("k,v\n1,one\n2,two\n".utf8).write(to: session.file("x.csv"))
        #expect(await session.result("store import csv x.csv").failure?.code == "E-IMPORT-ROWS")
        #expect(await session.run("sql 'SELECT count(*) AS n FROM t' | get n") == "1")
        #expect(await session.run("store import csv x.csv --force") == "2 rows imported into a")
        #expect(await session.run("sql 'SELECT v FROM t' | get v") == "one\ntwo")
        for (text, code) in [
            ("k,w\n1,2\n", "E-IMPORT-ROWS"), ("k,v\n1\n", "E-IMPORT-TEXT"), ("k,v\n1,\"a", "E-IMPORT-TEXT"),
            ("", "E-IMPORT-TEXT"), ("k,v,V\n1,a,b\n", "E-IMPORT-TEXT"),
        ] {
            try Data(text.utf8).write(to: session.file("y.csv"))
            #expect(await session.result("store import csv y.csv").failure?.code == code, "\(text)")
        }
        for text in ["[1]", "{\"t\": 1}", "[", "{\"nosuch\": [{}]}"] {
            try Data(text.utf8).write(to: session.file("y.json"))
            #expect(await session.result("store import json y.json").failure != nil, "\(text)")
        }
        await session.run("store close a; store open a.db")
        #expect(await session.result("store import csv x.csv").failure?.code == "E-STORE-READONLY")
    }

    /// Files of other programs: another encoding or separator is said with a way; names in capitals are the same.
    @Test func filesOfSpreadsheets() async throws {
        let session = try Fixture.session()
        try FormatFixture.database(session.file("a.db"), "CREATE TABLE t(id INTEGER PRIMARY KEY, v)")
        await session.run("store open a.db --write")
        var latinBytes = Data("id,v\n2,Gr".utf8)
        latinBytes += Data([0xF6, 0xDF, 0x65, 0x0A])
        try latinBytes.write(to: session.file("latin.csv"))
        let latin = await session.result("store import csv latin.csv").failure
        #expect(latin?.code == "E-IMPORT-TEXT")
        #expect(latin?.message.contains("line 2") == true)
        try Data("id;v\n2;1,5\n".utf8).write(to: session.file("semi.csv"))
        let semicolons = await session.result("store import csv semi.csv").failure
        #expect(semicolons?.fix?.contains("`;`") == true)
        try Data("ID,V\n2,x\n".utf8).write(to: session.file("capitals.csv"))
        #expect(await session.run("store import csv capitals.csv") == "1 row imported into a")
    }

    @Test func differencesFieldByField() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("a.db"))
        #expect(await session.run("store copy a.db b.db").hasPrefix("copied a.db to b.db"))
        #expect(await session.result("store copy a.db b.db").failure?.code == "E-FILE-EXISTS")
        try Fixture.change(
            session.file("b.db"),
            """
            UPDATE waypoints SET id = lower(id);
            UPDATE waypoints SET label = 'Cabin', modified_at = NULL WHERE label = 'Hut';
            DELETE FROM waypoints WHERE label = 'Pass';
            INSERT INTO waypoints(id, latitude, longitude, timestamp) VALUES ('B0000000-0000-4000-8000-000000000001', 1, 2, '')
            """)
        let all = await session.shown(
            "store diff a.db b.db | where field != id | select change field first second")
        #expect(
            all == """
                change       field        first                     second
                different    label        Hut                       Cabin
                different    modified_at  2026-02-06T08:15:30.123Z
                only first
                only second
                """, "\(all)")
        #expect(
            await session.run("store diff a.db b.db --ignore-sync | where field == modified_at | count")
                == "0")
        let text = await session.run("store diff a.db b.db --markdown")
        #expect(
            text.contains("- waypoints: 1 only in a.db, 1 only in b.db, 2 different, 0 the same"), "\(text)")
        #expect(await session.result("store diff a.db b.db --table zoo").failure?.code == "E-STORE-SCHEMA")
    }

    /// A table that only one store has is a difference, not damage.
    @Test func aTableOfOneStoreOnly() async throws {
        let session = try Fixture.session()
        let both = "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2);"
        try FormatFixture.database(session.file("a.db"), both + "CREATE TABLE u(a); INSERT INTO u VALUES (3)")
        try FormatFixture.database(session.file("b.db"), both)
        for (line, place) in [("a.db b.db", "b.db"), ("b.db a.db", "b.db")] {
            let text = await session.run("store diff \(line)")
            #expect(text.hasSuffix("u: 1 only in a.db, not in \(place), 0 the same"), "\(text)")
            let change = line.hasPrefix("a") ? "only first" : "only second"
            #expect(try await session.texts("store diff \(line)", "change") == [change])
        }
        #expect(await session.run("store diff a.db b.db --table t").hasSuffix("are the same: 2 rows"))
    }

    @Test(arguments: StoreKind.allCases)
    func everyFormatIsCopiedAndCompared(_ kind: StoreKind) async throws {
        let session = try Fixture.session()
        let name = try FormatFixture.write(kind, in: session.folder.url)
        #expect(await session.result("store copy \(name) copied").failure == nil)
        #expect(await session.run("store diff \(name) copied").contains("are the same"))
        #expect(await session.run("store show copied | get kind") == kind.name)
    }

    @Test func theCopyHoldsWhatALiveLogHas() async throws {
        let session = try Fixture.session()
        let writer = try WaypointStore(session.file("live.db"), access: .own)
        try writer.insert(
            Waypoint(id: Fixture.id(1), coordinate: .init(latitude: 1, longitude: 2), timestamp: Fixture.time)
        )
        #expect(FileManager.default.fileExists(atPath: session.file("live.db-wal").path))
        await session.run("store copy live.db copy.db")
        #expect(!FileManager.default.fileExists(atPath: session.file("copy.db-wal").path))
        #expect(await session.run("sql 'SELECT count(*) AS n FROM waypoints' --store copy.db | get n") == "1")
    }

    // MARK: Bundles

    @Test func aBundleShowsTheSameElsewhere() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("phone.db"))
        try Fixture.change(
            session.file("phone.db"),
            "UPDATE waypoints SET latitude = 'x', note = 'Secret' WHERE label = 'Pass'")
        await session.run("store open phone.db")
        await session.run("store check | where severity == error")
        let made = await session.run(
            "bug bundle b.zip --blank-names --blank-photos | select files rows passes")
        #expect(
            made
                == "files  1\nrows   1 of 3\npasses true".replacing("passes ", with: "passes  ").replacing(
                    "files  ", with: "files   "
                ).replacing("rows   ", with: "rows    "), "\(made)")
        let other = try Fixture.session()
        try FileManager.default.copyItem(at: session.file("b.zip"), to: other.file("b.zip"))
        #expect(await other.run("bug rerun b.zip | get outcome") == "passed")
        #expect(await other.shown("bug open b.zip | get file") == "bug.md\ndata/phone.db")
        let bytes = try Data(contentsOf: other.file("b/data/phone.db"))
        for word in ["Hut", "Secret", "Spring", "Pass"] {
            #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word)")
        }
        #expect(await session.result("bug bundle b.zip").failure?.code == "E-FILE-EXISTS")
        #expect(await other.result("bug open b.zip").failure?.code == "E-FILE-EXISTS")
        let empty = try Fixture.session()
        #expect(await empty.result("bug bundle e.zip").failure?.code == "E-BUNDLE-EMPTY")
    }

    @Test(
        .enabled(if: RealData.has("malformed/zip"), "needs the folder of real data"),
        .timeLimit(.minutes(10)),
        arguments: RealData.files(in: "malformed/zip"))
    func hostileArchives(_ file: URL) async throws {
        let session = try Fixture.session()
        let result = await session.result("bug open '\(file.path)' --out out")
        // A sound archive without a notebook is no bundle.
        let codes = ["E-ARCHIVE-FORMAT", "E-ARCHIVE-ENTRY", "E-ARCHIVE-LIMIT", "E-BUNDLE-ARCHIVE"]
        #expect(codes.contains(result.failure?.code ?? ""), "\(result.text)")
        #expect(!FileManager.default.fileExists(atPath: session.file("out").path))
    }

    @Test func theSmallestPartThatShowsIt() async throws {
        for wanted in [[3], [3, 90], [0, 50, 99], []] {
            let found = try await Minimizer.smallest(Array(0..<100), tries: 2_000) { part in
                wanted.allSatisfy(part.contains)
            }
            #expect(found == wanted)
        }
        var tries = 0
        let kept = try await Minimizer.smallest(Array(0..<1000), tries: 10) { part in
            tries += 1
            return part.count == 1000
        }
        #expect(kept.count == 1000 && tries == 10)
    }

    // MARK: Completion and variables

    @Test func sqlTakesVariablesAndCompletesNames() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("w.db"))
        await session.run("store open w.db")
        await session.run("let name = 'Hut'")
        #expect(
            await session.run("sql 'SELECT label FROM waypoints WHERE label = :name' | get label") == "Hut")
        #expect(await session.result("sql 'SELECT :nosuch'").failure?.code == "E-SQL-STATEMENT")
        let entry = "sql \"SELECT la"
        let result = await session.session.completions(of: entry)
        #expect(result.candidates.map(\.replacement) == ["latitude", "label"])
        #expect(result.wordStart == entry.utf8.count - 2)
        let table = await session.session.completions(of: "sql 'SELECT * FROM way")
        #expect(table.candidates.map(\.replacement) == ["waypoints"])
    }

    /// A file that another program is still writing: an answer or a clear error, never a crash.
    @Test func aFileThatGrows() async throws {
        let session = try Fixture.session()
        try FormatFixture.database(session.file("whole.db"), FormatFixture.transit)
        let whole = try Data(contentsOf: session.file("whole.db"))
        let url = session.file("growing.db")
        try whole.prefix(4096).write(to: url)
        let writer = Task.detached {
            let handle = try FileHandle(forWritingTo: url)
            for start in stride(from: 4096, to: whole.count, by: 512) {
                try handle.seekToEnd()
                try handle.write(contentsOf: whole[start..<min(start + 512, whole.count)])
                try await Task.sleep(for: .milliseconds(1))
            }
            try handle.close()
        }
        for round in 0..<5 {
            for line in [
                "store check growing.db", "store repair growing.db --out r\(round).db",
                "store diff whole.db growing.db",
            ] {
                if let code = await session.result(line).failure?.code {
                    #expect(code.hasPrefix("E-STORE-"), "\(line): \(code)")
                }
            }
        }
        try await writer.value
        #expect(await session.run("store diff whole.db growing.db").contains("are the same"))
    }
}
