import Core

/// Where the progress of an entry goes that a client submits, such as a page: to that client instead of to the terminal.
public enum EntryProgress {
    /// Receives progress.
    public struct Sink: Sendable {
        /// Receives an update.
        public let receive: @Sendable (ProgressReporter.Update) -> Void

        /// Makes a receiver of a function.
        public init(_ receive: @escaping @Sendable (ProgressReporter.Update) -> Void) {
            self.receive = receive
        }
    }

    /// Receives the progress of the commands of the current task's entry; `nil` for the session's own display. It is no bare
    /// closure: optimised code of Swift 6.3 looks up the type of a task-local value by a name that the runtime cannot read for
    /// optional closures, and crashes.
    @TaskLocal public static var sink: Sink?
}
