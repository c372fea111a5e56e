/// A device store's view of one record during a sync.
final class RecordEntry {
    let key: RecordKey
    /// `nil` if there is none.
    private(set) var state: SyncedRecordState?
    /// Whether the next push sends it.
    private(set) var isWaiting = false
    /// Whether it is in the queue of the outbox, where it may stay after it has nothing left to send.
    var isQueued = false
    /// How the state changed since `sync.db` got it.
    var change: SyncedRecordState.Change?
    /// The row as it was read together with others, used once, before the next commit. `.some(nil)` if there is none.
    var row: Row??
    /// The row to write to the app's store with the next commit.
    var plan: AppTable.Plan?
    /// The last look at all rows that found one.
    var look = 0

    init(_ key: RecordKey) { self.key = key }

    func hold(_ state: SyncedRecordState) {
        self.state = state
        isWaiting = state.isWaiting
    }

    /// The number of the operation that is acknowledged by going over to a state, where that is all that happens and
    /// `sync.db` has what was sent.
    func acknowledged(by new: SyncedRecordState) -> UInt64? {
        guard change == nil, let state, let sent = state.pending, new.pending == nil,
            state.parked == nil, new.parked == nil, new.base == sent.version, sent.version == state.local,
            new.local == state.local, new.link == state.link
        else { return nil }
        return sent.id.number
    }
}
