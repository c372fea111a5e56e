import Foundation
import GRDBSQLite
import PluginKit
import Synchronization
import TrailStores

/// Long work on a thread of its own that stops soon after its task was cancelled.
final class StoppableWork: Sendable {
    private let stopped = Atomic(false)

    /// Throws `E-INTERRUPTED` after the task was cancelled.
    func check() throws {
        if stopped.load(ordering: .relaxed) { throw CommonErrors.interrupted("stopped") }
    }

    /// Lets the statements of a connection stop too; the work must outlive the connection.
    func watch(_ connection: PlainConnection) {
        sqlite3_progress_handler(
            connection.handle, StoreSettings.stepsBetweenChecks,
            { work in
                guard let work else { return 0 }
                let flag = Unmanaged<StoppableWork>.fromOpaque(work).takeUnretainedValue()
                return flag.stopped.load(ordering: .relaxed) ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Does work on a thread of its own: the threads of tasks are few, and one of them has to bring the cancellation.
    static func run<T: Sendable>(
        _ body: @escaping @Sendable (StoppableWork) throws -> T
    ) async throws -> T {
        let work = StoppableWork()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue(label: "rutter.work").async {
                    continuation.resume(
                        with: Result {
                            try work.check()
                            return try body(work)
                        })
                }
            }
        } onCancel: {
            work.stopped.store(true, ordering: .relaxed)
        }
    }
}
