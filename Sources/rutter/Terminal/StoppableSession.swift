import Notebooks
import Synchronization

/// Stops the running entry, if any.
final class EntryStop: Sendable {
    private let present = Mutex<Task<CellOutput, Never>?>(nil)

    /// Stops it; returns `false` if nothing runs.
    func stop() -> Bool {
        present.withLock { task in
            task?.cancel()
            return task != nil
        }
    }

    /// Runs an entry so that it can be stopped; cancelling the caller cancels it, too.
    func running(_ body: @escaping @Sendable () async -> CellOutput) async -> CellOutput {
        let task = Task { await body() }
        present.withLock { $0 = task }
        defer { present.withLock { $0 = nil } }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// Sessions whose entries can be stopped.
struct StoppableFactory: NotebookSessionFactory {
    let base: any NotebookSessionFactory
    let stop: EntryStop

    var plugins: Set<String> { get async { await base.plugins } }
    var allowsPlugins: Bool { get async { await base.allowsPlugins } }
    var allowsNetwork: Bool { get async { await base.allowsNetwork } }
    var missingServers: [String: String] { get async { await base.missingServers } }

    func makeSession(_ context: NotebookContext) async throws -> any NotebookSession {
        StoppableSession(base: try await base.makeSession(context), stop: stop)
    }
}

private final class StoppableSession: NotebookSession {
    private let base: any NotebookSession
    private let stop: EntryStop

    init(base: any NotebookSession, stop: EntryStop) { (self.base, self.stop) = (base, stop) }

    func run(_ input: String) async -> CellOutput { await stop.running { [base] in await base.run(input) } }
    func answer(_ input: String) async -> CellOutput {
        await stop.running { [base] in await base.answer(input) }
    }
    func setVariable(_ name: String, literal: String) async {
        await base.setVariable(name, literal: literal)
    }
    func coverage() async -> CoverageReport { await base.coverage() }
    func close() async { await base.close() }
}
