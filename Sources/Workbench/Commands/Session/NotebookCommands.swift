import CivilTime
import Foundation
import Notebooks
import PluginKit

/// `notebook save FILE`
struct NotebookSaveCommand: Command {
    let session: SessionHandle
    private static let file = Parameter.positional("file", .outputFile, "the notebook to write, a .md file")
    private static let from = Parameter.option(
        "from", .integer(1...Int.max), default: "1", "the first entry to keep, as numbered by `history`")
    private static let force = Parameter.flag("force", "overwrite an existing file")

    let spec = CommandSpec(
        "notebook save", "writes the session so far as a notebook that can be rerun as a test",
        details: """
            The seed, the clock and the files that were read go into the front matter. Where a command asked for the \
            time of a running clock, the time it saw is set before it. `notebook save` itself is left out. A rerun \
            starts with an empty workspace.
            """,
        parameters: [file.spec, from.spec, force.spec], output: .value("text"), effect: .pure,
        examples: [
            .init(
                "two entries", "notebook save two.md", after: ["1 + 1", "2km * 3"],
                gives: "2 entries written to two.md; `rutter test two.md` reruns them")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let url = try arguments[Self.file]
        if try !arguments[Self.force], FileManager.default.fileExists(atPath: url.path) {
            throw CommonErrors.fileExists(
                "\(url.lastPathComponent) exists already", at: .parameter("file"),
                fix: "choose another name, or --force")
        }
        let (text, count) = try await session.get().notebook(
            title: url.deletingPathExtension().lastPathComponent, from: try arguments[Self.from])
        do {
            try NotebookWriter.write(text, to: url)
        } catch {
            throw NotebookErrors.wrap(error, path: url.lastPathComponent)
        }
        let name = url.lastPathComponent
        return .text("\(count) entries written to \(name); `rutter test \(name)` reruns them")
    }
}

/// `notebook run FILE`
struct NotebookRunCommand: Command {
    let session: SessionHandle
    private static let file = Parameter.positional("file", .inputFile, "the notebook")
    private static let to = Parameter.option(
        "to", .integer(1...Int.max), "the last cell to run, counted from 1")

    let spec = CommandSpec(
        "notebook run", "runs a notebook's cells in this session, and stops at a cell",
        details: """
            The cells see this session's variables, stores and files, not a fresh workspace: run up to the cell in \
            question with --to, then go on by hand. Gives what was typed and shown; a cell that differs is marked, \
            and the run goes on.
            """,
        parameters: [file.spec, to.spec], input: .nothing, output: .value("text"), effect: .changes,
        examples: [
            .init(
                "a saved session", "notebook run one.md", after: ["1 + 1", "notebook save one.md"],
                gives: "rutter> 1 + 1\n2\n\n1 cell ran, all as expected")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let url = try arguments[Self.file]
        let hosted = NestedSession(try session.get())
        let lines = LineCollector()
        do {
            let notebook = try NotebookParser().parse(contentsOf: url)
            let observer = NotebookPlayer.Observer { entry, output, failure in
                lines.add(Self.shown(entry, output, failure))
            }
            let cells = try await NotebookPlayer(in: hosted).play(
                notebook, named: url.lastPathComponent, through: try arguments[Self.to], observer)
            try context.checkCancelled()
            let ran = cells.filter { $0.status != .notReached && $0.status != .shown }
            let failed = ran.filter { $0.status == .failed }
            let count = "\(ran.count) cell\(ran.count == 1 ? "" : "s") ran, "
            let verdict = failed.isEmpty ? "all as expected" : "\(failed.count) not as expected"
            return .text((lines.all + ["", count + verdict]).joined(separator: "\n"))
        } catch let error as NotebookError {
            throw NotebookErrors.wrap(error, path: url.lastPathComponent)
        }
    }

    private static func shown(_ entry: NotebookEntry, _ output: CellOutput, _ failure: EntryFailure?)
        -> String
    {
        var parts = [Transcript.prompted(entry.input)]
        if !output.text.isEmpty { parts.append(output.text) }
        if let failure { parts.append("# line \(failure.line): \(failure.message)") }
        if let diff = failure?.diff { parts.append(diff) }
        return parts.joined(separator: "\n")
    }
}

/// `notebook test FILE`
struct NotebookTestCommand: Command {
    let session: SessionHandle
    private static let files = Parameter.rest(
        "files", .inputPath, minimum: 1, "notebooks, or folders of them")
    private static let columns = ["notebook", "outcome", "cells", "failed", "reason"]

