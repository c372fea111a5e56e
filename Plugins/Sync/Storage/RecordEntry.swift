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

    /// How a shadow changed since the last commit.
    enum Change {
        /// Any way.
        case whole
        /// The cloud acknowledged what it holds.
        case acknowledged
    }

    init(_ key: RecordKey) { self.key = key }

    func hold(_ shadow: Shadow) {
        self.shadow = shadow
        isWaiting = shadow.isWaiting
    }

    /// How a shadow differs from this one; `nil` when nothing but its operation does, which is kept elsewhere.
    func change(to new: Shadow) -> Change? {
        guard let shadow, shadow.local == new.local, shadow.parked == new.parked else { return .whole }
        if shadow.base == new.base {
            return shadow.tag == new.tag && shadow.epoch == new.epoch ? nil : .whole
        }
        return new.base == new.local && new.parked == nil ? .acknowledged : .whole
    }
}
