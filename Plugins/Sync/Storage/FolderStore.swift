import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// A device's folder as seen by the engine: the app's stores, and `sync.db` beside them. `sync.db` is read
/// when opened: a sync opens it under the device's lock, since another process may have written before.
package final class FolderStore: DeviceStore {
    let folder: URL
    let database: StoreConnection
    let states: StateCache
    let rows: AppRows
    private let now: Timestamp
    package var header: DeviceHeader
    /// Draws a new replica identifier.
    private let identity: (DeviceHeader) -> UInt64
    /// The installation that `sync.db` belongs to. If it differs from the device's, the folder is a copy of
    /// another device's.
    private(set) var installation: UInt64
    /// Marks of the history written by the next commit, and the number above which it discards earlier ones.
    private var newMarks: [HistoryMark] = []
    private var marksForgottenAfter: Int64?
    package var heldBack: [RecordKey: CloudRecord] {
        didSet { hasHeldBack = hasHeldBack || heldBack != oldValue }
    }
    /// Whether the next commit writes the held-back records.
    private var hasHeldBack = false
    /// The header stored in `sync.db`.
    private var savedHeader: DeviceHeader
    private var commits: Int64
    private(set) var intents: IntentList
    private var findings = Findings()
    /// Received large blobs that are in no row.
    private let files: BlobFiles
    /// The cell from which a large blob is sent, and the offset of its next part; its digest was checked with
    /// the first part.
    private var sending: (blob: BlobReference, key: RecordKey, column: String?, next: Int64)?

    /// Opens a folder and creates missing files. `device` is the number of a new device. `willChangeFile` is
    /// called before the file of a planned route is changed.
    package init(
        _ folder: URL, device: UInt64, now: Timestamp, willChangeFile: (() throws -> Void)? = nil,
        identity: @escaping (DeviceHeader) -> UInt64 = {
            ContentHash.mix(ContentHash.mix($0.device, $0.nextOperation), $0.clock.last) | 1
        }
    ) throws {
        self.folder = folder
        self.identity = identity
        self.now = now
        files = BlobFiles(folder)
        let database = try SyncSchema.open(folder.appendingPathComponent("sync.db"), device: device)
        self.database = database
        let (saved, intents, acknowledgements, marks, held, lineages) = try database.read { db in
            (
                try SyncSchema.header(db), try SyncSchema.intents(db), try SyncSchema.acknowledgements(db),
                try SyncSchema.marks(db), try SyncSchema.heldBack(db), try SyncSchema.lineages(db)
            )
        }
        (header, commits, installation) = saved
        savedHeader = saved.0
        heldBack = held
        self.intents = IntentList(intents)
        states = try StateCache(database, device: saved.0.device, acknowledgements)
        rows = try AppRows(
            folder, device: saved.0.device, commits: saved.1, marks: marks, lineages: lineages,
            willChangeFile: willChangeFile)
    }

    // MARK: Identity and history

    package func canHold(_ version: Version, type: RecordType) -> Bool { rows.canHold(version, type: type) }

    package func renew() throws {
        try commit()
        let device = identity(header)
        header.device = device
        header.nextOperation = 1
        try states.renew(device)
    }

    /// Assigns the folder to one device. A copy of another device's gets a new identity. Returns whether it
    /// was a copy.
    func claim(_ installation: UInt64) throws -> Bool {
        if self.installation == installation { return false }
        self.installation = installation
        try renew()
        try commit()
        return true
    }

    /// Removes all state of some records, as if they had never existed here. Nothing else may be open.
    func forget(_ keys: [RecordKey]) throws {
        try database.write { db in
            for key in keys {
                try db.execute(
                    sql: "DELETE FROM shadows WHERE type = ? AND name = ?",
                    arguments: [Int64(key.type.rawValue), key.name.text])
            }
        }
    }

    package func remember(_ marks: [HistoryMark]) { newMarks += marks }

    package func rememberedMarks(limit: Int) throws -> [HistoryMark] {
        let last = marksForgottenAfter ?? .max
        let saved = try database.read { db in
            try SyncSchema.historyMarks(db, upTo: last, limit: limit)
        }
        return Array((newMarks.reversed() + saved).prefix(limit))
    }

    package func forgetMarks(after number: Int64) {
        newMarks.removeAll { $0.number > number }
        marksForgottenAfter = min(marksForgottenAfter ?? .max, number)
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
    package func oldestPending() throws -> UInt64? { try states.oldestPending() }
    package func liveCount() throws -> Int { try states.liveCount() }

    /// Brings the records back that a store lacks, or confirms that they are deleted. Returns the number of records;
    /// photos and tracks that are not on the device come with the next sync.
    func answer(_ type: RecordType, bringsBack: Bool, now: Int64, rule: SyncRule) throws -> Int {
        var store = self
        try LocalChangeDetector.catchUp(in: &store, now: now, rule: rule)
        _ = try changedKeys()
        guard rows.answer(type, bringsBack: bringsBack) else {
            throw SyncErrors.storeGone(rows.questions[type]?.why ?? "the store cannot be used")
        }
        // The scan that found their rows deleted is over: the log names them no more.
        let undone = bringsBack ? try undoDeletions(type) : []
        var records = 0
        for key in Set(try changedKeys() + undone).sorted() where key.type == type {
            let isMissing = try obstacle(key) == nil && row(key) == nil
            try LocalChangeDetector.record(key, in: &store, now: now, rule: rule)
            if isMissing { records += 1 }
        }
        keepEdits()
        try commit()
        return records
    }

    /// Undoes the deletions that no sync has sent yet, and returns their records.
    private func undoDeletions(_ type: RecordType) throws -> [RecordKey] {
        var undone: [RecordKey] = []
        for (key, state) in try states.list() where key.type == type && state.local.isDeleted {
            guard let base = state.base, !base.isDeleted, state.pending == nil else { continue }
            var state = state
            state.local = base
            state.parked = nil
            try set(state, for: key)
            undone.append(key)
        }
        return undone
    }

    /// Writes the device's last known version of a record in place of a row that cannot be read. Returns whether there
    /// is one.
    func takeBack(_ key: RecordKey) throws -> Bool {
        guard let state = try state(key), !state.local.isDeleted,
            let row = row(of: state.local, type: key.type)
        else { return false }
        try rows.takeBack(key, row) { try kept($0) }
        return true
    }

    /// Runs a sync to its end on a cloud that always answers. `sync` uses `SyncDriver`.
    package func sync(_ mode: SyncMachine.Mode, with cloud: some CloudBackend) throws -> SyncCounts {
        var (store, cloud) = (self, cloud)
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
    package func obstacle(_ key: RecordKey) throws -> String? { try rows.obstacle(try states.entry(key)) }
    package var mustExamineAll: Bool { get throws { try rows.mustExamineAll(states) } }
    package func kept(_ row: Row?, _ key: RecordKey, _ state: SyncedRecordState) throws -> KeptRow? {
        try rows.kept(row, try states.entry(key), states)
    }
    package func isUnset(_ field: RowField, of type: RecordType) -> Bool { rows.isUnset(field, of: type) }
    package func holds(_ field: RowField, _ value: FieldValue, of type: RecordType) -> Bool {
        rows.holds(field, value, of: type)
    }
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
    package func leaveOpen(_ key: RecordKey) { intents.leaveOpen(key) }
    package func isWritten(_ intent: Intent, _ key: RecordKey) throws -> Bool {
        try rows.table(key.type)?.isWritten(key, commit: intent.commit) ?? false
    }

    package func keep(_ loser: Loser, of key: RecordKey) throws {
        findings.losers.append((key, loser))
        // A photo that loses exists only in its row, which is about to be overwritten.
        guard let reference = loser.value.blob, try !has(reference) else { return }
        if !reference.isLarge { return try blob(reference, of: key).map { try keep($0) } ?? () }
        _ = try rows.table(key.type)?.blob(reference, of: key) { try files.keep(reference, $1) }
    }
    /// Records whose row was brought back since this was opened.
    private(set) var broughtBack = 0
    package func note(_ kind: NoteKind, _ key: RecordKey, _ detail: @autoclosure () -> String) {
        if kind == .broughtBack { broughtBack += 1 }
        findings.notes.append((kind, key, detail()))
    }

    /// The fields of a record before its deletion.
    func lastLive(_ key: RecordKey) throws -> Version? {
        try database.read { db in try SyncSchema.lastLive(db, key) }
    }

    // MARK: Blobs

    package func has(_ blob: BlobReference) throws -> Bool {
        try files.has(blob) || database.look { db in try SyncSchema.hasBlob(db, blob) }
    }

    package func blob(_ reference: BlobReference, of key: RecordKey) throws -> Blob? {
        let bytes =
            try rows.table(key.type)?.blob(reference, of: key) { try $1.bytes() }
            ?? kept(reference).map { try $0.bytes() }
        return bytes.map { Blob(reference: reference, bytes: $0) }
    }

    package func part(of reference: BlobReference, in key: RecordKey, from offset: Int64) throws -> BlobPart?
    {
        if let sending, sending.blob == reference, sending.key == key, sending.next == offset {
            return try nextPart()
        }
        sending = nil
        if let column = try rows.table(key.type)?.blob(reference, of: key, { column, _ in column }) {
            sending = (reference, key, column, offset)
        } else if try kept(reference) != nil {
            sending = (reference, key, nil, offset)
        }
        return try nextPart()
    }

    /// Content overwritten in the meantime has another length, or a digest that the cloud rejects.
    private func nextPart() throws -> BlobPart? {
        guard let now = sending else { return nil }
        func part(_ cell: BlobCell) throws -> [UInt8] {
            cell.count == Int(now.blob.size) ? try cell.part(from: Int(now.next)) : []
        }
        let bytes =
            try now.column.flatMap { column in
                try rows.table(now.key.type)?.cell(column, of: now.key, part)
            } ?? (now.column == nil ? kept(now.blob).map(part) : nil) ?? []
        let found = BlobPart(reference: now.blob, offset: now.next, bytes: bytes)
        sending = bytes.isEmpty ? nil : (now.blob, now.key, now.column, found.end)
        return bytes.isEmpty ? nil : found
    }

    func kept(_ reference: BlobReference) throws -> BlobCell? {
        if let cell = files.cell(reference) { return cell }
        return try database.read { db in try SyncSchema.blob(db, reference) }.map { .data($0) }
    }

    /// Stores a blob immediately on disk, until it is in a row.
    package func keep(_ blob: Blob) throws {
        guard BlobReference(Data(blob.bytes)) == blob.reference else { return }
        try database.write { db in try SyncSchema.save(db, blob) }
    }

    package func received(_ reference: BlobReference) throws -> Int64 { try files.received(reference) }
    package func keep(_ part: BlobPart) throws -> Int64 { try files.keep(part) }

    /// Removes received blobs that are no longer needed, after a sync that has applied everything: a process
    /// that ended directly after writing a row left its blob, and a record changed since references another.
    func tidy() throws {
        guard intents.keys.isEmpty else { return }
        let left = try database.look { db in try SyncSchema.blobNames(db) } + files.held
        if left.isEmpty { return }
        let dropped = try database.write { db in try SyncSchema.drop(db, left) }
        for blob in dropped { files.drop(blob) }
    }

    /// Writes the names of records that the cloud has now into the app's own rows and files that have none. What a store refuses, and
    /// a full disk, leave them without.
    func nameRecords() { rows.nameRecords(states.takeNamed()) }

    /// Removes stored blobs that are now in rows, so that each is stored once. Those of lost values are kept.
    private func dropPlaced(_ rows: [Row]) throws {
        let placed = Set(rows.flatMap { $0.compactMap(\.value.blob) })
        if placed.isEmpty { return }
        let dropped = try database.write { db in try SyncSchema.drop(db, placed.sorted()) }
        for blob in dropped where blob.isLarge { files.drop(blob) }
    }

    // MARK: Committing

    /// Makes everything durable: first `sync.db` with the intents, then the apps' stores. The completion of
    /// the intents is written with the next commit; until then the apps' stores record it.
    package func commit() throws {
        rows.forgetPrepared()
        let planned = rows.planned
        // If the row is not written, it is rebuilt from the state later.
        for entry in planned { states.keepEdit(entry) }
        let isWholeScan = !states.hasUnsavedEdits
        if header == savedHeader, newMarks.isEmpty, marksForgottenAfter == nil, !states.isChanged,
            !intents.isChanged, planned.isEmpty, findings.isEmpty, !hasHeldBack,
            !(isWholeScan && rows.hasUnrecordedScan)
        {
            return
        }
        commits += 1
        intents.begin(planned, commit: commits)
        let marks = try rows.nextMarks(commit: commits, isWholeScan: isWholeScan)
        try database.write { db in
            try SyncSchema.save(db, header, commits: commits, installation: installation)
            try SyncSchema.save(db, newMarks, forgettingAfter: marksForgottenAfter)
            try states.save(db)
            if intents.isChanged { try SyncSchema.save(db, intents.held) }
            try findings.save(db, now: now)
            try SyncSchema.save(db, marks)
            if hasHeldBack { try SyncSchema.save(db, heldBack: heldBack) }
        }
        hasHeldBack = false
        savedHeader = header
        newMarks = []
        marksForgottenAfter = nil
        states.committed()
        intents.committed()
        findings = Findings()
        let plans = planned.compactMap { entry in
            entry.plan?.after.map { (entry.key, $0) }
        }
        let written = try rows.write(commit: commits, marks) { try kept($0) }
        intents.end(written)
        // Now the marks before are certainly gone: in the stores that were written, and in no other.
        let marked = marks.filter { $0.value.lineage?.former != nil }.map(\.key).sorted()
        if !marked.isEmpty { try database.write { db in try SyncSchema.settleLineages(db, of: marked) } }
        let done = Set(written)
        try dropPlaced(plans.filter { done.contains($0.0) && rows.table($0.0.type) != nil }.map(\.1))
    }
}

/// The append-only results of a sync: lost values, decisions, received blobs.
private struct Findings {
    var losers: [(RecordKey, Loser)] = []
    var notes: [(NoteKind, RecordKey, String)] = []

    var isEmpty: Bool { losers.isEmpty && notes.isEmpty }

    func save(_ db: Database, now: Timestamp) throws {
        try SyncSchema.save(db, losers, now: now)
        try SyncSchema.save(db, notes, now: now)
    }
}
