import Foundation
import GRDB
import GRDBSQLite
import PluginKit
import Synchronization

/// Tells SQLite, and the code around it, that the task which asked for their work was cancelled.
public final class StopSignal: Sendable {
    private let stopped = Atomic(false)
    private let running = Mutex(false)

    /// Throws `E-INTERRUPTED` after the task was cancelled.
    public func check() throws {
        if isStopped { throw CommonErrors.interrupted("stopped") }
    }

    fileprivate var isStopped: Bool { stopped.load(ordering: .relaxed) }

    /// Interrupts what is running, and everything that looks at the signal afterwards.
    fileprivate func stop(_ queue: DatabaseQueue) {
        stopped.store(true, ordering: .relaxed)
        // Some single steps of SQLite (counting, checking a whole tree) look at this flag only.
        running.withLock { if $0 { queue.interrupt() } }
    }

    /// Runs statements that stop within a few thousand steps of SQLite's machine.
    fileprivate func run<T>(_ db: Database, _ body: () throws -> T) throws -> T {
        let handle = db.sqliteConnection
        sqlite3_progress_handler(
            handle, StoreSettings.stepsBetweenChecks,
            { signal in
                guard let signal else { return 0 }
                return Unmanaged<StopSignal>.fromOpaque(signal).takeUnretainedValue().isStopped ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        running.withLock { $0 = true }
        defer {
            running.withLock { $0 = false }
            sqlite3_progress_handler(handle, 0, nil, nil)
        }
        try check()
        return try body()
    }
}

extension StoreConnection {
    /// Reads in one transaction, and stops soon after the task was cancelled.
    public func stoppableRead<T: Sendable>(
        _ body: @escaping @Sendable (Database, StopSignal) throws -> T
    ) async throws -> T {
        try await stoppable { signal in try self.read { db in try signal.run(db) { try body(db, signal) } } }
    }

    /// Writes in one transaction, and stops soon after the task was cancelled; then nothing was written.
    public func stoppableWrite<T: Sendable>(
        _ body: @escaping @Sendable (Database, StopSignal) throws -> T
    ) async throws -> T {
        try await stoppable { signal in try self.write { db in try signal.run(db) { try body(db, signal) } } }
    }

    /// Works on a thread of its own: the threads of tasks (and of the global queues) are few, and one of them has
    /// to bring the cancellation.
    private func stoppable<T: Sendable>(
        _ work: @escaping @Sendable (StopSignal) throws -> T
    ) async throws -> T {
        let signal = StopSignal()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue(label: "rutter.store").async {
                    continuation.resume(with: Result { try work(signal) })
                }
            }
        } onCancel: {
            signal.stop(queue)
        }
    }
}
