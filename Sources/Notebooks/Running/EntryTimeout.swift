import Core
import Synchronization

/// Detects that an entry exceeds its timeout.
final class EntryTimeout: Sendable {
    private let page: ProgressPage
    private let timeout: Duration
    private let expired = Atomic<Bool>(false)

    init(page: ProgressPage, timeout: Duration) {
        self.page = page
        self.timeout = timeout
    }

    /// Whether an entry exceeded its timeout.
    var hasExpired: Bool { expired.load(ordering: .acquiring) }

    /// Returns when an entry exceeds its timeout, or when the task is cancelled.
    func waitUntilExpired() async {
        while !Task.isCancelled {
            let moment = page.moment
            let elapsed = moment.entry == nil ? 0 : MonotonicClock.elapsed(since: moment.since)
            if elapsed >= timeout.nanoseconds {
                expired.store(true, ordering: .releasing)
                return
            }
            let left = timeout.nanoseconds - elapsed
            // Throws when the entry has ended.
            guard (try? await Task.sleep(for: .nanoseconds(Int64(clamping: left)))) != nil else { return }
        }
    }
}
