import PluginKit

/// Draws rows as a plain table: a header, two blanks between columns, numbers to the right.
struct TableRenderer {
    let environment: Environment
    /// Cells are cut to this width when the table would be wider than the terminal.
    private static let narrowest = 6
    private static let gap = 2

    func text(columns: [String], rows: [Value]) -> String {
        if columns.isEmpty { return rows.isEmpty ? "no rows" : "\(rows.count) rows without fields" }
        if rows.isEmpty { return columns.joined(separator: "  ") + "\n(no rows)" }
        let cells = rows.map { row in columns.map { row.field($0) ?? .nothing } }
        let texts = cells.map { $0.map(cellText) }
        let rightAligned = columns.indices.map { column in
            cells.allSatisfy { isNumeric($0[column]) }
                && cells.contains { if case .nothing = $0[column] { false } else { true } }
        }
        let widths = fittedWidths(columns, texts)
        let header = line(columns, widths, rightAligned)
        return ([header] + texts.map { line($0, widths, rightAligned) }).joined(separator: "\n")
    }

    private func cellText(_ value: Value) -> String {
        let text = ValueText.inline(value, timeZone: environment.timeZone, units: environment.units)
        let flat = text.contains(where: \.isNewline) ? text.replacing(/\s*\R\s*/, with: " ⏎ ") : text
        return TerminalText.withoutControls(flat)
    }

    private func isNumeric(_ value: Value) -> Bool {
        switch value {
        case .integer, .number, .quantity, .nothing: true
        default: false
        }
    }

    private func line(_ cells: [String], _ widths: [Int], _ right: [Bool]) -> String {
        var out = ""
        for (index, cell) in cells.enumerated() {
            if index > 0 { out += String(repeating: " ", count: Self.gap) }
            let shown = DisplayWidth.truncated(cell, to: widths[index])
            out += DisplayWidth.padded(shown, to: widths[index], right: right[index])
        }
        while out.hasSuffix(" ") { out.removeLast() }
        return out
    }

    /// Natural widths, then the widest column made narrower until the table fits.
    private func fittedWidths(_ columns: [String], _ texts: [[String]]) -> [Int] {
        var widths = columns.indices.map { column in
            texts.reduce(DisplayWidth.of(columns[column])) { max($0, DisplayWidth.of($1[column])) }
        }
        var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - environment.width
        while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }) {
            let second = widths.indices.filter { $0 != widest }.map { widths[$0] }.max() ?? Self.narrowest
            let target = max(Self.narrowest, min(second, widths[widest] - 1), widths[widest] - excess)
            if target >= widths[widest] { break }
            excess -= widths[widest] - target
            widths[widest] = target
        }
        return widths
    }
}
