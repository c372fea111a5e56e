import ArgumentParser
import Foundation
import LineEditing
import Notebooks
import PluginKit
import Synchronization
import Workbench

/// `rutter learn [NOTEBOOK]`: a lesson in the terminal.
struct LearnCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "learn", abstract: "Start or resume a lesson: a notebook with questions.",
        discussion: """
            Without a notebook it lists the lessons of a folder with your progress. In a lesson, Enter continues, `hint` shows \
            the next hint, `solution` shows the answer, `quit` leaves; the next run resumes there. An \
            answer is a value, a letter, or a pipeline that runs and changes nothing. Ctrl-C stops the running entry, and the lesson \
            continues. Progress is stored in the workspace.
            """)

    @OptionGroup var options: SessionOptions
    @OptionGroup var allowances: AllowanceOptions

    @Argument(
        help:
            "A lesson of the course, by its name or number; or a notebook; or a folder, whose lessons are listed (default: the current folder, or the course)."
    )
    var notebook: String?

    @Flag(help: "Start again at the first cell.")
    var again = false

    @Option(help: "Folder of the notebook's data files.")
    var data: String?

    private let course = CourseFolder()

    private enum CodingKeys: CodingKey { case options, allowances, notebook, again, data }

    func run() async throws {
        let configuration = try options.configuration(isInteractive: false, progress: ProgressReporter())
        do {
            let lesson = try lesson()
            var progress = try LessonProgress(workspace: configuration.workspace)
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: lesson.url.path, isDirectory: &isFolder),
                isFolder.boolValue
            {
                return try list(lesson, progress)
            }
            let status = try await play(lesson, &progress)
            if status != 0 { throw ExitCode(status) }
        } catch let error as NotebookError {
            let name = notebook ?? "rutter learn"
            let place = error.line.map { "\(name):\($0): " } ?? "\(name): "
            Output.complain("error \(error.code.rawValue): \(place)\(error.description)\n")
            throw ExitCode(ExitStatus.failure)
        }
    }

    /// What is to be played or listed, and the name by which it is called.
    private struct Lesson {
        let url: URL
        /// Whether the program carries it.
        let isOfCourse: Bool
        let name: String
        /// The lessons of a folder, if they are known already.
        var found: [(path: String, notebook: Notebook)]?
    }

    /// A file or folder where there is one, otherwise a lesson of the course.
    private func lesson() throws -> Lesson {
        if let notebook, FileManager.default.fileExists(atPath: notebook) {
            return Lesson(url: URL(fileURLWithPath: notebook), isOfCourse: false, name: notebook)
        }
        try course.prepare()
        guard let notebook else {
            let here = try lessons(in: ".")
            if !here.isEmpty {
                return Lesson(url: URL(fileURLWithPath: "."), isOfCourse: false, name: ".", found: here)
            }
            return Lesson(url: course.url, isOfCourse: true, name: "the course")
        }
        guard let url = course.notebook(notebook) else {
            throw NotebookError(
                .file, "no such lesson or file: \(notebook)", suggestion: "`rutter learn` lists the lessons")
        }
        return Lesson(url: url, isOfCourse: true, name: notebook)
    }

    /// The lessons of a folder: those of a course by their numbers, then the others by their names.
    private func lessons(in folder: String) throws -> [(path: String, notebook: Notebook)] {
        try NotebookFinder().notebooks(in: [folder]).compactMap {
            path -> (path: String, notebook: Notebook)? in
            // Unreadable files are skipped; `rutter test` reports them.
            guard let notebook = try? NotebookParser().parse(contentsOf: URL(fileURLWithPath: path)),
                notebook.cells.contains(where: { $0.exercise != nil })
            else { return nil }
            return (path, notebook)
        }.sorted {
            ($0.notebook.settings.lesson ?? .max, $0.path) < ($1.notebook.settings.lesson ?? .max, $1.path)
        }
    }

    private func list(_ folder: Lesson, _ progress: LessonProgress) throws {
        let found = try folder.found ?? lessons(in: folder.isOfCourse ? folder.url.path : folder.name)
        let lessons = found.map { path, notebook in
            let questions = notebook.cells.filter { $0.exercise != nil }.count
            let place = progress.place(in: URL(fileURLWithPath: path))
            let solved = place?.questions.values.filter { $0 == .solved }.count ?? 0
            let state =
                place.map { $0.cell >= notebook.cells.count ? "done" : "begun" } ?? "new"
            let number = notebook.settings.lesson.map { "\($0). " } ?? ""
            let name =
                folder.isOfCourse
                ? URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent : path
            return "\(number)\(name): \(notebook.title ?? "") (\(state), \(solved) of \(questions) questions)"
        }
        if lessons.isEmpty {
            Output.print("There are no lessons in \(folder.name); `rutter learn` lists those of the course.")
        } else {
            Output.print(lessons.joined(separator: "\n"))
            Output.print(
                "Start or resume with: rutter learn \(folder.isOfCourse ? "NAME, or its number" : "FILE")")
        }
    }

    /// The lesson of a course that comes after this one.
    private func next(after lesson: Lesson) throws -> String? {
        guard let number = try NotebookParser().parse(contentsOf: lesson.url).settings.lesson else {
            return nil
        }
        let next = try lessons(in: lesson.url.deletingLastPathComponent().relativePath)
            .first { ($0.notebook.settings.lesson ?? 0) > number }?.path
        return lesson.isOfCourse
            ? next.map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent } : next
    }

    private func play(_ lesson: Lesson, _ progress: inout LessonProgress) async throws -> Int32 {
        let url = lesson.url
        let student = try TerminalStudent()
        defer { student.close() }
        let stop = EntryStop()
        let factory = StoppableFactory(
            base: WorkbenchSessionFactory(
                allowances: allowances.allowances, log: options.logger, plugins: builtInPlugins), stop: stop)
        let player = LessonPlayer(
            factory: factory, student: student, dataFolder: data.map { URL(fileURLWithPath: $0) })
        let known = progress
        let again = again
        let task = Task { () throws -> LessonPlayer.Ending in
            var progress = known
            return try await player.play(url, &progress, again: again)
        }
        // Ctrl-C stops the running entry. At a prompt it discards the input; without a terminal it leaves the lesson.
        let isTyped = LineEditor.isTerminal
        let interrupts = try InterruptMonitor([SIGINT]) { if !stop.stop(), !isTyped { task.cancel() } }
        defer { interrupts.stop() }
        let monitor = try InterruptMonitor([SIGTERM, SIGHUP]) { task.cancel() }
        defer { monitor.stop() }
        switch try await task.value {
        case .finished:
            if let next = try next(after: lesson) { Output.print("Next: rutter learn \(next)") }
            return ExitStatus.success
        case .left:
            Output.print("\n`rutter learn \(lesson.name)` resumes here.")
            return ExitStatus.success
        case .skipped(let reason):
            Output.complain("\(lesson.name) cannot be played here: \(reason)\n")
            return ExitStatus.failure
        }
    }
}

