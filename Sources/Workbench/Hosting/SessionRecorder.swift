import CivilTime
import Foundation
import Notebooks
import PluginKit
import Synchronization

/// A session's record for its commands.
struct SessionRecorder: SessionRecord {
    let session: SessionHandle
    let scratch: URL

    func entries() async throws -> [SessionEntry] {
        try await session.get().recordedEntries()
    }

    func notebook(title: String, entries: [SessionEntry], data: [String]) async throws -> String {
        try await session.get().notebook(title: title, entries: entries, data: data)
    }

    func firstStores() async throws -> [FirstStore] { try await session.get().firstStores() }

    func rerun(_ notebook: URL, allowsPlugins: Bool) async throws -> NotebookRerun {
        let factory = try await session.get().factoryForTests(allowsPlugins: allowsPlugins)
        var options = NotebookRunner.Options()
        options.scratch = scratch
        let shown = Mutex<[SessionEntry]>([])
        let report = await NotebookRunner(factory: factory, options: options)
            .run(notebook, named: notebook.lastPathComponent) { entry, output in
                shown.withLock {
                    $0.append(SessionEntry(input: entry.input, output: output.text, failed: output.failed))
                }
            }
        return NotebookRerun(
            outcome: report.outcome.rawValue, reason: report.reason ?? report.error?.description,
            cells: report.cells.count, failed: report.cells.filter { $0.status == .failed }.count,
            entries: shown.withLock { $0 })
    }
}
