/// What a device's store knows of one record while it syncs.
final class RecordEntry {
    let key: RecordKey
    /// `nil` where there is none.
    private(set) var shadow: Shadow?
    /// Whether the next push sends it.
    private(set) var isWaiting = false
    /// Whether it is in the queue of the outbox, which it may leave later than it has something to send.
    var isQueued = false
    /// How the shadow differs from what `sync.db` has.
    var change: Change?
    /// The row as it was read together with others, used once, before the next commit. `.some(nil)` where there is none.
    var row: Row??
    /// What is written into the app's store with the next commit.
    var plan: AppTable.Plan?
    /// The last look at all rows that found one.
    var look = 0

    /// How a shadow changed since it was last written.
    enum Change {
        /// The user edited, and nothing else happened. That is in the app's own store, and need not be in `sync.db` before
        /// it is sent.
        case captured
        /// Any other way.
        case whole
    }

    init(_ key: RecordKey) { self.key = key }

    func hold(_ shadow: Shadow) {
        self.shadow = shadow
        isWaiting = shadow.isWaiting
    }

    /// How a shadow differs from this one.
    func change(to new: Shadow) -> Change? {
        let isSettled = new.pending == nil && new.parked == nil && !new.local.isDeleted
        guard let shadow else { return isSettled && new.base == nil ? .captured : .whole }
        if shadow == new { return nil }
        let isEdit =
            isSettled && shadow.pending == nil && shadow.parked == nil && !shadow.local.isDeleted
            && shadow.tag == new.tag && shadow.epoch == new.epoch && shadow.base == new.base
        return isEdit ? .captured : .whole
    }

    /// The number of the operation that is acknowledged by going over to a shadow, where that is all that happens and
    /// `sync.db` has what was sent.
    func acknowledged(by new: Shadow) -> UInt64? {
        guard change == nil, let shadow, let sent = shadow.pending, new.pending == nil,
            shadow.parked == nil, new.parked == nil, new.base == sent.version, sent.version == shadow.local,
            new.local == shadow.local
        else { return nil }
        return sent.id.number
    }
}
