import Synchronization

/// Reports how far long work has come. The host shows it on a terminal after half a second, never in a pipe.
///
/// The host shows by itself how long an entry runs and how many rows have passed; a command refines that with what it
/// knows of its own work.
public struct ProgressReporter: Sendable {
    private let rows: RowMeter?
    private let sink: (@Sendable (Update) -> Void)?

    /// One report.
    public struct Update: Sendable {
        /// What is being done, such as `reading points`.
        public let label: String
        /// How much is done.
        public let done: Int
        /// How much there is; `nil` when that is not known.
        public let total: Int?
    }

    /// Reports that go nowhere, or to a sink; the rows of streams are counted by a meter.
    public init(rows: RowMeter? = nil, sink: (@Sendable (Update) -> Void)? = nil) {
        self.rows = rows
        self.sink = sink
    }

    /// Tells how far the work has come.
    public func report(_ label: String, done: Int, of total: Int? = nil) {
        sink?(Update(label: label, done: done, total: total))
    }

    /// The same rows, which are counted as they pass, and which stop when their task is cancelled.
    public func watching(_ rows: Rows) -> Rows {
        let meter = self.rows
        var watched = rows.deriving(columns: rows.columns) { source in
            {
                try Interruption.check()
                meter?.count()
                return try source.next()
            }
        }
        watched.note = rows.note
        return watched
    }
}

/// Counts the rows that pass through the streams of an entry.
public final class RowMeter: Sendable {
    private let passed = Atomic(0)

    /// A meter at 0.
    public init() {}

    /// How many rows have passed.
    public var total: Int { passed.load(ordering: .relaxed) }

    /// Begins again at 0.
    public func reset() { passed.store(0, ordering: .relaxed) }

    func count() { passed.wrappingAdd(1, ordering: .relaxed) }
}

/// Whether the person who started the present task has asked to stop it.
public enum Interruption {
    /// Throws `E-INTERRUPTED` when the present task was cancelled. Cheap enough for inner loops.
    public static func check() throws(RutterError) {
        if Task.isCancelled { throw CommonErrors.interrupted("stopped") }
    }
}
