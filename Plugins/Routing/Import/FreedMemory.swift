import COsmium
import Foundation

/// Returns freed memory of an import to the system, including fragmented blocks: they are many and of all
/// sizes, and the phases of an import need different ones.
enum FreedMemory {
    /// Runs work whose large blocks are returned as soon as they are freed.
    static func givenBack<T>(during work: () throws -> T) rethrows -> T {
        cosm_keep_large_apart(1)
        defer { cosm_keep_large_apart(0) }
        return try work()
    }

    /// Returns free memory at the end of a phase.
    static func giveBack() { cosm_give_back() }

    /// The same on a thread of its own: after an import that was cancelled, its caller does not wait for it.
    static func giveBackLater() { Thread.detachNewThread { cosm_give_back() } }
}
