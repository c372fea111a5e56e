import CivilTime
import Foundation
import Notebooks
import PluginKit

/// `notebook save FILE`
struct NotebookSaveCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "notebook save" }

    var command: Command {
        Command(
            name, "write the session as a notebook that reruns as a test",
            details: """
                The front matter records the seed, the clock and the input files. Where a command read a running clock, \
                an entry sets that time before it. `notebook save` itself is omitted. With --from, earlier entries are \
                kept as preparation and their output is not compared. A rerun starts with an empty workspace.
                """,
            .positional("file", .outputFile, "notebook to write, a .md file"),
            .option(
                "from", .integer(1...Int.max), default: "1",
                "first entry to compare, as numbered by `history`"),
            .flag("force", "overwrite an existing file"),
            output: .value("text"), effect: .pure,
            examples: [
                .init(
                    "two entries", "notebook save two.md", after: ["1 + 1", "2km * 3"],
                    gives: "2 entries written to two.md; `rutter test two.md` reruns them")
            ],
            searchTerms: [
                "share my session", "save what i typed", "save session", "record session", "what i typed",
                "write down the session", "protocol of a session", "documentation", "record of a session",
            ]
        ) { context, url, from, force in
            try StagedFile.checkFree(url, force: force, parameter: "file")
            let saved = try await session.get().notebook(
                title: url.deletingPathExtension().lastPathComponent,
                in: url.deletingLastPathComponent(), from: from,
                check: context.checkCancelled)
            do throws(NotebookError) {
                try NotebookWriter.write(saved.text, to: url)
            } catch {
                throw NotebookErrors.wrap(error, path: url.lastPathComponent)
            }
            let name = url.lastPathComponent
            let entries = "\(saved.entries, of: "entry", plural: "entries")"
            let before = saved.preparing == 0 ? "" : ", after \(saved.preparing) that prepare them,"
            let sentence = "\(entries)\(before) written to \(name); `rutter test \(name)` reruns them"
            return .text(([sentence] + saved.warnings).joined(separator: "\n"))
        }
    }
}

