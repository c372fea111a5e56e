import PluginKit

/// Shows rows that arrive over time line by line; a column becomes wider when a cell does.
struct LiveTable {
    let environment: Environment
    /// Receives each line, without its end.
    let write: (String) -> Void

    func show(_ rows: Rows) throws {
        let columns = rows.columns ?? []
        var widths = columns.map(DisplayWidth.of)
        let iterator = try rows.makeIterator()
        if !columns.isEmpty { write(line(columns.map(TerminalText.withoutControls), &widths)) }
        while let row = try iterator.next() {
            let cells = columns.isEmpty ? [row] : columns.map { row.field($0) ?? .nothing }
            if columns.isEmpty { widths = [0] }
            write(line(cells.map(text), &widths))
        }
        if let note = rows.note { write(TerminalText.withoutControls(note)) }
    }

    private func text(_ value: Value) -> String {
        TerminalText.withoutControls(
            ValueText.inline(
                value, timeZone: environment.timeZone, units: environment.units, isComplete: false))
    }

    private func line(_ cells: [String], _ widths: inout [Int]) -> String {
        var out = ""
        for (index, cell) in cells.enumerated() {
            if index > 0 { out += "  " }
            widths[index] = max(widths[index], min(DisplayWidth.of(cell), environment.width / 3))
            out += DisplayWidth.padded(cell, to: widths[index], right: false)
        }
        while out.hasSuffix(" ") { out.removeLast() }
        return DisplayWidth.truncated(out, to: environment.width)
    }
}
