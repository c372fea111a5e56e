import Core
import Foundation
import Notebooks
import Pages
import Pictures
import PluginKit
import Synchronization

/// `notebook render FILE|FOLDER --out FILE|FOLDER`
struct NotebookRenderCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "notebook render" }

    var command: Command {
        Command(
            name, "write a notebook as a web page or Jupyter notebook",
            details: """
                An .html file needs no server and no network: the notebook runs in a fresh session, its pictures are SVG, \
                its traces are players. Cells that cannot run show their expected output, marked as such. An .ipynb \
                file (nbformat 4.5) has the cells with their expected outputs, pictures as PNG and rows as tables where the notebook \
                still prints the same; `notebook import` reads it back. For a \
                folder, each notebook becomes a page of a new folder; links between notebooks point to the pages, \
                and index.html lists them. With --student the pages are copies for students: \
                without the solutions and explanations of exercises and the notes for the teacher; of the answers a page has \
                hashes only, and still says right or wrong.
                """,
            .positional("file", .inputPath, "notebook, a .md file; or a folder of notebooks"),
            .requiredOption(
                "out", .outputFile, "file to write: .html or .ipynb; for a folder, the folder to write"),
            .flag("force", "overwrite existing files"),
            .flag("student", "leave out solutions and explanations; pages (.html) only"),
            output: .value("text"), effect: .pure,
            examples: [
                .init(
                    "a saved session", "notebook render one.md --out one.ipynb",
                    after: ["1 + 1", "notebook save one.md"], gives: "1 cell written to one.ipynb")
            ],
            searchTerms: [
                "for colleagues",
                "pdf", "web page", "share a notebook", "html", "ipynb", "jupyter", "export", "publish",
                "quiz", "student", "handout", "html page",
            ]
        ) { context, url, out, force, isForStudents in
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
                let factory = try await session.get().factoryForTests(allowsPlugins: false)
                var folder = NotebookFolder(folder: url, out: out, force: force)
                folder.isForStudents = isForStudents
                return try await folder.render(factory, context)
            }
            try StagedFile.checkFree(out, force: force, parameter: "out")
            do {
                let notebook = try NotebookParser().parse(contentsOf: url)
                let text: String
                var note = ""
                switch out.pathExtension.lowercased() {
                case "ipynb" where isForStudents:
                    throw PictureErrors.format(
                        "a Jupyter notebook needs its solutions to be read back", at: .parameter("student"),
                        fix: "name a page: \(out.deletingPathExtension().lastPathComponent).html")
                case "ipynb":
                    let factory = RenderingFactory(
                        base: try await session.get().factoryForTests(allowsPlugins: false))
                    let run = await factory.run(url, context)
                    try context.checkCancelled()
                    if let reason = run.problem { note = "; \(reason)" }
                    text = JupyterNotebook.text(of: notebook, shown: run.shown)
                case "html", "htm":
                    try NativeLibrary.markdown.require()
                    let factory = RenderingFactory(
                        base: try await session.get().factoryForTests(allowsPlugins: false))
                    let run = await factory.run(url, context)
                    try context.checkCancelled()
                    if let reason = run.problem { note = "; \(reason)" }
                    var page = NotebookPage(notebook, shown: run.shown, note: run.problem)
                    page.isForStudents = isForStudents
                    text = try page.html(title: url.deletingPathExtension().lastPathComponent)
                default:
                    throw PictureErrors.format(
                        "\(out.lastPathComponent) is neither .html nor .ipynb", at: .parameter("out"),
                        fix: "name it \(out.deletingPathExtension().lastPathComponent).html")
                }
                try OutputFile.write(Data(text.utf8), to: out, force: force)
                let cells = notebook.cells.count
                return .text(
                    "\(cells, of: "cell") written to \(out.lastPathComponent)" + note)
            } catch let error as NotebookError {
                throw NotebookErrors.wrap(error, path: url.lastPathComponent)
            }
        }
    }
}

/// `notebook import FILE --out FILE`
struct NotebookImportCommand: CommandProvider {
    var name: String { "notebook import" }

    var command: Command {
        Command(
            name, "convert a Jupyter notebook to Markdown",
            details: """
                Reads nbformat 4 notebooks whose kernel is rutter. Unedited cells are restored byte for byte; an edited cell of \
                one input expects the output it has in the file, one of several inputs expects nothing until \
                `rutter test --update` fills it in. A cell that ended in an error is marked as one that fails; cells that were run in \
                another order are said.
                """,
            .positional("file", .inputFile, "Jupyter notebook, an .ipynb file"),
            .requiredOption("out", .outputFile, "notebook to write, a .md file"),
            .flag("force", "overwrite an existing file"),
            output: .value("text"), effect: .pure,
            examples: [
                .init(
                    "a round trip", "notebook import one.ipynb --out two.md",
                    after: ["1 + 1", "notebook save one.md", "notebook render one.md --out one.ipynb"],
                    gives: "1 cell written to two.md")
            ], searchTerms: ["ipynb", "jupyter"]
        ) { _, url, out, force in
            do {
                let data = try Self.data(url)
                let text = try JupyterNotebook.markdown(of: data) { Completeness.isIncomplete($0) }
                let attachments = JupyterNotebook.attachments(of: data)
                let cells = try NotebookParser().parse(text).cells.count
                try OutputFile.write(Data(text.utf8), to: out, force: force)
                let lost =
                    attachments == 0 ? "" : "; \(attachments, of: "attachment") left out: Markdown holds none"
                let order =
                    JupyterNotebook.reordered(in: data).map {
                        "; cell \($0.later) was run after cell \($0.earlier): its output may need that order"
                    } ?? ""
                return .text("\(cells, of: "cell") written to \(out.lastPathComponent)\(lost)\(order)")
            } catch let error as NotebookError {
                throw NotebookErrors.wrap(error, path: url.lastPathComponent)
            }
        }
    }

