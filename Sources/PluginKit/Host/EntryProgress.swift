import Core

/// Where the progress of an entry goes that a client submits, such as a page: to that client instead of to the terminal.
public enum EntryProgress {
    /// Receives the progress of the commands of the current task's entry; `nil` for the session's own display.
    @TaskLocal public static var sink: (@Sendable (ProgressReporter.Update) -> Void)?
}
