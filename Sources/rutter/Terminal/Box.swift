import Synchronization

/// Passes a value from one thread to another.
final class Box<T: Sendable>: Sendable {
    private let content = Mutex<T?>(nil)

    func fill(_ value: T) { content.withLock { $0 = value } }

    /// The value, if set.
    func take() -> T? { content.withLock { $0 } }
}
