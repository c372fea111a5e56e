import Logging
import Synchronization

/// A log handler for one command that reports each notice once: a command that reads a store several times
/// encounters the same bad row each time.
struct DeduplicatingLog: LogHandler {
    private final class ReportedNotices: Sendable {
        private let texts = Mutex<Set<String>>([])

        /// Whether the notice is new.
        func isNew(_ text: String) -> Bool { texts.withLock { $0.insert(text).inserted } }
    }

    private var next: any LogHandler
    private let reported = ReportedNotices()
    /// The collector of the entry, kept for threads that know nothing of its task.
    private let notices = NoticeCollector.current

    init(_ next: any LogHandler) { self.next = next }

    /// The logger of a command.
    static func logger(_ logger: Logger) -> Logger {
        var copy = logger
        copy.handler = DeduplicatingLog(logger.handler)
        return copy
    }

    var metadata: Logger.Metadata {
        get { next.metadata }
        set { next.metadata = newValue }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { next.metadataProvider }
        set { next.metadataProvider = newValue }
    }

    var logLevel: Logger.Level {
        // A client that collects notices gets them, even if the terminal is told less.
        get { notices == nil ? next.logLevel : min(next.logLevel, .notice) }
        set { next.logLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { next[metadataKey: key] }
        set { next[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        let hasFacts = !(event.metadata ?? [:]).isEmpty
        if event.level == .notice, !hasFacts, !reported.isNew(event.message.description) { return }
        if event.level == .notice || event.level == .warning { notices?.add(event.message.description) }
        if event.level >= next.logLevel { next.log(event: event) }
    }
}
