import Foundation
import LineEditing
import Synchronization

/// Ends a session on SIGTERM and SIGHUP: the running entry is stopped first, so that it undoes what it has begun. While none
/// runs, and at the second signal, the process ends at once.
final class EndSignals: Sendable {
    private let monitor: InterruptMonitor
    private let isEnding: Box<Bool>

    /// Begins to watch the signals.
    init(_ runner: EntryRunner) throws(LineEditorError) {
        let isEnding = Box<Bool>()
        self.isEnding = isEnding
        monitor = try InterruptMonitor([SIGTERM, SIGHUP]) {
            if runner.stop(), isEnding.take() == nil {
                isEnding.fill(true)
            } else {
                signal(SIGTERM, SIG_DFL)
                kill(getpid(), SIGTERM)
            }
        }
    }

    /// Whether the session was asked to end.
    var hasEnded: Bool { isEnding.take() != nil }

    /// Restores the signals' actions.
    func stop() { monitor.stop() }
}
