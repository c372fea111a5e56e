/// Reports how far long work has come. The host shows it on a terminal after half a second, never in a pipe.
public struct ProgressReporter: Sendable {
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

    /// Reports that go nowhere, or to a sink.
    public init(sink: (@Sendable (Update) -> Void)? = nil) { self.sink = sink }

    /// Tells how far the work has come.
    public func report(_ label: String, done: Int, of total: Int? = nil) {
        sink?(Update(label: label, done: done, total: total))
    }
}
