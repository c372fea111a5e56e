import Core
import Foundation
import Synchronization

/// Runs notebooks, each in its own session and workspace.
public struct NotebookRunner: Sendable {
    /// How to run.
    public struct Options: Sendable {
        /// The folder of input files that are not beside the notebook.
        public var dataFolder: URL?
        /// Whether a notebook with missing requirements fails instead of being skipped.
        public var noSkip = false
        /// Whether to report coverage.
        public var coverage = false
        /// Whether to keep the output of differing entries.
        var keepsActual = false
        /// The parent folder of workspaces.
        public var scratch = FileManager.default.temporaryDirectory
        /// The limits.
        public var limits = NotebookLimits()

        /// The default options.
        public init() {}
    }

    /// Events while a notebook runs.
    struct Observer: Sendable {
        var start: @Sendable (Notebook) -> Void = { _ in }
        var failure: @Sendable (EntryFailure) -> Void = { _ in }
        var entry: @Sendable (NotebookEntry, CellOutput) -> Void = { _, _ in }
    }

    private let factory: any NotebookSessionFactory
    private let options: Options

    /// A runner of sessions from a factory.
    public init(factory: any NotebookSessionFactory, options: Options = Options()) {
        self.factory = factory
        self.options = options
    }

    /// Runs a notebook and reports it under a name. Failures are in the report; it never throws. `entry` is
    /// called with the output of each entry.
    public func run(
        _ file: URL, named name: String? = nil,
        entry: @escaping @Sendable (NotebookEntry, CellOutput) -> Void = { _, _ in }
    ) async -> NotebookReport {
        let failures = Mutex<[EntryFailure]>([])
        let observer = Observer(
            failure: { failure in failures.withLock { $0.append(failure) } }, entry: entry)
        var report = await run(file, named: name ?? file.relativePath, page: ProgressPage(), observer)
        report.failures = failures.withLock { $0 }
        return report
    }

    /// The same with a progress page; failures go to the observer instead of the report.
    func run(_ file: URL, named name: String, page: ProgressPage, _ observer: Observer) async
        -> NotebookReport
    {
        do {
            let notebook = try NotebookParser(limits: options.limits).parse(contentsOf: file)
            if let emptiness = notebook.emptiness { throw emptiness }
            let folder = file.absoluteURL.deletingLastPathComponent()
            let data = try InputData(notebook.settings.data, folder: folder, dataFolder: options.dataFolder)
            if let reason = await factory.unmetNeed(of: notebook.settings, data) {
                return skipped(name, notebook, reason)
            }
            observer.start(notebook)
            return try await run(notebook, file, folder, data, named: name, page: page, observer)
        } catch let error as NotebookError {
            return .failed(name, error)
        } catch {
            return .failed(name, NotebookError(.session, "cannot create a session: \(error)"))
        }
    }

    private func skipped(_ name: String, _ notebook: Notebook, _ reason: String) -> NotebookReport {
        var report = NotebookReport(path: name, outcome: options.noSkip ? .failed : .skipped)
        report.reason = reason
        report.cells = notebook.cells.map {
            CellReport(number: $0.number, line: $0.line, status: .notReached)
        }
        return report
    }

    private func run(
        _ notebook: Notebook, _ file: URL, _ folder: URL, _ data: InputData, named name: String,
        page: ProgressPage, _ observer: Observer
    ) async throws -> NotebookReport {
        let workspace = options.scratch.appendingPathComponent(
            "rutter-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(
            at: workspace, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { FileManager.default.discard(workspace) }
        let session = try await factory.makeSession(
            NotebookContext(
                settings: notebook.settings, file: file, folder: folder, workspace: workspace,
                dataFiles: data.byName))
        let player = NotebookPlayer(
            in: session, page: page, limits: options.limits, keepsActual: options.keepsActual)
        let cells = try await player.play(
            notebook, named: name,
            .init { entry, output, failure in
                observer.entry(entry, output)
                if let failure { observer.failure(failure) }
            })
        page.leaveEntries()
        var report = NotebookReport(path: name, outcome: .passed)
        report.cells = cells
        if cells.contains(where: { $0.status == .failed }) { report.outcome = .failed }
        if options.coverage { report.coverage = await session.coverage() }
        await session.close()
        report.fingerprint = NotebookFingerprint(notebook, data)
        report.digest = options.keepsActual ? Digest.sha256(Array(notebook.text.utf8)) : nil
        let differences = DifferenceNotes(data: data)
        let changes = differences.changes()
        report.changedData = changes
        report.notes =
            notebook.warnings + changes.map(\.sentence)
            + (report.outcome == .failed ? differences.notes() : [])
        return report
    }
}
