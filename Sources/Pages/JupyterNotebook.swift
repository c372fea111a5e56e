import Core
import Formats
import Foundation
import Notebooks
import Pictures

/// A notebook as a Jupyter notebook (nbformat 4.5), and back.
///
/// Cells keep their source in their metadata, so that unedited cells are restored byte for byte.
public enum JupyterNotebook {
    /// The Jupyter notebook. Its outputs are those that the notebook expects; beside them are the pictures and tables of entries that
    /// printed the same when the notebook ran: `shown`, by line.
    public static func text(of notebook: Notebook, shown: [Int: ShownEntry] = [:]) -> String {
        var cells: [JSONTree] = []
        var before = ""
        func addProse(_ text: String) {
            let parts = Blanks(text)
            guard !parts.core.isEmpty else {
                before += text
                return
            }
            cells.append(
                prose(parts.core, before: before + parts.before, after: parts.after, number: cells.count + 1))
            before = ""
        }
        for segment in notebook.segments {
            switch segment {
            case .frontMatter(let text):
                if let cell = frontMatter(text) { cells.append(cell) } else { before += text }
            case .prose(let text): addProse(text)
            // Jupyter would run a code cell.
            case .cell(let cell, let text) where cell.flags.contains(.norun): addProse(text)
            case .cell(let cell, let text):
                if let exercise = cell.exercise {
                    cells.append(question(exercise, before: before, number: cells.count + 1))
                    before = ""
                }
                cells.append(
                    code(cell, of: notebook, shown, text: text, before: before, number: cells.count + 1))
                before = ""
            }
        }
        let tree = object([
            ("cells", .list(cells)),
            (
                "metadata",
                object([
                    (
                        "kernelspec",
                        object([
                            ("display_name", .text("Rutter")), ("language", .text(language)),
                            ("name", .text(language)),
                        ])
                    ),
                    (
                        "language_info",
                        object([("file_extension", .text(".rut")), ("name", .text(language))])
                    ),
                    ("rutter", object([("end", lines(before))])),
                ])
            ), ("nbformat", .number("4")), ("nbformat_minor", .number("5")),
        ])
        return JSONWriter(.fitted).text(tree) + "\n"
    }

    /// Converts a Jupyter notebook of this language back to a notebook. `isIncomplete` returns whether an
    /// input continues on the next line. Throws `E-NOTEBOOK-FILE` for another language or version, and for
    /// a file that is not a notebook.
    public static func markdown(
        of data: Data, isIncomplete: (String) -> Bool
    ) throws(NotebookError) -> String {
        let root: JSONTree
        do {
            root = try JSONTree(parsing: data)
        } catch {
            if let line = conflictLine(in: data) {
                throw NotebookError(
                    .file, "line \(line) marks a conflict of a merge",
                    suggestion: "resolve it: git mergetool, or nbdime")
            }
            throw NotebookError(
                .file, "not a Jupyter notebook: \(error)",
                suggestion: isMarkdown(data)
                    ? "a notebook in Markdown needs no import: `notebook run FILE`" : savedAgain)
        }
        guard case .object = root else {
            throw NotebookError(
                .file, "not a Jupyter notebook: it is not an object", suggestion: savedAgain)
        }
        try checkVersion(root)
        let metadata = root["metadata"]
        try checkLanguage(metadata)
        guard case .list(let cells)? = root["cells"] else {
            throw NotebookError(
                .file, "not a Jupyter notebook: `cells` is missing", suggestion: savedAgain)
        }
        var text = ""
        for (index, cell) in cells.enumerated() {
            text += try markdown(of: cell, number: index + 1, isIncomplete)
        }
        return text + (joined(metadata?["rutter"]?["end"]) ?? "")
    }

    static let language = "rutter"

    // MARK: To Jupyter

    /// The front matter as the first cell, which starts a session in the kernel; `nil` without front matter.
    private static func frontMatter(_ text: String) -> JSONTree? {
        let source = Blanks(text.hasPrefix(byteOrderMark) ? String(text.dropFirst()) : text).core
        guard !source.isEmpty else { return nil }
        return object([
            ("cell_type", .text("code")), ("execution_count", .null), ("id", .text("front-matter")),
            ("metadata", own([("source", .text(source)), ("text", lines(text))])), ("outputs", .list([])),
            ("source", lines(source)),
        ])
    }

