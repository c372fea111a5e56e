/// A part of a notebook's text. The concatenation of all parts is the notebook's text.
public enum NotebookSegment: Sendable {
    /// The settings between their lines of `---`.
    case frontMatter(String)
    /// Markdown between cells.
    case prose(String)
    /// A cell with its fences.
    case cell(NotebookCell, text: String)
}

extension NotebookSegment {
    /// The source text of the part.
    public var text: String {
        switch self {
        case .frontMatter(let text), .prose(let text), .cell(_, let text): text
        }
    }

    /// The kind of part.
    public var kind: String {
        switch self {
        case .frontMatter: "front matter"
        case .prose: "prose"
        case .cell: "cell"
        }
    }

    /// The cell.
    public var cell: NotebookCell? {
        if case .cell(let cell, _) = self { return cell }
        return nil
    }
}

extension Notebook {
    /// The parts in order.
    public var segments: [NotebookSegment] {
        func text(_ lines: Range<Int>) -> String {
            source.lines[lines].map { $0.text + $0.ending }.joined()
        }
        var segments: [NotebookSegment] = []
        var start = 0
        if let extent = try? FrontMatterParser.extent(in: source.lines) {
            let mark = source.hasByteOrderMark ? "\u{FEFF}" : ""
            segments.append(.frontMatter(mark + text(extent)))
            start = extent.upperBound
        } else if source.hasByteOrderMark {
            segments.append(.frontMatter("\u{FEFF}"))
        }
        for cell in cells {
            let lines = cell.lines.lowerBound - 1..<cell.lines.upperBound
            if lines.lowerBound > start { segments.append(.prose(text(start..<lines.lowerBound))) }
            segments.append(.cell(cell, text: text(lines)))
            start = lines.upperBound
        }
        if start < source.lines.count { segments.append(.prose(text(start..<source.lines.count))) }
        return segments
    }

    /// The lines of an entry's expected output, as written.
    public func expectedText(of entry: NotebookEntry, in cell: NotebookCell) -> String {
        source.lines[entry.expectedLines].map { cell.block.fence.content($0.text) }.joined(separator: "\n")
    }
}

extension NotebookWriter {
    /// A cell with inputs and expected outputs, such as one edited elsewhere.
    public static func block(
        _ entries: [(input: String, output: String)], flags: CellFlags, after question: [String] = []
    ) -> String {
        var lines = question
        for entry in entries {
            let input = entry.input.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
            lines += input.enumerated().map {
                ($0.offset == 0 ? NotebookLimits.prompt : NotebookLimits.continuation)
                    + String(Substring($0.element))
            }
            if !entry.output.isEmpty {
                lines += TextBytes.lines(of: entry.output).map(OutputEscaping.expected)
            }
        }
        let longest = lines.map { Fence.run(of: UInt8(ascii: "`"), in: $0) }.max() ?? 0
        let fence = String(repeating: "`", count: max(3, longest + 1))
        let words = [NotebookLimits.marker] + CellFlags.words.filter { flags.contains($0.flag) }.map(\.word)
        return ([fence + words.joined(separator: " ")] + lines + [fence, ""]).joined(separator: "\n")
    }
}
