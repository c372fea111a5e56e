import Core
import Foundation
import Synchronization

/// `rutter test`: runs notebooks in worker processes and reports the results.
public struct TestRun: Sendable {
    /// The effects of a run, passed in.
    public struct Surroundings: Sendable {
        /// Prints text, without its last newline.
        public var print: @Sendable (String) -> Void
        /// Asks a yes-or-no question; `nil` without a terminal.
        public var confirm: (@Sendable (String) async -> Bool)?
        /// Receives the progress while notebooks run, and `nil` at the end.
        public var progress: @Sendable ((done: Int, total: Int)?) -> Void
        /// The environment.
        public var environment: [String: String]
        /// Waits, for `--watch`.
        public var sleep: @Sendable (Duration) async throws -> Void

        /// Creates surroundings; by default with the process's environment and clock.
        public init(
            print: @escaping @Sendable (String) -> Void,
            confirm: (@Sendable (String) async -> Bool)? = nil,
            progress: @escaping @Sendable ((done: Int, total: Int)?) -> Void = { _ in },
            environment: [String: String] = ProcessInfo.processInfo.environment,
            sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
        ) {
            self.print = print
            self.confirm = confirm
            self.progress = progress
            self.environment = environment
            self.sleep = sleep
        }
    }

    private let options: TestOptions
    private let worker: WorkerCommand
    private let surroundings: Surroundings
    private let limits: NotebookLimits

    /// Creates a run.
    public init(
        options: TestOptions, worker: WorkerCommand, surroundings: Surroundings,
        limits: NotebookLimits = NotebookLimits()
    ) {
        self.options = options
        self.worker = worker
        self.surroundings = surroundings
        self.limits = limits
    }

    /// Runs, prints, and returns the exit status. Cancelling the task kills the workers.
    public func run() async -> Int32 {
        do {
            try options.validate(environment: surroundings.environment)
            if options.watch { return try await watch() }
            let found = try finder.search(options.paths)
            if !found.withoutCells.isEmpty {
                say("no cells  " + found.withoutCells.joined(separator: "\n          "))
            }
            if found.notebooks.isEmpty {
                if options.skipsPlain, !found.withoutCells.isEmpty { return ExitStatus.success }
                throw nothingFound
            }
            let chosen = chosen(of: found.notebooks)
            if chosen.isEmpty {
                say(options.failed ? "no notebook failed in the last run" : "this shard has no notebook")
                return ExitStatus.success
            }
            return await run(chosen)
        } catch let error as NotebookError {
            surroundings.print("\(error.code.rawValue): \(error.description)")
            return ExitStatus.usage
        } catch {
            surroundings.print("\(error)")
            return ExitStatus.failure
        }
    }

    private var finder: NotebookFinder {
        NotebookFinder(filter: options.filter, skipsPlain: options.skipsPlain)
    }

    private var nothingFound: NotebookError {
        let folders = options.paths.isEmpty ? "this folder" : options.paths.joined(separator: ", ")
        let filter = options.filter.map { " whose path or title contains `\($0)`" } ?? ""
        return NotebookError(.usage, "no notebook\(filter) in \(folders)")
    }

    /// The notebooks of this shard, and with `--failed` those that failed last.
    private func chosen(of notebooks: [String]) -> [String] {
        var chosen = notebooks
        if let shard = options.shard {
            chosen = notebooks.enumerated().filter { $0.offset % shard.count == shard.index - 1 }.map(
                \.element)
        }
        guard options.failed, let folder = options.recordFolder else { return chosen }
        let record = PassRecord(in: folder)
        return chosen.filter { record.notebooks[$0]?.outcome == NotebookReport.Outcome.failed.rawValue }
    }

    private func watch() async throws -> Int32 {
        var watch = NotebookWatch()
        while !Task.isCancelled {
            let notebooks = try finder.notebooks(in: options.paths)
            let changed = watch.changes(among: notebooks)
            if !changed.isEmpty { _ = await run(changed) }
            // Throws when the run is cancelled.
            guard (try? await surroundings.sleep(limits.watchInterval)) != nil else { break }
        }
        return ExitStatus.interrupted
    }

