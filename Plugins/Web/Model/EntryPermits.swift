import PluginKit
import Synchronization

/// Requests made by a running entry of the session, as by `web fetch`: the entries they run belong to that
/// entry, which waits for them, so they must not wait for its end.
final class EntryPermits: Sendable {
    /// The header that names a permit.
    static let header = "x-rutter-permit"

    private let permits = Mutex<[String: EntryPermit]>([:])

    /// Runs a body with a permit.
    func granting<T>(_ permit: EntryPermit, _ body: (String) async throws -> T) async rethrows -> T {
        let name = Secret.random().text
        permits.withLock { $0[name] = permit }
        defer { permits.withLock { $0[name] = nil } }
        return try await body(name)
    }

    /// The permit named by a request.
    subscript(name: String?) -> EntryPermit? { name.flatMap { name in permits.withLock { $0[name] } } }
}
