import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Synchronization
import Testing
import TrailStores

/// Several sessions on one store.
@Suite(.timeLimit(.minutes(10)))
struct SharedStoreTests {
    @Test func manyWritersAtOnceLoseNothing() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("waypoints.db")
        // Each opens the store for itself, also the first time, when it is made.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let store = try WaypointStore(url, access: .own)
                    for index in 0..<50 {
                        try store.insert(Fixture.waypoint(id: UUID(), label: "\(writer)-\(index)"))
                        _ = try store.near(Fixture.waypoint().coordinate, radius: 10, limit: 1)
                    }
                }
            }
            try await group.waitForAll()
        }
        let store = try WaypointStore(url, access: .own)
        #expect(Set(try store.all().map(\.label)).count == 200)
        let check = try store.connection.read { db in try String.fetchAll(db, sql: "PRAGMA integrity_check") }
        #expect(check == ["ok"])
    }

    /// When two connections turn on the log of a new file, SQLite reports a lock to one of them without asking it to wait.
    @Test func aNewStoreCanBeOpenedByManyAtOnce() throws {
        let folder = try TemporaryFolder()
        for round in 0..<50 {
            let url = folder.url.appendingPathComponent("waypoints-\(round).db")
            let failures = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                do { _ = try WaypointStore(url, access: .own) } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            #expect(failures.withLock { $0 } == [])
        }
    }

    @Test func oneOfTwoEditsOfTheSameWaypointIsRefusedAndNoneIsLost() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("waypoints.db")
        try WaypointStore(url, access: .own).insert(Fixture.waypoint(label: "0"))
        let successes = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    let store = try WaypointStore(url, access: .own)
                    var count = 0
                    for _ in 0..<40 {
                        guard let before = try store.waypoint(Fixture.id) else { continue }
                        var after = before
                        after.label = String((Int(before.label) ?? 0) + 1)
                        if try store.update(before, to: after) { count += 1 }
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        let store = try WaypointStore(url, access: .own)
        #expect(try store.waypoint(Fixture.id)?.label == "\(successes)")
        #expect(successes > 0)
    }

    @Test func openingAStoreDoesNotWaitForAWriter() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("waypoints.db")
        let writer = try WaypointStore(url, access: .own)
        try writer.insert(Fixture.waypoint())
        try writer.connection.write { db in
            try db.execute(sql: "DELETE FROM waypoints")
            // The reader sees the state before this transaction, at once.
            #expect(try WaypointStore(url, access: .own).all().count == 1)
        }
    }

    /// Waiting for another program's lock ends when the task is cancelled, and nothing is written.
    @Test func waitingForALockCanBeStopped() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("waypoints.db")
        let store = try WaypointStore(url, access: .own)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: url.path, configuration: configuration)
        try await other.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
        let begins = DispatchSemaphore(value: 0)
        let waiting = Task {
            begins.signal()
            return codeThrown { try store.insert(Fixture.waypoint()) }
        }
        // From a thread of its own: those of tasks may all be busy. Without it the waiting ends as E-STORE-LOCKED.
        Thread.detachNewThread {
            begins.wait()
            waiting.cancel()
        }
        #expect(await waiting.value == "E-INTERRUPTED")
        try await other.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
        #expect(try store.isEmpty())
        try store.insert(Fixture.waypoint())
        #expect(try store.all().count == 1)
    }

    /// Changes of a cancelled task in a transaction are rolled back.
    @Test func aCancelledTaskWritesNothing() async throws {
        let folder = try TemporaryFolder()
        let store = try WaypointStore(folder.url.appendingPathComponent("waypoints.db"), access: .own)
        let code = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return codeThrown { try store.insert(Fixture.waypoint()) }
        }.value
        #expect(code == "E-INTERRUPTED")
        #expect(try store.isEmpty())
    }
}
