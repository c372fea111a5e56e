import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// Readable rows of a damaged file are recovered, and losses are reported.
struct RepairTests {
    /// A database of many pages: rows with texts, some of them on overflow pages, an index, search and tree tables.
    private func large(_ url: URL) throws {
        try FormatFixture.database(
            url,
            """
            CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT, size REAL);
            CREATE TABLE keyed(a TEXT, b INTEGER, c BLOB, PRIMARY KEY (b, a)) WITHOUT ROWID;
            CREATE INDEX by_title ON notes(title);
            CREATE VIRTUAL TABLE words USING fts5(title);
            CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1, y0, y1);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
            INSERT INTO notes SELECT i, 'note ' || i, CASE WHEN i % 50 = 0 THEN hex(zeroblob(3000)) ELSE printf('%200s', 'body') END,
              CASE WHEN i % 7 = 0 THEN NULL ELSE i END FROM n;
            INSERT INTO keyed SELECT title, id, zeroblob(40) FROM notes;
            INSERT INTO words(rowid, title) SELECT id, title FROM notes;
            INSERT INTO boxes SELECT id, id, id + 1, -id, 1 - id FROM notes;
            PRAGMA user_version = 7;
            """)
    }

    private func rows(_ url: URL, _ sql: String) throws -> [String] {
        let queue = try DatabaseQueue(path: url.path)
        return try queue.read { try String.fetchAll($0, sql: sql) }
    }

    /// The numbers of the pages of a table or index, from the database itself.
    private func pages(_ url: URL, _ name: String, _ type: String) throws -> [Int] {
        let queue = try DatabaseQueue(path: url.path)
        return try queue.read {
            try Int.fetchAll(
                $0, sql: "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY pageno",
                arguments: [name, type])
        }
    }

    private func overwrite(_ url: URL, page: Int) throws {
        let handle = try FileHandle(forWritingTo: url)
        try handle.seek(toOffset: UInt64((page - 1) * 4096))
        try handle.write(contentsOf: Data(repeating: 0x5A, count: 4096))
        try handle.close()
    }

