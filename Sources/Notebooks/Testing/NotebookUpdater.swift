import Core
import Foundation

/// Rewrites the expected outputs of cells that differ, and nothing else of a notebook.
struct NotebookUpdater: Sendable {
    /// The result for a notebook.
    struct Result: Sendable {
        /// The indexes of the rewritten entries.
        var updated: Set<Int> = []
        /// The names of the input files whose hashes are updated.
        var pinned: [String] = []
        /// Why other entries were not rewritten.
        var kept: [String] = []
    }

    let limits: NotebookLimits
    /// Asks for confirmation; `nil` without a terminal.
    let confirm: (@Sendable (String) async -> Bool)?

    /// Updates the file that was run.
    func update(_ file: URL, _ report: NotebookReport) async -> Result {
        do {
            let bytes = Array(try Data(contentsOf: file))
            guard report.digest != nil, Digest.sha256(bytes) == report.digest else {
                return Result(kept: ["\(report.path) changed since it was run and is kept unchanged"])
            }
            let (text, result) = try await updated(bytes, report)
            if let text { try NotebookWriter.write(text, to: file) }
            return result
        } catch {
            return Result(kept: ["\(report.path) is kept unchanged: \(error)"])
        }
    }

    /// The text with new outputs, or nothing when none could be inserted.
    func updated(_ bytes: [UInt8], _ report: NotebookReport) async throws -> (text: String?, Result) {
        let notebook = try NotebookParser(limits: limits).parse(bytes: bytes)
        var result = Result()
        var edits: [CellEdit] = []
        for failure in report.failures {
            let location = "\(report.path):\(failure.line)"
            guard failure.kind == .differs, let actual = failure.actual,
                notebook.runnable.indices.contains(failure.entry)
            else {
                result.kept.append("\(location): \(failure.message): no output to insert")
                continue
            }
            let (cell, entry) = notebook.runnable[failure.entry]
            let draft = OutputDraft(
                cell: cell, entry: entry, source: notebook.source, actual: TextBytes.lines(of: actual),
                bindings: failure.bindings ?? [:], limits: limits)
            if let reason = await refusal(draft, failure, cell, location) {
                result.kept.append(reason)
                continue
            }
            edits.append(CellEdit(cell: cell, range: draft.range, lines: draft.lines))
            result.updated.insert(failure.entry)
        }
        let pins = result.updated.count == report.failures.count ? Self.pins(report) : []
        guard !edits.isEmpty || !pins.isEmpty else { return (nil, result) }
        var source = CellEdit.apply(edits, to: notebook.source)
        try Self.pin(pins, in: &source)
        result.pinned = pins.map(\.name)
        let text = source.text
        guard isRight(text, report, result.updated) else {
            return (nil, Result(kept: ["\(report.path) is kept unchanged: its new text would not match"]))
        }
        return (text, result)
    }

    /// The input files whose hashes to update: those that changed, if every cell matches.
    private static func pins(_ report: NotebookReport) -> [ChangedData] {
        report.error == nil ? report.changedData.filter { $0.actual != nil } : []
    }

    /// Updates the hashes in the front matter, without changing its number of lines.
    private static func pin(_ changes: [ChangedData], in source: inout SourceText) throws {
        guard let extent = try FrontMatterParser.extent(in: source.lines) else { return }
        for index in extent {
            for change in changes {
                guard let actual = change.actual else { continue }
                let text = source.lines[index].text.replacingOccurrences(
                    of: change.pinned, with: actual, options: .caseInsensitive)
                source.lines[index] = SourceText.Line(text: text, ending: source.lines[index].ending)
            }
        }
    }

    /// Why an entry is not rewritten.
    private func refusal(
        _ draft: OutputDraft, _ failure: EntryFailure, _ cell: NotebookCell, _ location: String
    ) async -> String? {
        var questions: [(question: String, reason: String)] = []
        let dropped = draft.droppedPatterns.filter { !Self.isControl($0) }
        if !dropped.isEmpty {
            let patterns = dropped.map { "`\($0)`" }.joined(separator: ", ")
            questions.append(
                (
                    "\(location): drop the pattern \(patterns)?",
                    "\(location): the pattern \(patterns) no longer matches"
                ))
        }
        if failure.commandFailed, !cell.flags.contains(.fails) {
            questions.append(
                (
                    "\(location): \(failure.message): update the expected output?",
                    "\(location): \(failure.message)"
                ))
        }
        for (question, reason) in questions {
            guard let confirm else {
                return "\(reason); it is kept unchanged, because there is no terminal to confirm"
            }
            guard await confirm(question) else { return "\(reason); it is kept unchanged" }
        }
        return nil
    }

    /// Whether a pattern stands for control characters alone: those of a terminal's colours, which no output has.
    private static func isControl(_ pattern: String) -> Bool {
        let plain = pattern.replacing(/<<re:(\\x\{[01]?[0-9A-Fa-f]\})+>>/, with: "")
        return plain != pattern && !plain.contains("<<")
    }

    /// Whether the new text parses and each new output matches: the last check before a file is overwritten.
    private func isRight(_ text: String, _ report: NotebookReport, _ updated: Set<Int>) -> Bool {
        guard let notebook = try? NotebookParser(limits: limits).parse(text) else { return false }
        let entries = notebook.runnable
        return report.failures.filter { updated.contains($0.entry) }.allSatisfy { failure in
            guard entries.indices.contains(failure.entry), let actual = failure.actual else { return false }
            let entry = entries[failure.entry].entry
            return TextBytes.equal(entry.input, failure.input)
                && entry.expected.match(actual, bindings: failure.bindings ?? [:]) != nil
        }
    }
}