/// A student at the terminal, or lines of standard input.
private final class TerminalStudent: Student {
    private let editor: LineEditor?
    private let input = Mutex(StandardInput())
    /// Most columns of prose, for readability.
    private static let widest = 100

    init() throws {
        editor =
            LineEditor.isTerminal
            ? try LineEditor(
                configuration: LineEditorConfiguration(historyFile: nil), isIncomplete: { _ in false },
                complete: { _ in nil }) : nil
    }

    func show(_ text: String) async { Output.print(TerminalText.lines(text)) }

    func read(_ prose: String) async {
        guard editor != nil else { return await show(prose) }
        await show(ProseWrap.wrapped(prose, to: min(TerminalSize.present.columns, Self.widest)))
    }

    func ask(_ prompt: String) async -> String? {
        guard let editor else {
            // Invalid UTF-8 is not an answer.
            guard let line = input.withLock({ try? $0.line() }) else { return nil }
            Output.print(TerminalText.lines(prompt + line))
            return line
        }
        editor.setPrompt(prompt)
        while true {
            switch await editor.nextLine() {
            case .line(let line): return line
            // Ctrl-C discards the input, as at every prompt.
            case .interrupted: Output.print("Ctrl-D or quit leaves the lesson.")
            default: return nil
            }
        }
    }

    func close() { editor?.close() }
}
