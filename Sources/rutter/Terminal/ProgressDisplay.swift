import Foundation
import PluginKit
import Synchronization

/// Shows how far long work has come, in one line of the terminal that is wiped when the work ends.
///
/// Nothing is shown during the first half second, nor where standard error is no terminal. Uses the machine's
/// steady clock only for the pace of the display.
final class ProgressDisplay: Sendable {
    private static let delay = Duration.milliseconds(500)
    private static let interval = Duration.milliseconds(100)

    private struct State: Sendable {
        var started: ContinuousClock.Instant?
        var lastShown: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let isTerminal = isatty(STDERR_FILENO) == 1

    var reporter: ProgressReporter {
        guard isTerminal else { return ProgressReporter() }
        return ProgressReporter { [weak self] update in self?.show(update) }
    }

    /// Called when a command begins.
    func begin() { state.withLock { $0 = State(started: .now) } }

    /// Called when it has ended; wipes the line.
    func end() {
        let shown = state.withLock { state in
            defer { state = State() }
            return state.lastShown != nil
        }
        if shown { Self.write("\r\u{1B}[K") }
    }

    private func show(_ update: ProgressReporter.Update) {
        let isDue = state.withLock { state -> Bool in
            let now = ContinuousClock.now
            guard let started = state.started, now - started > Self.delay else { return false }
            if let last = state.lastShown, now - last < Self.interval { return false }
            state.lastShown = now
            return true
        }
        if isDue { Self.write("\r\u{1B}[K" + Self.text(update)) }
    }

    private static func text(_ update: ProgressReporter.Update) -> String {
        guard let total = update.total, total > 0 else { return "\(update.label): \(update.done)" }
        return "\(update.label): \(update.done) of \(total) (\(update.done * 100 / total)%)"
    }

    private static func write(_ text: String) { Output.complain(text) }
}
