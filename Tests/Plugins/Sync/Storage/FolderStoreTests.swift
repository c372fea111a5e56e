import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import SyncPlugin

/// A device's folder: what happens between the reading of rows and their writing.
struct FolderStoreTests {
    private let folder: TemporaryFolder
    private static let now = Timestamp(milliseconds: 1_770_000_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> FolderStore { try FolderStore(folder.url, device: 1, now: Self.now) }

    private func app() throws -> WaypointStore {
        try WaypointStore(folder.url.appendingPathComponent("waypoints.db"), access: .own)
    }

    private func waypoint(_ number: Int) -> Waypoint {
        Waypoint(
            id: RecordName(high: 0, low: UInt64(number)).id,
            coordinate: Coordinate(latitude: 46, longitude: 7),
            timestamp: Self.now, label: "W\(number)", modifiedAt: Self.now)
    }

    private func key(_ number: Int) -> RecordKey {
        RecordKey(type: .waypoint, name: RecordName(high: 0, low: UInt64(number)))
    }

    private func label(_ number: Int) throws -> String? {
        try app().all().first { $0.id == key(number).name.id }?.label
    }

    /// Plans another label for a row as it is read now.
    private func plan(_ number: Int, _ label: String, in store: FolderStore) throws {
        let before = try store.row(key(number))
        let after = before?.map { $0.key == "label" ? RowField(key: "label", value: .text(label)) : $0 }
        try store.plan(key(number), before: before, after: after)
    }

    private func userWrites(_ number: Int, _ label: String) throws {
        var after = waypoint(number)
        after.label = label
        #expect(try app().update(waypoint(number), to: after))
    }

    @Test func rowsAreWrittenWithTheCommit() throws {
        try app().insert(waypoint(1))
        let store = try open()
        try plan(1, "theirs", in: store)
        #expect(try label(1) == "W1")
        try store.commit()
        #expect(try label(1) == "theirs")
        #expect(store.intents.isEmpty)
    }

    /// What the user changed after it was read stays, and is still known to be unwritten when other rows were written since.
    @Test func aRowThatTheUserChangedMeanwhileIsLeft() throws {
        for number in 1...2 { try app().insert(waypoint(number)) }
        let store = try open()
        try plan(1, "theirs", in: store)
        try userWrites(1, "mine")
        try store.commit()
        #expect(try label(1) == "mine")
        let intent = try #require(store.intent(key(1)))
        #expect(try !store.isWritten(intent, key(1)))
        try plan(2, "theirs", in: store)
        try store.commit()
        #expect(try label(2) == "theirs")
        #expect(try !store.isWritten(intent, key(1)))
        // The completion of the second is written with the next commit; until then the app's store
        // records it.
        let reopened = try open()
        let written = try reopened.intentKeys().map { key in
            try reopened.isWritten(try #require(reopened.intent(key)), key)
        }
        #expect(written == [false, true])
        // After it is written, it is no longer pending.
        try plan(1, "ours", in: store)
        try store.commit()
        #expect(try label(1) == "ours")
        #expect(store.intent(key(1)) == nil)
    }

    /// SQLite does not count what a connection writes itself as a change by others.
    @Test func aRowWrittenThroughTheSameConnectionIsLeft() throws {
        try app().insert(waypoint(1))
        let store = try open()
        try plan(1, "theirs", in: store)
        let before = try #require(try open().row(key(1)))
        let mine = before.map { $0.key == "label" ? RowField(key: "label", value: .text("mine")) : $0 }
        try store.write(key(1), before: before, after: mine)
        try store.commit()
        #expect(try label(1) == "mine")
    }

    /// A row that another connection created after it was searched.
    @Test func aRowThatAppearedMeanwhileIsLeft() throws {
        let store = try open()
        try store.prepare([key(1)])
        let row = try #require(
            store.row(
                of: Version(fields: [
                    Field(key: "label", value: .text("theirs"), stamp: .none),
                    Field(key: "latitude", value: .number(1), stamp: .none),
                    Field(key: "longitude", value: .number(1), stamp: .none),
                    Field(key: "timestamp", value: .text("2026-01-01T00:00:00Z"), stamp: .none),
                ]), type: .waypoint))
        try store.plan(key(1), before: try store.row(key(1)), after: row)
        try app().insert(waypoint(1))
        try store.commit()
        #expect(try label(1) == "W1")
    }

    @Test func theOutboxPassesOverWhatWasSent() throws {
        let store = try open()
        let field = Field(key: "a", value: .integer(1), stamp: Stamp(time: 1, device: 1))
        for number in [5, 3, 4, 1, 2] {
            try store.set(SyncedRecordState(local: Version(fields: [field])), for: key(number))
        }
        #expect(try store.outbox(limit: 2) == [key(1), key(2)])
        for number in [1, 3] {
            var state = try #require(try store.state(key(number)))
            state.base = state.local
            try store.set(state, for: key(number))
        }
        #expect(try store.outbox(limit: 9) == [key(2), key(4), key(5)])
        #expect(try store.outbox(limit: 2) == [key(2), key(4)])
        var again = try #require(try store.state(key(1)))
        again.local.set(Field(key: "a", value: .integer(2), stamp: Stamp(time: 2, device: 1)))
        try store.set(again, for: key(1))
        #expect(try store.outbox(limit: 1) == [key(1)])
    }

    /// Whatever happens to states, a store that is opened after a commit has them as they were; only an edit that was not
    /// sent yet need not be there, since it is in the app's own store.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func statesComeBack(seed: UInt64) throws {
        var random = Xoshiro256(seed: seed)
        let store = try open()
        var model: [RecordKey: SyncedRecordState] = [:]
        var stored: [RecordKey: SyncedRecordState] = [:]
        var (operation, tag, acknowledged) = (0 as UInt64, 0 as Int64, 0)
        func version() -> Version {
            Version(fields: [
                Field(key: "a", value: .integer(Int64(random.next() % 3)), stamp: Stamp(time: 1, device: 1))
            ])
        }
        for _ in 0..<150 {
            for _ in 0..<Int(random.next() % 8) {
                let key = key(Int(random.next() % 6))
                var state = try store.state(key) ?? SyncedRecordState(local: version())
                #expect(model[key] == nil || model[key] == state)
                switch random.next() % 10 {
                case 0: state.local = version()
                case 1...3:
                    operation += 1 + random.next() % 3 / 2
                    state.pending = Pending(
                        id: OperationID(device: 1, number: operation), baseTag: state.tag,
                        version: state.local)
                case 4...6:
                    guard let sent = state.pending?.version else { continue }
                    acknowledged += 1
                    tag += 1 + Int64(random.next() % 3 / 2)
                    state.base = sent
                    state.pending = nil
                    state.tag = tag
                    state.epoch = 7 + random.next() % 9 / 8
                case 7: state.local = .tombstone(incarnation: 1, stamp: Stamp(time: 2, device: 1))
                case 8: state.parked = random.next() % 2 == 0 ? .rejected("too large") : .exhausted
                default: state.parked = nil
                }
                try store.set(state, for: key)
                model[key] = state
                if try store.states.entry(key).change != .edit { stored[key] = state }
            }
            try store.commit()
            let reopened = try open()
            for number in 0..<6 { #expect(try reopened.state(key(number)) == stored[key(number)]) }
            #expect(try reopened.liveCount() == stored.values.count { !$0.local.isDeleted })
        }
        #expect(acknowledged > SyncSettings.mostAcknowledgements)
        #expect(try open().states.acknowledgements.count <= SyncSettings.mostAcknowledgements)
    }

    /// An edit need not be in `sync.db` before it is sent; then it is, and the acknowledgement is no second
    /// copy.
    @Test func aRecordIsWrittenOnce() throws {
        try app().insert(waypoint(1))
        let store = try open()
        for key in try store.changedKeys() {
            var copy = store
            _ = try LocalChangeDetector.record(key, in: &copy, now: Self.now.milliseconds, rule: .merge)
        }
        try store.commit()
        #expect(try open().state(key(1)) == nil)
        var state = try #require(try store.state(key(1)))
        state.pending = Pending(id: OperationID(device: 1, number: 1), baseTag: 0, version: state.local)
        try store.set(state, for: key(1))
        try store.commit()
        #expect(try open().state(key(1)) == state)
        state.base = state.local
        state.pending = nil
        (state.tag, state.epoch) = (9, 3)
        try store.set(state, for: key(1))
        #expect(store.states.changed.isEmpty)
        try store.commit()
        #expect(try open().state(key(1)) == state)
    }

    @Test func acknowledgementsSayWhatADictionarySays() {
        var random = Xoshiro256(seed: 11)
        var runs = Acknowledgements()
        var model: [UInt64: Acknowledgements.Answer] = [:]
        var tag: Int64 = 0
        for _ in 0..<40 {
            // Each batch has numbers of its own, in any order of batches.
            let first = UInt64(random.next() % 1_000) * 20
            if model[first] != nil { continue }
            for step in 0..<(1 + random.next() % 20) where random.next() % 5 > 0 {
                tag += 1 + Int64(random.next() % 4 / 3)
                let answer = Acknowledgements.Answer(tag: tag, epoch: 1 + random.next() % 6 / 5)
                runs.add(first + step, answer)
                model[first + step] = answer
            }
            runs.commit()
        }
        for number in 0..<20_100 as Range<UInt64> { #expect(runs.answer(to: number) == model[number]) }
        #expect(runs.count < model.count)
    }

    /// The first release kept each intent in a row.
    @Test func anOlderStoreIsMigrated() throws {
        let held = Version(fields: [Field(key: "a", value: .text("held"), stamp: Stamp(time: 5, device: 1))])
        let sent = Version(fields: [Field(key: "a", value: .text("sent"), stamp: Stamp(time: 4, device: 1))])
        var row = ByteWriter()
        VersionCoding.add([RowField(key: "label", value: .text("old"))], to: &row)
        let before = Data(row.bytes)
        try DatabaseQueue(path: folder.url.appendingPathComponent("sync.db").path).write { db in
            try db.execute(
                sql: """
                    CREATE TABLE header (id INTEGER PRIMARY KEY CHECK (id = 1), device INTEGER NOT NULL,
                        clock INTEGER NOT NULL DEFAULT 0, next_operation INTEGER NOT NULL DEFAULT 1, epoch INTEGER,
                        number INTEGER, commits INTEGER NOT NULL DEFAULT 0, rule TEXT NOT NULL DEFAULT 'merge');
                    CREATE TABLE shadows (type INTEGER NOT NULL, name TEXT NOT NULL, tag INTEGER NOT NULL,
                        epoch INTEGER NOT NULL, base BLOB, local BLOB, deleted INTEGER NOT NULL, dirty INTEGER NOT NULL,
                        operation_device INTEGER, operation_number INTEGER, operation_tag INTEGER,
                        operation_version BLOB, parked TEXT, PRIMARY KEY (type, name)) WITHOUT ROWID;
                    CREATE INDEX shadows_outbox ON shadows(type, name) WHERE dirty = 1;
                    CREATE TABLE intents (type INTEGER NOT NULL, name TEXT NOT NULL, commit_number INTEGER NOT NULL,
                        before BLOB, PRIMARY KEY (type, name)) WITHOUT ROWID;
                    CREATE TABLE deleted (type INTEGER NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL,
                        PRIMARY KEY (type, name)) WITHOUT ROWID;
                    CREATE TABLE conflicts (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, type INTEGER NOT NULL,
                        name TEXT NOT NULL, field TEXT NOT NULL, value BLOB NOT NULL, stamp_time INTEGER NOT NULL,
                        stamp_device INTEGER NOT NULL, winner BLOB NOT NULL, reason INTEGER NOT NULL,
                        restored INTEGER NOT NULL DEFAULT 0);
                    CREATE TABLE notes (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, type INTEGER, name TEXT,
                        kind TEXT NOT NULL, detail TEXT NOT NULL);
                    CREATE TABLE blobs (name TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
                    INSERT INTO header (id, device, next_operation, commits) VALUES (1, 77, 12, 3);
                    PRAGMA user_version = 1;
                    """)
            let names = (1...2).map { key($0).name.text }
            try db.execute(
                sql: "INSERT INTO shadows VALUES (1, ?, 0, 0, NULL, ?, 0, 1, 77, 11, 0, ?, NULL)",
                arguments: [
                    names[0], Data(VersionCoding.bytes(held, format: .first)),
                    Data(VersionCoding.bytes(sent, format: .first)),
                ])
            try db.execute(
                sql: "INSERT INTO shadows VALUES (1, ?, 4, 9, ?, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL)",
                arguments: [names[1], Data(VersionCoding.bytes(held, format: .first))])
            try db.execute(sql: "INSERT INTO intents VALUES (1, ?, 3, ?)", arguments: [names[1], before])
        }
        for _ in 0..<2 {
            let store = try open()
            #expect(store.header.device == 77)
            #expect(store.header.nextOperation == 12)
            let id = OperationID(device: 77, number: 11)
            #expect(
                try store.state(key(1))
                    == SyncedRecordState(local: held, pending: Pending(id: id, baseTag: 0, version: sent)))
            #expect(try store.state(key(2)) == SyncedRecordState(base: held, tag: 4, epoch: 9, local: held))
            let intent = Intent(before: [RowField(key: "label", value: .text("old"))], commit: 3)
            #expect(store.intent(key(2)) == intent)
            #expect(try store.outbox(limit: 9) == [key(1)])
        }
    }

    private func expectRefusal(after damage: String) throws {
        _ = try open()
        try DatabaseQueue(path: folder.url.appendingPathComponent("sync.db").path).write {
            try $0.execute(sql: damage)
        }
        #expect(throws: RutterError.self) { try open() }
    }

    /// Acknowledgements that no store has written.
    @Test(arguments: ["1, -1, 1", "1, 2, -9", "1, 2, 9223372036854775807"])
    func damagedAcknowledgementsAreRefused(row: String) throws {
        try expectRefusal(after: "INSERT INTO acknowledged VALUES (\(row), 0)")
    }

    /// The header of a store that was damaged.
    @Test(arguments: ["next_operation = -1", "commits = 9223372036854775807", "epoch = 1, number = -4"])
    func aDamagedHeaderIsRefused(change: String) throws {
        try expectRefusal(after: "UPDATE header SET \(change)")
    }

    /// The first release kept the names of rows that were left alone without a number.
    @Test func rowsThatAnOlderVersionLeftAreKnown() throws {
        try app().insert(waypoint(1))
        let store = try open()
        try plan(1, "theirs", in: store)
        try userWrites(1, "mine")
        try store.commit()
        try DatabaseQueue(path: folder.url.appendingPathComponent("waypoints.db").path).write {
            try $0.execute(
                sql: """
                    CREATE TABLE rutter_sync_skipped (name TEXT PRIMARY KEY) WITHOUT ROWID;
                    INSERT INTO rutter_sync_skipped SELECT name FROM rutter_sync_left;
                    DROP TABLE rutter_sync_left;
                    """)
        }
        let reopened = try open()
        #expect(try !reopened.isWritten(try #require(reopened.intent(key(1))), key(1)))
    }

    /// A sync that ends without sending keeps what the user edited, and when.
    @Test func aSyncThatFailsKeepsEdits() throws {
        try app().insert(waypoint(1))
        var store = try open()
        var machine = SyncMachine(rule: .merge)
        _ = try machine.start(.now, in: &store, now: Self.now.milliseconds)
        _ = try machine.failed(.permanent("no"), in: &store)
        #expect(try open().state(key(1))?.local.value("label") == .text("W1"))
    }

    /// A row that is written again after a crash is built from the state, which must then have the user's
    /// edit.
    @Test func anEditBesideAPlannedRowIsKept() throws {
        try app().insert(waypoint(1))
        var store = try open()
        let (_, state) = try LocalChangeDetector.record(
            key(1), in: &store, now: Self.now.milliseconds, rule: .merge)
        #expect(state != nil)
        #expect(try store.states.entry(key(1)).change == .edit)
        try plan(1, "theirs", in: store)
        try store.commit()
        #expect(try open().state(key(1))?.local.value("label") == .text("W1"))
    }

    private func photo(_ size: Int) -> WaypointPhoto {
        WaypointPhoto(photo: Data(repeating: 7, count: size), thumbnail: nil)
    }

    /// The photo of an operation that the cloud never got is gone when it is sent again.
    @Test func aPhotoThatWasReplacedBeforeItArrivedHoldsNothingUp() throws {
        var first = waypoint(1)
        first.hasPhoto = true
        var rest = [(waypoint: first, photo: photo(3) as WaypointPhoto?)].makeIterator()
        try app().insertAll(withPhotos: { rest.next() })
        let cloud = try EmbeddedCloud(folder.url.appendingPathComponent("cloud.db"), zone: "z", epoch: 1)
        func sync(failing: Bool) throws {
            var store = try open()
            var machine = SyncMachine(rule: .merge)
            var output = try machine.start(.now, in: &store, now: Self.now.milliseconds)
            while case .send(let request) = output {
                if failing, case .putBlobs = request {
                    output = try machine.failed(.permanent("gone"), in: &store)
                    continue
                }
                let reply = try cloud.answer(request)
                output = try #require(
                    try machine.receive(
                        reply, to: machine.requestNumber, in: &store, now: Self.now.milliseconds))
            }
        }
        try sync(failing: true)
        #expect(try open().state(key(1))?.pending != nil)
        var second = first
        second.label = "with another photo"
        #expect(try app().update(first, to: second, photo: photo(5)))
        try sync(failing: false)
        let held = try #require(try cloud.state().records.first?.version)
        #expect(held.blobs == [BlobReference(Data(repeating: 7, count: 5))])
        #expect(held.value("label") == .text("with another photo"))
        #expect(try open().outbox(limit: 9).isEmpty)
    }
}
