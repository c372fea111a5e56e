import PluginKit
import Synchronization

/// Cancels work at a report of its progress: at the same point on every machine, where a delay would hit another each time.
///
/// Give its reporter to a session, then run the work by `run`.
public final class CancelAtProgress: Sendable {
    private struct State {
        var wanted: (label: String, done: Int)?
        var stop: (@Sendable () -> Void)?
        var isReached = false
    }

    private let state = Mutex(State())

    /// Stops nothing yet.
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

    /// Runs work that is cancelled at the first report with a label that counts so many. The result, and whether the report
    /// came.
    public func run<T: Sendable>(
        stoppingAt label: String, done: Int = 0, _ work: @escaping @Sendable () async -> T
    ) async -> (result: T, isReached: Bool) {
        let (begins, begin) = AsyncStream<Void>.makeStream()
        let task = Task {
            // Not before the task that is to be cancelled is known.
            for await _ in begins { break }
            return await work()
        }
        state.withLock { $0 = State(wanted: (label, done), stop: { task.cancel() }) }
        begin.yield()
        let result = await task.value
        return (result, state.withLock { $0.isReached })
    }
}
