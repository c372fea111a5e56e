import SyncPlugin

/// The token is durable before the changes that it covers.
struct TokenBeforeApply: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore
    private var token: ChangeToken?
    private var states: [RecordKey: SyncedRecordState] = [:]

    init(base: SimulatedStore) { self.base = base }

    func state(_ key: RecordKey) -> SyncedRecordState? { states[key] ?? base.state(key) }
    mutating func set(_ state: SyncedRecordState, for key: RecordKey) { states[key] = state }

    mutating func commit() throws {
        let held = states
        // The process's volatile state is lost with it.
        states = [:]
        if header.token != token { try base.commit() }
        token = header.token
        for (key, state) in held { base.set(state, for: key) }
        try base.commit()
    }
}

/// An edit leaves the outbox when it is sent.
struct OutboxClearedOnSend: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    mutating func set(_ state: SyncedRecordState, for key: RecordKey) {
        var state = state
        if state.pending != nil {
            state.base = state.local
            state.pending = nil
        }
        base.set(state, for: key)
    }
}

/// An operation sent again keeps its identifier, but has the current content.
struct PresentResent: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    func state(_ key: RecordKey) -> SyncedRecordState? {
        var state = base.state(key)
        if let state, state.local.isDeleted { return state }
        if let local = state?.local { state?.pending?.version = local }
        return state
    }
}

/// Received records overwrite unsent edits.
struct PulledOverEdits: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore
    private var isTaking = false

    init(base: SimulatedStore) { self.base = base }

    mutating func prepare(_ keys: [RecordKey]) { isTaking = true }

    func state(_ key: RecordKey) -> SyncedRecordState? {
        var state = base.state(key)
        if isTaking {
            guard let base = state?.base else { return nil }
            state?.local = base
        }
        return state
    }

    func row(_ key: RecordKey) -> Row? {
        isTaking ? state(key).flatMap { base.row(of: $0.local, type: key.type) } : base.row(key)
    }

    mutating func commit() throws {
        isTaking = false
        try base.commit()
    }
}

/// A recreated record has the incarnation of the deleted one.
struct SameIncarnation: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    mutating func set(_ state: SyncedRecordState, for key: RecordKey) {
        var state = state
        if let old = base.state(key), old.local.isDeleted, old.base == state.base {
            state.local.incarnation = old.local.incarnation
        }
        base.set(state, for: key)
    }
}

/// A full fetch keeps records that are no longer in the cloud.
struct MissingKept: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    func basedKeys(except seen: Set<RecordKey>) -> [RecordKey] { [] }
}

/// Incomplete writes into the app's store are not completed after a crash.
struct IntentsForgotten: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    func isWritten(_ intent: Intent, _ key: RecordKey) -> Bool { true }
}

/// A device whose data is a copy keeps its identity.
struct IdentityKept: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    mutating func renew() {}
}

/// Records missing in a restored cloud are not sent again.
struct LostNotSent: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    mutating func set(_ state: SyncedRecordState, for key: RecordKey) {
        if let old = base.state(key), old.base != nil, state.base == nil, state.tag == 0 { return }
        base.set(state, for: key)
    }
}

/// Marks of the history are lost when the process ends.
struct MarksForgotten: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    func rememberedMarks(limit: Int) -> [HistoryMark] { [] }
}

/// Records from the watch link count as based on this zone, regardless of the history that their sender read.
struct ForeignBasesKept: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    mutating func set(_ state: SyncedRecordState, for key: RecordKey) {
        if let old = base.state(key), old.isBorrowed, state.base == nil, state.local == old.local { return }
        base.set(state, for: key)
    }
}

/// A photo counts as the existing one if it has its size.
struct BlobsBySize: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    func row(_ key: RecordKey) -> Row? {
        guard let row = base.row(key), let state = base.state(key) else { return base.row(key) }
        return row.map { field in
            guard case .blob(let mine) = field.value, case .blob(let theirs) = state.local.value(field.key),
                mine.size == theirs.size
            else { return field }
            return RowField(key: field.key, value: .blob(theirs))
        }
    }
}

/// No notes are stored for `sync explain`.
struct NothingNoted: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    mutating func note(_ kind: NoteKind, _ key: RecordKey, _ detail: @autoclosure () -> String) {}
}

/// What another file or a new column changed in the rows counts as the user's edits.
struct NothingUndone: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    func kept(_ row: Row?, _ key: RecordKey, _ state: SyncedRecordState) -> KeptRow? { nil }
}

/// Rows that cannot be read, and those of a store that is missing, count as deleted.
struct UnreadableDeleted: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    private func isUnreadable(_ key: RecordKey) -> Bool { base.obstacle(key) != nil }

    func obstacle(_ key: RecordKey) -> String? { nil }
    func row(_ key: RecordKey) -> Row? { isUnreadable(key) ? nil : base.row(key) }
    func changedKeys() -> [RecordKey] {
        let found = base.changedKeys()
        let hidden = base.rows.indices.map { SimulatedStore.key($0) }.filter(isUnreadable)
        return Array(Set(found + hidden)).sorted()
    }
}
