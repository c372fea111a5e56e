import Core
import GRDB
import Synchronization

/// The waits of a connection for other writers.
final class LockWaits: Sendable {
    private let tries = Atomic(0)

    /// Waits a step, as SQLite asks; `false` ends the wait.
    func mayWait(afterTries count: Int) -> Bool {
        tries.store(count + 1, ordering: .relaxed)
        return StoreInterruption.mayWait(afterTries: count)
    }

    /// Repeats a statement for which SQLite may report a lock without asking whether to wait, because two connections that
    /// both hold a lock and want more would wait for each other: so when both turn on the log of a new file. Waits no longer
    /// than SQLite would.
    func whileLocked(_ statement: () throws -> Void) throws {
        while true {
            do { return try statement() } catch let error as DatabaseError
                where error.resultCode == .SQLITE_BUSY && mayWait(afterTries: tries.load(ordering: .relaxed))
            {
                continue
            }
        }
    }
}
