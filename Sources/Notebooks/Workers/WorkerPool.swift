import Foundation
import Synchronization

/// Runs notebooks in several worker processes. A lost worker fails only the notebook it ran; the next
/// notebook gets a new worker.
struct WorkerPool: Sendable {
    let command: WorkerCommand
    let workers: Int
    let limits: NotebookLimits
    /// Whether pending jobs are skipped after a failure.
    var stopsAtFailure = false

    /// Runs all jobs and delivers their reports with their indexes, in any order, from several threads. If
    /// the task is cancelled, the workers are killed and unfinished jobs are not delivered.
    func run(_ jobs: [WorkerJob], deliver: @escaping @Sendable (Int, NotebookReport) -> Void) async {
        guard !jobs.isEmpty else { return }
        let count = min(max(workers, 1), jobs.count)
        let state = State(threads: count)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                for _ in 0..<count {
                    Thread {
                        work(jobs, state, deliver)
                        if state.leave() { continuation.resume() }
                    }.start()
                }
            }
        } onCancel: {
            state.cancel()
        }
    }

    /// What the threads share.
    private final class State: Sendable {
        private let next = Atomic<Int>(0)
        private let threads: Atomic<Int>
        private let cancelled = Atomic<Bool>(false)

        init(threads: Int) { self.threads = Atomic(threads) }

        private let failed = Atomic<Bool>(false)

        var hasFailed: Bool { failed.load(ordering: .relaxed) }
        func fail() { failed.store(true, ordering: .relaxed) }
        var isCancelled: Bool { cancelled.load(ordering: .relaxed) }
        func cancel() { cancelled.store(true, ordering: .relaxed) }
        func take() -> Int { next.wrappingAdd(1, ordering: .relaxed).oldValue }
        /// Whether this was the last thread.
        func leave() -> Bool { threads.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
    }

    private func work(_ jobs: [WorkerJob], _ state: State, _ deliver: (Int, NotebookReport) -> Void) {
        var worker: WorkerProcess?
        while !state.isCancelled {
            let index = state.take()
            guard index < jobs.count else { return }
            if stopsAtFailure, state.hasFailed {
                var report = NotebookReport(path: jobs[index].name, outcome: .skipped)
                report.reason = "not run after a failure"
                deliver(index, report)
                continue
            }
            do throws(NotebookError) {
                let current: WorkerProcess
                if let worker { current = worker } else { current = try WorkerProcess(command) }
                worker = current
                var conversation = WorkerConversation(
                    worker: current, job: jobs[index], limits: limits, isCancelled: { state.isCancelled })
                switch conversation.run() {
                case .done(var report):
                    report.failures = conversation.failures
                    if report.outcome == .failed { state.fail() }
                    deliver(index, report)
                case .lost(let reason, let isTimeout, let entry):
                    current.kill()
                    worker = nil
                    let loss = WorkerLoss(
                        reason: reason, isTimeout: isTimeout, entry: entry, failures: conversation.failures,
                        errorTail: conversation.errorTail)
                    state.fail()
                    deliver(index, loss.report(of: jobs[index], limits: limits))
                case .cancelled:
                    current.kill()
                    return
                }
            } catch {
                deliver(index, .failed(jobs[index].name, error))
            }
        }
    }
}

/// The report of a notebook whose worker was lost.
struct WorkerLoss {
    let reason: String
    let isTimeout: Bool
    let entry: Int?
    let failures: [EntryFailure]
    let errorTail: String

    /// A report that attributes the failure to the running entry; later entries were not reached.
    func report(of job: WorkerJob, limits: NotebookLimits) -> NotebookReport {
        var report = NotebookReport(path: job.name, outcome: .failed)
        report.failures = failures
        let tail = errorTail.split(separator: "\n").suffix(12).map { "  \($0)" }.joined(separator: "\n")
        if !tail.isEmpty { report.notes = ["the worker's last output:\n\(tail)"] }
        let file = URL(fileURLWithPath: job.file)
        // If the file can no longer be read, the entry is unknown.
        guard let entry, let notebook = try? NotebookParser(limits: limits).parse(contentsOf: file),
            notebook.runnable.indices.contains(entry)
        else {
            report.error = NotebookError(.worker, reason)
            return report
        }
        let (cell, lost) = notebook.runnable[entry]
        report.failures.append(
            EntryFailure(
                cell: cell.number, entry: entry, line: lost.line, kind: isTimeout ? .timeout : .crash,
                input: lost.input, message: reason))
        report.cells = notebook.cells.map { self.report(of: $0, lostIn: cell.number) }
        return report
    }

    private func report(of cell: NotebookCell, lostIn lost: Int) -> CellReport {
        let status: CellReport.Status =
            if cell.number == lost || failures.contains(where: { $0.cell == cell.number }) {
                .failed
            } else if cell.flags.contains(.norun) {
                .shown
            } else if cell.number > lost {
                .notReached
            } else {
                cell.checksSomething ? .passed : .unchecked
            }
        return CellReport(number: cell.number, line: cell.line, status: status)
    }
}