    /// What SQLite does not read of a damaged log may have been committed.
    @Test func aDamagedLogIsALoss() async throws {
        let session = try Fixture.session()
        let live = session.file("live.db")
        let writer = try WaypointStore(live, access: .own)
        for index in 1...3 {
            try writer.insert(
                Waypoint(
                    id: Fixture.id(index), coordinate: .init(latitude: 46 + Double(index) / 10, longitude: 7),
                    timestamp: Fixture.time))
        }
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: live.path + suffix, toPath: session.file("a.db").path + suffix)
        }
        #expect(await session.run("store repair a.db --out b.db").contains("nothing lost"))
        let log = try FileHandle(forUpdating: URL(fileURLWithPath: session.file("a.db").path + "-wal"))
        try log.truncate(atOffset: try log.seekToEnd() - 50)
        try log.close()
        let text = await session.run("store repair a.db --out c.db")
        #expect(text.contains("an unknown number lost in a.db-wal"), "\(text)")
        #expect(
            await session.run("store repair a.db --out d.db | where part == log | get detail").contains(
                "cannot be read"))
    }

    @Test func aSoundStoreIsTheSame() async throws {
        let session = try Fixture.session()
        try large(session.file("a.db"))
        let text = await session.run("store repair a.db --out b.db")
        #expect(text.contains("nothing lost, in b.db"), "\(text)")
        #expect(await session.run("store diff a.db b.db").hasSuffix("a.db and b.db are the same: 1200 rows"))
        for sql in [
            "SELECT count(*) FROM words WHERE words MATCH 'note'", "SELECT count(*) FROM boxes WHERE x0 > 10",
        ] {
            #expect(try rows(session.file("a.db"), sql) == rows(session.file("b.db"), sql))
        }
        #expect(try rows(session.file("b.db"), "PRAGMA user_version") == ["7"])
        #expect(try rows(session.file("b.db"), "PRAGMA integrity_check") == ["ok"])
        #expect(await session.result("store repair a.db --out b.db").failure?.code == "E-FILE-EXISTS")
        #expect(await session.result("store repair a.db --out a.db").failure?.code == "E-FILE-EXISTS")
    }

    @Test func aPageOfATableCostsItsRowsOnly() async throws {
        let session = try Fixture.session()
        let url = session.file("a.db")
        try large(url)
        let leaves = try pages(url, "notes", "leaf")
        try #require(leaves.count > 5)
        let before = try Data(contentsOf: url)
        try overwrite(url, page: leaves[3])
        let damaged = try Data(contentsOf: url)
        #expect(damaged != before)
        let text = await session.shown("store repair a.db --out b.db | where name == notes | get outcome")
        #expect(text == "lost")
        let saved = try rows(session.file("b.db"), "SELECT id FROM notes")
        #expect(saved.count < 600 && saved.count > 500, "\(saved.count)")
        // The sound index names exactly what is missing.
        try? FileManager.default.removeItem(at: session.file("c.db"))
        let lost = await session.shown("store repair a.db --out c.db | where name == notes | get lost")
        #expect(lost == "\(600 - saved.count)")
        #expect(try Data(contentsOf: url) == damaged, "never in place")
        #expect(try rows(session.file("b.db"), "PRAGMA integrity_check") == ["ok"])
    }

    @Test func anInnerPageCostsNothingButItself() async throws {
        let session = try Fixture.session()
        let url = session.file("a.db")
        try large(url)
        for page in try pages(url, "notes", "internal") { try overwrite(url, page: page) }
        await session.run("store repair a.db --out b.db")
        #expect(try rows(session.file("b.db"), "SELECT count(*) FROM notes") == ["600"])
    }

    @Test func damageOfAnIndexLosesNothing() async throws {
        let session = try Fixture.session()
        let url = session.file("a.db")
        try large(url)
        for page in try pages(url, "by_title", "leaf") { try overwrite(url, page: page) }
        let text = await session.run("store repair a.db --out b.db")
        #expect(text.contains("none lost: only derived parts were damaged (by_title)"), "\(text)")
        #expect(
            await session.shown("store repair a.db --out c.db | where name == by_title | get outcome")
                == "rebuilt")
        #expect(try rows(session.file("b.db"), "SELECT count(*) FROM notes WHERE title > ''") == ["600"])
    }

    @Test func searchAndTreeComeFromWholeRowsOnly() async throws {
        let session = try Fixture.session()
        let url = session.file("a.db")
        try large(url)
        let content = try pages(url, "words_content", "leaf")
        try overwrite(url, page: content[1])
        await session.run("store repair a.db --out b.db")
        let indexed = try rows(session.file("b.db"), "SELECT rowid FROM words WHERE words MATCH 'note'")
        let kept = try rows(session.file("b.db"), "SELECT count(*) FROM words_content")
        #expect(indexed.count < 600 && indexed.count > 100)
        #expect(kept == ["\(indexed.count)"])
        #expect(try rows(session.file("b.db"), "SELECT count(*) FROM boxes") == ["600"])
    }

    /// A name that SQL cannot write does not prevent the repair from completing.
    @Test(.timeLimit(.minutes(10))) func aNameThatSQLCannotWrite() async throws {
        let session = try Fixture.session()
        try FormatFixture.database(
            session.file("a.db"),
            """
            CREATE TABLE notes(a); INSERT INTO notes VALUES (1), (2); PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET name = 'no' || char(0) || 'tes', sql = 'nothing';
            """)
        let text = await session.run("store repair a.db --out b.db")
        #expect(text.contains("2 rows recovered"), "\(text)")
        #expect(try rows(session.file("b.db"), "SELECT c1 FROM notes") == ["1", "2"])
    }

    /// Rows that violate the table's constraints are kept beside it: the copy has no findings of SQLite.
    @Test func rowsAgainstTheRulesAreKeptBeside() async throws {
        let session = try Fixture.session()
        try FormatFixture.database(
            session.file("a.db"),
            """
            CREATE TABLE u(x TEXT, y INTEGER CHECK (y >= 0)); INSERT INTO u VALUES ('a', 1), ('b', 2);
            PRAGMA ignore_check_constraints = ON; INSERT INTO u VALUES ('c', -3);
            """)
        #expect(try rows(session.file("a.db"), "PRAGMA integrity_check") == ["CHECK constraint failed in u"])
        let text = await session.run("store repair a.db --out b.db")
        #expect(text.contains("1 kept in lost_u"), "\(text)")
        #expect(try rows(session.file("b.db"), "SELECT x FROM u") == ["a", "b"])
        #expect(try rows(session.file("b.db"), "SELECT c2 FROM lost_u") == ["-3"])
        #expect(try rows(session.file("b.db"), "PRAGMA integrity_check") == ["ok"])
    }

    /// Rows whose parents are missing stay where an app that does not enforce its keys finds them, and are counted.
    @Test func rowsWithoutTheirParentsStayAndAreCounted() async throws {
        let session = try Fixture.session()
        try FormatFixture.database(
            session.file("a.db"),
            """
            CREATE TABLE hikes(id TEXT PRIMARY KEY); INSERT INTO hikes VALUES ('a');
            CREATE TABLE points(id INTEGER PRIMARY KEY, hike TEXT REFERENCES hikes ON DELETE CASCADE, height REAL);
            INSERT INTO points VALUES (1, 'a', 5), (2, 'lost', 6), (3, NULL, 7);
            CREATE TABLE tags(hike TEXT REFERENCES hikes(id), tag TEXT, PRIMARY KEY (hike, tag)) WITHOUT ROWID;
            INSERT INTO tags VALUES ('a', 'x'), ('lost', 'y'), ('gone', 'z');
            CREATE TABLE odd(id INTEGER PRIMARY KEY, other TEXT REFERENCES hikes(absent)); INSERT INTO odd VALUES (1, 'a');
            """)
        let text = await session.run("store repair a.db --out b.db | select name detail | to json")
        #expect(text.contains("1 refers to missing rows"), "\(text)")
        #expect(text.contains("2 refer to missing rows"), "\(text)")
        #expect(
            text.contains("its references cannot be checked: foreign key mismatch"), "\(text)")
        let copy = session.file("b.db")
        #expect(try rows(copy, "SELECT id FROM points") == ["1", "2", "3"])
        #expect(try rows(copy, "SELECT tag FROM tags ORDER BY tag") == ["x", "y", "z"])
        #expect(try rows(copy, "SELECT name FROM sqlite_master WHERE name LIKE 'lost%'") == [])
        #expect(try rows(copy, "PRAGMA integrity_check") == ["ok"])
    }

    /// Whatever bytes are changed: no crash, and every row that SQLite can read is saved.
    @Test(arguments: 0..<25)
    func randomDamage(_ round: Int) async throws {
        let session = try Fixture.session()
        try large(session.file("whole.db"))
        var bytes = try Data(contentsOf: session.file("whole.db"))
        var random = Xoshiro256(seed: UInt64(round) + 77)
        for _ in 0..<(1 + round * 4) {
            bytes[Int.random(in: 100..<bytes.count, using: &random)] = UInt8.random(
                in: 0...255, using: &random)
        }
        try bytes.write(to: session.file("a.db"))
        let result = await session.result("store repair a.db --out b.db")
        #expect(result.failure == nil, "\(result.text)")
        try compareWithDump(session.file("a.db"), session.file("b.db"))
    }

    /// Every distinct row that sqlite3's own `.dump` saves is in the copy.
    @Test(
        .enabled(if: RealData.has("malformed/sqlite"), "needs the folder of real data"),
        .timeLimit(.minutes(10)),
        arguments: RealData.files(in: "malformed/sqlite") + RealData.files(in: "malformed/mbtiles"))
    func noLessThanDump(_ file: URL) async throws {
        let session = try Fixture.session()
        let result = await session.result("store repair '\(file.path)' --out b.db")
        if let code = result.failure?.code {
            #expect(code == "E-STORE-NOTDB", "\(result.text)")
            #expect(try dump(file).isEmpty)
            return
        }
        try compareWithDump(file, session.file("b.db"))
        #expect(
            !result.text.contains("nothing lost") || !file.lastPathComponent.hasPrefix("malformed"),
            "\(result.text)")
    }

    private func compareWithDump(_ damaged: URL, _ repaired: URL) throws {
        // Rows that violate constraints are in a table beside it, with their number in the first
        // column.
        let saved = try dump(repaired)
        let known = Set(saved.map(values))
        let aside = saved.filter { $0.contains("lost_") }.map(values)
        for row in try dump(damaged) {
            let cells = values(row)
            // A row without any value results from a broken key in SQLite; it was not stored.
            if cells.split(separator: ",").allSatisfy({ $0 == "NULL" }) { continue }
            let isAside = aside.contains { $0.contains(cells) }
            #expect(known.contains(cells) || isAside, "\(row.prefix(200))")
        }
    }

    private func values(_ line: String) -> String {
        guard let start = line.range(of: " VALUES(") else { return line }
        return String(line[start.upperBound...].dropLast(2))
    }

    /// The rows that sqlite3's `.dump` writes, without those of SQLite's own tables.
    private func dump(_ url: URL) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["sqlite3", "file:\(url.path)?mode=ro&immutable=1", ".dump"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("INSERT INTO ") && !$0.hasPrefix("INSERT INTO sqlite_schema") }
            .filter {
                !$0.contains("_data") && !$0.contains("_idx") && !$0.contains("words_")
                    && !$0.contains("boxes_")
            }
    }

    @Test func documents() async throws {
        let session = try Fixture.session()
        let name = try FormatFixture.write(.plannedRoutes, in: session.folder.url)
        try Data("{".utf8).write(to: session.file("\(name)/broken.json"))
        let text = await session.run("store repair \(name) --out saved")
        #expect(text.contains("1 row recovered, at least 1 lost"), "\(text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: session.file("saved").path).count == 1)
    }
}
