import Core
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// Signals to SQLite and its callers that the task of their work was cancelled.
public final class StopSignal: Sendable {
    private let stopped = Atomic(false)
    private let running = Mutex(false)

    /// Throws `E-INTERRUPTED` after the task was cancelled.
    public func check() throws {
        if isStopped { throw Interruption.stopped }
    }

    fileprivate var isStopped: Bool { stopped.load(ordering: .relaxed) }

    /// Interrupts running statements, and every later check of the signal.
    fileprivate func stop(_ queue: DatabaseQueue?) {
        stopped.store(true, ordering: .relaxed)
        // Some long steps of SQLite (counting, checking a whole tree) check only this flag.
        running.withLock { if $0 { queue?.interrupt() } }
    }

    /// Runs statements that can be interrupted even within one step of SQLite's virtual machine.
    fileprivate func run<T>(_ body: () throws -> T) throws -> T {
        running.withLock { $0 = true }
        defer { running.withLock { $0 = false } }
        try check()
        return try body()
    }

    /// Runs work on its own thread and stops it soon after its task was cancelled: the threads of tasks (and
    /// of the global queues) are few, and one of them has to deliver the cancellation.
    package static func work<T: Sendable>(
        interrupting queue: DatabaseQueue? = nil, _ work: @escaping @Sendable (StopSignal) throws -> T
    ) async throws -> T {
        let signal = StopSignal()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue(label: "rutter.store").async {
                    continuation.resume(
                        with: Result { try StoreInterruption.under(signal) { try work(signal) } })
                }
            }
        } onCancel: {
            signal.stop(queue)
        }
    }
}

/// Stops the work of a connection, and its waiting for other writers, soon after its task was cancelled.
package enum StoreInterruption {
    private static let key = "rutter.stop-signal"

    /// Whether the work on this thread should stop, because of its task or its signal.
    static var isRequested: Bool {
        if Task.isCancelled { return true }
        return (Thread.current.threadDictionary[key] as? StopSignal)?.isStopped ?? false
    }

    /// Runs work of another task on this thread, under its signal.
    static func under<T>(_ signal: StopSignal, _ work: () throws -> T) rethrows -> T {
        let dictionary = Thread.current.threadDictionary
        dictionary[key] = signal
        defer { dictionary.removeObject(forKey: key) }
        return try work()
    }

    /// Makes a connection check every few thousand steps of SQLite's virtual machine whether to stop.
    package static func watch(
        _ connection: SQLiteConnection?, every steps: Int32 = StoreSettings.stepsBetweenChecks
    ) {
        sqlite3_progress_handler(
            connection, steps, { _ in StoreInterruption.isRequested ? 1 : 0 }, nil)
    }

    /// Waits for another writer in small steps, up to the time in the settings; `false` ends the wait.
    static func mayWait(afterTries tries: Int) -> Bool {
        if isRequested { return false }
        let steps = StoreSettings.lockWaits
        // Short waits first: most writers finish quickly.
        let waited =
            steps.prefix(tries).reduce(0, +) + Double(max(0, tries - steps.count)) * (steps.last ?? 0)
        guard waited < StoreSettings.busyTimeout else { return false }
        Thread.sleep(forTimeInterval: tries < steps.count ? steps[tries] : steps.last ?? 0)
        return true
    }
}

extension StoreConnection {
    /// Reads in one transaction; stops soon after the task was cancelled.
    public func stoppableRead<T: Sendable>(
        _ body: @escaping @Sendable (Database, StopSignal) throws -> T
    ) async throws -> T {
        try await StopSignal.work(interrupting: queue) { signal in
            try self.read { db in try signal.run { try body(db, signal) } }
        }
    }

    /// Writes in one transaction; stops soon after the task was cancelled, without writing anything.
    public func stoppableWrite<T: Sendable>(
        _ body: @escaping @Sendable (Database, StopSignal) throws -> T
    ) async throws -> T {
        try await StopSignal.work(interrupting: queue) { signal in
            try self.write { db in try signal.run { try body(db, signal) } }
        }
    }
}
