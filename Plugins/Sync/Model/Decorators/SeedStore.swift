/// A device's store as the seed's rule uses it.
typealias SeedStore<Base: DeviceStore> = BatchEndedByRefusal<UnknownFieldsDropped<PresentAcknowledged<Base>>>

extension BatchEndedByRefusal {
    /// The seed's faults around a store.
    static func seed<Store>(_ store: Store) -> Self where Self == SeedStore<Store> {
        Self(base: UnknownFieldsDropped(base: PresentAcknowledged(base: store)))
    }
}

/// The fault that an acknowledgement marks the current content as saved instead of the sent content.
package struct PresentAcknowledged<Base: DeviceStore>: StoreDecorator {
    package var base: Base
    package init(base: Base) { self.base = base }

    package mutating func set(_ state: SyncedRecordState, for key: RecordKey) throws {
        var state = state
        if let sent = try base.state(key)?.pending, state.pending == nil, state.base == sent.version {
            let now = Int64(base.header.clock.last >> 16)
            let present = try LocalChangeDetector.record(key, in: &base, now: now, rule: .seed).state
            state.local = present?.local ?? state.local
            state.base = state.local
        }
        try base.set(state, for: key)
    }
}

/// The fault that fields unknown to this app are dropped when the user edits a record.
package struct UnknownFieldsDropped<Base: DeviceStore>: StoreDecorator {
    package var base: Base
    package init(base: Base) { self.base = base }

    package mutating func set(_ state: SyncedRecordState, for key: RecordKey) throws {
        var state = state
        if let old = try base.state(key), old.base == state.base, old.local != state.local,
            let row = base.row(of: state.local, type: key.type)
        {
            state.local.fields.removeAll { field in !row.contains { $0.key == field.key } }
        }
        try base.set(state, for: key)
    }
}

/// The fault that a permanently rejected record ends its batch.
struct BatchEndedByRefusal<Base: DeviceStore>: StoreDecorator {
    var base: Base

    mutating func set(_ state: SyncedRecordState, for key: RecordKey) throws {
        if case .rejected(let why) = state.parked { throw SyncErrors.refused(why) }
        try base.set(state, for: key)
    }
}
