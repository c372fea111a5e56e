import Core
import Foundation
import Synchronization

/// The worker's side: a process that runs notebooks for `rutter test`, one after the other.
public enum NotebookWorker {
    /// Serves the parent process until it closes the pipe. Standard input and output belong to
    /// the protocol: all other output of this process goes to standard error.
    public static func serve(factory: any NotebookSessionFactory) async {
        let input = dup(STDIN_FILENO)
        let output = dup(STDOUT_FILENO)
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        for descriptor in [input, output] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        _ = dup2(nothing, STDIN_FILENO)
        _ = dup2(STDERR_FILENO, STDOUT_FILENO)
        close(nothing)
        let page = sharedPage() ?? ProgressPage()
        await serve(input: input, output: output, page: page, factory: factory) { _exit(0) }
    }

    /// The page shared with the parent process.
    private static func sharedPage() -> ProgressPage? {
        guard getenv(WorkerDescriptors.pageVariable) != nil else { return nil }
        unsetenv(WorkerDescriptors.pageVariable)
        _ = fcntl(WorkerDescriptors.page, F_SETFD, FD_CLOEXEC)
        return ProgressPage(descriptor: WorkerDescriptors.page)
    }

    /// Serves on given descriptors, for tests.
    static func serve(
        input: Int32, output: Int32, page: ProgressPage, factory: any NotebookSessionFactory,
        onOrphaned: @escaping @Sendable () -> Void
    ) async {
        let writer = DescriptorWriter(output)
        writer.write(WorkerLine.encode(WorkerEvent.hello(version: WorkerJob.version)))
        let backlog = Backlog()
        for await line in lines(of: input, backlog, onOrphaned) {
            guard let job = WorkerLine.decode(WorkerJob.self, line) else { return }
            page.begin(job: job.id)
            await run(job, page, factory, writer)
            backlog.remove()
        }
    }

    private static func run(
        _ job: WorkerJob, _ page: ProgressPage, _ factory: any NotebookSessionFactory,
        _ writer: DescriptorWriter
    ) async {
        var options = NotebookRunner.Options()
        options.dataFolder = job.dataFolder.map { URL(fileURLWithPath: $0, isDirectory: true) }
        options.noSkip = job.noSkip
        options.coverage = job.coverage
        options.keepsActual = job.keepsActual
        options.scratch = URL(fileURLWithPath: job.scratch, isDirectory: true)
        let observer = NotebookRunner.Observer(
            start: { notebook in
                let timeout = notebook.settings.timeout.nanoseconds
                writer.write(WorkerLine.encode(WorkerEvent.start(job: job.id, timeoutNanoseconds: timeout)))
            },
            failure: { writer.write(WorkerLine.encode(WorkerEvent.failure(job: job.id, $0))) })
        let report = await NotebookRunner(factory: factory, options: options)
            .run(URL(fileURLWithPath: job.file), named: job.name, page: page, observer)
        writer.write(WorkerLine.encode(WorkerEvent.done(job: job.id, report)))
    }

    /// The lines received on a descriptor, read on a separate thread. If the input ends while a notebook
    /// runs, its result is no longer needed.
    private static func lines(
        of descriptor: Int32, _ backlog: Backlog, _ onOrphaned: @escaping @Sendable () -> Void
    ) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            let thread = Thread {
                var buffer = LineBuffer()
                while let piece = DescriptorReader.read(descriptor) {
                    buffer.append(piece)
                    while let line = buffer.next() {
                        backlog.add()
                        continuation.yield(line)
                    }
                }
                if !backlog.isEmpty { onOrphaned() }
                continuation.finish()
            }
            thread.start()
        }
    }
}

/// The number of pending notebooks.
private final class Backlog: Sendable {
    private let count = Atomic<Int>(0)
    var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }
    func add() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
    func remove() { count.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
}
