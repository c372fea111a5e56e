/// The sync state of a record, beside its row in the app's own store.
package struct SyncedRecordState: Hashable, Sendable {
    /// The cloud's version that this device last saw; `nil` when the cloud is not known to have the record.
    package var base: Version?
    /// The tag of that version; 0 if there is none.
    package var tag: Int64 = 0
    /// The epoch that the tag is of.
    package var epoch: UInt64 = 0
    /// The local version. Where it differs from `base` it is in the outbox.
    package var local: Version
    /// An operation that may have reached the cloud.
    package var pending: Pending?
    /// Why it waits and is not sent, until it is edited or a sync is asked for again.
    package var parked: Parked?
    /// What is known of it from the watch link.
    package var link: LinkTrace?

    /// Whether the base is what the sender of a link item saw of the cloud, not this device: it has no tag. That of a forgotten
    /// record has none either, but is a tombstone.
    package var isBorrowed: Bool { tag == 0 && base?.isDeleted == false }

    /// Whether there is something to send.
    package var isDirty: Bool { base != local }

    /// Whether the next push sends it.
    package var isWaiting: Bool { parked == nil && isDirty }

    /// All writes that are known of it.
    package var knowledge: LinkTrace {
        var trace = link ?? LinkTrace()
        if let base { trace.see(base) }
        if let pending { trace.see(pending.version) }
        trace.see(local)
        return trace
    }

    /// Keeps in mind what is about to be replaced, for items of the watch link that are still to come.
    mutating func remember() { if link != nil { link = knowledge } }

    /// How a state changed.
    package enum Change: Sendable {
        /// The user edited, and nothing else happened. That is in the app's own store, and need not be durable here before it
        /// is sent.
        case edit
        /// Any other way.
        case whole
    }

    /// How one came from another, or from none; `nil` when they are the same.
    package static func change(from old: SyncedRecordState?, to new: SyncedRecordState) -> Change? {
        let isSettled =
            new.link == old?.link && new.pending == nil && new.parked == nil && !new.local.isDeleted
        guard let old else { return isSettled && new.base == nil ? .edit : .whole }
        if old == new { return nil }
        let isEdit =
            isSettled && old.pending == nil && old.parked == nil && !old.local.isDeleted && old.tag == new.tag
            && old.epoch == new.epoch && old.base == new.base
        return isEdit ? .edit : .whole
    }
}

/// An operation as it was sent: sent again, it must be the same to the last byte.
package struct Pending: Hashable, Sendable {
    package let id: OperationID
    package let baseTag: Int64
    package var version: Version
}

/// Why a record of the outbox waits.
package enum Parked: Hashable, Sendable {
    /// All attempts failed; the next sync tries again.
    case exhausted
    /// The cloud refused it for good; it waits for an edit.
    case rejected(String)
}

/// A write into the app's store that may not have happened yet: the row as it was before.
package struct Intent: Hashable, Sendable {
    package let before: Row?
    /// Which of the device's commits it belongs to.
    package let commit: Int64
}

/// The sync state of a device.
package struct DeviceHeader: Hashable, Sendable {
    /// The replica identifier: a random number made at the installation, another one once the data turned out to be a copy.
    package var device: UInt64
    /// The logical clock.
    package var clock = HybridClock()
    /// The number of the next operation.
    package var nextOperation: UInt64 = 1
    /// How far the zone was read; `nil` before the first full fetch.
    package var token: ChangeToken?
    /// The newest mark of the zone's history that this device knows.
    package var witness: HistoryMark?
    /// Whose records these are: the zone's origin; `nil` before the first sync.
    package var account: UInt64?
}
