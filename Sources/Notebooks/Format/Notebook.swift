/// A parsed notebook: settings and cells, with their line numbers.
public struct Notebook: Sendable {
    /// The first heading.
    public let title: String?
    /// The front matter.
    public let settings: NotebookSettings
    /// The cells in order.
    public let cells: [NotebookCell]
    /// Warnings about blocks that look like cells.
    public let warnings: [String]
    /// The source text.
    let source: SourceText

    /// The source text.
    public var text: String { source.text }

    /// All entries that run, in order.
    var runnable: [(cell: NotebookCell, entry: NotebookEntry)] {
        cells.filter { !$0.flags.contains(.norun) }.flatMap { cell in cell.entries.map { (cell, $0) } }
    }

    /// The number of entries that run.
    public var runnableCount: Int { runnable.count }

    /// Whether any cell compares output.
    var checksSomething: Bool { cells.contains(where: \.checksSomething) }

    /// The error of a notebook that cannot fail: without cells, or without expected output.
    var emptiness: NotebookError? {
        if cells.isEmpty {
            return NotebookError(
                .empty, "the notebook has no cell" + (warnings.first.map { "; \($0)" } ?? ""),
                suggestion: "open one with ```rutter and `rutter> ` before the input")
        }
        guard !checksSomething else { return nil }
        return NotebookError(
            .empty, line: cells.first?.line, "no cell of the notebook has an expected output",
            suggestion: "write the output expected under a command, without `nocheck` and `norun`")
    }
}

/// A cell: a fenced block marked `rutter`.
public struct NotebookCell: Sendable {
    /// Its number, from 1.
    public let number: Int
    /// The words after the marker.
    public let flags: CellFlags
    /// The entries with their expected outputs.
    public let entries: [NotebookEntry]
    /// The exercise, if any.
    public let exercise: Exercise?
    /// Its location in the file.
    let block: FencedBlock

    /// The line of its opening fence, from 1.
    public var line: Int { block.opening + 1 }

    /// The lines from fence to fence, from 1.
    public var lines: ClosedRange<Int> { line...(block.content.upperBound + (block.isClosed ? 1 : 0)) }

    /// Whether it compares output.
    var checksSomething: Bool {
        if flags.contains(.norun) { return false }
        if flags.contains(.fails) { return true }
        return !flags.contains(.nocheck) && entries.contains(where: \.expected.checksSomething)
    }
}

/// One input of a cell, and the output expected of it.
public struct NotebookEntry: Sendable {
    /// The input without prompts; several lines if continued.
    public let input: String
    /// The output expected.
    public let expected: OutputPattern
    /// The line of its prompt, from 1.
    public let line: Int
    /// The indexes of the file's lines that hold the expected output.
    public let expectedLines: Range<Int>
}
