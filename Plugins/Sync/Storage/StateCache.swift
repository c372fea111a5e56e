import GRDB
import TrailStores

/// A cache of the states stored in `sync.db`, with the changes that the next commit writes.
final class StateCache {
    private let database: StoreConnection
    private var device: UInt64
    private var entries: [RecordKey: RecordEntry] = [:]
    /// Types whose states are all loaded.
    private var whole: Set<RecordType>
    /// Whether all states of unknown types are loaded.
    private var hasUnknown = false
    /// Whether all states with something to send are loaded.
    private var hasWaiting: Bool
    /// The last requested entry: a record is requested several times in a row.
    private var last: RecordEntry?
    private var queue = SendQueue()
    private(set) var acknowledgements: Acknowledgements
    /// Entries that the next commit writes.
    private(set) var changed: [RecordEntry] = []
    /// Number of entries with an edit that the next commit does not write.
    private var unsavedEdits = 0
    /// Records of which the cloud's version was learned since this was asked last.
    private var named: Set<RecordKey> = []
    /// The fields of records that the next commit deletes.
    private var lastContents: [(RecordKey, Version)] = []

    init(_ database: StoreConnection, device: UInt64, _ acknowledgements: Acknowledgements) throws {
        self.database = database
        self.device = device
        self.acknowledgements = acknowledgements
        hasWaiting = try database.look { db in try !SyncSchema.hasStates(db) }
        whole = hasWaiting ? Set(RecordType.known) : []
        hasUnknown = hasWaiting
    }

    // MARK: Reading

    func entry(_ key: RecordKey) throws -> RecordEntry {
        if let last, last.key == key { return last }
        if !whole.contains(key.type), entries[key] == nil {
            try database.look { db in try SyncSchema.states(db, of: [key], device: device, add) }
        }
        let entry = made(key)
        last = entry
        return entry
    }

    /// Creates the entry of a record.
    private func made(_ key: RecordKey) -> RecordEntry {
        if let known = entries[key] { return known }
        let entry = RecordEntry(key)
        entries[key] = entry
        return entry
    }

    /// Adds a state from `sync.db`, with the operation that sent it.
    private func add(_ key: RecordKey, _ stored: SyncedRecordState) {
        if entries[key] != nil { return }
        var state = stored
        if let sent = state.pending, let answer = acknowledgements.answer(to: sent.id.number) {
            state.base = sent.version
            state.tag = answer.tag
            state.epoch = answer.epoch
            state.pending = nil
        }
        let entry = made(key)
        entry.set(state)
        queue.note(entry)
    }

    /// Loads the entries of some records with one query.
    @discardableResult
    func load(_ keys: [RecordKey]) throws -> [RecordEntry] {
        let unknown = keys.filter { !whole.contains($0.type) && entries[$0] == nil }
        if !unknown.isEmpty {
            try database.read { db in try SyncSchema.states(db, of: unknown, device: device, add) }
        }
        return keys.map(made)
    }

    /// Loads all states of a type.
    func load(_ type: RecordType) throws {
        if whole.contains(type) { return }
        try database.read { db in
            try SyncSchema.states(db, of: type, device: device, add)
        }
        whole.insert(type)
    }

    /// Loads all states that may have something to send.
    func loadWaiting() throws {
        if hasWaiting { return }
        try load(try database.read { db in try SyncSchema.waiting(db) })
        hasWaiting = true
    }

    /// Reserves space for a number of further entries.
    func reserve(_ count: Int) { entries.reserveCapacity(entries.count + count) }

    /// All loaded entries, unordered.
    var loaded: some Sequence<RecordEntry> { entries.values }

    private func all() throws -> [RecordKey: RecordEntry] {
        for type in RecordType.known { try load(type) }
        if !hasUnknown {
            try database.read { db in try SyncSchema.statesOfUnknownTypes(db, device: device, add) }
            hasUnknown = true
        }
        return entries
    }

    func basedKeys(except seen: Set<RecordKey>) throws -> [RecordKey] {
        try all().values.lazy.filter { $0.state?.base != nil && !seen.contains($0.key) }.map(\.key).sorted()
    }

    func outbox(limit: Int) throws -> [RecordKey] {
        try loadWaiting()
        return queue.first(limit)
    }

    func oldestPending() throws -> UInt64? {
        try loadWaiting()
        return entries.values.lazy.compactMap { $0.state?.pending?.id.number }.min()
    }

    func liveCount() throws -> Int { try all().values.count { $0.state?.local.isDeleted == false } }

    /// All states in key order.
    func list() throws -> [(key: RecordKey, state: SyncedRecordState)] {
        try all().values.compactMap { entry in entry.state.map { (key: entry.key, state: $0) } }
            .sorted { $0.key < $1.key }
    }

    // MARK: Changing

    /// Changes the identity. Sent operations are acknowledged or sent again under the new one.
    func renew(_ device: UInt64) throws {
        try database.write { db in try SyncSchema.fold(db) }
        acknowledgements.fold()
        for (key, state) in try list() where state.pending != nil {
            var state = state
            state.pending = nil
            try set(state, for: key)
        }
        self.device = device
    }

    func set(_ state: SyncedRecordState, for key: RecordKey) throws {
        let entry = try entry(key)
        if let number = entry.acknowledged(by: state) {
            acknowledgements.add(number, .init(tag: state.tag, epoch: state.epoch))
        } else if entry.change != .whole,
            let change = SyncedRecordState.change(from: entry.state, to: state)
        {
            mark(entry, change)
        }
        if state.local.isDeleted, let old = entry.state, !old.local.isDeleted {
            lastContents.append((key, old.local))
        }
        if state.tag != entry.state?.tag, state.tag != 0, state.base?.isDeleted == false { named.insert(key) }
        entry.set(state)
        queue.note(entry)
    }

    /// Returns the records of which the cloud's version was learned since the last call, in order.
    func takeNamed() -> [RecordKey] {
        defer { named = [] }
        return named.sorted()
    }

    private func mark(_ entry: RecordEntry, _ change: SyncedRecordState.Change) {
        if entry.change == .edit { unsavedEdits -= 1 }
        entry.change = change
        if change == .whole { changed.append(entry) } else { unsavedEdits += 1 }
    }

    func keepEdits() { for entry in entries.values { keepEdit(entry) } }

    func keepEdit(_ entry: RecordEntry) { if entry.change == .edit { mark(entry, .whole) } }

    // MARK: Committing

    var isChanged: Bool { !changed.isEmpty || !acknowledgements.new.isEmpty }
    var hasUnsavedEdits: Bool { unsavedEdits > 0 }

    private var isFolding: Bool { acknowledgements.count > SyncSettings.mostAcknowledgements }

    func save(_ db: Database) throws {
        changed.sort { $0.key < $1.key }
        try SyncSchema.saveLastContents(db, lastContents)
        try SyncSchema.save(db, changed)
        try SyncSchema.save(db, acknowledgements.new)
        if isFolding { try SyncSchema.fold(db) }
    }

    /// Called when saved entries are durable.
    func committed() {
        for entry in changed { entry.change = nil }
        changed = []
        lastContents = []
        let folds = isFolding
        acknowledgements.commit()
        if folds { acknowledgements.fold() }
    }
}
