import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// Opening for reading leaves the file and its folder byte-identical.
@Suite(.needs(.photos))
struct UntouchedTests {
    /// Everything that reads a store, from opening to closing.
    private func look(_ session: TestSession, at file: String) async {
        await session.run(
            """
            store open \(file) --name looked; store show; store show --schema; store check; sql 'SELECT * FROM waypoints'
            store use; store close looked
            """)
        await session.run("store check \(file)")
    }

    /// A folder of its own below the session's, and the state of what is in it around some work.
    private func expectUntouched(
        _ session: TestSession, sourceLocation: SourceLocation = #_sourceLocation,
        _ work: () async throws -> Void
    ) async throws {
        let folder = session.file("phone")
        let before = try FolderState(folder)
        try await work()
        let after = try FolderState(folder)
        #expect(before == after, sourceLocation: sourceLocation)
    }

    private func sessionWithFolder() throws -> TestSession {
        let session = try Fixture.session()
        try FileManager.default.createDirectory(at: session.file("phone"), withIntermediateDirectories: true)
        return session
    }

    @Test func inRollbackMode() async throws {
        let session = try sessionWithFolder()
        try Fixture.waypoints(at: session.file("phone/w.db"))
        try await expectUntouched(session) { await look(session, at: "phone/w.db") }
    }

    @Test(arguments: [(1, 2), (2, 2)])
    func inLogModeWithoutALog(_ write: UInt8, _ read: UInt8) async throws {
        let session = try sessionWithFolder()
        let url = session.file("phone/w.db")
        try Fixture.waypoints(at: url)
        var bytes = try Data(contentsOf: url)
        bytes[18] = write
        bytes[19] = read
        try bytes.write(to: url)
        try await expectUntouched(session) {
            await look(session, at: "phone/w.db")
            #expect(await session.run("store show phone/w.db | get journal") == "wal")
            #expect(await session.run("store show phone/w.db | get reads") == "the file")
        }
    }

