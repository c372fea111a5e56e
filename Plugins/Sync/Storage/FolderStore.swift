import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// A device's folder as the engine sees it: the app's stores, and `sync.db` beside them. What `sync.db` says is read at the
/// opening: whoever syncs opens it under the device's lock, since another process may have written before.
package final class FolderStore: DeviceStore {
    let folder: URL
    let database: StoreConnection
    let states: StateCache
    let rows: AppRows
    private let now: Timestamp
    package var header: DeviceHeader
    /// The header as `sync.db` has it.
    private var savedHeader: DeviceHeader
    private var commits: Int64
    private(set) var intents: IntentList
    private var findings = Findings()

    /// Opens a folder and creates missing files. `device` is the number of a new device.
    package init(_ folder: URL, device: UInt64, now: Timestamp) throws {
        self.folder = folder
        self.now = now
        let database = try SyncSchema.open(folder.appendingPathComponent("sync.db"), device: device)
        self.database = database
        let (saved, intents, acknowledgements, marks) = try database.read { db in
            (
                try SyncSchema.header(db), try SyncSchema.intents(db), try SyncSchema.acknowledgements(db),
                try SyncSchema.marks(db)
            )
        }
        (header, commits) = saved
        savedHeader = saved.0
        self.intents = IntentList(intents)
        states = try StateCache(database, device: saved.0.device, acknowledgements)
        rows = try AppRows(folder, device: saved.0.device, marks: marks)
    }

    // MARK: States

    package func state(_ key: RecordKey) throws -> SyncedRecordState? { try states.entry(key).state }
    package func set(_ state: SyncedRecordState, for key: RecordKey) throws {
        try states.set(state, for: key)
    }
    package func keepEdits() { states.keepEdits() }
    package func basedKeys(except seen: Set<RecordKey>) throws -> [RecordKey] {
        try states.basedKeys(except: seen)
    }
    package func outbox(limit: Int) throws -> [RecordKey] { try states.outbox(limit: limit) }
    package func liveCount() throws -> Int { try states.liveCount() }

    /// Runs a sync to its end on a cloud that always answers. `sync now` is `SyncDriver`.
    package func sync(_ mode: SyncMachine.Mode, with cloud: EmbeddedCloud) throws -> SyncCounts {
        var store = self
        var machine = SyncMachine(rule: .merge)
        var output = try machine.start(mode, in: &store, now: now.milliseconds)
        while case .send(let request) = output {
            let next = try machine.receive(
                try cloud.answer(request), to: machine.requestNumber, in: &store, now: now.milliseconds)
            output = next ?? .finished(.done)
        }
        return machine.counts
    }

    // MARK: Rows

    package func prepare(_ keys: [RecordKey]) throws {
        try rows.prepare(try states.load(keys).filter { !intents.has($0.key) })
    }

    package func changedKeys() throws -> [RecordKey] { try rows.changes(states, intents) }
    package func row(_ key: RecordKey) throws -> Row? { try rows.row(try states.entry(key)) }
    package func row(of version: Version, type: RecordType) -> Row? { rows.row(of: version, type: type) }
    package func editTime(of row: Row, type: RecordType, now: Int64) -> Int64? {
        rows.editTime(of: row, type: type)
    }
    package func plan(_ key: RecordKey, before: Row?, after: Row?) throws {
        rows.plan(try states.entry(key), before: before, after: after)
    }

    /// Writes a row at once, as the user would.
    func write(_ key: RecordKey, before: Row?, after: Row?) throws {
        try rows.userWrites(AppTable.Plan(key: key, before: before, after: after)) { try kept($0) }
    }

    // MARK: Intents and findings

    package func intentKeys() -> [RecordKey] { intents.keys }
    package func intent(_ key: RecordKey) -> Intent? { intents[key] }
    package func settle(_ key: RecordKey) { intents.settle(key) }
    package func isWritten(_ intent: Intent, _ key: RecordKey) throws -> Bool {
        try rows.table(key.type)?.isWritten(key, commit: intent.commit) ?? false
    }

    package func keep(_ loser: Loser, of key: RecordKey) { findings.losers.append((key, loser)) }
    package func note(_ kind: NoteKind, _ key: RecordKey, _ detail: @autoclosure () -> String) {
        findings.notes.append((kind, key, detail()))
    }

    /// The fields of a record before its deletion.
    func lastLive(_ key: RecordKey) throws -> Version? {
        try database.read { db in try SyncSchema.lastLive(db, key) }
    }

    // MARK: Blobs

    package func has(_ blob: BlobReference) throws -> Bool {
        if findings.blobs[blob] != nil { return true }
        return try database.look { db in try SyncSchema.hasBlob(db, blob) }
    }

    package func blob(_ reference: BlobReference, of key: RecordKey) throws -> Blob? {
        let data = try rows.table(key.type)?.blob(reference, of: key) ?? kept(reference)
        return data.map { Blob(reference: reference, bytes: Array($0)) }
    }

    func kept(_ reference: BlobReference) throws -> Data? {
        try findings.blobs[reference] ?? database.read { db in try SyncSchema.blob(db, reference) }
    }

    package func keep(_ blob: Blob) { findings.blobs[blob.reference] = Data(blob.bytes) }

    // MARK: Committing

    /// Makes everything durable: first `sync.db` with the intents, then the apps' stores. That the intents are done is written
    /// with the next commit; until then the apps' stores say it.
    package func commit() throws {
        rows.forgetPrepared()
        let planned = rows.planned
        // Should the row not be written, it is made of the state later.
        for entry in planned { states.keepEdit(entry) }
        let isWholeLook = !states.hasUnsavedEdits
        if header == savedHeader, !states.isChanged, !intents.isChanged, planned.isEmpty, findings.isEmpty,
            !(isWholeLook && rows.hasLooks)
        {
            return
        }
        commits += 1
        intents.begin(planned, commit: commits)
        let marks = try rows.nextMarks(commit: commits, isWholeLook: isWholeLook)
        try database.write { db in
            try SyncSchema.save(db, header, commits: commits)
            try states.save(db)
            if intents.isChanged { try SyncSchema.save(db, intents.held) }
            try findings.save(db, now: now)
            try SyncSchema.save(db, marks)
        }
        savedHeader = header
        states.committed()
        intents.committed()
        findings = Findings()
        intents.end(try rows.write(commit: commits, marks) { try kept($0) })
    }
}

/// The append-only results of a sync: values that lost, decisions, received blobs.
private struct Findings {
    var losers: [(RecordKey, Loser)] = []
    var notes: [(NoteKind, RecordKey, String)] = []
    var blobs: [BlobReference: Data] = [:]

    var isEmpty: Bool { losers.isEmpty && notes.isEmpty && blobs.isEmpty }

    func save(_ db: Database, now: Timestamp) throws {
        try SyncSchema.save(db, losers, now: now)
        try SyncSchema.save(db, notes, now: now)
        try SyncSchema.save(db, blobs)
    }
}
