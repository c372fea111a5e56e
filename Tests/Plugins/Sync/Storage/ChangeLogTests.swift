import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import SyncPlugin

/// The user's changes are found by the log of an app's store, and by reading all rows if the log is not
/// trusted.
struct ChangeLogTests {
    private let folder: TemporaryFolder
    private static let now = Timestamp(milliseconds: 1_770_000_000_000)

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("device"), withIntermediateDirectories: true)
        let store = try WaypointStore(file, access: .own)
        for number in 1...6 {
            try store.insert(
                Waypoint(
                    id: key(number).name.id, coordinate: Coordinate(latitude: 46, longitude: 7),
                    timestamp: Self.now, label: "W\(number)", modifiedAt: Self.now))
        }
    }

    private var file: URL { folder.url.appendingPathComponent("device/waypoints.db") }

    private func key(_ number: Int) -> RecordKey {
        RecordKey(type: .waypoint, name: RecordName(high: 0, low: UInt64(number)))
    }

    private func name(_ number: Int) -> String { key(number).name.text }

    private func open(_ name: String = "device", device: UInt64 = 1) throws -> FolderStore {
        try FolderStore(folder.url.appendingPathComponent(name), device: device, now: Self.now)
    }

    private func sync(_ name: String = "device", device: UInt64 = 1) throws {
        let cloud = try EmbeddedCloud(folder.url.appendingPathComponent("cloud.db"), zone: "z", epoch: 1)
        _ = try open(name, device: device).sync(.now, with: cloud)
    }

    /// Writes as another program would.
    private func write(_ sql: String) throws {
        try DatabaseQueue(path: file.path).write { try $0.execute(sql: sql) }
    }

    /// The result of the log alone; `nil` if it is not trusted.
    private func logged() throws -> [RecordName]? {
        try #require(open().rows.table(.waypoint)).loggedChanges()
    }

    /// The records that are found changed, and which are when all rows are read.
    private func found() throws -> (log: [RecordKey], all: [RecordKey]) {
        let log = try open().changedKeys()
        let copy = folder.url.appendingPathComponent("copy")
        if FileManager.default.fileExists(atPath: copy.path) { try FileManager.default.removeItem(at: copy) }
        try FileManager.default.copyItem(at: folder.url.appendingPathComponent("device"), to: copy)
        try DatabaseQueue(path: copy.appendingPathComponent("sync.db").path).write {
            try $0.execute(sql: "DELETE FROM looks")
        }
        let store = try open("copy")
        #expect(try #require(store.rows.table(.waypoint)).loggedChanges() == nil)
        return (log, try store.changedKeys())
    }

    @Test func afterASyncNothingIsLogged() throws {
        #expect(try logged() == nil)
        try sync()
        #expect(try logged() == [])
        #expect(try open().changedKeys().isEmpty)
    }

    /// Whatever changes a row, with or without saying when.
    @Test(arguments: [
        "UPDATE waypoints SET label = 'other' WHERE id = 'ID'",
        "UPDATE waypoints SET label = 'other', modified_at = '1999-01-01T00:00:00Z' WHERE id = 'ID'",
        "DELETE FROM waypoints WHERE id = 'ID'",
        "DELETE FROM waypoints",
        "INSERT OR REPLACE INTO waypoints SELECT * FROM waypoints WHERE id = 'ID'; UPDATE waypoints SET note = 'n'",
        "UPDATE waypoints SET id = lower(id), label = 'small' WHERE id = 'ID'",
        "UPDATE waypoints SET id = '11111111-2222-3333-4444-555555555555' WHERE id = 'ID'",
        "UPDATE waypoints SET label = label",
    ])
    func whateverWritesIsFound(_ sql: String) throws {
        try sync()
        try write(sql.replacingOccurrences(of: "ID", with: name(3)))
        #expect(try logged()?.isEmpty == false)
        let (log, all) = try found()
        #expect(log == all)
        try sync()
        #expect(try logged() == [])
        let after = try found()
        #expect(after.log.isEmpty)
        #expect(after.all.isEmpty)
    }

    /// If rows may have changed without an entry, all are read.
    @Test(arguments: [
        "ALTER TABLE waypoints ADD COLUMN mood TEXT DEFAULT 'good'",
        "DROP TRIGGER rutter_sync_update; UPDATE waypoints SET label = 'unseen'",
        "CREATE UNIQUE INDEX one ON waypoints(label)",
        "UPDATE rutter_sync_log SET device = 2",
        "UPDATE rutter_sync_log SET number = number - 1",
        "UPDATE rutter_sync_log SET muted = 1; UPDATE waypoints SET label = 'unseen'",
        "UPDATE waypoints SET id = 'aBCDEF00-0000-0000-0000-00000000000A' WHERE label = 'W1'",
        "VACUUM",
    ])
    func whatMayNotBeTrustedIsNot(_ sql: String) throws {
        try sync()
        #expect(try logged() == [])
        try DatabaseQueue(path: file.path).writeWithoutTransaction { try $0.execute(sql: sql) }
        #expect(try logged() == nil)
        let (log, all) = try found()
        #expect(log == all)
    }

    /// A file restored from a copy has older rows than its log states.
    @Test func anOldCopyPutBackIsNoticed() throws {
        try sync()
        let copy = folder.url.appendingPathComponent("old.db")
        try FileManager.default.copyItem(at: file, to: copy)
        try write("UPDATE waypoints SET label = 'newer' WHERE id = '\(name(2))'")
        try sync()
        try FileManager.default.removeItem(at: file)
        try FileManager.default.copyItem(at: copy, to: file)
        #expect(try logged() == nil)
        #expect(try open().changedKeys() == [key(2)])
    }

    /// A sync's own writes are not changes; an edit beside them is.
    @Test func whatASyncWritesIsNotLogged() throws {
        try sync()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("other"), withIntermediateDirectories: true)
        try sync("other", device: 2)
        let other = try DatabaseQueue(path: folder.url.appendingPathComponent("other/waypoints.db").path)
        try other.write { try $0.execute(sql: "UPDATE waypoints SET label = 'theirs' WHERE label = 'W4'") }
        try sync("other", device: 2)
        try write("UPDATE waypoints SET label = 'mine' WHERE label = 'W5'")
        let cloud = try EmbeddedCloud(folder.url.appendingPathComponent("cloud.db"), zone: "z", epoch: 1)
        #expect(try open().sync(.pull, with: cloud).pulled == 1)
        #expect(try logged() == [key(5).name])
        #expect(try found().log == [key(5)])
    }

    /// An edit that no commit made durable is found again.
    @Test func anEditIsLoggedUntilItIsDurable() throws {
        try sync()
        try write("UPDATE waypoints SET label = 'edited' WHERE label = 'W6'")
        for _ in 0..<2 {
            var store = try open()
            let keys = try store.changedKeys()
            #expect(keys == [key(6)])
            for key in keys {
                try LocalChangeDetector.record(key, in: &store, now: Self.now.milliseconds, rule: .merge)
            }
            try store.commit()
        }
        let store = try open()
        _ = try store.changedKeys()
        store.keepEdits()
        try sync()
        #expect(try logged() == [])
    }

    /// Any sequence of writes and syncs, including failing ones: the log finds the same as reading
    /// all rows.
    @Test(arguments: 0..<6 as Range<UInt64>)
    func theLogFindsWhatAllRowsShow(seed: UInt64) throws {
        var random = Xoshiro256(seed: seed)
        for _ in 0..<12 {
            let id = name(1 + Int(random.next() % 9))
            switch random.next() % 6 {
            case 0: try write("UPDATE waypoints SET label = 'L\(random.next() % 5)' WHERE id = '\(id)'")
            case 1: try write("DELETE FROM waypoints WHERE id = '\(id)'")
            case 2:
                try write(
                    "INSERT OR IGNORE INTO waypoints (id, latitude, longitude, timestamp) "
                        + "VALUES ('\(id)', 1, 2, '2026-01-01T00:00:00Z')")
            case 3:
                var store = try open()
                var machine = SyncMachine(rule: .merge)
                _ = try machine.start(.now, in: &store, now: Self.now.milliseconds)
                _ = try machine.failed(
                    random.next() % 2 == 0 ? .permanent("no") : .transient("no"), in: &store)
            default: try sync()
            }
            let (log, all) = try found()
            #expect(log == all)
        }
    }
}
