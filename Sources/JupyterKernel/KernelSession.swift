import CivilTime
import Core
import Formats
import Foundation
import Notebooks
import PluginKit
import Workbench

/// The session of a kernel: the user's own, on their workspace, in the notebook's folder and at the real time.
///
/// A cell that begins with a line of `---` is front matter: it starts a new session with its settings, deterministic, confined to
/// the folder and in a temporary workspace, as `rutter test` runs notebooks.
actor KernelSession {
    /// A cell that ran.
    struct HistoryEntry: Sendable {
        let number: Int
        let input: String
        let output: String
    }

    /// The outcome of a cell.
    struct Outcome: Sendable {
        var failure: CellFailure?
        /// The output text.
        var output = ""
        /// Whether `quit` ended the session.
        var quits = false
    }

    private let factory: WorkbenchSessionFactory
    /// Makes the user's own session; `nil` gives temporary ones only.
    private let makeOwn: (@Sendable () throws -> Session)?
    private let outlet: KernelOutlet
    private let folder: URL
    private let scratch: URL
    private var present: Session?
    private var sessions = 0
    /// Recent cells; the oldest are dropped.
    private(set) var history: [HistoryEntry] = []
    private static let mostHistory = 10_000

    init(
        factory: WorkbenchSessionFactory, makeOwn: (@Sendable () throws -> Session)? = nil,
        outlet: KernelOutlet, folder: URL, scratch: URL
    ) {
        self.factory = factory
        self.makeOwn = makeOwn
        self.outlet = outlet
        self.folder = folder
        self.scratch = scratch
    }

    func remember(_ entry: HistoryEntry) {
        if history.count == Self.mostHistory { history.removeFirst(Self.mostHistory / 10) }
        history.append(entry)
    }

    func close() async {
        await present?.close()
        present = nil
        FileManager.default.discard(scratch)
    }

    // MARK: Cells

    /// Runs the entries of a cell. The first that fails ends it, so that nothing is computed from what an earlier run has left;
    /// without `stopsOnError` the others run, too, as in a terminal. An interruption ends the cell.
    func run(_ code: String, stopsOnError: Bool = true) async -> Outcome {
        var outcome = Outcome()
        var rest = code
        do {
            if let (front, following) = Self.frontMatter(of: code) {
                try await begin(front)
                rest = following
            }
            let entries = EntrySplitter.entries(of: rest)
            for (index, entry) in entries.enumerated() where !Task.isCancelled {
                let result = await (try session()).run(entry.text)
                if !result.text.isEmpty {
                    outcome.output += (outcome.output.isEmpty ? "" : "\n") + result.text
                }
                if let error = result.failure {
                    let left = stopsOnError && !Task.isCancelled ? entries.count - index - 1 : 0
                    let failure = CellFailure(error, text: result.errorText ?? "", left: left)
                    outlet.show(failure)
                    outcome.failure = outcome.failure ?? failure
                    if stopsOnError { break }
                }
                if result.quits {
                    outcome.quits = true
                    await present?.close()
                    present = nil
                    break
                }
            }
            if Task.isCancelled, outcome.failure == nil { throw Interruption.stopped }
        } catch {
            let failure = CellFailure(Self.known(error))
            outlet.show(failure)
            outcome.output += (outcome.output.isEmpty ? "" : "\n") + failure.lines.joined(separator: "\n")
            outcome.failure = failure
        }
        return outcome
    }

    /// The value of an expression as message content, without changing the session.
    func value(of expression: String) async -> Result<JSONTree, CellFailure> {
        do {
            let result = await (try session()).run(expression, recorded: false)
            if let error = result.failure {
                return .failure(CellFailure(error, text: result.errorText ?? ""))
            }
            return .success(DisplayedValue(text: result.text).bundle)
        } catch {
            return .failure(CellFailure(Self.known(error)))
        }
    }

    private static func known(_ error: any Error) -> RutterError {
        if let error = error as? RutterError { return error }
        if let error = error as? NotebookError {
            return error.code.kind(
                error.message, at: .file(path: "front matter", line: error.line, column: nil),
                fix: error.suggestion)
        }
        return KernelErrors.request("the session cannot be created: \(error)")
    }

    // MARK: Sessions

    /// The current session; created with default settings if necessary.
    func session() throws -> Session {
        if let present { return present }
        let session = try makeOwn?() ?? makeSession(NotebookSettings(), data: [:])
        present = session
        return session
    }

    private func begin(_ frontMatter: String) async throws {
        let settings = try NotebookParser().parse(frontMatter).settings
        let data = try InputData(settings.data, folder: folder, dataFolder: nil)
        if let need = await factory.unmetNeed(of: settings, data) { throw NotebookError(.data, need) }
        await present?.close()
        present = nil
        present = try makeSession(settings, data: data.byName)
    }

    private func makeSession(_ settings: NotebookSettings, data: [String: URL]) throws -> Session {
        sessions += 1
        let workspace = scratch.appendingPathComponent("session-\(sessions)", isDirectory: true)
        try FileManager.default.createDirectory(
            at: workspace, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let context = NotebookContext(
            settings: settings, file: folder.appendingPathComponent("notebook.ipynb"), folder: folder,
            workspace: workspace, dataFiles: data)
        return try factory.session(
            context, progress: ProgressReporter { [outlet] in outlet.report($0) },
            display: { [outlet] in outlet.show($0) })
    }

    /// Front matter at the beginning of a cell, and what follows it; `nil` where the first line is not `---`.
    static func frontMatter(of code: String) -> (front: String, rest: String)? {
        let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
        func isMark(_ line: Substring) -> Bool { line.filter { !$0.isWhitespace } == "---" }
        guard let first = lines.first, isMark(first) else { return nil }
        let end = lines.dropFirst().firstIndex(where: isMark).map { $0 + 1 } ?? lines.count
        return (
            lines[..<end].joined(separator: "\n") + "\n", lines[end...].joined(separator: "\n")
        )
    }

    // MARK: Looking

    /// The candidates at a position in a cell's text, counted in Unicode scalars, and the range that they
    /// replace.
    func completions(of code: String, at cursor: Int) async -> (range: Range<Int>, candidates: [String]) {
        let before = String(code.unicodeScalars.prefix(max(0, cursor)))
        let end = before.unicodeScalars.count
        guard Self.frontMatter(of: before) == nil, let session = try? session() else {
            return (end..<end, [])
        }
        let last = EntrySplitter.entries(of: before).last
        // A complete entry extends to the end of its line.
        let isOpen = last.map { $0.start + $0.text.utf8.count >= before.utf8.count } ?? false
        let entry =
            isOpen
            ? last?.text ?? ""
            : String(before.split(separator: "\n", omittingEmptySubsequences: false).last ?? "")
        let result = await session.completions(of: entry)
        let begun = String(decoding: entry.utf8.dropFirst(result.wordStart), as: UTF8.self)
        return (end - begun.unicodeScalars.count..<end, result.candidates.map(\.replacement))
    }

    /// Help about the word at a position.
    func inspection(of code: String, at cursor: Int) async -> String? {
        guard let session = try? session() else { return nil }
        let position = String(code.unicodeScalars.prefix(max(0, cursor))).utf8.count
        let entries = EntrySplitter.entries(of: code)
        guard let entry = entries.last(where: { $0.start <= position }) ?? entries.first else { return nil }
        return await session.inspection(of: entry.text, at: position - entry.start)
    }

    /// `complete`, `incomplete` or `invalid`.
    func completeness(of code: String) async -> String {
        if let (front, rest) = Self.frontMatter(of: code), rest.isEmpty {
            let marks = front.split(separator: "\n").count { $0.filter { !$0.isWhitespace } == "---" }
            return marks < 2 ? "incomplete" : "complete"
        }
        if Completeness.isIncomplete(code) { return "incomplete" }
        guard let session = try? session() else { return "unknown" }
        for entry in EntrySplitter.entries(of: code) where await session.syntaxError(in: entry.text) != nil {
            return "invalid"
        }
        return "complete"
    }
}
