import PluginKit

/// Draws rows as a plain table: a header, two blanks between columns, numbers to the right.
///
/// If a table is wider than the terminal, empty columns are dropped, then text is shortened, then columns on
/// the right are dropped, those that say whether a row holds last. Numbers, coordinates and times are never cut. Hidden columns are listed below the
/// table.
struct TableRenderer {
    let environment: Environment
    /// Whether lists in cells are written in full.
    var isComplete = false
    /// The minimum width of text columns.
    private static let narrowest = 8
    private static let gap = 2
    /// Columns that say whether what stands in the row holds: without them a cancelled train reads like a running one.
    private static let vital: Set = ["status", "problem", "result", "severity", "error"]

    func text(columns: [String], rows: [Value]) -> String {
        if columns.isEmpty { return rows.isEmpty ? "no rows" : "\(rows.count) rows without fields" }
        let names = columns.map(TerminalText.withoutControls)
        if rows.isEmpty { return names.joined(separator: "  ") + "\n(no rows)" }
        if environment.view == .record { return records(columns: columns, rows: rows) }
        let layout = Layout(
            columns: columns.indices.map { Column(names[$0], rows, columns[$0], cellText) },
            width: environment.view == .wide ? .max : environment.width, gap: Self.gap,
            narrowest: Self.narrowest, vital: Self.vital)
        let shown = layout.shown
        let header = line(shown.map(\.name), shown, layout.widths)
        let body = rows.indices.map { row in
            line(shown.map { $0.cells[row] }, shown, layout.widths, tones(of: rows[row], shown))
        }
        let styled = environment.color ? "\u{1B}[1m\(header)\u{1B}[0m" : header
        return ([styled] + body + [layout.note].compactMap(\.self)).joined(separator: "\n")
    }

    /// Each row with its fields below each other, a blank line between rows.
    private func records(columns: [String], rows: [Value]) -> String {
        rows.map { row in
            RecordRenderer(environment: environment)
                .text(keys: columns, values: columns.map { row.field($0) ?? .nothing })
        }.joined(separator: "\n\n")
    }

    private func cellText(_ value: Value) -> String {
        let text = ValueText.inline(
            value, timeZone: environment.timeZone, units: environment.units, isComplete: isComplete)
        let flat = text.contains(where: \.isNewline) ? text.replacing(/\s*\R\s*/, with: " ⏎ ") : text
        return TerminalText.withoutControls(flat)
    }

    /// The colours of a row's cells; empty without any.
    private func tones(of row: Value, _ columns: [Column]) -> [CellTone?] {
        guard environment.color, case .object(let object) = row, let toned = object as? any TonedObject
        else { return [] }
        return columns.map { toned.tone(of: $0.field) }
    }

    private func line(
        _ cells: [String], _ columns: [Column], _ widths: [Int], _ tones: [CellTone?] = []
    ) -> String {
        var out = ""
        for (index, cell) in cells.enumerated() {
            if index > 0 { out += String(repeating: " ", count: Self.gap) }
            let shown = DisplayWidth.truncated(cell, to: widths[index])
            let padded = DisplayWidth.padded(shown, to: widths[index], right: columns[index].isRight)
            if tones.indices.contains(index), let tone = tones[index], !shown.isEmpty {
                // The padding has no colour, so that what ends a line is cut off.
                let isRight = columns[index].isRight
                let rest = isRight ? padded.dropLast(shown.count) : padded.dropFirst(shown.count)
                out += isRight ? rest + tone.painted(shown) : tone.painted(shown) + rest
            } else {
                out += padded
            }
        }
        while out.hasSuffix(" ") { out.removeLast() }
        return out
    }

    /// A column with its cells as text.
    private struct Column {
        let name: String
        /// The field of the rows.
        let field: String
        let cells: [String]
        let isRight: Bool
        let isEmpty: Bool
        /// Whether its cells may be shortened.
        let isText: Bool
        let width: Int

        init(_ name: String, _ rows: [Value], _ field: String, _ text: (Value) -> String) {
            self.name = name
            self.field = field
            var (areNumbers, isEmpty, isText, width) = (true, true, false, DisplayWidth.of(name))
            cells = rows.map { row in
                let value = row.field(field) ?? .nothing
                switch value {
                case .nothing: break
                case .integer, .number, .quantity: isEmpty = false
                case .coordinate, .box, .date, .boolean: (areNumbers, isEmpty) = (false, false)
                default: (areNumbers, isEmpty, isText) = (false, false, true)
                }
                let cell = text(value)
                width = max(width, DisplayWidth.of(cell))
                return cell
            }
            (isRight, self.isEmpty, self.isText, self.width) = (
                areNumbers && !isEmpty, isEmpty, isText, width
            )
        }
    }

    /// Which columns are shown, and how wide.
    private struct Layout {
        private(set) var shown: [Column]
        private(set) var widths: [Int]
        private var left: [String] = []
        private let all: [Column]

        init(columns: [Column], width: Int, gap: Int, narrowest: Int, vital: Set<String>) {
            all = columns
            shown = columns
            widths = columns.map(\.width)
            func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + gap * (widths.count - 1) }
            func least(_ columns: [Column]) -> Int {
                total(
                    columns.map {
                        $0.isText ? min($0.width, max(narrowest, DisplayWidth.of($0.name))) : $0.width
                    })
            }
            if total(widths) <= width { return }
            if shown.contains(where: { !$0.isEmpty }) { shown.removeAll(where: \.isEmpty) }
            while least(shown) > width, shown.count > 1 {
                shown.remove(at: shown.lastIndex { !vital.contains($0.name) } ?? shown.count - 1)
            }
            widths = shown.map(\.width)
            // The widest text is shortened first, so that short ones stay whole.
            while case let excess = total(widths) - width, excess > 0 {
                let texts = shown.indices.filter { shown[$0].isText && widths[$0] > narrowest }
                guard let widest = texts.max(by: { widths[$0] < widths[$1] }) else { break }
                let second = texts.filter { $0 != widest }.map { widths[$0] }.max() ?? narrowest
                let target = max(narrowest, min(second, widths[widest] - 1), widths[widest] - excess)
                widths[widest] = target
            }
        }

        /// One line about what is not shown; `nil` when everything is.
        var note: String? {
            let names = Set(shown.map(\.name))
            let missing = all.filter { !names.contains($0.name) }.map(\.name)
            let cut = shown.indices.filter { shown[$0].width > widths[$0] }.map { shown[$0].name }
            var facts: [String] = []
            if !missing.isEmpty {
                facts.append(
                    "\(missing.count, of: "column") not shown: \(missing.joined(separator: ", "))"
                )
            }
            if !cut.isEmpty { facts.append("cut: \(cut.joined(separator: ", "))") }
            return facts.isEmpty ? nil : "… " + facts.joined(separator: "; ") + " (set view wide)"
        }
    }
}

/// Shows fields below each other, their values in line.
struct RecordRenderer {
    let environment: Environment

    func text(keys: [String], values: [Value]) -> String {
        let names = keys.map(TerminalText.withoutControls)
        let width = names.map(DisplayWidth.of).max() ?? 0
        return zip(names, values).map { key, value in
            let text = ValueText.inline(value, timeZone: environment.timeZone, units: environment.units)
            let padded = DisplayWidth.padded(key, to: width, right: false)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
                TerminalText.withoutControls(String($0))
            }
            let indented = lines.joined(separator: "\n" + String(repeating: " ", count: width + 2))
            return indented.isEmpty ? key : "\(padded)  \(indented)"
        }.joined(separator: "\n")
    }
}
