import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// A device's folder as the engine sees it: the app's stores, and `sync.db` beside them.
final class FolderStore: DeviceStore {
    let folder: URL
    let database: StoreConnection
    private let waypoints: AppTable
    private let hikes: AppTable
    private let routes: AppRoutes
    private let now: Timestamp
    var header: DeviceHeader
    private var cache: [RecordKey: Shadow?] = [:]
    private var changed: Set<RecordKey> = []
    private var plans: [RecordKey: AppTable.Plan] = [:]
    private var intents: [RecordKey: Intent] = [:]
    private var settled: Set<RecordKey> = []
    private var losers: [(RecordKey, Loser)] = []
    private var notes: [(NoteKind, RecordKey, String)] = []
    private var blobs: [BlobReference: Data] = [:]
    private var commits: Int64
    /// Rows as the last look at all rows found them, where they are whole; each is used once, before the next commit.
    private var scanned: [RecordKey: Row] = [:]

    /// Opens a folder; makes what is missing. `device` is the number that a new device gets.
    init(_ folder: URL, device: UInt64, now: Timestamp) throws {
        self.folder = folder
        self.now = now
        database = try SyncSchema.open(folder.appendingPathComponent("sync.db"), device: device)
        (header, commits) = try database.read { db in try SyncSchema.header(db) }
        intents = try database.read { db in try SyncSchema.intents(db) }
        let waypointStore = try WaypointStore(folder.appendingPathComponent("waypoints.db"), access: .own)
        waypoints = try AppTable(.waypoint, table: "waypoints", connection: waypointStore.connection)
        let hikeStore = try HikeStore(folder.appendingPathComponent("routes.db"), access: .own)
        hikes = try AppTable(.savedRoute, table: "saved_routes", connection: hikeStore.connection)
        routes = AppRoutes(folder: PlannedRouteFolder(folder.appendingPathComponent("planned_routes")))
    }

    private func table(_ type: RecordType) -> AppTable? {
        switch type {
        case .waypoint: waypoints
        case .savedRoute: hikes
        case .plannedRoute: nil
        }
    }

    // MARK: Shadows

    func shadow(_ key: RecordKey) throws -> Shadow? {
        if let known = cache[key] { return known }
        let shadow = try database.look { db in try SyncSchema.shadow(db, key) }
        cache[key] = .some(shadow)
        return shadow
    }

    func set(_ shadow: Shadow, for key: RecordKey) {
        cache[key] = .some(shadow)
        changed.insert(key)
    }

    func shadowKeys() throws -> [RecordKey] {
        let stored = try database.read { db in try SyncSchema.keys(db, condition: "") }
        return Set(stored).union(changed).sorted()
    }

    func outbox(limit: Int) throws -> [RecordKey] {
        try database.read { db in
            try SyncSchema.keys(
                db, condition: "WHERE dirty = 1 AND parked IS NULL ORDER BY type, name LIMIT \(limit)")
        }
    }

    /// Loads all shadows, then looks at all rows.
    func changedKeys() throws -> [RecordKey] {
        let shadows = try database.read { db in try SyncSchema.all(db) }
        for (key, shadow) in shadows where cache[key] == nil { cache[key] = .some(shadow) }
        var found = Set(intents.keys)
        var present: Set<RecordKey> = []
        let look: (RecordKey, Row) -> Void = { [self, cache] key, row in
            present.insert(key)
            if let shadow = cache[key] ?? nil, shadow.parked != .exhausted, !Self.differs(row, shadow.local) {
                return
            }
            found.insert(key)
            if row.allSatisfy({ $0.value.blob == nil }) { scanned[key] = row }
        }
        scanned = [:]
        defer { for key in intents.keys { scanned[key] = nil } }
        try waypoints.all(look)
        try hikes.all(look)
        try routes.all(look)
        for (key, shadow) in shadows where !present.contains(key) {
            if !shadow.local.isDeleted || shadow.parked == .exhausted { found.insert(key) }
        }
        return found.sorted()
    }

    func intentKeys() -> [RecordKey] { intents.keys.sorted() }

    /// Blobs are compared by their size here: they are read when anything else says that the row was changed.
    private static func differs(_ row: Row, _ version: Version) -> Bool {
        if version.isDeleted { return true }
        for field in row {
            let held = version.value(field.key)
            if case .blob(let mine) = field.value, case .blob(let theirs) = held {
                if mine.size != theirs.size { return true }
            } else if held != field.value {
                return true
            }
        }
        return false
    }

