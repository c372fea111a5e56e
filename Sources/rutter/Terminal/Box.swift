import Synchronization

/// Hands a value from one thread to another.
final class Box<T: Sendable>: Sendable {
    private let content = Mutex<T?>(nil)

    func fill(_ value: T) { content.withLock { $0 = value } }

    /// What was filled in, if anything.
    func take() -> T? { content.withLock { $0 } }
}
