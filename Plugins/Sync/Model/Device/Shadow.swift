/// What a device knows about a record beside the row in the app's own store.
struct Shadow: Hashable, Sendable {
    /// The cloud's version that this device last saw; `nil` when the cloud is not known to have the record.
    var base: Version?
    /// The tag of that version; 0 where there is none.
    var tag: Int64 = 0
    /// The epoch that the tag is of.
    var epoch: UInt64 = 0
    /// What this device holds. Where it differs from `base` it is in the outbox.
    var local: Version
    /// An operation that may have reached the cloud.
    var pending: Pending?
    /// Why it waits and is not sent, until it is edited or a sync is asked for again.
    var parked: Parked?

    /// Whether there is something to send.
    var isDirty: Bool { base != local }

    /// Whether the next push sends it.
    var isWaiting: Bool { parked == nil && isDirty }

    /// How a shadow changed.
    enum Change: Sendable {
        /// The user edited, and nothing else happened. That is in the app's own store, and need not be durable here before it
        /// is sent.
        case edit
        /// Any other way.
        case whole
    }

    /// How one came from another, or from none; `nil` when they are the same.
    static func change(from old: Shadow?, to new: Shadow) -> Change? {
        let isSettled = new.pending == nil && new.parked == nil && !new.local.isDeleted
        guard let old else { return isSettled && new.base == nil ? .edit : .whole }
        if old == new { return nil }
        let isEdit =
            isSettled && old.pending == nil && old.parked == nil && !old.local.isDeleted && old.tag == new.tag
            && old.epoch == new.epoch && old.base == new.base
        return isEdit ? .edit : .whole
    }
}

/// An operation as it was sent: sent again, it must be the same to the last byte.
struct Pending: Hashable, Sendable {
    let id: OperationID
    let baseTag: Int64
    var version: Version
}

/// Why a record of the outbox waits.
enum Parked: Hashable, Sendable {
    /// All attempts failed; the next sync tries again.
    case exhausted
    /// The cloud refused it for good; it waits for an edit.
    case rejected(String)
}

/// A write into the app's store that may not have happened yet: the row as it was before.
struct Intent: Hashable, Sendable {
    let before: Row?
    /// Which of the device's commits it belongs to.
    let commit: Int64
}

/// What a device knows beside its records.
struct DeviceHeader: Hashable, Sendable {
    /// A random number made at the installation.
    var device: UInt64
    /// The logical clock.
    var clock = HybridClock()
    /// The number of the next operation.
    var nextOperation: UInt64 = 1
    /// How far the zone was read; `nil` before the first full fetch.
    var token: ChangeToken?
}
