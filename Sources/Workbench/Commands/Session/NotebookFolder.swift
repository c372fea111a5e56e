import Core
import Foundation
import Notebooks
import Pages
import PluginKit

/// Renders a folder of notebooks as a folder of pages, atomically.
struct NotebookFolder {
    let folder: URL
    let out: URL
    let force: Bool
    /// Whether the pages are copies for students.
    var isForStudents = false

    /// A page of the list.
    private struct Entry {
        let page: String
        let title: String
        let lesson: Int?
        let problem: String?
    }

    /// Renders all. Throws `E-FILE-EXISTS`, or `E-NOTEBOOK-…` for a notebook that cannot be read; then nothing is
    /// written.
    func render(_ factory: WorkbenchSessionFactory, _ context: Context) async throws -> Value {
        try NativeLibrary.markdown.require()
        let exists = FileManager.default.fileExists(atPath: out.path)
        if exists, !force {
            throw CommonErrors.fileExists(
                "\(out.lastPathComponent) already exists", at: .parameter("out"),
                fix: "overwrite it with --force")
        }
        let names = try notebooks()
        let stage = out.deletingLastPathComponent().appendingPathComponent(
            ".rutter-\(getpid())-pages.part", isDirectory: true)
        FileManager.default.discard(stage)
        defer { FileManager.default.discard(stage) }
        var entries: [Entry] = []
        for (index, name) in names.enumerated() {
            context.progress.report("rendering notebooks", done: index, of: names.count)
            entries.append(try await render(name, among: names, to: stage, factory, context))
        }
        let index = entries.contains { $0.page == "index.html" } ? "notebooks.html" : "index.html"
        try write(list(entries), to: stage.appendingPathComponent(index))
        try publish(stage, pages: entries.map(\.page) + [index], over: exists)
        let problems = entries.compactMap { entry in entry.problem.map { "\(entry.page): \($0)" } }
        let count =
            "\(entries.count, of: "page") written to \(out.lastPathComponent)"
        return .text(([count] + problems).joined(separator: "\n"))
    }

    /// The notebooks by their paths in the folder.
    private func notebooks() throws -> [String] {
        let base = folder.standardizedFileURL.path
        do {
            let paths = try NotebookFinder().notebooks(in: [folder.path])
            guard !paths.isEmpty else { throw NotebookError(.empty, "the folder contains no notebook") }
            return paths.map { path in
                let whole = URL(fileURLWithPath: path).standardizedFileURL.path
                return whole.hasPrefix(base + "/") ? String(whole.dropFirst(base.count + 1)) : path
            }
        } catch let error as NotebookError {
            throw NotebookErrors.wrap(error, path: folder.lastPathComponent)
        }
    }

    private func render(
        _ name: String, among names: [String], to stage: URL, _ factory: WorkbenchSessionFactory,
        _ context: Context
    ) async throws -> Entry {
        let file = folder.appendingPathComponent(name)
        do {
            let notebook = try NotebookParser().parse(contentsOf: file)
            let run = await RenderingFactory(base: factory).run(file, context)
            try context.checkCancelled()
            let links = PageLinks(names)
            var page = NotebookPage(notebook, shown: run.shown, note: run.problem)
            page.isForStudents = isForStudents
            page.home =
                PageLinks.up(from: name) + (names.contains("index.md") ? "notebooks.html" : "index.html")
            page.destination = { links.destination(of: $0, in: name) }
            let title = file.deletingPathExtension().lastPathComponent
            try write(page.html(title: title), to: stage.appendingPathComponent(PageLinks.page(of: name)))
            return Entry(
                page: PageLinks.page(of: name), title: notebook.title ?? title,
                lesson: notebook.settings.lesson, problem: run.problem)
        } catch let error as NotebookError {
            throw NotebookErrors.wrap(error, path: name)
        }
    }

    /// The page of all notebooks: lessons of a course by their numbers, then the others by their names.
    private func list(_ entries: [Entry]) -> String {
        let title = folder.lastPathComponent
        let lessons = entries.filter { $0.lesson != nil }.sorted { ($0.lesson ?? 0) < ($1.lesson ?? 0) }
        let others = entries.filter { $0.lesson == nil }
        var body = "<h1>\(Markup.html(title))</h1>\n"
        if !lessons.isEmpty { body += "<h2>Lessons</h2>\n<ol>\n\(items(lessons))</ol>\n" }
        if !lessons.isEmpty, !others.isEmpty { body += "<h2>Other notebooks</h2>\n" }
        if !others.isEmpty { body += "<ul>\n\(items(others))</ul>\n" }
        return WebPage(title: title, body: body, plays: false).text
    }

    private func items(_ entries: [Entry]) -> String {
        entries.map { entry in
            let link = entry.page.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? entry.page
            let problem = entry.problem.map { ": \(Markup.html($0))" } ?? ""
            return
                "<li><a href=\"\(Markup.html(link))\">\(Markup.html(entry.title))</a>\(problem)</li>\n"
        }.joined()
    }

    private func write(_ text: String, to file: URL) throws {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw CommonErrors.fileAccess(
                "the folder \(out.lastPathComponent) cannot be created", at: .parameter("out"))
        }
        try OutputFile.write(Data(text.utf8), to: file, force: true)
    }

    /// A new folder is moved into place atomically; pages of an existing folder are replaced one by one.
    private func publish(_ stage: URL, pages: [String], over exists: Bool) throws {
        guard exists else {
            return try AtomicFile.publish(stage, as: out, policy: .exclusive(), at: .parameter("out"))
        }
        for page in pages {
            let data = try Data(contentsOf: stage.appendingPathComponent(page))
            try write(String(decoding: data, as: UTF8.self), to: out.appendingPathComponent(page))
        }
    }
}
