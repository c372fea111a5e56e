import Core
import Foundation
import Notebooks
import Pages
import PluginKit

/// `notebook list [FOLDER]`
struct NotebookListCommand: CommandProvider {
    private static let columns = ["file", "title", "cells", "problem"]
    /// Larger Markdown files are assumed not to be notebooks.
    private static let mostBytes = 4 << 20

    var name: String { "notebook list" }

    var command: Command {
        Command(
            name, "list the notebooks of a folder",
            details:
                "Lists Markdown files with at least one cell; subfolders are not searched. `problem` states why a file cannot be read.",
            .optional("folder", .inputPath, "folder; default: the folder of relative paths"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "saved ones", "notebook list | select file cells",
                    after: ["1 + 1", "notebook save one.md"],
                    gives: "file    cells\none.md      1")
            ], searchTerms: ["markdown", "folder"]
        ) { context, folder in
            let home = context.files.searchFolders.first ?? context.files.outputFolder
            let url = folder ?? home
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: url.path)
            } catch {
                throw NotebookErrors.wrap(
                    NotebookError(.file, "\(url.lastPathComponent) is not a readable folder"),
                    path: url.lastPathComponent)
            }
            let isHome = url.standardizedFileURL == home.standardizedFileURL
            var cells: [[Value]] = []
            for name in names.sorted()
            where !name.hasPrefix(".")
                && ["md", "markdown"].contains((name as NSString).pathExtension.lowercased())
            {
                try context.checkCancelled()
                let file = url.appendingPathComponent(name)
                let size = (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
                let path = isHome ? name : file.path
                guard size <= Self.mostBytes else {
                    cells.append([
                        .text(path), .nothing, .nothing,
                        .text("larger than \(Self.mostBytes >> 20) MB: not read"),
                    ])
                    continue
                }
                do throws(NotebookError) {
                    let notebook = try NotebookParser().parse(contentsOf: file)
                    guard !notebook.cells.isEmpty else { continue }
                    cells.append([
                        .text(path), Value(notebook.title) { .text($0) }, .integer(notebook.cells.count),
                        .nothing,
                    ])
                } catch {
                    cells.append([.text(path), .nothing, .nothing, .text(error.description)])
                }
            }
            return .table(columns: Self.columns, cells: cells)
        }
    }
}

/// `notebook show FILE`
struct NotebookShowCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "notebook show" }

    var command: Command {
        Command(
            name, "list a notebook's parts, or run it and show its page",
            details: """
                The parts are its front matter, its prose and its cells, numbered from 1 for `notebook edit`; `revision` identifies this version \
                of the file. With --run the notebook runs in a fresh session first, as for `notebook render`: the local web page then \
                shows the page that `notebook render` writes.
                """,
            .positional("file", .inputFile, "notebook, a .md file"),
            .flag("run", "run it in a fresh session"),
            output: .value("notebook"), effect: .reads,
            examples: [
                .init(
                    "its parts", "notebook show one.md | where kind == 'cell' | select part cell",
                    after: ["1 + 1", "notebook save one.md"], gives: "part  cell\n   3     1")
            ], searchTerms: ["cells of a notebook", "table of contents", "preview a notebook"]
        ) { context, url, runs in
            do {
                var object = NotebookObject(
                    file: url.lastPathComponent, notebook: try NotebookParser().parse(contentsOf: url))
                guard runs else { return .object(object) }
                let base = try await session.get().factoryForTests(allowsPlugins: false)
                (object.shown, object.problem) = await RenderingFactory(base: base).run(url, context)
                try context.checkCancelled()
                return .object(object)
            } catch let error as NotebookError {
                throw NotebookErrors.wrap(error, path: url.lastPathComponent)
            }
        }
    }
}

/// `notebook edit FILE PART TEXT`
struct NotebookEditCommand: CommandProvider {
    var name: String { "notebook edit" }

    var command: Command {
        Command(
            name, "replace a part of a notebook",
            details: """
                The text replaces the part with the number that `notebook show` lists: front matter with its --- lines, prose, or a \
                cell with its fences. An empty text deletes the part. If the result is not a valid notebook, nothing is changed. With --revision \
                the file is changed only if it is unchanged since `notebook show` read it. `undo` restores the old text.
                """,
            .positional("file", .inputFile, "notebook, a .md file"),
            .positional("part", .integer(1...Int.max), "number of the part"),
            .positional("text", .text, "text of the part in Markdown"),
            .option("revision", .text, "expected revision, from `notebook show`"),
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "other prose", "notebook edit one.md 2 '# Sums'; notebook show one.md | get title",
                    after: ["1 + 1", "notebook save one.md"], gives: "replaced part 2 of one.md: prose\nSums")
            ], searchTerms: ["change", "cell"]
        ) { context, url, part, text, revision in
            let target = try context.files.output(url.path)
            let file = url.lastPathComponent
            do {
                let notebook = try NotebookParser().parse(contentsOf: url)
                let old = notebook.text
                let present = NotebookObject.revision(of: old)
                if let revision, revision != present {
                    throw NotebookErrors.changed(
                        "\(file) has changed since it was read", at: .parameter("revision"),
                        fix: "notebook show \(Literal.text(file))")
                }
                let segments = notebook.segments
                guard part <= segments.count else {
                    throw CommonErrors.argumentRange(
                        "\(file) has no part \(part)", at: .parameter("part"),
                        fix: "`notebook show` numbers its \(segments.count) parts")
                }
                var texts = segments.map(\.text)
                texts[part - 1] = text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
                let new = texts.joined()
                _ = try NotebookParser().parse(new)
                try NotebookWriter.write(new, to: target)
                context.journal.record("edited \(file)") {
                    guard (try? String(contentsOf: target, encoding: .utf8)) == new else {
                        throw NotebookErrors.changed("\(file) has changed since the edit")
                    }
                    try NotebookWriter.write(old, to: target)
                }
                return .text(
                    "\(text.isEmpty ? "deleted" : "replaced") part \(part) of \(file): \(segments[part - 1].kind)"
                )
            } catch let error as NotebookError {
                throw NotebookErrors.wrap(error, path: file)
            }
        }
    }
}
