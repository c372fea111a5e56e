import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import StoresPlugin

/// Changes written by another process: each is shown, none is invented, and combined commits are reported as
/// such. The oracle is the database itself: the changes, applied to an empty store, are its rows.
@Suite(.enabled(if: SQLiteShell.isThere, "needs sqlite3"), .timeLimit(.minutes(10)))
struct WatchTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("live.db")
        try FormatFixture.database(
            url,
            "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, size REAL); CREATE INDEX by_name ON t(name)")
    }

    /// The rows as the changes make them; what contradicts them is an issue.
    private struct Replay {
        var rows: [Int64: [String: StoredCell]] = [:]
        var steps: [LiveStore.Step] = []

        mutating func add(_ found: [LiveStore.Step]) {
            steps += found
            for change in found.flatMap(\.changes) {
                let known = rows[change.number]
                #expect((known == nil) == (change.change == .insert), "\(change)")
                for field in change.fields {
                    #expect(known?[field.name] ?? .null == field.before, "\(change)")
                    rows[change.number, default: [:]][field.name] = field.after
                }
                if change.change == .delete { rows[change.number] = nil }
            }
        }

        var notes: [String] { steps.compactMap(\.note) }
    }

    private func content(_ url: URL) throws -> [Int64: [String: StoredCell]] {
        let connection = try PlainConnection(url.path, isWritable: false)
        var rows: [Int64: [String: StoredCell]] = [:]
        for cells in connection.rows("SELECT id, name, size FROM t") {
            guard case .integer(let id) = cells[0] else { continue }
            rows[id] = ["id": cells[0], "name": cells[1], "size": cells[2]]
        }
        return rows
    }

    private func follow(_ store: LiveStore, _ replay: inout Replay, until isDone: (Replay) throws -> Bool)
        throws
    {
        let deadline = Date(timeIntervalSinceNow: RutterProcess.patience)
        while try !isDone(replay), Date() < deadline {
            replay.add(try store.poll())
            usleep(1000)
        }
    }

    /// A thousand rows a second, from a thread of its own.
    private func write(_ count: Int, _ shell: SQLiteShell, middle: String = "") throws {
        for index in 1...count {
            try shell.send("INSERT INTO t(name, size) VALUES ('row \(index)', \(index) * 0.5);")
            if index % 10 == 5 { try shell.send("UPDATE t SET name = name || '!' WHERE id = \(index - 3);") }
            if index % 50 == 25 { try shell.send("DELETE FROM t WHERE id = \(index - 7);") }
            if index == count / 2 { try shell.send(middle) }
            if index % 10 == 0 { usleep(10_000) }
        }
    }

    @Test(arguments: [
        ("PRAGMA journal_mode = WAL;", ""),
        ("PRAGMA journal_mode = WAL;", "PRAGMA wal_checkpoint(TRUNCATE);"),
        ("PRAGMA journal_mode = DELETE;", ""), ("PRAGMA journal_mode = PERSIST;", ""),
        ("PRAGMA journal_mode = MEMORY;", ""),
    ])
    func everyChangeIsShown(mode: String, middle: String) throws {
        let count = 600
        let shell = try SQLiteShell(url, in: folder.url)
        try shell.send("\(mode) PRAGMA synchronous = OFF;")
        try shell.wait("beginning")
        let store = try LiveStore(url, fromLog: false) {}
        var replay = Replay()
        replay.add(try store.begin())
        // Meanwhile the other program writes without waiting.
        let other = Held(shell)
        let failure = Held<[any Error]>([])
        let thread = Thread {
            do {
                try write(count, other.value, middle: middle)
                try other.value.wait("end")
            } catch { failure.value.append(error) }
        }
        thread.start()
        try follow(store, &replay) { _ in thread.isFinished }
        let rows = try content(url)
        try follow(store, &replay) { $0.rows == rows }
        #expect(failure.value.isEmpty)
        #expect(rows.count == count - count / 50 && replay.rows == rows)
        #expect(try !shell.text().contains("locked"), "it never waits: without a timeout a lock is an error")
        // The number counts commits, those between as well.
        if !replay.notes.contains(where: { $0.contains("unknown") }) {
            #expect(replay.steps.last?.number == count + count / 10 + count / 50)
        }
        try shell.close()
    }

    /// A transaction that was written to the log and rolled back is not shown.
    @Test func nothingIsInvented() throws {
        let shell = try SQLiteShell(url, in: folder.url)
        try shell.send("PRAGMA journal_mode = WAL; PRAGMA cache_size = 2;")
        try shell.wait("beginning")
        let store = try LiveStore(url, fromLog: false) {}
        var replay = Replay()
        replay.add(try store.begin())
        let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
        try shell.send("BEGIN; \(many) INSERT INTO t SELECT i, printf('%100d', i), 0 FROM n;")
        try shell.wait("filled")
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: url.path + "-wal")).count > 100_000, "it was spilled")
        for _ in 0..<50 { replay.add(try store.poll()) }
        #expect(replay.steps.isEmpty)
        try shell.send("ROLLBACK; INSERT INTO t VALUES (1, 'one', 1);")
        try shell.wait("end")
        try follow(store, &replay) { !$0.rows.isEmpty }
        #expect(replay.rows == (try content(url)) && replay.steps.count == 1 && replay.notes.isEmpty)
        try shell.close()
    }

    /// The page that a long row begins on stays the same when only its end changes.
    @Test func theEndOfALongRow() throws {
        let shell = try SQLiteShell(url, in: folder.url)
        try shell.send(
            "PRAGMA journal_mode = WAL; INSERT INTO t VALUES (1, printf('%20000d', 1), 1), (2, printf('%20000d', 2), 1);"
        )
        try shell.wait("beginning")
        let store = try LiveStore(url, fromLog: true) {}
        var replay = Replay()
        replay.add(try store.begin())
        #expect(replay.rows == (try content(url)), "begun with the log")
        try shell.send("UPDATE t SET name = printf('%20000d', 3) WHERE id = 2;")
        try shell.wait("end")
        let rows = try content(url)
        try follow(store, &replay) { $0.rows == rows }
        #expect(replay.steps.last?.changes.map(\.number) == [2])
        try shell.close()
    }

    @Test func aFileThatIsReplacedOrRemoved() throws {
        let store = try LiveStore(url, fromLog: false) {}
        var replay = Replay()
        replay.add(try store.begin())
        try Fixture.change(url, "INSERT INTO t VALUES (1, 'one', 1)")
        try follow(store, &replay) { !$0.rows.isEmpty }
        let other = folder.url.appendingPathComponent("other.db")
        // Pages of another size, too.
        try FileManager.default.copyItem(at: url, to: other)
        _ = try RutterProcess.shell(
            "sqlite3", [other.path, "PRAGMA page_size = 8192; VACUUM; INSERT INTO t VALUES (2, 'two', 2)"])
        #expect(rename(other.path, url.path) == 0)
        try follow(store, &replay) { $0.rows.count == 2 }
        #expect(replay.rows == (try content(url)))
        #expect(replay.steps.last?.note?.hasPrefix("the file was replaced") == true)
        try FileManager.default.removeItem(at: url)
        try follow(store, &replay) { $0.notes.contains("the file was removed") }
        #expect(replay.rows.count == 2, "its rows are not known to be deleted")
    }

    @Test func whatCannotBeToldApartSaysSo() throws {
        let store = try LiveStore(url, fromLog: false) {}
        var replay = Replay()
        replay.add(try store.begin())
        for name in ["a", "b", "c"] { try Fixture.change(url, "INSERT INTO t(name) VALUES ('\(name)')") }
        try follow(store, &replay) { $0.rows.count == 3 }
        #expect(replay.notes == ["3 commits between, shown together"] && replay.steps.last?.number == 3)
        try Fixture.change(url, "CREATE TABLE w(a TEXT PRIMARY KEY) WITHOUT ROWID")
        try follow(store, &replay) { $0.steps.count == 2 }
        try Fixture.change(url, "INSERT INTO w VALUES ('x')")
        try follow(store, &replay) { $0.steps.count == 3 }
        #expect(replay.notes.last == "rows without numbers: w")
    }

    @Test func theCommand() async throws {
        let session = try Fixture.session()
        #expect(await session.result("store watch nowhere.db").failure?.code == "E-STORE-UNKNOWN")
        #expect(await session.result("store watch").failure?.code == "E-STORE-NONE")
        try Data("text".utf8).write(to: session.file("a.txt"))
        #expect(await session.result("store watch a.txt --for 0s | count").failure?.code == "E-STORE-NOTDB")
        let shell = try SQLiteShell(session.file("live.db"), in: folder.url)
        try shell.send("PRAGMA journal_mode = WAL; CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (3);")
        try shell.wait("end")
        #expect(
            await session.run(
                "store watch live.db --from-log --count 2 | where change == inserted | get after") == "1\n2")
        #expect(await session.run("store watch live.db --for 0s | count") == "0")
        try shell.close()
    }
}

/// A value for one other thread.
private final class Held<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}