    @Test func besideALiveLog() async throws {
        let session = try sessionWithFolder()
        let writer = try WaypointStore(session.file("phone/w.db"), access: .own)
        try writer.insert(
            Waypoint(id: Fixture.id(1), coordinate: .init(latitude: 1, longitude: 2), timestamp: Fixture.time)
        )
        try await expectUntouched(session) {
            await look(session, at: "phone/w.db")
            #expect(await session.run("store show phone/w.db | get reads") == "a copy")
            #expect(
                await session.run("sql 'SELECT count(*) AS n FROM waypoints' --store phone/w.db | get n")
                    == "1")
        }
    }

    /// Of a large store only the log is copied; each command still reads a single state.
    @Test func aLargeStoreBesideALiveLog() async throws {
        let session = try sessionWithFolder()
        let url = session.file("phone/large.db")
        let writer = try DatabaseQueue(path: url.path)
        try await writer.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
                    CREATE TABLE filler(b); INSERT INTO filler VALUES (zeroblob(\(StoreSettings.largestCopied + 4096)));
                    CREATE TABLE t(n); INSERT INTO t VALUES (1); PRAGMA wal_checkpoint(TRUNCATE);
                    INSERT INTO t VALUES (2); UPDATE t SET n = 10 WHERE n = 1
                    """)
        }
        let sum = "sql 'SELECT sum(n) AS s FROM t' | get s"
        try await expectUntouched(session) {
            await session.run("store open phone/large.db")
            #expect(await session.run("store show | get reads") == "the file and a copy of its log")
            #expect(await session.run(sum) == "12")
            #expect(await session.run("sql 'SELECT length(b) AS l FROM filler' | get l").hasPrefix("671"))
            #expect(await session.run("store check | count") == "0")
            #expect(await session.run("store diff large phone/large.db").contains("are the same"))
        }
        try await writer.write { try $0.execute(sql: "INSERT INTO t VALUES (100)") }
        #expect(await session.run(sum) == "112", "the state at the time of the command")
        #expect(await session.run("sql 'SELECT sum(n) AS s FROM t' --store phone/large.db | get s") == "112")
        try await writer.write { try $0.execute(sql: "INSERT INTO t VALUES (1000)") }
        try await writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        for line in ["store check", "store copy large c.db", "store diff large large"] {
            #expect(await session.result(line).failure == nil, "\(line)")
        }
        #expect(await session.run(sum) == "1112")
        try writer.close()
    }

    @Test func throughALinkToALiveLog() async throws {
        let session = try sessionWithFolder()
        let writer = try WaypointStore(session.file("phone/w.db"), access: .own)
        try writer.insert(
            Waypoint(id: Fixture.id(1), coordinate: .init(latitude: 1, longitude: 2), timestamp: Fixture.time)
        )
        try FileManager.default.createSymbolicLink(
            at: session.file("phone/link.db"), withDestinationURL: session.file("phone/w.db"))
        try await expectUntouched(session) {
            #expect(
                await session.run("sql 'SELECT count(*) AS n FROM waypoints' --store phone/link.db | get n")
                    == "1")
        }
    }

    /// A device that died in the middle of a change: the journal has the previous state.
    @Test func withAJournalToRollBack() async throws {
        let session = try sessionWithFolder()
        let url = session.file("w.db")
        try Fixture.waypoints(at: url)
        let filler = "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c WHERE x < 2000) "
        try Fixture.change(url, "CREATE TABLE filler AS \(filler) SELECT x, hex(zeroblob(200)) AS y FROM c")
        let queue = try DatabaseQueue(path: url.path)
        try await queue.writeWithoutTransaction { db in
            // A cache too small for the change makes SQLite write pages before the transaction ends.
            try db.execute(sql: "PRAGMA cache_size = 2; BEGIN; UPDATE filler SET y = 'changed'")
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(
                    atPath: url.path + suffix, toPath: session.file("phone/w.db").path + suffix)
            }
            try db.execute(sql: "ROLLBACK")
        }
        try await expectUntouched(session) {
            let changed =
                "sql \"SELECT count(*) AS n FROM filler WHERE y = 'changed'\" --store phone/w.db | get n"
            #expect(await session.run(changed) == "0")
            let codes = try await session.codes("phone/w.db")
            #expect(codes == ["F-FILE-JOURNAL"])
        }
    }

    @Test func noCopyIsLeftBehind() async throws {
        let prefix = "rutter-store-\(getpid())-"
        let session = try sessionWithFolder()
        let writer = try WaypointStore(session.file("phone/w.db"), access: .own)
        try writer.insert(
            Waypoint(id: Fixture.id(1), coordinate: .init(latitude: 1, longitude: 2), timestamp: Fixture.time)
        )
        var connection: StoreConnection? = try StoreConnection(session.file("phone/w.db"), access: .foreign)
        #expect(connection?.readsCopy == true)
        let copies = try #require(connection).read { db in
            try String.fetchAll(db, sql: "SELECT file FROM pragma_database_list")
        }
        #expect(copies.first?.contains(prefix) == true)
        let folder = URL(fileURLWithPath: copies.first ?? "/").deletingLastPathComponent()
        #expect(FileManager.default.fileExists(atPath: folder.path))
        connection = nil
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func writingNeedsToBeSaid() async throws {
        let session = try sessionWithFolder()
        try Fixture.waypoints(at: session.file("phone/w.db"))
        await session.run("store open phone/w.db --write")
        let change = "sql \"UPDATE waypoints SET label = 'Cabin' WHERE label = 'Hut'\""
        #expect(await session.run(change) == "1 row changed in w")
        #expect(
            await session.run("sql 'SELECT label FROM waypoints ORDER BY label' | first 1 | get label")
                == "Cabin")
        #expect(
            await session.run("sql 'ALTER TABLE waypoints ADD COLUMN extra TEXT'") == "0 rows changed in w")
        #expect(await session.run("store show --schema | where column == extra | count") == "1")
    }
}
