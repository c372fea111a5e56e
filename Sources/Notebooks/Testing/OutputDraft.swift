/// The new expected output of one entry: the old lines that match, and new ones for the rest.
struct OutputDraft {
    /// The action for a line.
    private enum Decision {
        case keep(expected: Int)
        case drop(expected: Int)
        case add(actual: Int)
    }

    /// The lines of the file to replace; blank lines after the output stay.
    let range: Range<Int>
    let lines: [SourceText.Line]
    let droppedPatterns: [String]

    /// Creates the draft for an entry's output.
    init(
        cell: NotebookCell, entry: NotebookEntry, source: SourceText, actual: [String],
        bindings: [String: String], limits: NotebookLimits
    ) {
        let pattern = entry.expected
        let first = entry.expectedLines.lowerBound
        let ending = source.lines[cell.block.opening].ending
        let indentation = String(repeating: " ", count: cell.block.fence.indentation)
        let decisions =
            cell.flags.contains(.unordered)
            ? Self.unordered(pattern, actual, bindings) : Self.ordered(pattern, actual, bindings, limits)
        range = first..<(first + pattern.written.count)
        lines = decisions.compactMap { decision in
            switch decision {
            case .drop: return nil
            case .keep(let e): return source.lines[first + e]
            case .add(let a):
                let text = OutputEscaping.expected(actual[a])
                return SourceText.Line(text: text.isEmpty ? "" : indentation + text, ending: ending)
            }
        }
        droppedPatterns = decisions.compactMap { decision in
            guard case .drop(let e) = decision, pattern.lines[e].isPattern else { return nil }
            // In an `approx` cell plain text is a pattern, too, but not one that the author wrote.
            return pattern.written[e].contains("<<") || !cell.flags.contains(.approx)
                ? pattern.written[e] : nil
        }
    }

    private static func unordered(
        _ pattern: OutputPattern, _ actual: [String], _ bindings: [String: String]
    ) -> [Decision] {
        let found = OutputMatcher(expected: pattern.lines, actual: actual, bindings: bindings).assignment()
        let missing = Set(found.missing)
        let old = pattern.lines.indices.map {
            missing.contains($0) ? Decision.drop(expected: $0) : .keep(expected: $0)
        }
        return old + found.left.map { .add(actual: $0) }
    }

    private static func ordered(
        _ pattern: OutputPattern, _ actual: [String], _ bindings: [String: String], _ limits: NotebookLimits
    ) -> [Decision] {
        LineAlignment(pattern, actual, bindings, largest: limits.alignmentCells).steps.flatMap {
            step -> [Decision] in
            switch step {
            case .match(let e, _), .gapEnd(let e): [.keep(expected: e)]
            case .missing(let e): [.drop(expected: e)]
            case .surplus(let a): [.add(actual: a)]
            case .absorbed: []
            case .replace(let e, let a): [.drop(expected: e), .add(actual: a)]
            }
        }
    }
}