    private static func data(_ url: URL) throws(NotebookError) -> Data {
        let size = ((try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize) ?? 0
        guard size <= mostBytes else {
            throw NotebookError(.file, "the notebook is larger than \(mostBytes >> 20) MB")
        }
        do {
            return try Data(contentsOf: url)
        } catch {
            throw NotebookError(.file, "the notebook cannot be read: \(error.localizedDescription)")
        }
    }

    /// Maximum bytes of a Jupyter notebook; pictures in outputs make them large.
    private static let mostBytes = 64 << 20
}

/// Runs a notebook and records the output of its entries with pictures and traces.
struct RenderingFactory: NotebookSessionFactory {
    let base: WorkbenchSessionFactory
    private let shown = Shown()

    init(base: WorkbenchSessionFactory) { self.base = base }

    /// The output of the entries, in order.
    private final class Shown: Sendable {
        private let entries = Mutex<[ShownEntry]>([])
        func add(_ entry: ShownEntry) { entries.withLock { $0.append(entry) } }
        var all: [ShownEntry] { entries.withLock { $0 } }
    }

    var plugins: Set<String> { base.plugins }
    var allowsPlugins: Bool { base.allowsPlugins }
    var missingServers: [String: String] { base.missingServers }

    func makeSession(_ context: NotebookContext) async throws -> any NotebookSession {
        RenderingSession(try base.session(context), shown: shown.add)
    }

    /// Runs a notebook. The problem states why it did not run as expected.
    func run(_ file: URL, _ context: Context) async -> (shown: [Int: ShownEntry], problem: String?) {
        var options = NotebookRunner.Options()
        options.scratch = context.workspace
        options.dataFolder = context.files.dataFolder
        let lines = Mutex<[Int]>([])
        let report = await NotebookRunner(factory: self, options: options).run(file) { entry, _ in
            lines.withLock { $0.append(entry.line) }
        }
        let entries = zip(lines.withLock { $0 }, shown.all)
        let failed = report.cells.filter { $0.status == .failed }.count
        let problem =
            report.reason ?? report.error?.description
            ?? (failed > 0 ? "\(failed) of \(report.cells.count) cells differ from what is expected" : nil)
        return (Dictionary(entries) { $1 }, problem)
    }
}

/// A session that records the pictures and traces it shows.
final class RenderingSession: NotebookSession {
    private let session: Session
    private let shown: @Sendable (ShownEntry) -> Void

    init(_ session: Session, shown: @escaping @Sendable (ShownEntry) -> Void) {
        self.session = session
        self.shown = shown
    }

    func run(_ input: String) async -> CellOutput {
        let result = await session.run(input)
        var entry = ShownEntry(text: result.text, failed: result.failure != nil)
        if !entry.text.isEmpty, !entry.failed {
            let units = await ScaleUnits(session.environment.units)
            // Values that cannot be drawn are shown as text, as in the terminal.
            entry.picture = try? Self.picture(of: result.value)
            entry.trace = Self.trace(
                of: result.value, input, units, on: PlayedBases(await session.context(tracing: nil)))
            entry.sweep = Self.sweep(of: result.value)
            entry.table = Self.table(of: result.value, await session.presentEnvironment)
        }
        shown(entry)
        return CellOutput(text: result.text, failed: result.failure != nil, errorCode: result.failure?.code)
    }

    /// The value's picture; `nil` for values that are not pictures.
    static func picture(of value: Value) throws -> Scene? {
        if let sweep = value.object(as: Sweep.self) { return sweep.chart?.scene() }
        return try value.object(as: Drawing.self)?.scene()
    }

    /// Rows as an HTML table; `nil` for other values.
    private static func table(of value: Value, _ environment: PluginKit.Environment) -> String? {
        switch value {
        case .list, .rows: (try? ValueRenderer(environment: environment).displayed(value))?.html
        default: nil
        }
    }

    private static func sweep(of value: Value) -> ShownSweep? {
        guard case .object(let sweep as Sweep) = value else { return nil }
        let columns = sweep.fieldNames.filter { $0 != sweep.parameter }
        func text(_ row: Record, _ column: String) -> String {
            row[column].map { ValueText.inline($0) } ?? ""
        }
        return ShownSweep(
            parameter: sweep.parameter, columns: columns,
            rows: sweep.rows.map { row in
                (text(row, sweep.parameter), columns.map { text(row, $0) })
            })
    }

    private static func trace(
        of value: Value, _ input: String, _ units: ScaleUnits, on bases: PlayedBases
    ) -> PlayedTrace? {
        guard case .rows(let rows) = value, rows.columns == TraceRow.columns,
            let steps = try? RecordedSteps(rows: rows.collect()), !steps.walk.steps.isEmpty
        else { return nil }
        return try? steps.played(title: input, units: units, on: bases) { try Interruption.check() }.trace
    }

    func setVariable(_ name: String, literal: String) async {
        let value = await session.run(literal).value
        await session.setVariable(name, to: value)
    }

    func coverage() async -> CoverageReport { await session.coverageReport }

    func close() async { await session.close() }
}