    private static let byteOrderMark = "\u{FEFF}"

    private static func prose(_ text: String, before: String, after: String, number: Int) -> JSONTree {
        object([
            ("cell_type", .text("markdown")), ("id", .text("cell-\(number)")),
            ("metadata", own([("before", lines(before)), ("after", lines(after))])), ("source", lines(text)),
        ])
    }

    /// The question of the following cell; only that cell is read back.
    private static func question(_ exercise: Exercise, before: String, number: Int) -> JSONTree {
        var parts = ["**\(exercise.kind == .prediction ? "Predict" : "Exercise"):** \(exercise.question)"]
        if !exercise.options.isEmpty {
            parts.append(
                exercise.options.enumerated().map { "- \(Exercise.letter($0.offset)): \($0.element)" }
                    .joined(separator: "\n"))
        }
        parts += exercise.hints.map { "<details><summary>Hint</summary>\($0)</details>" }
        return object([
            ("cell_type", .text("markdown")), ("id", .text("cell-\(number)")),
            ("metadata", own([("before", lines(before)), ("question", .boolean(true))])),
            ("source", lines(parts.joined(separator: "\n\n"))),
        ])
    }

    private static func code(
        _ cell: NotebookCell, of notebook: Notebook, _ shown: [Int: ShownEntry], text: String, before: String,
        number: Int
    ) -> JSONTree {
        let source = cell.entries.map(\.input).joined(separator: "\n")
        let outputs = cell.entries.compactMap { entry -> JSONTree? in
            let expected = notebook.expectedText(of: entry, in: cell)
            guard !expected.isEmpty else { return nil }
            return object([
                (
                    "data",
                    object([("text/plain", lines(expected))] + rich(shown[entry.line], as: expected))
                ), ("metadata", object([])),
                ("output_type", .text("display_data")),
            ])
        }
        var metadata = own([("before", lines(before)), ("source", .text(source)), ("text", lines(text))])
        // The tag that makes Jupyter continue after an error.
        if cell.flags.contains(.fails) { metadata["tags"] = .list([.text("raises-exception")]) }
        // The solution is collapsed until the reader opens it.
        if cell.flags.contains(.exercise) {
            metadata["jupyter"] = object([
                ("outputs_hidden", .boolean(true)), ("source_hidden", .boolean(true)),
            ])
        } else if cell.flags.contains(.predict) {
            metadata["jupyter"] = object([("outputs_hidden", .boolean(true))])
        }
        return object([
            ("cell_type", .text("code")), ("execution_count", .null), ("id", .text("cell-\(number)")),
            ("metadata", metadata), ("outputs", .list(outputs)), ("source", lines(source)),
        ])
    }

    /// The other forms of an output, if it is still the one that is expected.
    private static func rich(_ shown: ShownEntry?, as expected: String) -> [(String, JSONTree)] {
        guard let shown, !shown.failed, trimmed(shown.text) == trimmed(expected) else { return [] }
        if let picture = shown.picture { return [image(of: picture)] }
        return shown.table.map { [("text/html", lines($0))] } ?? []
    }

    /// A PNG, which every viewer of notebooks shows; where it cannot be drawn, an SVG.
    private static func image(of picture: Pictures.Scene) -> (String, JSONTree) {
        if (try? NativeLibrary.cairo.require()) != nil,
            let png = try? ScenePNG.render(picture, scale: pixelsPerPoint)
        {
            return ("image/png", .text(png.base64EncodedString()))
        }
        return ("image/svg+xml", lines(SceneSVG.render(picture)))
    }

    /// Sharp on high-resolution screens.
    private static let pixelsPerPoint = 2.0

    private static func trimmed(_ text: String) -> Substring {
        var rest = text[...]
        while rest.last == "\n" { rest.removeLast() }
        return rest
    }

    /// Our metadata. Kept even if empty, to identify cells that we wrote.
    private static func own(_ members: [(String, JSONTree)]) -> JSONTree {
        object([("rutter", object(members))])
    }

