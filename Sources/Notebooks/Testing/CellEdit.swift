/// A replacement of lines in a cell.
struct CellEdit {
    let cell: NotebookCell
    let range: Range<Int>
    let lines: [SourceText.Line]

    /// Applies edits from last to first, so that line numbers stay valid, and lengthens fences if an output
    /// now has a line that would close its cell.
    static func apply(_ edits: [CellEdit], to source: SourceText) -> SourceText {
        var source = source
        for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            source.lines.replaceSubrange(edit.range, with: edit.lines)
        }
        // Cells above an edit have not moved, so fences are also checked from last to first.
        for (number, group) in Dictionary(grouping: edits, by: \.cell.number).sorted(by: { $0.key > $1.key })
        {
            guard let block = group.first?.cell.block else { continue }
            let shift = edits.filter { $0.cell.number < number }.map(\.growth).reduce(0, +)
            let growth = group.map(\.growth).reduce(0, +)
            let opening = block.opening + shift
            lengthen(
                &source, block.fence, opening, block.content.upperBound + shift + growth,
                group.flatMap(\.lines))
        }
        return source
    }

    private var growth: Int { lines.count - range.count }

    private static func lengthen(
        _ source: inout SourceText, _ fence: Fence, _ opening: Int, _ closing: Int, _ added: [SourceText.Line]
    ) {
        guard added.contains(where: { fence.isClosed(by: $0.text) }) else { return }
        let longest = added.map { Fence.run(of: fence.mark, in: $0.text) }.max() ?? 0
        let more = String(repeating: String(UnicodeScalar(fence.mark)), count: longest + 1 - fence.length)
        for index in [opening, closing] where source.lines.indices.contains(index) {
            let line = source.lines[index]
            let blanks = line.text.utf8.prefix { $0 == 0x20 }.count
            let text = String(repeating: " ", count: blanks) + more + line.text.drop { $0 == " " }
            source.lines[index] = SourceText.Line(text: text, ending: line.ending)
        }
    }
}
