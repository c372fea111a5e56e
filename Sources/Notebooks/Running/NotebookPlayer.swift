import Core

/// Plays the cells of a notebook in a session. `notebook run FILE --to CELL` plays one in the current
/// session.
public struct NotebookPlayer: Sendable {
    /// Events while a notebook is played.
    public struct Observer: Sendable {
        /// An entry ran: the entry, its output, and its failure, if any.
        public var entry: @Sendable (NotebookEntry, CellOutput, EntryFailure?) -> Void

        /// An observer.
        public init(entry: @escaping @Sendable (NotebookEntry, CellOutput, EntryFailure?) -> Void) {
            self.entry = entry
        }
    }

    private let session: any NotebookSession
    private let page: ProgressPage
    private let limits: NotebookLimits
    private let keepsActual: Bool

    /// Plays in a session.
    public init(in session: any NotebookSession, limits: NotebookLimits = NotebookLimits()) {
        self.init(in: session, page: ProgressPage(), limits: limits, keepsActual: false)
    }

    init(in session: any NotebookSession, page: ProgressPage, limits: NotebookLimits, keepsActual: Bool) {
        self.session = session
        self.page = page
        self.limits = limits
        self.keepsActual = keepsActual
    }

    /// Plays a range of cells, or all. Returns a report of each cell; failures go to the
    /// observer as they happen. A cancelled entry, or one that exceeds its timeout, ends the play.
    public func play(
        _ notebook: Notebook, named name: String, from first: Int? = nil, through last: Int? = nil,
        _ observer: Observer
    ) async throws(NotebookError) -> [CellReport] {
        for number in [first, last].compactMap(\.self)
        where !notebook.cells.contains(where: { $0.number == number }) {
            throw NotebookError(
                .noSuchCell, "no cell \(number)",
                suggestion: "the notebook has \(notebook.cells.count) cells, numbered from 1")
        }
        let cells = notebook.cells.filter {
            ((first ?? 1)...max(first ?? 1, last ?? .max)).contains($0.number)
        }
        let watch = EntryTimeout(page: page, timeout: notebook.settings.timeout)
        let performance = Performance(
            session: session, page: page, watch: watch, limits: limits, keepsActual: keepsActual,
            timeout: notebook.settings.timeout, name: name, observer: observer)
        return await withTaskGroup(of: [CellReport]?.self) { group in
            group.addTask {
                var performance = performance
                return await performance.play(cells)
            }
            group.addTask {
                await watch.waitUntilExpired()
                return nil
            }
            var cells: [CellReport] = []
            for await reports in group {
                if let reports { cells = reports }
                if reports != nil || watch.hasExpired { group.cancelAll() }
            }
            return cells
        }
    }
}

/// One run of a notebook from its first cell.
private struct Performance: Sendable {
    let session: any NotebookSession
    let page: ProgressPage
    let watch: EntryTimeout
    let limits: NotebookLimits
    let keepsActual: Bool
    let timeout: Duration
    let name: String
    let observer: NotebookPlayer.Observer
    private var bindings: [String: String] = [:]
    private var index = 0
    private var isOver = false

    init(
        session: any NotebookSession, page: ProgressPage, watch: EntryTimeout, limits: NotebookLimits,
        keepsActual: Bool, timeout: Duration, name: String, observer: NotebookPlayer.Observer
    ) {
        self.session = session
        self.page = page
        self.watch = watch
        self.limits = limits
        self.keepsActual = keepsActual
        self.timeout = timeout
        self.name = name
        self.observer = observer
    }

    mutating func play(_ cells: [NotebookCell]) async -> [CellReport] {
        var reports: [CellReport] = []
        reports.reserveCapacity(cells.count)
        for cell in cells { reports.append(await play(cell)) }
        return reports
    }

