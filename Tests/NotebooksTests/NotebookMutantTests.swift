import Core
import PluginTestKit
import Testing

@testable import Notebooks

/// Mutants of notebooks: a change in one cell reaches no other, unless it changes where cells begin and end.
struct NotebookMutantTests {
    private static let cells = (0..<12).map {
        "Text \($0) of the notebook.\n\n```rutter\nrutter> math \($0) + 1\n\($0 + 1)\n```\n\n"
    }

    @Test func aNotebook() async throws {
        let head = "---\nseed: 7\nunits: metric\n---\n\n# Title\n\n"
        let text = head + Self.cells.joined()
        let files = [MutableFile("a.md", whole: Array(text.utf8))]
        try await MutantTrial(files) { bytes, _ in
            do {
                let notebook = try NotebookParser().parse(bytes: bytes)
                return notebook.cells.map { "\($0.entries.map(\.input))" }
            } catch is NotebookError {
                return []
            }
        }.run()
    }
}