    let spec = CommandSpec(
        "notebook test", "reruns notebooks, each in a fresh session, and compares",
        details: """
            Data files are looked up beside the notebook, then in this session's own folder. `rutter test` does the \
            same in parallel worker processes, with reports for CI.
            """,
        parameters: [files.spec], output: .rows(columns), effect: .pure,
        examples: [
            .init(
                "a saved session", "notebook test one.md | get outcome",
                after: ["1 + 1", "notebook save one.md"],
                gives: "passed")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let files = try arguments[Self.files]
        let factory = try await session.get().factoryForTests()
        var rows: [[Value]] = []
        do {
            for path in try NotebookFinder().notebooks(in: files.map(\.path)) {
                try context.checkCancelled()
                var options = NotebookRunner.Options()
                options.scratch = context.workspace
                options.dataFolder = context.files.dataFolder
                let url = URL(fileURLWithPath: path)
                let report = await NotebookRunner(factory: factory, options: options)
                    .run(url, named: url.lastPathComponent)
                let failed = report.cells.filter { $0.status == .failed }.count
                rows.append([
                    .text(report.path), .text(report.outcome.rawValue), .integer(report.cells.count),
                    .integer(failed), Value(report.reason ?? report.error?.description) { .text($0) },
                ])
            }
        } catch let error as NotebookError {
            throw NotebookErrors.wrap(error, path: files.first?.lastPathComponent ?? "")
        }
        return .table(Table(columns: Self.columns, cells: rows))
    }
}

/// Kinds of error of notebooks, with the codes of the Notebooks module.
enum NotebookErrors {
    private static let explanations: [NotebookError.Code: (String, String)] = [
        .file: (
            "the notebook cannot be read or written", "The message names the reason. Nothing was changed."
        ),
        .encoding: ("the notebook is not UTF-8", "Notebooks are UTF-8 text; convert the file."),
        .frontMatter: (
            "the front matter is not right",
            "It may have: seed clock timezone width units data requires timeout, written as YAML between lines of ---."
        ),
        .flag: (
            "a block flag is unknown", "After `rutter` may stand: approx unordered nocheck norun fails."
        ),
        .cell: (
            "a cell is not well formed",
            "A cell is a fenced block marked `rutter`; its inputs stand after the prompt `rutter> `."
        ),
        .pattern: (
            "an output pattern cannot be read",
            "Patterns are <<*>> <<int>> <<number>> <<uuid>> <<time>> <<path>> <<re:…>> <<6.1km ±2%>> <<name=int>>."
        ),
        .empty: (
            "the notebook checks nothing", "A notebook without a cell that can fail is an error, not a pass."
        ),
        .data: (
            "the notebook's data is named wrongly", "Data files lie beside the notebook or below --data DIR."
        ),
        .noSuchCell: ("the notebook has no such cell", "Cells are counted from 1."),
        .usage: ("the arguments do not fit together", "`rutter test --help` lists them."),
    ]

    static let all: [ErrorKind] = NotebookError.Code.allCases.map(kind)

    static func wrap(_ error: NotebookError, path: String) -> RutterError {
        kind(error.code)(
            error.message, at: .file(path: path, line: error.line, column: nil), fix: error.suggestion)
    }

    private static func kind(_ code: NotebookError.Code) -> ErrorKind {
        let (title, explanation) = explanations[code] ?? (code.rawValue, "")
        return ErrorKind(code.rawValue, title, explanation: explanation)
    }
}
