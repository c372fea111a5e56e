/// A device store's view of one record during a sync.
final class RecordEntry {
    let key: RecordKey
    /// `nil` if there is none.
    private(set) var state: SyncedRecordState?
    /// Whether the next push sends it.
    private(set) var isWaiting = false
    /// Whether it is in the queue of the outbox, where it may stay after it was sent.
    var isQueued = false
    /// How the state changed since it was stored in `sync.db`.
    var change: SyncedRecordState.Change?
    /// The row read in a batch, used once, before the next commit. `.some(nil)` if there is none.
    var row: Row??
    /// The row to write to the app's store with the next commit.
    var plan: AppTable.Plan?
    /// The last scan that found its row.
    var scan = 0

    init(_ key: RecordKey) { self.key = key }

    func set(_ state: SyncedRecordState) {
        self.state = state
        isWaiting = state.isWaiting
    }

    /// The number of the operation acknowledged by a new state, if that is the only change and `sync.db` has
    /// the sent version.
    func acknowledged(by new: SyncedRecordState) -> UInt64? {
        guard change == nil, let state, let sent = state.pending, new.pending == nil,
            state.parked == nil, new.parked == nil, new.base == sent.version, sent.version == state.local,
            new.local == state.local, new.link == state.link
        else { return nil }
        return sent.id.number
    }
}
