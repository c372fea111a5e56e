import SyncPlugin

/// The token is durable before what it covers.
struct TokenBeforeApply: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore
    private var token: ChangeToken?
    private var states: [RecordKey: SyncedRecordState] = [:]

    init(base: SimulatedStore) { self.base = base }

    func state(_ key: RecordKey) -> SyncedRecordState? { states[key] ?? base.state(key) }
    mutating func set(_ state: SyncedRecordState, for key: RecordKey) { states[key] = state }

    mutating func commit() throws {
        let held = states
        // What the process only held is gone with it.
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

/// An operation sent again keeps its identifier, but takes the present content along.
struct PresentResent: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    func state(_ key: RecordKey) -> SyncedRecordState? {
        var state = base.state(key)
        if let state, state.local.isDeleted { return state }
        if let local = state?.local { state?.pending?.version = local }
        return state
    }
}

/// Records that come in are written over edits that were not sent yet.
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

/// A record made again has the incarnation of the deleted one.
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

/// A full fetch leaves records alone that are no longer in the cloud.
struct MissingKept: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    func basedKeys(except seen: Set<RecordKey>) -> [RecordKey] { [] }
}

/// What was to be written into the app's store is not looked at again after a crash.
struct IntentsForgotten: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    func isWritten(_ intent: Intent, _ key: RecordKey) -> Bool { true }
}

/// A device whose data turned out to be a copy keeps its identity.
struct IdentityKept: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    mutating func renew() {}
}

/// What a cloud that was put back lacks is not sent again.
struct LostNotSent: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    mutating func set(_ state: SyncedRecordState, for key: RecordKey) {
        if let old = base.state(key), old.base != nil, state.base == nil, state.tag == 0 { return }
        base.set(state, for: key)
    }
}

/// Marks of the history are forgotten when the process ends.
struct MarksForgotten: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    func rememberedMarks(limit: Int) -> [HistoryMark] { [] }
}

/// What came over the watch link counts as based on this zone, whatever history its sender had read.
struct ForeignBasesKept: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    mutating func set(_ state: SyncedRecordState, for key: RecordKey) {
        if let old = base.state(key), old.isBorrowed, state.base == nil, state.local == old.local { return }
        base.set(state, for: key)
    }
}

/// A photo counts as the one that was there when it has its size.
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

/// Nothing is remembered for `sync explain`.
struct NothingNoted: StoreDecorator, SimulatedDeviceStore {
    var base: SimulatedStore

    mutating func note(_ kind: NoteKind, _ key: RecordKey, _ detail: @autoclosure () -> String) {}
}
