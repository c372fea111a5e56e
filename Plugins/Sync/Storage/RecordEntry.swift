/// What a device's store knows of one record while it syncs.
final class RecordEntry {
    let key: RecordKey
    /// `nil` where there is none.
    private(set) var shadow: Shadow?
    /// Whether the next push sends it.
    private(set) var isWaiting = false
    /// Whether it is in the queue of the outbox, where it may stay after it has nothing left to send.
    var isQueued = false
    /// How the shadow changed since `sync.db` got it.
    var change: Shadow.Change?
    /// The row as it was read together with others, used once, before the next commit. `.some(nil)` where there is none.
    var row: Row??
    /// What is written into the app's store with the next commit.
    var plan: AppTable.Plan?
    /// The last look at all rows that found one.
    var look = 0

    init(_ key: RecordKey) { self.key = key }

    func hold(_ shadow: Shadow) {
        self.shadow = shadow
        isWaiting = shadow.isWaiting
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
