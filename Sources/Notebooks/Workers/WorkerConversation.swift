import Core
import Foundation
import Glibc

/// One notebook run by a worker, from the parent's side. Runs on the thread that owns the worker: it waits
/// for messages, and checks timeouts on the shared page.
struct WorkerConversation {
    /// How it ended.
    enum Outcome {
        /// The worker delivered a report.
        case done(NotebookReport)
        /// The worker is lost. A worker that hung in an entry and was killed is distinguished from a
        /// crash; the entry is the last one it reported.
        case lost(reason: String, isTimeout: Bool, entry: Int?)
        case cancelled
    }

    let worker: WorkerProcess
    let job: WorkerJob
    let limits: NotebookLimits
    let isCancelled: () -> Bool

    private var lines = LineBuffer()
    private var entryTimeout: UInt64?
    private var ending: Outcome?
    private let started = MonotonicClock.now
    private(set) var failures: [EntryFailure] = []
    private var lastErrors: [UInt8] = []
    private var hasErrors = true

    init(worker: WorkerProcess, job: WorkerJob, limits: NotebookLimits, isCancelled: @escaping () -> Bool) {
        self.worker = worker
        self.job = job
        self.limits = limits
        self.isCancelled = isCancelled
    }

    /// The last lines of the worker's standard error.
    var errorTail: String { String(decoding: lastErrors, as: UTF8.self) }

    /// Sends the notebook and waits for its end.
    mutating func run() -> Outcome {
        guard worker.send(WorkerLine.encode(job)) else { return crashed() }
        while true {
            if isCancelled() { return .cancelled }
            let (hasOutput, hasErrorText) = wait()
            if hasErrorText { readErrors() }
            if hasOutput, let outcome = readOutput() { return outcome }
            if let outcome = overdue() { return outcome }
        }
    }

    /// Waits briefly for a message.
    private func wait() -> (output: Bool, errors: Bool) {
        var polled = [
            pollfd(fd: worker.output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: hasErrors ? worker.errors : -1, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = Int32(clamping: limits.workerPoll.nanoseconds / 1_000_000)
        guard poll(&polled, 2, max(milliseconds, 1)) > 0 else { return (false, false) }
        return (polled[0].revents != 0, polled[1].revents != 0)
    }

    private mutating func readErrors() {
        guard let piece = DescriptorReader.read(worker.errors) else {
            hasErrors = false
            return
        }
        lastErrors = Array((lastErrors + piece).suffix(limits.standardErrorBytes))
    }

    private mutating func readOutput() -> Outcome? {
        guard let piece = DescriptorReader.read(worker.output) else { return crashed() }
        lines.append(piece)
        while let line = lines.next() {
            guard let event = WorkerLine.decode(WorkerEvent.self, line) else { return nonsense(line) }
            if let outcome = take(event) { return outcome }
        }
        guard lines.count <= limits.workerLineBytes else { return nonsense([]) }
        return nil
    }

    private mutating func take(_ event: WorkerEvent) -> Outcome? {
        switch event {
        case .hello(let version) where version == WorkerJob.version: return nil
        case .start(job.id, let timeout): entryTimeout = timeout
        case .failure(job.id, let failure): failures.append(failure)
        case .done(job.id, let report): return .done(report)
        default: return lost("the worker uses another version of the protocol")
        }
        return nil
    }

    /// Reads the remaining output of a worker that ended, and its status.
    private mutating func crashed() -> Outcome {
        let ending = worker.waitForEnding(atMost: limits.killGrace)
        while hasErrors, wait().errors { readErrors() }
        return lost("the worker \(ending.text)")
    }

    private func nonsense(_ line: [UInt8]) -> Outcome {
        let text = String(decoding: line.prefix(80), as: UTF8.self)
        return lost("invalid report from the worker: \(text)")
    }

    private func lost(_ reason: String, isTimeout: Bool = false) -> Outcome {
        let moment = worker.page.moment
        return .lost(reason: reason, isTimeout: isTimeout, entry: moment.job == job.id ? moment.entry : nil)
    }

    /// Whether the worker exceeded the timeout of an entry, or of opening or closing a session.
    private func overdue() -> Outcome? {
        let moment = worker.page.moment
        guard moment.job == job.id, let entryTimeout, moment.entry != nil else {
            let since = moment.job == job.id ? moment.since : started
            guard MonotonicClock.elapsed(since: since) > limits.setUpTimeout.nanoseconds else { return nil }
            return lost("the session took longer than \(limits.setUpTimeout.literal) to open or close")
        }
        let allowed = entryTimeout + limits.killGrace.nanoseconds
        guard MonotonicClock.elapsed(since: moment.since) > allowed else { return nil }
        let timeout = Duration.nanoseconds(Int64(clamping: entryTimeout)).literal
        return lost(
            "timeout: the command took longer than \(timeout) and was ended with its worker", isTimeout: true)
    }
}
