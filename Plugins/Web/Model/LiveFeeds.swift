import Dispatch
import Formats
import PluginKit
import Synchronization

/// Rows that arrive over time, such as those of `store watch`, sent to pages as events.
final class LiveFeeds: Sendable {
    private struct State: Sendable {
        var next = 1
        var tasks: [Int: Task<Void, Never>] = [:]
    }

    /// Maximum number of feeds; each has its own thread.
    private static let limit = 4
    private let entries: any EntryRunning
    private let send: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Feeds that send to all pages.
    init(entries: any EntryRunning, send: @escaping @Sendable (String) -> Void) {
        (self.entries, self.send) = (entries, send)
    }

    /// Starts a feed of rows; `nil` if there are too many feeds. Returns the number of its events.
    func begin(_ rows: Rows) -> Int? {
        state.withLock { state -> Int? in
            guard state.tasks.count < Self.limit else { return nil }
            let number = state.next
            state.next += 1
            let executor = OwnThread()
            state.tasks[number] = Task(executorPreference: executor) { [self] in
                await run(rows, number)
                forget(number)
            }
            return number
        }
    }

    /// Ends a feed.
    func stop(_ number: Int) { state.withLock { $0.tasks[number] }?.cancel() }

    /// Ends all feeds.
    func stop() {
        for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
    }

    private func forget(_ number: Int) { state.withLock { $0.tasks[number] = nil } }

    private func run(_ rows: Rows, _ number: Int) async {
        var problem: String?
        do {
            let iterator = try rows.makeIterator()
            let columns = rows.columns ?? ["value"]
            while let row = try iterator.next() {
                let cells = await entries.cells(columns.map { row.field($0) ?? .nothing })
                send(
                    JSONTree(members: [
                        "type": .text("live"), "live": JSONTree(number),
                        "columns": .list(columns.map { .text($0) }),
                        "row": .list(cells.map { .text($0) }),
                    ]).compactText)
            }
        } catch {
            problem = Task.isCancelled ? nil : (error as? RutterError)?.message ?? "\(error)"
        }
        send(
            JSONTree(members: [
                "type": .text("live"), "live": JSONTree(number), "ended": .boolean(true),
                "problem": problem.map { .text($0) },
            ]).compactText)
    }
}

/// A thread for blocking work, so that it takes none of the concurrency runtime's threads.
private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "rutter.live")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
