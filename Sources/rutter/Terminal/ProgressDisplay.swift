import Foundation
import PluginKit
import Synchronization

/// Shows the progress of long work in one line of the terminal, which is cleared when the work ends.
///
/// Shown after half a second: the elapsed time, the rows of streams, and the command's reports. Nothing is
/// shown if standard error is not a terminal, or while a command owns the screen. Uses the monotonic clock
/// only for pacing.
final class ProgressDisplay: Sendable {
    private static let delay = 0.5
    private static let interval = 0.1
    private static let wiping = "\r\u{1B}[K"

    private struct State: Sendable {
        var started: ContinuousClock.Instant?
        var latest: ProgressReporter.Update?
        var isShown = false
        var timer: Ticker?
    }

    private let state = Mutex(State())
    private let rows = RowMeter()
    private let isTerminal = isatty(STDERR_FILENO) == 1

    var reporter: ProgressReporter {
        guard isTerminal else { return ProgressReporter() }
        return ProgressReporter(rows: rows) { [weak self] update in self?.take(update) }
    }

    /// Called when a command begins.
    func begin() {
        guard isTerminal else { return }
        rows.reset()
        let timer = Ticker(after: Self.delay, every: Self.interval) { [weak self] in self?.show() }
        state.withLock { $0 = State(started: .now, timer: timer) }
    }

    /// Called when it has ended; clears the line.
    func end() {
        state.withLock { state in
            state.timer?.cancel()
            if state.isShown { Self.write(Self.wiping) }
            state = State()
        }
    }

    /// Clears the line for other output; it is redrawn while the work continues.
    func wipe() {
        state.withLock { state in
            if state.isShown { Self.write(Self.wiping) }
            state.isShown = false
        }
    }

    /// Updates the progress.
    func take(_ update: ProgressReporter.Update) { state.withLock { $0.latest = update } }

    private func show() {
        state.withLock { state in
            guard let started = state.started, !TerminalScreenProvider.isInUse else { return }
            let elapsed = Self.elapsed(ContinuousClock.now - started)
            let facts = [state.latest.map(Self.text), rows.total > 0 ? "\(rows.total) rows" : nil, elapsed]
            let line = TerminalText.withoutControls(facts.compactMap { $0 }.joined(separator: ", "))
            // A wrapped line could not be cleared.
            Self.write(Self.wiping + String(line.prefix(TerminalSize.present.columns - 1)))
            state.isShown = true
        }
    }

    private static func elapsed(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        let tenths = duration.components.attoseconds / 100_000_000_000_000_000
        return "\(seconds).\(tenths)s, Ctrl-C stops"
    }

    private static func text(_ update: ProgressReporter.Update) -> String {
        guard let total = update.total, total > 0 else { return "\(update.label): \(update.done)" }
        let share = Int(Double(update.done) / Double(total) * 100)
        return "\(update.label): \(update.done) of \(total) (\(share)%)"
    }

    private static func write(_ text: String) { Output.control(text) }
}

/// Calls a closure at intervals on its own thread: the task threads may all be busy.
private final class Ticker: Sendable {
    private let cancelled = Atomic(false)

    init(after delay: TimeInterval, every interval: TimeInterval, _ action: @escaping @Sendable () -> Void) {
        next(in: delay, interval, action)
    }

    func cancel() { cancelled.store(true, ordering: .relaxed) }

    private static let queue = DispatchQueue(label: "progress")

    private func next(
        in delay: TimeInterval, _ interval: TimeInterval, _ action: @escaping @Sendable () -> Void
    ) {
        Self.queue.asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self, !cancelled.load(ordering: .relaxed) else { return }
            action()
            next(in: interval, interval, action)
        }
    }
}
