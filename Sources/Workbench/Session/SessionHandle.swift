import PluginKit
import Synchronization

/// A weak handle to the session for host commands.
final class SessionHandle: Sendable {
    private struct Weak: Sendable {
        weak var session: Session?
    }

    private let reference = Mutex(Weak())

    /// A handle that is attached when the session is created.
    init() {}

    func attach(_ session: Session) { reference.withLock { $0.session = session } }

    /// The session; throws when it has ended.
    func get() throws(RutterError) -> Session {
        guard let session = reference.withLock({ $0.session }) else {
            throw SessionErrors.unforeseen("the session has ended")
        }
        return session
    }
}
