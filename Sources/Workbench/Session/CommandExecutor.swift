import Dispatch

/// Threads for commands. Commands block: on SQLite, files and long computations. The concurrency runtime has
/// only as many threads as cores; blocking them would delay timers, Ctrl-C and other sessions.
public final class CommandExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "rutter.commands", attributes: .concurrent)

    /// Threads, started on demand.
    public init() {}

    /// Runs a job on one of the threads.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