/// `notebook run FILE`
struct NotebookRunCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "notebook run" }

    var command: Command {
        Command(
            name, "run a notebook's cells in this session",
            details: """
                The cells use this session's variables and stores, not a fresh workspace: run up to a cell with --to, \
                then continue by hand, or with --from. Seed, clock, time zone, units and width are the notebook's while it \
                runs and are restored afterwards. With --allow-plugins, plugins that its front matter lists are \
                loaded and stay loaded. Cells can read only the notebook's folder and its data, and write only below \
                the folder `files` of the workspace. Returns inputs and outputs; a cell that differs is marked, the run \
                continues, and the command fails at the end.
                """,
            .positional("file", .inputFile, "notebook to run"),
            .option("from", .integer(1...Int.max), "first cell to run, counted from 1"),
            .option("to", .integer(1...Int.max), "last cell to run, counted from 1"),
            .flag("allow-plugins", "let the cells run external plugins"),
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "a saved session", "notebook run one.md", after: ["1 + 1", "notebook save one.md"],
                    gives: "rutter> 1 + 1\n2\n\n1 cell ran, all as expected")
            ],
            searchTerms: [
                "same commands", "repeat a session", "run a notebook", "replay",
            ]
        ) { context, url, from, to, allowsPlugins in
            if let from, let to, from > to {
                throw CommonErrors.argumentRange(
                    "--from is after --to", at: .parameter("from"), fix: "--from \(to) --to \(from)")
            }
            let session = try session.get()
            do {
                let notebook = try NotebookParser().parse(contentsOf: url)
                let data = try InputData(
                    notebook.settings.data, folder: url.deletingLastPathComponent(),
                    dataFolder: context.files.dataFolder)
                if let missing = data.missing.first {
                    throw NotebookError(
                        .data, "the data file `\(missing)` is missing",
                        suggestion: "place it beside the notebook, or in this session's folder")
                }
                let outer = try await session.enter(
                    notebook: url, settings: notebook.settings, dataFiles: data.byName,
                    allowsPlugins: allowsPlugins)
                let result = await Self.play(
                    notebook, url, in: session, from: from, through: to, progress: context.progress)
                await session.leave(to: outer)
                try context.checkCancelled()
                let (cells, shown) = try result.get()
                let ran = cells.filter { $0.status != .notReached && $0.status != .shown }
                let failed = ran.filter { $0.status == .failed }.count
                let count = "\(ran.count, of: "cell") ran, "
                if failed > 0 {
                    await session.fail(
                        with: NotebookErrors.differs(
                            "\(failed) of \(ran.count) cells of \(url.lastPathComponent) differ"))
                }
                let verdict = failed == 0 ? "all as expected" : "\(failed) not as expected"
                return .text((shown + ["", count + verdict]).joined(separator: "\n"))
            } catch let error as NotebookError {
                throw NotebookErrors.wrap(error, path: url.lastPathComponent)
            }
        }.changingCommands
    }

    private static func play(
        _ notebook: Notebook, _ url: URL, in session: Session, from first: Int?, through last: Int?,
        progress: ProgressReporter
    ) async -> Result<([CellReport], [String]), NotebookError> {
        let lines = LineCollector()
        let total = notebook.runnableCount
        let observer = NotebookPlayer.Observer { entry, output, failure in
            progress.report("running entries", done: lines.add(shown(entry, output, failure)), of: total)
        }
        do {
            let player = NotebookPlayer(in: NestedSession(session))
            let cells = try await player.play(
                notebook, named: url.lastPathComponent, from: first, through: last, observer)
            return .success((cells, lines.all))
        } catch {
            return .failure(error)
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
struct NotebookTestCommand: CommandProvider {
    let session: SessionHandle
    private static let columns = ["notebook", "outcome", "cells", "failed", "reason"]

    var name: String { "notebook test" }

    var command: Command {
        Command(
            name, "rerun notebooks in fresh sessions and compare outputs",
            details: """
                Data files are looked up beside the notebook, then in this session's folder. `rutter test` does the same \
                in parallel worker processes, with reports for CI.
                """,
            .rest("files", .inputPath, minimum: 1, "notebooks, or folders of notebooks"),
            .flag("allow-plugins", "let the notebooks run external plugins"),
            output: .rows(Self.columns), effect: .pure,
            examples: [
                .init(
                    "a saved session", "notebook test one.md | get outcome",
                    after: ["1 + 1", "notebook save one.md"],
                    gives: "passed")
            ],
            searchTerms: [
                "run all notebooks", "which notebooks fail", "tests fail",
                "is the output still the same", "compare output", "check a notebook", "did anything change",
                "regression", "ci", "rerun", "as a test", "still correct", "check the outputs",
            ]
        ) { context, files, allowsPlugins in
            let session = try session.get()
            let factory = await session.factoryForTests(allowsPlugins: allowsPlugins)
            var rows: [[Value]] = []
            var differing = 0
            do {
                let paths = try NotebookFinder().notebooks(in: files.map(\.path))
                for (index, path) in paths.enumerated() {
                    try context.checkCancelled()
                    context.progress.report("running notebooks", done: index, of: paths.count)
                    var options = NotebookRunner.Options()
                    options.scratch = context.workspace
                    options.dataFolder = context.files.dataFolder
                    let url = URL(fileURLWithPath: path)
                    let report = await NotebookRunner(factory: factory, options: options)
                        .run(url, named: url.lastPathComponent)
                    // A cancelled run has no result.
                    try context.checkCancelled()
                    let failed = report.cells.filter { $0.status == .failed }.count
                    if report.outcome == .failed { differing += 1 }
                    rows.append([
                        .text(report.path), .text(report.outcome.rawValue), .integer(report.cells.count),
                        .integer(failed), Value(report.reason ?? report.error?.description) { .text($0) },
                    ])
                }
            } catch let error as NotebookError {
                throw NotebookErrors.wrap(error, path: files.first?.lastPathComponent ?? "")
            }
            if differing > 0 {
                let error = NotebookErrors.differs("\(differing) of \(rows.count) notebooks failed")
                await session.fail(with: error)
            }
            return .table(columns: Self.columns, cells: rows)
        }
    }
}

/// Kinds of error of notebooks, with the codes of the Notebooks module.
enum NotebookErrors {
    /// The output of some cells differs from the expected output.
    static let differs = ErrorKind(
        "E-NOTEBOOK-DIFFERS", "a notebook differs",
        explanation:
            "The output of some cells differs from the notebook; they are listed above.")
    /// There is nothing to save.
    static let nothingToSave = ErrorKind(
        "E-NOTEBOOK-NOENTRY", "no such entry",
        explanation: "`history` numbers the entries of the session; `notebook save` requires at least one.")

    /// The notebook has changed since it was read.
    static let changed = ErrorKind(
        "E-NOTEBOOK-CHANGED", "the notebook changed since it was read",
        explanation: "Another program wrote the file. Read it again with `notebook show`, then edit.")

    static let all: [ErrorKind] = NotebookError.Code.allCases.map(\.kind) + [differs, nothingToSave, changed]

    static func wrap(_ error: NotebookError, path: String) -> RutterError {
        error.code.kind(
            error.message, at: .file(path: path, line: error.line, column: nil), fix: error.suggestion)
    }
}
