import Foundation
import LineEditing
import Synchronization
import Workbench

/// Runs entries so that Ctrl-C stops the entry and not the session.
final class EntryRunner: Sendable {
    private let session: Session
    private let display: ProgressDisplay
    private let present = Mutex<Task<EntryResult, Never>?>(nil)

    init(session: Session, display: ProgressDisplay) {
        self.session = session
        self.display = display
    }

    /// Runs an entry to its end, or until it is stopped.
    func run(_ entry: String, origin: EntryOrigin? = nil) async -> EntryResult {
        display.begin()
        let task = Task { await session.run(entry, origin: origin) }
        present.withLock { $0 = task }
        let result = await task.value
        present.withLock { $0 = nil }
        display.end()
        return result
    }

    /// Stops the running entry; returns whether there was one.
    @discardableResult
    func stop() -> Bool {
        present.withLock { task in
            task?.cancel()
            return task != nil
        }
    }
}
