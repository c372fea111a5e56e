import PluginKit
import Synchronization

/// Requests that an entry of the session makes itself, as `web fetch` does: what they run belongs to that entry, which waits
/// for it, and must not wait for its end.
final class EntryPermits: Sendable {
    /// The header that names a permit.
    static let header = "x-rutter-permit"

    private let permits = Mutex<[String: EntryPermit]>([:])

    /// Runs a body that may name a permit.
    func granting<T>(_ permit: EntryPermit, _ body: (String) async throws -> T) async rethrows -> T {
        let name = Secret.random().text
        permits.withLock { $0[name] = permit }
        defer { permits.withLock { $0[name] = nil } }
        return try await body(name)
    }

    /// The permit that a request names.
    subscript(name: String?) -> EntryPermit? { name.flatMap { name in permits.withLock { $0[name] } } }
}