    private mutating func play(_ cell: NotebookCell) async -> CellReport {
        var report = CellReport(number: cell.number, line: cell.line, status: .shown)
        if cell.flags.contains(.norun) { return report }
        report.status = isOver ? .notReached : cell.checksSomething ? .passed : .unchecked
        var nanoseconds: UInt64 = 0
        var hasFailed = false
        for (number, entry) in cell.entries.enumerated() where !isOver {
            let start = page.begin(entry: index)
            let output = await session.run(entry.input)
            nanoseconds += MonotonicClock.elapsed(since: start)
            hasFailed = hasFailed || output.failed
            let isWrongSuccess =
                number == cell.entries.count - 1 && !hasFailed && cell.flags.contains(.fails)
            var failure =
                Task.isCancelled
                ? nil : await judge(output, of: entry, in: cell, isWrongSuccess: isWrongSuccess)
            if failure == nil, let problem = Self.problem(with: output, of: cell) {
                failure = self.failure(entry, cell, .unanswerable, problem)
            }
            // Also if the comparison exceeded the timeout.
            if Task.isCancelled { failure = interruption(entry, cell) }
            observer.entry(entry, output, failure)
            if failure != nil { report.status = .failed }
            index += 1
        }
        if report.status != .notReached { report.seconds = Double(nanoseconds) / 1e9 }
        return report
    }

    /// Why the exercise of a cell cannot be checked; `nil` if it can. A prediction of a failure needs no value.
    private static func problem(with output: CellOutput, of cell: NotebookCell) -> String? {
        guard let exercise = cell.exercise, !output.failed else { return nil }
        return ExerciseCheck(exercise, solution: output.text).problem.map {
            "the exercise cannot be checked: \($0)"
        }
    }

    /// Whether an output matches. Captures become variables.
    private mutating func judge(
        _ output: CellOutput, of entry: NotebookEntry, in cell: NotebookCell, isWrongSuccess: Bool
    ) async -> EntryFailure? {
        // Regardless of the expected text: the notebook must mark the command as failing.
        let isWrongFailure = output.failed && !cell.flags.contains(.fails)
        var captures: [Capture]? = []
        if !cell.flags.contains(.nocheck) { captures = entry.expected.match(output.text, bindings: bindings) }
        for capture in captures ?? [] {
            bindings[capture.name] = capture.text
            await session.setVariable(capture.name, literal: capture.literal)
        }
        guard isWrongSuccess || isWrongFailure || captures == nil else { return nil }
        let kind: FailureKind =
            isWrongSuccess ? .didNotFail : isWrongFailure && captures != nil ? .failed : .differs
        var failure = failure(
            entry, cell, kind, message(output, isWrongSuccess, isUnmarked: isWrongFailure && captures != nil))
        if kind == .failed { failure.diff = output.text }
        failure.commandFailed = output.failed
        if captures == nil {
            failure.diff = OutputDiff(limits: limits).text(
                entry.expected, output.text, flags: cell.flags, bindings: bindings,
                firstLine: entry.expectedLines.lowerBound + 1, file: name)
            if keepsActual { (failure.actual, failure.bindings) = (output.text, bindings) }
        }
        return failure
    }

    private func message(_ output: CellOutput, _ isWrongSuccess: Bool, isUnmarked: Bool) -> String {
        if isWrongSuccess { return "the cell is marked `fails`, but no command failed" }
        guard output.failed else { return "the output differs" }
        let fact = "the command failed" + (output.errorCode.map { " with \($0)" } ?? "")
        return isUnmarked ? fact + "; mark the cell `fails` if that is expected" : fact
    }

    private mutating func interruption(_ entry: NotebookEntry, _ cell: NotebookCell) -> EntryFailure {
        isOver = true
        guard watch.hasExpired else { return failure(entry, cell, .interrupted, "the run was interrupted") }
        return failure(entry, cell, .timeout, "timeout: the command took longer than \(timeout.literal)")
    }

    private func failure(
        _ entry: NotebookEntry, _ cell: NotebookCell, _ kind: FailureKind, _ message: String
    ) -> EntryFailure {
        EntryFailure(
            cell: cell.number, entry: index, line: entry.line, kind: kind, input: entry.input,
            message: message)
    }
}