    /// A text as Jupyter writes it: a list of its lines.
    private static func lines(_ text: String) -> JSONTree {
        var (lines, line) = ([JSONTree](), "")
        for scalar in text.unicodeScalars {
            line.unicodeScalars.append(scalar)
            if scalar == "\n" {
                lines.append(.text(line))
                line = ""
            }
        }
        return .list(lines + (line.isEmpty ? [] : [.text(line)]))
    }

    private static func object(_ members: [(String, JSONTree)]) -> JSONTree {
        .object(members.map { JSONTree.Member($0.0, $0.1) })
    }

    // MARK: From Jupyter

    private static let savedAgain = "open it in Jupyter and save it again as an .ipynb file"
    private static let otherKernel =
        "`rutter kernel install`, then choose the kernel Rutter in Jupyter and save the notebook"

    /// Whether a file is a notebook in Markdown, with front matter, a title or cells.
    private static func isMarkdown(_ data: Data) -> Bool {
        let head = String(decoding: data.prefix(1 << 16), as: UTF8.self)
        return head.hasPrefix("---") || head.hasPrefix("#") || head.contains("```\(language)")
    }

    /// The line with which git marks a conflict; `nil` without one.
    private static func conflictLine(in data: Data) -> Int? {
        data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).firstIndex {
            $0.starts(with: "<<<<<<< ".utf8)
        }.map { $0 + 1 }
    }

    private static func checkVersion(_ root: JSONTree) throws(NotebookError) {
        guard case .number(let version)? = root["nbformat"] else {
            throw NotebookError(
                .file, "not a Jupyter notebook: `nbformat` is missing", suggestion: savedAgain)
        }
        guard version == "4" else {
            throw NotebookError(
                .file, "the notebook is of nbformat \(version); version 4 is read",
                suggestion: "jupyter nbconvert --to notebook --nbformat 4 FILE")
        }
    }

    private static func checkLanguage(_ metadata: JSONTree?) throws(NotebookError) {
        let names: [String] = [
            metadata?["kernelspec"]?["language"], metadata?["kernelspec"]?["name"],
            metadata?["language_info"]?["name"],
        ].compactMap { if case .text(let name)? = $0 { name } else { nil } }
        guard let first = names.first else {
            throw NotebookError(
                .file, "the notebook does not name its language; its kernel must be rutter",
                suggestion: otherKernel)
        }
        guard names.contains(language) else {
            throw NotebookError(
                .file, "the notebook is of the language \(first), not rutter", suggestion: otherKernel)
        }
    }

    private static func markdown(
        of cell: JSONTree, number: Int, _ isIncomplete: (String) -> Bool
    ) throws(NotebookError) -> String {
        guard case .text(let kind)? = cell["cell_type"], let source = joined(cell["source"]) else {
            throw NotebookError(
                .file, "cell \(number) of the notebook has no type or no source", suggestion: savedAgain)
        }
        let own = cell["metadata"]?["rutter"]
        let before = joined(own?["before"])
        if case .boolean(true)? = own?["question"] { return before ?? "" }
        switch kind {
        case "code":
            if case .text(source)? = own?["source"], let text = joined(own?["text"]) {
                return (before ?? "") + text
            }
            if number == 1, source.hasPrefix("---") { return source + (source.hasSuffix("\n") ? "" : "\n") }
            return (before ?? "\n") + block(source, cell, original: joined(own?["text"]), isIncomplete) + "\n"
        case "markdown", "raw":
            let isEmpty = source.allSatisfy(\.isWhitespace)
            return (before ?? "\n") + (isEmpty ? "" : shown(source)) + (joined(own?["after"]) ?? "\n\n")
        default:
            throw NotebookError(
                .file, "cell \(number) of the notebook is of an unknown type: \(kind)",
                suggestion: "make it a cell of code or Markdown in Jupyter")
        }
    }

    /// The text of a cell that does not run: a block in it that would be a cell of ours is only shown.
    private static func shown(_ source: String) -> String {
        source.contains("```\(language)")
            ? source.replacing(/(?m)^(`{3,}rutter)[ \t]*$/, with: { "\($0.output.1) norun" }) : source
    }

    /// A cell that was created or edited elsewhere. With one input, its output is the expected output; with
    /// several, no output is expected until `rutter test --update`.
    private static func block(
        _ source: String, _ cell: JSONTree, original: String?, _ isIncomplete: (String) -> Bool
    ) -> String {
        var entries: [String] = []
        for line in source.split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
        {
            if let last = entries.last, isIncomplete(last) {
                entries[entries.count - 1] += "\n" + line
            } else if !line.allSatisfy(\.isWhitespace) {
                entries.append(String(line))
            }
        }
        guard !entries.isEmpty else { return "" }
        let words = (original ?? "").prefix { $0 != "\n" }.split(separator: " ").dropFirst().map(String.init)
        var flags = CellFlags.words.filter { words.contains($0.word) }.reduce(into: CellFlags()) {
            $0.insert($1.flag)
        }
        if fails(cell) { flags.insert(.fails) }
        let output = entries.count == 1 ? outputs(of: cell) : ""
        let questions = flags.hasQuestion ? original.map(Self.questions) ?? [] : []
        return NotebookWriter.block(entries.map { ($0, output) }, flags: flags, after: questions)
    }

    /// The lines between the fence and the prompt of a cell with a question.
    private static func questions(_ original: String) -> [String] {
        original.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
            .prefix { !$0.hasPrefix(NotebookLimits.prompt) }.map(String.init)
    }

    /// The text of a cell's outputs.
    private static func outputs(of cell: JSONTree) -> String {
        guard case .list(let outputs)? = cell["outputs"] else { return "" }
        let texts = outputs.compactMap {
            joined($0["data"]?["text/plain"]) ?? joined($0["text"]) ?? traceback(of: $0)
        }
        return texts.map(trimmed).joined(separator: "\n")
    }

    /// Whether a cell ended in an error, or is tagged as one that may.
    private static func fails(_ cell: JSONTree) -> Bool {
        if case .list(let tags)? = cell["metadata"]?["tags"], tags.contains(.text("raises-exception")) {
            return true
        }
        guard case .list(let outputs)? = cell["outputs"] else { return false }
        return outputs.contains { $0["output_type"] == .text("error") }
    }

    /// The lines of an error, without colours.
    private static func traceback(of output: JSONTree) -> String? {
        guard output["output_type"] == .text("error"), case .list(let lines)? = output["traceback"] else {
            return nil
        }
        let texts = lines.compactMap { if case .text(let line) = $0 { line } else { nil } }
        return texts.joined(separator: "\n").replacing(/\u{1B}\[[0-9;]*m/, with: "")
    }

    /// The first two cells that were run in another order than they stand, by their numbers; `nil` if there are none. Their outputs may
    /// need what a later cell set.
    public static func reordered(in data: Data) -> (later: Int, earlier: Int)? {
        guard case .list(let cells)? = (try? JSONTree(parsing: data))?["cells"] else { return nil }
        var last: (cell: Int, count: Int)?
        for (index, cell) in cells.enumerated() {
            guard case .number(let text)? = cell["execution_count"], let count = Int(text) else { continue }
            if let last, count < last.count { return (last.cell, index + 1) }
            last = (index + 1, count)
        }
        return nil
    }

    /// The number of pictures and files in the cells of a notebook, which Markdown cannot hold.
    public static func attachments(of data: Data) -> Int {
        guard case .list(let cells)? = (try? JSONTree(parsing: data))?["cells"] else { return 0 }
        return cells.reduce(0) { count, cell in
            if case .object(let files)? = cell["attachments"] { count + files.count } else { count }
        }
    }

    /// A text or a list of its lines.
    private static func joined(_ tree: JSONTree?) -> String? {
        switch tree {
        case .text(let text): return text
        case .list(let lines):
            var text = ""
            for line in lines {
                guard case .text(let part) = line else { return nil }
                text += part
            }
            return text
        default: return nil
        }
    }

    /// A text without leading and trailing blank lines.
    private struct Blanks {
        var before = ""
        var core = ""
        var after = ""

        init(_ text: String) {
            let scalars = text.unicodeScalars
            func isEnd(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }
            let first = scalars.firstIndex { !isEnd($0) } ?? scalars.endIndex
            let last = scalars.lastIndex { !isEnd($0) }.map(scalars.index(after:)) ?? first
            before = String(scalars[..<first])
            core = String(scalars[first..<last])
            after = String(scalars[last...])
        }
    }
}
