import Core
import Formats
import Synchronization

/// Sends the progress of an entry to the page that runs it, not more often than a person can read.
final class ProgressFeed: Sendable {
    private let run: String
    private let send: @Sendable (String) -> Void
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    /// The progress of the run that a page has named.
    init(run: String, send: @escaping @Sendable (String) -> Void) {
        (self.run, self.send) = (run, send)
    }

    func report(_ update: ProgressReporter.Update) {
        let now = ContinuousClock.now
        let isDue = last.withLock { last in
            if let before = last, now - before < WebSettings.progressPause { return false }
            last = now
            return true
        }
        guard isDue else { return }
        send(
            JSONTree(members: [
                "type": .text("progress"), "run": .text(run), "label": .text(update.label),
                "done": JSONTree(update.done), "total": update.total.map { JSONTree($0) },
            ]).compactText)
    }
}
