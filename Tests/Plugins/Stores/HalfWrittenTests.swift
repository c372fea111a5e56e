import Foundation
import GRDB
import PluginTestKit
import Testing
import TrailStores

@testable import StoresPlugin

/// Files from the middle of a transaction, with and without their journal, and files that are no database.
struct HalfWrittenTests {
    private static let count = 60

    /// A store with two rows, and in the middle of a transaction that adds many; returns the session.
    private func killed() throws -> TestSession {
        let session = try Fixture.session()
        let live = session.file("live.db")
        var configuration = Configuration()
        configuration.prepareDatabase {
            try $0.execute(sql: "PRAGMA page_size = 1024; PRAGMA cache_size = 2")
        }
        let queue = try DatabaseQueue(path: live.path, configuration: configuration)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE notes(id TEXT PRIMARY KEY, text TEXT NOT NULL);
                    INSERT INTO notes VALUES ('N1', 'first'), ('N2', 'second')
                    """)
        }
        try queue.inTransaction { db in
            for number in 3...Self.count {
                try db.execute(
                    sql: "INSERT INTO notes VALUES (?, ?)",
                    arguments: ["N\(number)", String(repeating: "text \(number) ", count: 60)])
            }
            // What is on the disk at this time is what a killed app leaves.
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(
                    atPath: live.path + suffix, toPath: session.file("a.db").path + suffix)
            }
            return .rollback
        }
        try queue.close()
        return session
    }

    @Test func anInterruptedTransactionIsNoDamage() async throws {
        let session = try killed()
        #expect(await session.run("sql 'SELECT count(*) AS n FROM notes' --store a.db | get n") == "2")
        #expect(try await session.texts("store check a.db", "code") == ["F-FILE-JOURNAL"])
    }

    /// A journal without its header is done: Android keeps it beside the file (`journal_mode` PERSIST or TRUNCATE).
    @Test(arguments: ["PERSIST", "TRUNCATE"]) func aJournalThatIsDoneIsNoFinding(_ mode: String) async throws
    {
        let session = try Fixture.session()
        let queue = try DatabaseQueue(path: session.file("a.db").path)
        try await queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA journal_mode = \(mode); CREATE TABLE android_metadata (locale TEXT);
                    INSERT INTO android_metadata VALUES ('de_CH')
                    """)
        }
        #expect(FileManager.default.fileExists(atPath: session.file("a.db-journal").path))
        #expect(try await session.texts("store check a.db", "code") == [])
    }

    /// Without the journal the pages of the transaction stand behind the number in the header: their rows are recovered.
    @Test func rowsBehindTheCountedPages() async throws {
        let session = try killed()
        try FileManager.default.removeItem(at: session.file("a.db-journal"))
        let bytes = [UInt8](try Data(contentsOf: session.file("a.db")))
        let counted = bytes.number(at: 28, bytes: 4)
        try #require(counted > 0 && counted < bytes.count / 1024 - 20)
        await session.run("store repair a.db --out b.db")
        let copy = try DatabaseQueue(path: session.file("b.db").path)
        let found = try await copy.read { db in
            let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
            return try tables.flatMap { table in
                try Row.fetchAll(db, sql: "SELECT * FROM \"\(table)\"").flatMap { row in
                    row.databaseValues.compactMap { String.fromDatabaseValue($0) }.filter {
                        $0.hasPrefix("N")
                    }
                }
            }
        }
        let whole = Set((0..<bytes.count / 1024).filter { bytes[$0 * 1024] == 13 })
        #expect(Set(found).count >= Self.count - 6, "\(Set(found).count) of \(whole.count) leaves")
    }

    /// A byte that is missing at the end reads as zero: the row is there, and its value is said to be doubtful.
    @Test func aFileThatEndsWithinItsLastPage() async throws {
        let session = try Fixture.session()
        try Fixture.change(
            session.file("a.db"),
            """
            CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
            INSERT INTO notes SELECT i, printf('%0400d', i) FROM n
            """)
        let data = try Data(contentsOf: session.file("a.db"))
        try data.dropLast().write(to: session.file("cut.db"))
        let said = await session.run("store repair cut.db --out b.db")
        #expect(said.contains("40 rows recovered"), "\(said)")
        #expect(said.contains("a value may lack bytes") && !said.contains("nothing lost"), "\(said)")
        let whole = await session.run("store repair a.db --out c.db")
        #expect(whole.contains("nothing lost"), "\(whole)")
    }

    /// A store whose log was written back, at `a.db`.
    private func writtenBack(_ session: TestSession) throws {
        try WaypointStore(session.file("live.db"), access: .own).connection.write { db in
            try db.execute(sql: "PRAGMA user_version = 3")
        }
        let queue = try DatabaseQueue(path: session.file("live.db").path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try FileManager.default.copyItem(at: session.file("live.db"), to: session.file("a.db"))
        try queue.close()
    }

    @Test func anEmptyLogIsNoFinding() async throws {
        let session = try Fixture.session()
        try writtenBack(session)
        #expect(try await session.texts("store check a.db", "code") == ["F-LOG-ABSENT"])
        try Data().write(to: session.file("a.db-wal"))
        #expect(try await session.texts("store check a.db", "code") == [])
    }

    @Test(arguments: [
        ("<!DOCTYPE html>\n<html>", "a web page"),
        ("version https://git-lfs.github.com/spec/v1\noid", "Git LFS"),
        ("PRAGMA foreign_keys=OFF;\nBEGIN", "statements of SQL"), ("\u{FEFF}-- dump", "statements of SQL"),
        ("Rar!\u{1A}", "RAR"), ("\0\u{5}\u{16}\u{7}\0\u{2}", "AppleDouble"),
        ("ANDROID BACKUP\n5\n1\nnone\n", "not encrypted: a compressed tar archive after 24 bytes"),
        ("ANDROID BACKUP\n5\n1\nAES-256\nAB", "encrypted with a password (AES-256)"),
    ])
    func aFileThatIsNoDatabaseHasAName(_ start: String, _ name: String) async throws {
        let session = try Fixture.session()
        try Data((start + String(repeating: "x", count: 600)).utf8).write(to: session.file("a.db"))
        let failure = try #require(await session.result("store open a.db").failure)
        #expect(failure.message.contains(name) && failure.fix != nil, "\(failure.message)")
    }

    @Test func aDatabaseBehindAByteOrderMark() async throws {
        let session = try Fixture.session()
        try Fixture.change(session.file("a.db"), "CREATE TABLE t(a)")
        try (Data([0xEF, 0xBB, 0xBF]) + Data(contentsOf: session.file("a.db"))).write(
            to: session.file("b.db"))
        let failure = try #require(await session.result("store open b.db").failure)
        #expect(failure.message.contains("byte order mark"), "\(failure.message)")
    }

    /// What a program said while it was copied, and what a transfer as text dropped.
    @Test func aDatabaseThatIsNotWhereItsFileBegins() async throws {
        let session = try Fixture.session()
        try Fixture.change(session.file("a.db"), "CREATE TABLE t(a)")
        let bytes = [UInt8](try Data(contentsOf: session.file("a.db")))
        let said = Array("* daemon started successfully\n".utf8)
        let files: [(bytes: [UInt8], says: String)] = [
            (said + bytes, "a database behind 30 bytes of something else, `* daemon started successfully`"),
            (bytes.filter { $0 != 0 } + Array(repeating: 0x41, count: 200), "without its zero bytes"),
            (Array(bytes.prefix(5)), "truncated within the header: 5 of at least 512 bytes"),
            (Array("mbdb\u{5}\0".utf8) + [0, 4, 65, 65, 65, 65], "backup of iOS 9 or older"),
        ]
        for (bytes, says) in files {
            try Data(bytes).write(to: session.file("b.db"))
            let failure = try #require(await session.result("store open b.db").failure)
            #expect(failure.message.contains(says) && failure.fix != nil, "\(failure.message)")
        }
        // The fix works.
        try Data(said + bytes).write(to: session.file("b.db"))
        try Data((said + bytes).dropFirst(30)).write(to: session.file("c.db"))
        #expect(await session.result("store open c.db").failure == nil)
    }

    @Test(arguments: [
        ("a (Anna's conflicted copy 2026-01-14).db", "a.db"),
        ("x/a.sync-conflict-20260116-101500-ABCDEFG.db", "x/a.db"),
        ("a 2.db", "a.db"), ("x y/a (1).db", "x y/a.db"), ("a.db", nil), ("a (home).db", nil),
        ("Route 66666.db", nil),
        ("a b.db", nil), ("a_conflict-20260116-101500.db", "a.db"), ("a.Conflict.db", "a.db"),
        ("a (SFConflict anna@example.org 2026-01-14-10-15-00).db", "a.db"), ("a [conflicted].db", "a.db"),
        ("a (In Konflikt stehende Kopie von Anna 2026-01-14).db", "a.db"), ("a copy 2.db", "a.db"),
        ("a - Kopie.db", "a.db"), ("conflicts.db", nil), ("my copyrights.db", nil),
    ])
    func theNameOfAConflictCopy(_ name: String, _ original: String?) {
        #expect(ConflictCopy.original(name) == original)
    }

    /// The store that the app uses is the one in use, whatever the others are called.
    @Test func aConflictCopyIsNotInUse() async throws {
        let session = try Fixture.session()
        let folder = session.file("Box")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["waypoints (Anna's conflicted copy 2026-01-14).db", "waypoints.db"] {
            try Fixture.change(
                folder.appendingPathComponent(name),
                "CREATE TABLE waypoints(id TEXT PRIMARY KEY, latitude REAL, longitude REAL, timestamp TEXT, label TEXT)"
            )
        }
        await session.run("store open Box")
        #expect(await session.run("store list | where inUse == true | get name") == "Box/waypoints")
        let notes = try await session.texts("container show Box", "note")
        #expect(notes.contains { $0.contains("as programs make of conflicts") }, "\(notes)")
    }

    /// What only a cloud has is said, not taken for preferences.
    @Test func aStoreThatIsEvicted() async throws {
        let session = try Fixture.session()
        let folder = session.file("Box")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Fixture.change(folder.appendingPathComponent("other.db"), "CREATE TABLE t(a)")
        try Data("bplist00".utf8).write(to: folder.appendingPathComponent(".routes.db.icloud"))
        let notes = try await session.texts("container show Box", "note")
        #expect(notes.contains("routes.db is not here: only the cloud has it"), "\(notes)")
        #expect(
            try await session.texts("store check Box", "what").contains {
                $0.contains(".routes.db.icloud stands for")
            })
    }

    /// A link in a folder is followed nowhere, and said: what it leads to may be what is looked for.
    @Test func linksInAFolderAreSaid() async throws {
        let session = try Fixture.session()
        let folder = session.file("pulled")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Fixture.waypoints(at: folder.appendingPathComponent("waypoints.db"))
        for (name, target) in [
            ("routes.db", "/nowhere/routes.db"), ("hikes.db", "/nowhere/hikes.db"), ("w.db", "waypoints.db"),
            ("Desktop", "/nowhere/Desktop"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.appendingPathComponent(name).path, withDestinationPath: target)
        }
        let missing = await session.run("store open pulled | get missing")
        #expect(
            missing.contains(
                "hikes.db is a link to /nowhere/hikes.db, which is not there, and 1 other link"),
            "\(missing)")
        #expect(await session.run("store check pulled").contains("which is not there"))
    }

    /// A journal beside an empty file has pages of what was there, and is named.
    @Test func anEmptyFileBesideItsJournal() async throws {
        let session = try Fixture.session()
        try Data().write(to: session.file("w.db"))
        try Data(count: 600).write(to: session.file("w.db-journal"))
        let what = await session.run("store check w.db | get what")
        #expect(
            what.contains("the file is empty") && what.contains("the journal beside it, of 600 bytes"),
            "\(what)")
    }
}
