import Core
import Formats
import Foundation
import Notebooks
import Testing

@testable import Pages

@Suite struct JupyterNotebookTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static let shipped: [String] = {
        let folder = root.appendingPathComponent("Notebooks")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".md") }.sorted()
    }()

    private func back(_ text: String) throws -> String {
        try JupyterNotebook.markdown(of: Data(text.utf8)) { $0.hasSuffix("|") }
    }

    private func there(_ markdown: String) throws -> String {
        JupyterNotebook.text(of: try NotebookParser().parse(markdown))
    }

    private static func foreign(_ cells: String) -> String {
        """
        {"cells": [\(cells)], "metadata": {"kernelspec": {"name": "rutter", "language": "rutter"}}, "nbformat": 4,
        "nbformat_minor": 5}
        """
    }

    private static func code(_ source: String, _ count: Int, outputs: String = "") -> String {
        #"{"cell_type": "code", "execution_count": \#(count), "metadata": {}, "outputs": [\#(outputs)], "source": "\#(source)"}"#
    }

    @Test func linesThatEndAsOnWindowsAreLines() throws {
        let text = try back(Self.foreign(Self.code(#"1 + 1\r\n2 + 2"#, 1)))
        #expect(text.contains("rutter> 1 + 1\nrutter> 2 + 2\n"), "\(text)")
    }

    @Test func aStreamBeforeAResultLeavesNoEmptyLine() throws {
        let outputs =
            #"{"output_type": "stream", "name": "stderr", "text": "notice: x\n"}, {"output_type": "execute_result", "data": {"text/plain": "2"}}"#
        let text = try back(Self.foreign(Self.code("1 + 1", 1, outputs: outputs)))
        #expect(text.contains("rutter> 1 + 1\nnotice: x\n2\n"), "\(text)")
    }

    @Test func cellsRunInAnotherOrderAreFound() throws {
        let text = Self.foreign(Self.code("$x", 2) + "," + Self.code("let x = 2", 1))
        let order = try #require(JupyterNotebook.reordered(in: Data(text.utf8)))
        #expect(order == (later: 1, earlier: 2))
        let plain = Self.foreign(Self.code("1", 3) + "," + Self.code("2", 7))
        #expect(JupyterNotebook.reordered(in: Data(plain.utf8)) == nil)
    }

    @Test func aConflictOfAMergeIsNamed() throws {
        let error = #expect(throws: NotebookError.self) { try back("{\n<<<<<<< HEAD\n}\n") }
        #expect(error?.message.contains("line 2 marks a conflict") == true)
    }

    @Test func thereAreShippedNotebooks() { #expect(Self.shipped.count > 20) }

    @Test(arguments: shipped) func aShippedNotebookComesBackByteForByte(_ name: String) throws {
        let file = Self.root.appendingPathComponent("Notebooks/\(name)")
        let bytes = try Data(contentsOf: file)
        let notebook = try NotebookParser().parse(contentsOf: file)
        #expect(Data(try back(JupyterNotebook.text(of: notebook)).utf8) == bytes)
    }

    @Test(arguments: [
        "# Title\r\n\r\nText.\r\n\r\n```rutter\r\nrutter> 1\r\n1\r\n```\r\n",
        "\u{FEFF}---\nseed: 1\n---\n```rutter fails\nrutter> nonsense\n...\n```\nno end",
        "~~~~rutter\nrutter> 1 |\n   ...> get x\n~~~~\n\n\n\n```rutter\nrutter> 2\n2\n```\n\n\n",
        "```rutter\nrutter> 1\n1\n```",
    ]) func oddTextsComeBackByteForByte(_ text: String) throws {
        #expect(Array(try back(there(text)).utf8) == Array(text.utf8))
    }

    /// Beside the expected text, where the notebook still prints it; and it comes back the same.
    @Test func tablesAreBesideTheTextThatIsStillRight() throws {
        let markdown = "# A\n\n```rutter\nrutter> 1\na\n1\n```\n"
        let notebook = try NotebookParser().parse(markdown)
        let line = try #require(notebook.cells.first?.entries.first?.line)
        var shown = ShownEntry(text: "a\n1", failed: false)
        shown.table = "<table></table>"
        let rich = JupyterNotebook.text(of: notebook, shown: [line: shown])
        let data = try JSONTree(parsing: Data(rich.utf8))["cells"]?.items?.last?["outputs"]?.items?.first?[
            "data"]
        #expect(data?["text/html"] == .list([.text("<table></table>")]))
        #expect(data?["text/plain"] == .list([.text("a\n"), .text("1")]))
        #expect(try back(rich) == markdown)
        shown.text = "a\n2"
        #expect(
            JupyterNotebook.text(of: notebook, shown: [line: shown]) == JupyterNotebook.text(of: notebook))
    }

    @Test func segmentsAreTheWholeText() throws {
        let text = "---\nseed: 1\n---\n# A\n\n```rutter\nrutter> 1\n```\nb\n"
        let whole = try NotebookParser().parse(text).segments.map { segment in
            switch segment {
            case .frontMatter(let text), .prose(let text), .cell(_, let text): text
            }
        }
        #expect(whole == ["---\nseed: 1\n---\n", "# A\n\n", "```rutter\nrutter> 1\n```\n", "b\n"])
    }

    @Test func anEditedCellIsReadAnew() throws {
        let text = try there("```rutter\nrutter> 1 + 1\n2\n```\n")
        let edited = text.replacingOccurrences(of: "\"source\": [\"1 + 1\"]", with: "\"source\": [\"2 + 2\"]")
        #expect(edited != text)
        #expect(try back(edited).hasPrefix("```rutter\nrutter> 2 + 2\n2\n```\n"))
        let lines = text.replacingOccurrences(
            of: "\"source\": [\"1 + 1\"]", with: "\"source\": [\"let a = 3 |\\n\", \"get x\\n\", \"$a\"]")
        #expect(try back(lines).hasPrefix("```rutter\nrutter> let a = 3 |\n   ...> get x\nrutter> $a\n```\n"))
    }

    /// The kernel begins a session with the settings in the first cell.
    @Test func settingsAreTheFirstCell() throws {
        let text = try there("---\nseed: 7\n---\n# A\n\n```rutter\nrutter> 1\n1\n```\n")
        let tree = try JSONTree(parsing: Data(text.utf8))
        let first = try #require(tree["cells"]?.items?.first)
        #expect(first["cell_type"] == .text("code"))
        #expect(first["source"] == .list([.text("---\n"), .text("seed: 7\n"), .text("---")]))
        let edited = text.replacingOccurrences(
            of: #""source": ["---\n", "seed: 7\n", "---"]"#, with: #""source": ["---\n", "seed: 8\n", "---"]"#
        )
        #expect(edited != text)
        #expect(try back(edited).hasPrefix("---\nseed: 8\n---\n# A"))
    }

    @Test func whatIsOnlyShownIsNotRunAndWhatFailsIsTagged() throws {
        let text = try there(
            "```rutter norun\nrutter> quit\n```\n\n```rutter fails\nrutter> nonsense\n...\n```\n")
        let cells = try #require(JSONTree(parsing: Data(text.utf8))["cells"]?.items)
        #expect(cells.map { $0["cell_type"]?.text } == ["markdown", "code"])
        #expect(cells[1]["metadata"]?["tags"] == .list([.text("raises-exception")]))
    }

    @Test(arguments: [
        (
            #"{"cells": [], "metadata": {"kernelspec": {"name": "python3", "language": "python"}}, "nbformat": 4}"#,
            "python"
        ),
        (#"{"worksheets": [], "metadata": {}, "nbformat": 3}"#, "nbformat 3"),
        (#"{"metadata": {"kernelspec": {"name": "rutter"}}, "nbformat": 4}"#, "`cells` is missing"),
        (#"{"cells": [], "metadata": {}, "nbformat": 4}"#, "does not name its language"),
        (
            #"{"cells": [{"source": []}], "metadata": {"kernelspec": {"name": "rutter"}}, "nbformat": 4}"#,
            "cell 1"
        ),
        ("[1]", "not an object"), ("{", "not a Jupyter notebook"),
    ]) func whatIsNoneIsRefused(_ text: String, _ words: String) throws {
        let error = #expect(throws: NotebookError.self) { try back(text) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func inputsAreHighlighted() {
        let html = InputHighlight.html("route plan $p.A --via 'x < y' | map\n  | count")
        #expect(html.contains("<span class=\"rutter-command\">route</span>"))
        #expect(html.contains("<span class=\"rutter-variable\">$p.A</span>"))
        #expect(html.contains("<span class=\"rutter-text\">'x &lt; y'</span>"))
        #expect(html.contains("   ...&gt; "))
    }

    @Test(.enabled(if: NativeLibraryState.hasMarkdown)) func aPageHasProseCellsAndNothingForeign() throws {
        let notebook = try NotebookParser().parse(
            "# A & B\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<script>alert(1)</script>\n\n```rutter\nrutter> 1\n1\n```\n"
        )
        let page = try NotebookPage(notebook, shown: [10: ShownEntry(text: "<1>", failed: false)]).html(
            title: "x")
        #expect(page.contains("<h1>A &amp; B</h1>"))
        #expect(page.contains("<table>"))
        #expect(page.contains("&lt;1&gt;"))
        #expect(!page.contains("alert(1)"))
        #expect(
            try NotebookPage(notebook, shown: [:], note: "skipped").html(title: "x").contains(
                "this is expected"))
    }
}

@Suite struct PageLinkTests {
    @Test(
        arguments: [
            ("a.md", "b.md", "b.html"), ("a.md", "sub/c.md#part", "sub/c.html#part"),
            ("sub/c.md", "../a.md", "../a.html"),
            ("sub/c.md", "a.md", nil), ("a.md", "../a.md", nil), ("a.md", "https://example.org/b.md", nil),
            ("a.md", "#b.md", nil), ("a.md", "/b.md", nil), ("a.md", "with%20blank.md", "with%20blank.html"),
            ("a.md", "data/valley.osm", nil),
        ] as [(String, String, String?)])
    func linksLeadFromPageToPage(_ notebook: String, _ link: String, _ expected: String?) {
        let links = PageLinks(["a.md", "b.md", "sub/c.md", "with blank.md"])
        #expect(links.destination(of: link, in: notebook) == expected)
    }

    @Test func onlyLinksAreMoved() {
        let html = "<p>b.md <a href=\"b.md\">b.md</a> &quot;<a href=\"x&amp;y.md\">x</a></p>"
        let moved = PageLinks.moved(html) { $0 == "b.md" ? "b.html" : $0 == "x&y.md" ? "x&y.html" : nil }
        #expect(moved == "<p>b.md <a href=\"b.html\">b.md</a> &quot;<a href=\"x&amp;y.html\">x</a></p>")
    }

    @Test func pagesFindTheirFolder() {
        #expect(PageLinks.up(from: "a.md") == "")
        #expect(PageLinks.up(from: "x/y/a.md") == "../../")
        #expect(PageLinks.page(of: "x.y/a.b.md") == "x.y/a.b.html")
    }
}

/// Whether optional libraries are there.
enum NativeLibraryState {
    static let hasMarkdown = NativeLibrary.markdown.isAvailable
}

/// Notebooks of other programs.
extension JupyterNotebookTests {
    private func foreign(_ cells: String) -> String {
        #"{"cells":[\#(cells)],"metadata":{"kernelspec":{"name":"rutter"}},"nbformat":4,"nbformat_minor":5}"#
    }

    /// Another program may have made the cell.
    @Test func aCellThatEndedInAnErrorFails() throws {
        let cell = #"""
            {"cell_type":"code","metadata":{},"source":"1 / 0","outputs":[{"output_type":"error","ename":"E","evalue":"x","traceback":["\u001b[31merror E-X\u001b[0m","  at 1"]}]}
            """#
        #expect(try back(foreign(cell)).contains("```rutter fails\nrutter> 1 / 0\nerror E-X\n  at 1\n```"))
    }

    /// Jupyter shows such a block and never runs it.
    @Test func aBlockInProseIsNoCell() throws {
        let cell =
            ##"{"cell_type":"markdown","metadata":{},"source":"# T\n```rutter\nrutter> 1 + 1\n3\n```\n"}"##
        let text = try back(foreign(cell))
        #expect(text.contains("```rutter norun\n"))
        #expect(!text.contains("```rutter\n"))
    }

    @Test(arguments: [
        ("# T\n\n```rutter\nrutter> 1\n```\n", "needs no import"), ("{}", ".ipynb"),
        (#"{"nbformat":4,"metadata":{},"cells":[]}"#, "kernel install"),
        (#"{"nbformat":4,"metadata":{"kernelspec":{"name":"python3"}},"cells":[]}"#, "kernel install"),
    ])
    func errorsSayWhatToDo(text: String, fix: String) throws {
        let error = #expect(throws: NotebookError.self) { try back(text) }
        #expect(error?.suggestion?.contains(fix) == true, "\(error?.description ?? "")")
    }
}
