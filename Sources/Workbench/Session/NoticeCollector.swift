import Synchronization

/// Collects what the commands of a submitted entry report beside their value: the client shows it, because it does not see the terminal.
final class NoticeCollector: Sendable {
    /// The collector of the current task's entry; `nil` where the terminal shows notices.
    @TaskLocal static var current: NoticeCollector?

    private let texts = Mutex<[String]>([])

    /// Adds a notice, once.
    func add(_ text: String) {
        texts.withLock { if !$0.contains(text) { $0.append(text) } }
    }

    /// All notices in order.
    var all: [String] { texts.withLock { $0 } }
}
