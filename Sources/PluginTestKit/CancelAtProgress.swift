import PluginKit
import Synchronization

/// Cancels work at a report of its progress: at the same point on every machine, unlike a delay.
///
/// Pass its reporter to a session, then run the work with `run`.
public final class CancelAtProgress: Sendable {
    private struct State {
        var wanted: (label: String, done: Int)?
        var stop: (@Sendable () -> Void)?
        var isReached = false
    }

    private let state = Mutex(State())

    /// Cancels nothing until `run` is called.
    public init() {}

    /// Receives the reports.
    public var reporter: ProgressReporter {
        ProgressReporter { [self] update in
            let stop = state.withLock { state -> (@Sendable () -> Void)? in
                guard let wanted = state.wanted, update.label == wanted.label, update.done >= wanted.done
                else {
                    return nil
                }
                state.wanted = nil
                state.isReached = true
                return state.stop
            }
            stop?()
        }
    }

    /// Runs work and cancels it at the first report with this label and at least this count. Returns the
    /// result, and whether there was such a report.
    public func run<T: Sendable>(
        stoppingAt label: String, done: Int = 0, _ work: @escaping @Sendable () async -> T
    ) async -> (result: T, isReached: Bool) {
        let (begins, begin) = AsyncStream<Void>.makeStream()
        let task = Task {
            // Waits until the task to cancel is known.
            for await _ in begins { break }
            return await work()
        }
        state.withLock { $0 = State(wanted: (label, done), stop: { task.cancel() }) }
        begin.yield()
        let result = await task.value
        return (result, state.withLock { $0.isReached })
    }
}
