import Core
import Formats
import Foundation
import Logging
import Synchronization
import Workbench

/// Publishes the output of the current cell: values, pictures, errors, log lines and progress.
///
/// The last value of a cell is its result. A picture is displayed at once, as are the values before the last.
final class KernelOutlet: Sendable {
    /// Publishes a message of a type, with content, about a request.
    typealias Publish = @Sendable (_ type: String, _ content: JSONTree, _ parent: JSONTree) -> Void

    /// The running cell.
    private struct Cell: Sendable {
        let parent: JSONTree
        let count: Int
        let isSilent: Bool
        let started = MonotonicClock.now
        var pending: DisplayedValue?
        /// When progress was last published.
        var progress: UInt64?
    }

    /// Nanoseconds before progress is shown, and between two reports.
    private static let pace: UInt64 = 500_000_000

    private let publish: Publish
    private let cell = Mutex<Cell?>(nil)

    init(publish: @escaping Publish) { self.publish = publish }

    /// A cell begins.
    func begin(_ parent: JSONTree, count: Int, isSilent: Bool) {
        cell.withLock { $0 = Cell(parent: parent, count: count, isSilent: isSilent) }
    }

    /// The cell has run.
    func end() {
        cell.withLock { cell in
            guard var ended = cell else { return }
            finishProgress(&ended)
            flush(&ended, asResult: true)
            cell = nil
        }
    }

    /// Shows a value.
    func show(_ value: DisplayedValue) {
        change { cell in
            flush(&cell, asResult: false)
            cell.pending = value
            if value.svg != nil { flush(&cell, asResult: false) }
        }
    }

    /// Shows an error.
    func show(_ error: CellFailure) {
        change { cell in
            flush(&cell, asResult: false)
            publish("error", error.content, cell.parent)
        }
    }

    /// Shows a line of the log; on standard error if no cell runs.
    func log(_ line: String) {
        let isTaken = cell.withLock { cell in
            guard let cell else { return false }
            if !cell.isSilent { publishLine(line, cell.parent) }
            return true
        }
        if !isTaken { FileHandle.standardError.write(Data((line + "\n").utf8)) }
    }

    /// Shows progress.
    func report(_ update: ProgressReporter.Update) {
        change { cell in
            let now = MonotonicClock.now
            guard MonotonicClock.elapsed(since: cell.progress ?? cell.started) > Self.pace else {
                return
            }
            publishProgress(
                update.total.map { "\(update.label): \(update.done) of \($0)" }
                    ?? "\(update.label): \(update.done)",
                cell)
            cell.progress = now
        }
    }

    private func change(_ action: (inout Cell) -> Void) {
        cell.withLock { cell in
            guard var present = cell, !present.isSilent else { return }
            action(&present)
            cell = present
        }
    }

    private func publishLine(_ line: String, _ parent: JSONTree) {
        publish("stream", JSONTree(members: ["name": .text("stderr"), "text": .text(line + "\n")]), parent)
    }

    private func publishProgress(_ text: String, _ cell: Cell) {
        let content = JSONTree(members: [
            "data": JSONTree(members: ["text/plain": .text(text)]),
            "metadata": JSONTree(members: ["rutter": .text("progress")]),
            "transient": JSONTree(members: ["display_id": .text("progress-\(cell.count)")]),
        ])
        publish(cell.progress == nil ? "display_data" : "update_display_data", content, cell.parent)
    }

    private func finishProgress(_ cell: inout Cell) {
        // The display stays, but is emptied.
        if cell.progress != nil { publishProgress("", cell) }
        cell.progress = nil
    }

    private func flush(_ cell: inout Cell, asResult isResult: Bool) {
        guard let value = cell.pending else { return }
        cell.pending = nil
        guard !cell.isSilent else { return }
        var content = JSONTree(members: ["data": value.bundle, "metadata": .object([])])
        if isResult {
            content["execution_count"] = JSONTree(cell.count)
        } else {
            content["transient"] = .object([])
        }
        publish(isResult ? "execute_result" : "display_data", content, cell.parent)
    }
}

extension DisplayedValue {
    /// The representations by their types.
    var bundle: JSONTree {
        JSONTree(members: [
            "text/plain": .text(text), "text/html": html.map { .text($0) },
            "image/svg+xml": svg.map { .text($0) },
            "application/geo+json": geoJSON.flatMap { try? JSONTree(parsing: Array($0.utf8)) },
        ])
    }
}

/// An error as Jupyter shows it.
struct CellFailure: Error, Hashable {
    /// The code.
    let name: String
    /// The message.
    let message: String
    /// The lines as the terminal shows them.
    let lines: [String]

    /// An error as the terminal shows it; `left` is how many entries of the cell do not run because of it.
    init(_ error: RutterError, text: String, left: Int = 0) {
        name = error.code
        message = TerminalText.lines(error.message)
        lines =
            text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            + (left > 0 ? ["not run: the \(left, of: "entry", plural: "entries") of the cell after it"] : [])
    }

    init(_ error: RutterError, entry: String = "") {
        self.init(error, text: ErrorRenderer(color: false).text(error, entry: entry))
    }

    var content: JSONTree {
        JSONTree(members: [
            "ename": .text(name), "evalue": .text(message), "traceback": .list(lines.map { .text($0) }),
        ])
    }
}

/// Sends the session's log to the running cell.
struct OutletLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .notice
    let outlet: KernelOutlet

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let facts = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            .map { " \($0.key)=\($0.value)" }.joined()
        outlet.log(TerminalText.lines("\(event.level): \(event.message)\(facts)"))
    }
}
