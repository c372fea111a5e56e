/// The sync state of a record, beside its row in the app's own store.
package struct SyncedRecordState: Hashable, Sendable {
    /// The cloud's version that this device last saw; `nil` if the cloud is not known to have the record.
    package var base: Version?
    /// The tag of that version; 0 if there is none.
    package var tag: Int64 = 0
    /// The epoch of the tag.
    package var epoch: UInt64 = 0
    /// The local version. If it differs from `base`, it is in the outbox.
    package var local: Version
    /// An operation that may have reached the cloud.
    package var pending: Pending?
    /// Why the record is parked, until it is edited or another sync is requested.
    package var parked: Parked?
    /// Writes known from the watch link.
    package var link: LinkTrace?

    /// Whether the base was seen by the sender of a link item, not by this device: then it has no tag. The
    /// base of a discarded record has no tag either, but is a tombstone.
    package var isBorrowed: Bool { tag == 0 && base?.isDeleted == false }

    /// Whether there is something to send.
    var isDirty: Bool { base != local }

    /// Whether the next push sends it.
    package var isWaiting: Bool { parked == nil && isDirty }

    /// All known writes of the record.
    package var knowledge: LinkTrace {
        var trace = link ?? LinkTrace()
        if let base { trace.see(base) }
        if let pending { trace.see(pending.version) }
        trace.see(local)
        return trace
    }

    /// Stores the writes that are about to be replaced, for later items of the watch link.
    mutating func remember() { if link != nil { link = knowledge } }

    /// How a state changed.
    package enum Change: Sendable {
        /// Only an edit by the user. It is in the app's own store, and need not be durable here before it is
        /// sent.
        case edit
        /// Any other change.
        case whole
    }

    /// The kind of change between two states; `nil` if they are equal.
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

/// An operation as sent: a repetition must be byte-for-byte identical.
package struct Pending: Hashable, Sendable {
    package let id: OperationID
    let baseTag: Int64
    package var version: Version
}

/// Why a record of the outbox is parked.
package enum Parked: Hashable, Sendable {
    /// All attempts failed; the next sync tries again.
    case exhausted
    /// The cloud rejected it permanently; it waits for an edit.
    case rejected(String)
    /// Its row must be brought back, and waits for its photo or track from the cloud.
    case unplaced
}

/// A write into the app's store that may not have happened yet: the row before it.
package struct Intent: Hashable, Sendable {
    package let before: Row?
    /// The number of the device's commit it belongs to.
    package let commit: Int64

    /// The same with a number that no commit reaches.
    var leftOpen: Intent { Intent(before: before, commit: .max) }
}

/// The sync state of a device.
package struct DeviceHeader: Hashable, Sendable {
    /// The replica identifier: a random number drawn at installation, and again when the data turns out to be
    /// a copy.
    package var device: UInt64
    /// The logical clock.
    package var clock = HybridClock()
    /// The number of the next operation.
    var nextOperation: UInt64 = 1
    /// The position up to which the zone was read; `nil` before the first full fetch.
    package var token: ChangeToken?
    /// The newest mark of the zone's history that this device knows.
    package var witness: HistoryMark?
    /// The account of the records, as the zone's origin; `nil` before the first sync.
    package var account: UInt64?
    /// Whether the cloud has not yet been told of an operation that was given up, which may still arrive there.
    var owesReport = false
}