    private func run(_ chosen: [String]) async -> Int32 {
        let notebooks = chosen.flatMap { Array(repeating: $0, count: options.repetitions) }
        var record = options.recordFolder.map { PassRecord(in: $0) }
        let program = record?.identify(program: worker.executable)
        let known = record
        let scratch = FileManager.default.temporaryDirectory
            .appendingPathComponent("rutter-test-\(UUID().uuidString)", isDirectory: true)
        defer { FileManager.default.discard(scratch) }
        if options.tap { surroundings.print(TAPReport.head(count: notebooks.count)) }
        let delivery = OrderedDelivery(count: notebooks.count) { index, report in
            var report = report
            report.notes += known?.blame(report, program: program) ?? []
            surroundings.print(
                options.tap ? TAPReport.text(report, number: index + 1) : TextReport.text(report))
            if options.annotations == .github, let lines = GitHubAnnotations.text(report) {
                surroundings.print(lines)
            }
        }
        let pool = WorkerPool(
            command: worker, workers: options.jobs, limits: limits, stopsAtFailure: options.failFast)
        surroundings.progress((0, notebooks.count))
        await pool.run(jobs(notebooks, scratch)) {
            delivery.deliver($0, $1)
            surroundings.progress((delivery.reports.count, notebooks.count))
        }
        surroundings.progress(nil)
        if Task.isCancelled {
            say("interrupted")
            return ExitStatus.interrupted
        }
        let status = await finish(delivery.reports)
        if let folder = options.recordFolder {
            for report in delivery.reports where report.reason == nil {
                record?.take(report, program: program)
            }
            record?.write(in: folder)
        }
        return status
    }

    private func jobs(_ notebooks: [String], _ scratch: URL) -> [WorkerJob] {
        notebooks.enumerated().map { index, path in
            var job = WorkerJob(
                id: UInt64(index + 1), file: URL(fileURLWithPath: path).standardizedFileURL.path, name: path,
                scratch: scratch.path)
            job.dataFolder = options.dataFolder?.standardizedFileURL.path
            job.noSkip = options.noSkip
            job.coverage = options.coverage
            job.keepsActual = options.update
            return job
        }
    }

    /// Updates, writes and counts when all notebooks have run.
    private func finish(_ reports: [NotebookReport]) async -> Int32 {
        var reports = reports
        var updated = 0
        if options.update {
            for index in reports.indices where await update(&reports[index]) { updated += 1 }
        }
        var status = reports.contains { $0.outcome == .failed } ? ExitStatus.failure : ExitStatus.success
        if options.coverage { say(coverage(reports).text) }
        if let junit = options.junit {
            do {
                try JUnitReport.write(reports, to: junit)
            } catch {
                say("\(error.code.rawValue): \(error.description)")
                status = ExitStatus.failure
            }
        }
        for line in TextReport.flaky(reports) + TextReport.slowest(options.slowest, of: reports) { say(line) }
        say(TextReport.summary(reports, updated: updated))
        return status
    }

    /// Updates a notebook that differs; an updated failure is no longer counted.
    private func update(_ report: inout NotebookReport) async -> Bool {
        guard !report.failures.isEmpty || !report.changedData.isEmpty else { return false }
        let updater = NotebookUpdater(limits: limits, confirm: surroundings.confirm)
        let result = await updater.update(URL(fileURLWithPath: report.path), report)
        for reason in result.kept { say("kept     \(reason)") }
        guard !result.updated.isEmpty || !result.pinned.isEmpty else { return false }
        say("updated  \(report.path)")
        for name in result.pinned { say("         pinned `\(name)` again") }
        report.failures.removeAll { result.updated.contains($0.entry) }
        let failing = Set(report.failures.map(\.cell))
        for index in report.cells.indices
        where report.cells[index].status == .failed && !failing.contains(report.cells[index].number) {
            report.cells[index].status = .passed
        }
        if report.failures.isEmpty, report.error == nil { report.outcome = .passed }
        return true
    }

    private func coverage(_ reports: [NotebookReport]) -> CoverageReport {
        reports.compactMap(\.coverage).reduce(into: CoverageReport()) { $0.merge($1) }
    }

    /// Prints text other than results: as a comment where a program reads the results.
    private func say(_ text: String) {
        guard options.tap else { return surroundings.print(text) }
        surroundings.print(
            text.split(separator: "\n", omittingEmptySubsequences: false).map { "# \($0)" }.joined(
                separator: "\n"))
    }
}

/// Delivers reports in order, each as soon as all earlier ones have arrived.
private final class OrderedDelivery: Sendable {
    private struct State {
        var reports: [NotebookReport?]
        var next = 0
    }

    private let state: Mutex<State>
    private let pass: @Sendable (Int, NotebookReport) -> Void

    init(count: Int, pass: @escaping @Sendable (Int, NotebookReport) -> Void) {
        state = Mutex(State(reports: Array(repeating: nil, count: count)))
        self.pass = pass
    }

    /// All received reports.
    var reports: [NotebookReport] { state.withLock { $0.reports.compactMap { $0 } } }

    func deliver(_ index: Int, _ report: NotebookReport) {
        state.withLock { state in
            state.reports[index] = report
            while state.next < state.reports.count, let report = state.reports[state.next] {
                pass(state.next, report)
                state.next += 1
            }
        }
    }
}
