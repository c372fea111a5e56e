import Synchronization

/// Reports the progress of long work. The host shows it on a terminal after half a second, never in a pipe.
///
/// The host shows an entry's run time and row count by itself; a command refines that with its own progress.
public struct ProgressReporter: Sendable {
    /// Counts the rows of the streams of an entry; `nil` without a display.
    public let rows: RowMeter?
    private let sink: (@Sendable (Update) -> Void)?

    /// One report.
    public struct Update: Sendable {
        /// The activity, such as `reading points`.
        public let label: String
        /// The amount done.
        public let done: Int
        /// The total; `nil` if unknown.
        public let total: Int?
    }

    /// A reporter. Without a sink, nothing is reported; a meter counts the rows of streams.
    public init(rows: RowMeter? = nil, sink: (@Sendable (Update) -> Void)? = nil) {
        self.rows = rows
        self.sink = sink
    }

    /// Reports progress.
    public func report(_ label: String, done: Int, of total: Int? = nil) {
        sink?(Update(label: label, done: done, total: total))
    }
}

/// Counts the rows that pass through the streams of an entry.
public final class RowMeter: Sendable {
    private let passed = Atomic(0)

    /// A meter at 0.
    public init() {}

    /// How many rows have passed.
    public var total: Int { passed.load(ordering: .relaxed) }

    /// Resets the count to 0.
    public func reset() { passed.store(0, ordering: .relaxed) }

    /// Counts one row.
    public func count() { passed.wrappingAdd(1, ordering: .relaxed) }
}
