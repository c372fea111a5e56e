import Core
import Formats
import Foundation
import Notebooks
import Pages
import PluginKit

/// A notebook as a value of the workbench: rows of its parts, and its page.
struct NotebookObject: FieldedObject, TabularObject {
    private static let columns = ["part", "kind", "line", "cell", "text"]

    let file: String
    let notebook: Notebook
    /// The output of its entries by line; empty if it was not run.
    var shown: [Int: ShownEntry] = [:]
    /// Why it did not run as expected.
    var problem: String?

    var typeName: String { "notebook" }

    static let fields = FieldTable<Self> {
        Field("file") { .text($0.file) }
        Field("title") { Value($0.notebook.title) { .text($0) } }
        Field("cells") { .integer($0.notebook.cells.count) }
        Field("revision") { .text(Self.revision(of: $0.notebook.text)) }
        Field("problem") { Value($0.problem) { .text($0) } }
    }

    var summary: String { notebook.title ?? file }

    var table: Rows {
        var line = 1
        let cells = notebook.segments.enumerated().map { index, segment -> [Value] in
            defer { line += segment.text.utf8.count { $0 == 0x0A } }
            let words = segment.text.split(separator: "\n").first {
                !$0.hasPrefix("```") && !$0.hasPrefix("---")
            }
            return [
                .integer(index + 1), .text(segment.kind), .integer(line),
                Value(segment.cell) { .integer($0.number) }, .text(words.map(String.init) ?? ""),
            ]
        }
        return Rows(columns: Self.columns, cells: cells, note: problem)
    }

    /// Identifies a version of the notebook's text.
    static func revision(of text: String) -> String { String(FNV1a.hash(text.utf8), radix: 36) }

    /// The parts with their source and with the HTML of the page that `notebook render` writes.
    func json() throws -> String {
        let parts = try NotebookPage(notebook, shown: shown, note: problem).parts().enumerated().map {
            index, part in
            JSONTree(members: [
                "part": JSONTree(index + 1), "kind": .text(part.segment.kind),
                "source": .text(part.segment.text),
                "cell": part.segment.cell.map { JSONTree($0.number) },
                "runs": part.segment.cell.map { .boolean(!$0.flags.contains(.norun)) },
                "html": .text(part.html),
            ])
        }
        return JSONTree(members: [
            "file": .text(file), "title": .text(notebook.title ?? file),
            "revision": .text(Self.revision(of: notebook.text)), "problem": problem.map { .text($0) },
            "parts": .list(parts),
        ]).compactText
    }
}
