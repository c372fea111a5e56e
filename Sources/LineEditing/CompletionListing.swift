import TextWidth

/// The layout of a list of candidates below the line.
struct CompletionListing {
    /// Columns of the terminal.
    let width: Int
    /// Rows that the list may take.
    let rows: Int
    /// The SGR parameters of summaries, or nil without colour.
    let summaryStyle: String?

    /// Columns between two candidates, or a candidate and its summary.
    private static let gap = 2
    /// The narrowest summary worth showing.
    private static let narrowestSummary = 12

    /// The rows of the list. The last row counts the candidates that do not fit.
    func lines(for candidates: [Completion]) -> [String] {
        let longest = candidates.map { DisplayWidth.of(shown($0)) }.max() ?? 0
        let room = usableWidth - longest - Self.gap
        if candidates.contains(where: { !$0.summary.isEmpty }), candidates.count <= rows,
            room >= Self.narrowestSummary
        {
            return candidates.map { withSummary($0, column: longest + Self.gap, room: room) }
        }
        return inColumns(candidates, cell: longest + Self.gap)
    }

    /// A row that fills the last column would wrap on some terminals.
    private var usableWidth: Int { max(1, width - 1) }

    private func shown(_ candidate: Completion) -> String {
        Self.fitted(candidate.display, to: usableWidth)
    }

    /// A text without nonprinting scalars, truncated to a width.
    static func fitted(_ text: String, to width: Int) -> String {
        DisplayWidth.truncated(EditorColumns.printable(text), to: width)
    }

    private func withSummary(_ candidate: Completion, column: Int, room: Int) -> String {
        let name = shown(candidate)
        let summary = Self.fitted(candidate.summary, to: room)
        guard !summary.isEmpty else { return name }
        let padded = DisplayWidth.padded(name, to: column)
        guard let summaryStyle else { return padded + summary }
        return padded + "\u{1B}[\(summaryStyle)m" + summary + "\u{1B}[0m"
    }

    /// Columns as `ls` makes them: read downwards.
    private func inColumns(_ candidates: [Completion], cell: Int) -> [String] {
        let columns = max(1, (usableWidth + Self.gap) / cell)
        let needed = (candidates.count + columns - 1) / columns
        let isCut = needed > rows
        let height = isCut ? max(1, rows - 1) : needed
        let visible = candidates.prefix(height * columns)
        var lines = (0..<height).map { row in
            let cells = stride(from: row, to: visible.count, by: height).map { shown(visible[$0]) }
            let padded = cells.dropLast().map { DisplayWidth.padded($0, to: cell) }
            return padded.joined() + (cells.last ?? "")
        }
        if isCut { lines.append("… and \(candidates.count - visible.count) more") }
        return lines
    }
}
