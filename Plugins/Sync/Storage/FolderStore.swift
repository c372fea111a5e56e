import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// A device's folder as the engine sees it: the app's stores, and `sync.db` beside them.
final class FolderStore: DeviceStore {
    let folder: URL
    let database: StoreConnection
    let waypoints: AppTable
    let hikes: AppTable
    let routes: AppRoutes
    let now: Timestamp
    var header: DeviceHeader
    /// The header as `sync.db` has it.
    var savedHeader: DeviceHeader
    var commits: Int64 = 0
    var entries: [RecordKey: RecordEntry] = [:]
    /// Whether there are entries for all shadows.
    var hasAll = false
    /// Entries that the next commit writes.
    var changed: [RecordEntry] = []
    private var queue = SendQueue()
    /// The entry that was asked for last: a record is looked at several times in a row.
    private var last: RecordEntry?
    var acknowledgements = Acknowledgements()
    /// Entries with a row to write.
    var planned: [RecordEntry] = []
    var intents: [RecordKey: Intent] = [:]
    var intentsChanged = false
    var settled: Set<RecordKey> = []
    /// Entries with a row that was read together with others.
    var prepared: [RecordEntry] = []
    /// The number of the last look at all rows.
    var looks = 0
    /// What records held that are deleted with the next commit.
    var lastContents: [(RecordKey, Version)] = []
    var losers: [(RecordKey, Loser)] = []
    var notes: [(NoteKind, RecordKey, String)] = []
    var blobs: [BlobReference: Data] = [:]

    /// Opens a folder; makes what is missing. `device` is the number that a new device gets.
    init(_ folder: URL, device: UInt64, now: Timestamp) throws {
        self.folder = folder
        self.now = now
        database = try SyncSchema.open(folder.appendingPathComponent("sync.db"), device: device)
        header = DeviceHeader(device: device)
        savedHeader = header
        let waypointStore = try WaypointStore(own: folder)
        waypoints = try AppTable(.waypoint, table: "waypoints", connection: waypointStore.connection)
        let hikeStore = try HikeStore(own: folder)
        hikes = try AppTable(.savedRoute, table: "saved_routes", connection: hikeStore.connection)
        routes = AppRoutes(folder: PlannedRouteFolder(own: folder))
        try refresh()
    }

    /// Reads what `sync.db` says: at the opening, and again under the device's lock, before anything else is asked, since
    /// another process may have written.
    func refresh() throws {
        try database.read { db in
            (header, commits) = try SyncSchema.header(db)
            acknowledgements = try SyncSchema.acknowledgements(db)
            intents = try SyncSchema.intents(db)
            hasAll = try !SyncSchema.hasShadows(db)
        }
        savedHeader = header
        entries = [:]
        queue = SendQueue()
        last = nil
    }

    // MARK: Shadows

    func entry(_ key: RecordKey) throws -> RecordEntry {
        if let last, last.key == key { return last }
        if !hasAll, entries[key] == nil {
            try database.look { db in try SyncSchema.shadows(db, of: [key], device: header.device, add) }
        }
        if let known = entries[key] {
            last = known
            return known
        }
        let entry = RecordEntry(key)
        entries[key] = entry
        last = entry
        return entry
    }

    /// Takes a shadow from `sync.db`, with the operation as which it was sent.
    private func add(_ key: RecordKey, _ stored: Shadow) {
        var shadow = stored
        if let sent = shadow.pending, let answer = acknowledgements.answer(to: sent.id.number) {
            shadow.base = sent.version
            shadow.tag = answer.tag
            shadow.epoch = answer.epoch
            shadow.pending = nil
        }
        let entry = RecordEntry(key)
        entry.hold(shadow)
        entries[key] = entry
        queue.note(entry)
    }

    /// Makes entries for some records with one look.
    func load(_ keys: [RecordKey]) throws {
        if hasAll { return }
        let unknown = keys.filter { entries[$0] == nil }
        if !unknown.isEmpty {
            try database.read { db in
                try SyncSchema.shadows(db, of: unknown, device: header.device, add)
            }
        }
        for key in unknown where entries[key] == nil { entries[key] = RecordEntry(key) }
    }

    func loadAll() throws {
        if hasAll { return }
        try database.read { db in
            try SyncSchema.allShadows(db, except: { entries[$0] != nil }, device: header.device, add)
        }
        hasAll = true
    }

    func shadow(_ key: RecordKey) throws -> Shadow? { try entry(key).shadow }

    func set(_ shadow: Shadow, for key: RecordKey) throws {
        let entry = try entry(key)
        if let number = entry.acknowledged(by: shadow) {
            acknowledgements.add(number, .init(tag: shadow.tag, epoch: shadow.epoch))
        } else if entry.change != .whole, let change = Shadow.change(from: entry.shadow, to: shadow) {
            entry.change = change
            if change == .whole { changed.append(entry) }
        }
        if shadow.local.isDeleted, let old = entry.shadow, !old.local.isDeleted {
            lastContents.append((key, old.local))
        }
        entry.hold(shadow)
        queue.note(entry)
    }

    func keepEdits() { for entry in entries.values { keepEdit(entry) } }

    func keepEdit(_ entry: RecordEntry) {
        if entry.change != .edit { return }
        entry.change = .whole
        changed.append(entry)
    }

    func basedKeys(except seen: Set<RecordKey>) throws -> [RecordKey] {
        try loadAll()
        return entries.values.lazy.filter { $0.shadow?.base != nil && !seen.contains($0.key) }.map(\.key)
            .sorted()
    }

    func outbox(limit: Int) throws -> [RecordKey] {
        try loadAll()
        return queue.first(limit)
    }

    func liveCount() throws -> Int {
        try loadAll()
        return entries.values.count { $0.shadow?.local.isDeleted == false }
    }

    // MARK: Decisions

    func intent(_ key: RecordKey) -> Intent? { settled.contains(key) ? nil : intents[key] }
    func settle(_ key: RecordKey) { settled.insert(key) }

    func keep(_ loser: Loser, of key: RecordKey) { losers.append((key, loser)) }

    func note(_ kind: NoteKind, _ key: RecordKey, _ detail: @autoclosure () -> String) {
        notes.append((kind, key, detail()))
    }

    /// What a record held when it last lived here.
    func lastLive(_ key: RecordKey) throws -> Version? {
        try database.read { db in try SyncSchema.lastLive(db, key) }
    }

    // MARK: Blobs

    func has(_ blob: BlobReference) throws -> Bool {
        if blobs[blob] != nil { return true }
        return try database.look { db in try SyncSchema.hasBlob(db, blob) }
    }

    func blob(_ reference: BlobReference, of key: RecordKey) throws -> Blob? {
        if let data = try table(key.type)?.blob(reference, of: key) ?? kept(reference) {
            return Blob(reference: reference, bytes: Array(data))
        }
        return nil
    }

    func kept(_ reference: BlobReference) throws -> Data? {
        try blobs[reference] ?? database.read { db in try SyncSchema.blob(db, reference) }
    }

    func keep(_ blob: Blob) { blobs[blob.reference] = Data(blob.bytes) }
}
