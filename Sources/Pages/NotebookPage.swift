import Core
import Formats
import Foundation
import Notebooks
import Pictures

/// The output of a notebook's entry, for its page.
public struct ShownEntry: Sendable {
    /// The text as in the terminal.
    public var text: String
    /// Whether it failed.
    public var failed: Bool
    /// The picture that the text draws with characters.
    public var picture: Pictures.Scene?
    /// The trace that the text lists.
    public var trace: PlayedTrace?
    /// The rows of a sweep, which a slider shows one by one.
    public var sweep: ShownSweep?
    /// The rows of a table as HTML.
    public var table: String?

    /// Creates an output.
    public init(text: String, failed: Bool, picture: Pictures.Scene? = nil, trace: PlayedTrace? = nil) {
        self.text = text
        self.failed = failed
        self.picture = picture
        self.trace = trace
    }
}

/// The results of a sweep for each value of its parameter.
public struct ShownSweep: Sendable {
    /// The parameter.
    public var parameter: String
    /// The names of the results.
    public var columns: [String]
    /// For each displayed value, the texts of the columns.
    public var rows: [(value: String, cells: [String])]

    /// The rows of a sweep.
    public init(parameter: String, columns: [String], rows: [(value: String, cells: [String])]) {
        (self.parameter, self.columns, self.rows) = (parameter, columns, rows)
    }

    /// The slider. It is hidden until the page's script shows it: without a script, the table has all values.
    var html: String {
        let data = JSONTree.list(
            rows.map { row in .list([.text(row.value), .text(label(row.cells))]) })
        let name = Markup.html(parameter)
        return """
            <div class="rutter-controls rutter-sweep" data-rows="\(Markup.html(data.compactText))" hidden>
            <label>\(name) <input type="range" min="0" max="\(max(0, rows.count - 1))" step="1" value="0"></label>
            <output aria-live="polite"></output>
            </div>

            """
    }

    private func label(_ cells: [String]) -> String {
        columns == ["result"]
            ? cells.joined() : zip(columns, cells).map { "\($0): \($1)" }.joined(separator: ", ")
    }
}

/// A notebook as a page: prose, inputs with highlighting, outputs, pictures as vectors, traces as players.
public struct NotebookPage {
    private let notebook: Notebook
    private let shown: [Int: ShownEntry]
    private let note: String?
    /// The page of all notebooks, for the link at the beginning.
    public var home: String?
    /// Whether it is a copy for students: without the solutions and explanations of its exercises, whose answers are checked by their
    /// hashes.
    public var isForStudents = false
    /// The target of a link of the prose among pages; `nil` leaves it unchanged.
    public var destination: @Sendable (String) -> String? = { _ in nil }

    /// The page of a notebook, with the outputs of its entries by line. Entries that did not run show their
    /// expected output. The note is shown at the beginning.
    public init(_ notebook: Notebook, shown: [Int: ShownEntry], note: String? = nil) {
        self.notebook = notebook
        self.shown = shown
        self.note = note
    }

    /// A part of the notebook, and its HTML on the page; that of front matter without settings is empty.
    public struct Part: Sendable {
        /// The source text of the part.
        public let segment: NotebookSegment
        /// The HTML.
        public let html: String
    }

    /// The parts in order. Throws `E-LIBRARY-MISSING` without cmark-gfm.
    public func parts() throws(RutterError) -> [Part] {
        var parts: [Part] = []
        for segment in notebook.segments { parts.append(Part(segment: segment, html: try html(of: segment))) }
        return parts
    }

    private func html(of segment: NotebookSegment) throws(RutterError) -> String {
        switch segment {
        case .frontMatter(let text):
            let settings = text.split(separator: "\n").filter { !$0.hasPrefix("---") && $0 != "\u{FEFF}" }
            guard !settings.isEmpty else { return "" }
            return
                "<p class=\"rutter-settings\"><small>\(Markup.html(settings.joined(separator: " · ")))</small></p>\n"
        case .prose(let text):
            let html = PageLinks.moved(try MarkdownHTML.html(text), destination)
            return "<div class=\"rutter-prose\">\n\(html)</div>\n"
        case .cell(let cell, _): return self.cell(cell)
        }
    }

    /// The whole file. Throws `E-LIBRARY-MISSING` without cmark-gfm.
    public func html(title: String) throws(RutterError) -> String {
        var body = home.map(Self.navigation) ?? ""
        if notebook.title == nil { body += "<h1>\(Markup.html(title))</h1>\n" }
        if let note { body += "<p class=\"rutter-differs\">\(Markup.html(note))</p>\n" }
        body += try parts().map(\.html).joined()
        let plays = shown.values.contains { $0.trace != nil }
        var page = WebPage(title: notebook.title ?? title, body: body, plays: plays)
        page.hasExercises =
            notebook.cells.contains { $0.exercise != nil } || shown.values.contains { $0.sweep != nil }
        return page.text
    }