    // MARK: Rows

    func row(_ key: RecordKey) throws -> Row? {
        if let plan = plans[key] { return plan.after }
        if let row = scanned.removeValue(forKey: key) { return row }
        return try table(key.type).map { try $0.row(key) } ?? routes.row(key)
    }

    func row(of version: Version, type: RecordType) -> Row? {
        guard let table = table(type) else { return AppRoutes.row(of: version) }
        if version.isDeleted { return nil }
        return table.columns.map { RowField(key: $0, value: version.value($0)) }
    }

    func editTime(of row: Row, type: RecordType, now: Int64) -> Int64? {
        let key = type == .plannedRoute ? "modifiedAt" : "modified_at"
        guard case .text(let text)? = row.first(where: { $0.key == key })?.value else { return nil }
        return SyncTime.milliseconds(text)
    }

    func isWritten(_ intent: Intent, _ key: RecordKey) throws -> Bool {
        guard let table = table(key.type) else { return false }
        return try table.isWritten(key, commit: intent.commit)
    }

    func intent(_ key: RecordKey) -> Intent? { settled.contains(key) ? nil : intents[key] }
    func settle(_ key: RecordKey) { settled.insert(key) }

    func plan(_ key: RecordKey, before: Row?, after: Row?) {
        plans[key] = AppTable.Plan(key: key, before: plans[key].map { $0.before } ?? before, after: after)
    }

    func keep(_ loser: Loser, of key: RecordKey) { losers.append((key, loser)) }

    func note(_ kind: NoteKind, _ key: RecordKey, _ detail: @autoclosure () -> String) {
        notes.append((kind, key, detail()))
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

    private func kept(_ reference: BlobReference) throws -> Data? {
        try blobs[reference] ?? database.read { db in try SyncSchema.blob(db, reference) }
    }

    func keep(_ blob: Blob) { blobs[blob.reference] = Data(blob.bytes) }

    func liveCount() throws -> Int { try database.read { db in try SyncSchema.liveCount(db) } }

    // MARK: Commit

    func commit() throws {
        commits += 1
        scanned = [:]
        for key in settled { intents[key] = nil }
        for (key, plan) in plans { intents[key] = Intent(before: plan.before, commit: commits) }
        try database.write { db in
            try SyncSchema.save(
                db, header, commits: commits, shadows: changed.sorted().map { ($0, cache[$0] ?? nil) },
                losers: losers, notes: notes, now: now)
            try SyncSchema.save(db, blobs)
            for key in settled { try SyncSchema.removeIntent(db, key) }
            for key in plans.keys { if let intent = intents[key] { try SyncSchema.save(db, intent, key) } }
        }
        changed = []
        settled = []
        losers = []
        notes = []
        if plans.isEmpty { return }
        try writeRows()
    }

    private func writeRows() throws {
        let ordered = plans.values.sorted { $0.key < $1.key }
        var done: [RecordKey] = []
        for type in [RecordType.waypoint, .savedRoute] {
            let own = ordered.filter { $0.key.type == type }
            if own.isEmpty { continue }
            done += try table(type)?.write(own, commit: commits) { try kept($0) } ?? []
        }
        for plan in ordered where plan.key.type == .plannedRoute {
            try routes.write(plan.key, before: plan.before, after: plan.after)
            if try routes.row(plan.key) == plan.after { done.append(plan.key) }
        }
        plans = [:]
        for key in done { intents[key] = nil }
        try database.write { db in
            if intents.isEmpty { return try SyncSchema.removeIntents(db) }
            for key in done { try SyncSchema.removeIntent(db, key) }
        }
    }

    /// Writes a row at once, as the user would.
    func write(_ key: RecordKey, before: Row?, after: Row?) throws {
        guard let table = table(key.type) else { return try routes.write(key, before: before, after: after) }
        try table.userWrites(AppTable.Plan(key: key, before: before, after: after)) { try kept($0) }
    }

    /// What a record held when it last lived here.
    func lastLive(_ key: RecordKey) throws -> Version? {
        try database.read { db in try SyncSchema.lastLive(db, key) }
    }
}
