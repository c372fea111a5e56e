import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import SyncPlugin

/// Operations kept as runs, beside a plain dictionary.
struct KnownOperationsTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.url.appendingPathComponent("cloud.db") }

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> EmbeddedCloud { try EmbeddedCloud(url, zone: "z", epoch: 1) }

    private func damage(_ sql: String) throws {
        try DatabaseQueue(path: url.path).write { try $0.execute(sql: sql) }
    }

    /// Requests of two devices with gaps, repetitions and strangers' changes between.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func runsSayWhatADictionarySays(seed: UInt64) throws {
        _ = try open()
        let queue = try DatabaseQueue(path: url.path)
        var random = Xoshiro256(seed: seed)
        var model: [OperationID: DoneOperation] = [:]
        var next: [UInt64: UInt64] = [1: 1, 2: 1]
        var head: Int64 = 0
        for _ in 0..<20 {
            try queue.write { db in
                var known = try KnownOperations(db, zone: "z")
                for _ in 0..<Int(random.next() % 12) {
                    let device = 1 + random.next() % 2
                    // Sometimes one that was given before, sometimes one is left out.
                    let isOld = random.next() % 4 == 0
                    let number =
                        isOld ? random.next() % (next[device]! + 1) : next[device]! + random.next() % 6 / 5
                    let id = OperationID(device: device, number: number)
                    #expect(try known.done(id) == model[id])
                    if model[id] != nil || random.next() % 10 == 0 { continue }
                    head += 1 + Int64(random.next() % 8 / 7)
                    let done = DoneOperation(tag: head, digest: random.next())
                    try known.add(id, done)
                    model[id] = done
                    next[device] = max(next[device]!, number + 1)
                }
                try known.write()
            }
        }
        try queue.read { db in
            var known = try KnownOperations(db, zone: "z")
            for device in 1...2 as ClosedRange<UInt64> {
                for number in 0..<(next[device]! + 3) {
                    let id = OperationID(device: device, number: number)
                    #expect(try known.done(id) == model[id])
                }
            }
        }
        try queue.write { try $0.execute(sql: "UPDATE zones SET head = \(head)") }
        #expect(try open().image().operations == model)
    }

    /// A batch takes one row, not a row an operation.
    @Test func aBatchIsOneRun() throws {
        let cloud = try open()
        let operations = (1...500 as ClosedRange<UInt64>).map { number in
            SaveOperation(
                id: OperationID(device: 1, number: number), key: SimulatedStore.key(Int(number)), baseTag: 0,
                version: Version())
        }
        let token = ChangeToken(epoch: 1, number: 0)
        let first = try cloud.answer(.save(token: token, operations: operations))
        let mark = try cloud.state().mark
        #expect(first == .saved((1...500).map { .saved($0) }, mark))
        #expect(
            try cloud.answer(.save(token: token, operations: operations))
                == .saved((1...500).map { .duplicate($0) }, mark))
        let rows = try DatabaseQueue(path: url.path).read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM operations")
        }
        #expect(rows == 1)
    }

    /// The first release kept a row an operation.
    @Test func anOlderCloudIsMigrated() throws {
        let lineage = Lineage(starts: [EpochStart(epoch: 1, number: 0)])
        let version = Version(fields: [Field(key: "a", value: .text("x"), stamp: Stamp(time: 5, device: 1))])
        try DatabaseQueue(path: url.path).write { db in
            try db.execute(
                sql: """
                    CREATE TABLE zones (name TEXT PRIMARY KEY, head INTEGER NOT NULL, floor INTEGER NOT NULL,
                        lineage BLOB NOT NULL) WITHOUT ROWID;
                    CREATE TABLE records (zone TEXT NOT NULL, type INTEGER NOT NULL, name TEXT NOT NULL,
                        tag INTEGER NOT NULL, deleted INTEGER NOT NULL, content BLOB NOT NULL,
                        PRIMARY KEY (zone, type, name)) WITHOUT ROWID;
                    CREATE UNIQUE INDEX records_changes ON records(zone, tag);
                    CREATE TABLE operations (zone TEXT NOT NULL, device INTEGER NOT NULL, number INTEGER NOT NULL,
                        tag INTEGER NOT NULL, PRIMARY KEY (zone, device, number)) WITHOUT ROWID;
                    CREATE TABLE blobs (zone TEXT NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL,
                        PRIMARY KEY (zone, name)) WITHOUT ROWID;
                    INSERT INTO operations VALUES ('z', 1, 7, 1);
                    PRAGMA user_version = 1;
                    """)
            try db.execute(sql: "INSERT INTO zones VALUES ('z', 1, 0, ?)", arguments: [Data(lineage.bytes)])
            try db.execute(
                sql: "INSERT INTO records VALUES ('z', 1, ?, 1, 0, ?)",
                arguments: [
                    SimulatedStore.key(1).name.text, Data(VersionCoding.bytes(version, format: .first)),
                ])
        }
        let cloud = try open()
        #expect(try cloud.state().records.map(\.version) == [version])
        func save(_ number: UInt64, _ base: Int64) throws -> [SaveResult] {
            let operation = SaveOperation(
                id: OperationID(device: 1, number: number), key: SimulatedStore.key(1), baseTag: base,
                version: version)
            let reply = try cloud.answer(
                .save(token: ChangeToken(epoch: 1, number: 0), operations: [operation]))
            guard case .saved(let results, _) = reply else { return [] }
            return results
        }
        #expect(try save(7, 0) == [.duplicate(1)])
        #expect(try save(8, 1) == [.saved(2)])
    }

    /// The fourth version kept all operations.
    @Test func aCloudThatForgetsNothingIsMigrated() throws {
        let operations = (1...70 as ClosedRange<UInt64>).map { number in
            SaveOperation(
                id: OperationID(device: 1, number: number), key: SimulatedStore.key(Int(number)), baseTag: 0,
                version: Version())
        }
        let token = ChangeToken(epoch: 1, number: 0)
        _ = try open().answer(.save(token: token, operations: operations))
        _ = try open().answer(.report(Watermark(device: 1, token: ChangeToken(epoch: 1, number: 70))))
        try damage(
            """
            DROP TABLE floors; ALTER TABLE devices DROP COLUMN settled; PRAGMA user_version = 4
            """)
        let cloud = try open()
        let before = try cloud.image()
        #expect(before.operations.count == 70)
        #expect(before.floors.isEmpty)
        // No device has reported yet what may be discarded.
        try cloud.collectOperations()
        #expect(try cloud.image() == before)
        _ = try cloud.answer(
            .report(Watermark(device: 1, token: ChangeToken(epoch: 1, number: 70), settled: 66)))
        #expect(try cloud.image().operations.count == 4)
        #expect(try cloud.image().floors == [1: 66])
    }

    /// Rows that no cloud has written.
    @Test(arguments: ["1, -1", "-5, 2", "9223372036854775807, 2", "1, 1000000000000"])
    func damagedRunsAreRefused(tagAndCount: String) throws {
        let cloud = try open()
        try damage(
            "INSERT INTO operations VALUES ('z', 1, 3, \(tagAndCount), NULL); UPDATE zones SET head = 9")
        #expect(throws: CloudFailure.self) { try cloud.image() }
        let operation = SaveOperation(
            id: OperationID(device: 1, number: 4), key: SimulatedStore.key(1), baseTag: 0, version: Version())
        // Refused, or not known; never a trap.
        _ = try? cloud.answer(.save(token: ChangeToken(epoch: 1, number: 0), operations: [operation]))
    }

    @Test(arguments: ["9223372036854775807", "-1", "'x'"])
    func aDamagedHeadIsRefused(head: String) throws {
        let cloud = try open()
        try damage("UPDATE zones SET head = \(head), floor = 1")
        #expect(throws: CloudFailure.self) {
            try cloud.answer(.save(token: ChangeToken(epoch: 1, number: 2), operations: []))
        }
    }
}