    private static func navigation(_ home: String) -> String {
        "<nav aria-label=\"Notebooks\"><a href=\"\(Markup.html(home))\">All notebooks</a></nav>\n"
    }

    private func cell(_ cell: NotebookCell) -> String {
        if let exercise = cell.exercise, let entry = cell.entries.first {
            let output = shown[entry.line].map(\.text) ?? notebook.expectedText(of: entry, in: cell)
            return ExerciseHTML(
                exercise: exercise, number: cell.number,
                check: ExerciseCheck(exercise, solution: output, flags: cell.flags),
                salt: isForStudents ? salt(of: cell) : nil
            ).text(input: InputHighlight.html(entry.input), solution: self.entry(entry, in: cell))
        }
        let entries = cell.entries.map { entry(($0), in: cell) }
        return "<div class=\"rutter-cell\">\n\(entries.joined())</div>\n"
    }

    /// A text of its own for each exercise, the same at each rendering.
    private func salt(of cell: NotebookCell) -> String {
        String((Digest.sha256(Array("\(cell.number) \(notebook.text)".utf8)) ?? "").prefix(Self.saltLength))
    }

    private static let saltLength = 16

    private func entry(_ entry: NotebookEntry, in cell: NotebookCell) -> String {
        let input =
            "<pre class=\"rutter-input\" tabindex=\"0\"><code>\(InputHighlight.html(entry.input))</code></pre>\n"
        guard let shown = shown[entry.line] else {
            let expected = notebook.expectedText(of: entry, in: cell)
            let note =
                cell.flags.contains(.norun) ? "" : "<p class=\"rutter-note\">Not run; this is expected.</p>\n"
            return input + (expected.isEmpty ? "" : output(expected, failed: false) + note)
        }
        guard !shown.text.isEmpty else { return input }
        let text = output(shown.text, failed: shown.failed)
        let slider = shown.sweep.map(\.html) ?? ""
        if let trace = shown.trace {
            return input + folded("Steps as a table", text)
                + PlayerPage.part(traces: [trace], differs: nil)
        }
        if let picture = shown.picture {
            return input + slider
                + "<div class=\"rutter-picture\" role=\"img\" tabindex=\"0\" aria-label=\"picture: \(Markup.html(entry.input))\">\n"
                + SceneSVG.inline(picture) + "</div>\n" + folded("As text", text)
        }
        return input + slider + text
    }

    private func folded(_ summary: String, _ content: String) -> String {
        "<details class=\"rutter-details\"><summary>\(summary)</summary>\n\(content)</details>\n"
    }

    private func output(_ text: String, failed: Bool) -> String {
        "<pre class=\"rutter-output\(failed ? " rutter-failed" : "")\" tabindex=\"0\">\(Markup.html(text))</pre>\n"
    }
}

/// Syntax colours of the input: commands, options, texts and variables.
enum InputHighlight {
    /// The input with its prompts as HTML.
    static func html(_ input: String) -> String {
        input.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
            let prompt = index == 0 ? "rutter&gt; " : "   ...&gt; "
            return "<span class=\"rutter-prompt\">\(prompt)</span>"
                + self.line(String(line), isFirst: index == 0)
        }.joined(separator: "\n")
    }

    private static func line(_ line: String, isFirst: Bool) -> String {
        var (result, startsCommand) = ("", isFirst)
        var rest = line[...]
        while let character = rest.first {
            if character == "'" || character == "\"" {
                let end = rest.dropFirst().firstIndex(of: character).map(rest.index(after:)) ?? rest.endIndex
                result += span("text", rest[..<end])
                rest = rest[end...]
                startsCommand = false
            } else if character == "|" || character == ";" || character == " " {
                result += Markup.html(String(character))
                if character != " " { startsCommand = true }
                rest = rest.dropFirst()
            } else {
                let word = rest.prefix { !" |;'\"".contains($0) }
                if word.hasPrefix("--") {
                    result += span("option", word)
                } else if word.hasPrefix("$") {
                    result += span("variable", word)
                } else if startsCommand, word.allSatisfy({ $0.isLetter || $0 == "-" }) {
                    result += span("command", word)
                } else {
                    result += Markup.html(String(word))
                }
                startsCommand = false
                rest = rest[word.endIndex...]
            }
        }
        return result
    }

    private static func span(_ kind: String, _ text: Substring) -> String {
        "<span class=\"rutter-\(kind)\">\(Markup.html(String(text)))</span>"
    }
}
