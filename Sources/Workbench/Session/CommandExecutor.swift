import Dispatch

/// Threads for commands. Commands block: on SQLite, files and long computations. The concurrency runtime's own threads are
/// as few as the processor's cores and must not be blocked, or timers, Ctrl-C and other sessions would wait.
public final class CommandExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "rutter.commands", attributes: .concurrent)

    /// Threads that are started as they are needed.
    public init() {}

    /// Runs a part of a task on one of the threads.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
