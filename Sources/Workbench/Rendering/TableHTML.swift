import Pages
import PluginKit

/// Rows as an HTML table: as in the text, without cutting cells. Numbers are right-aligned.
struct TableHTML {
    let environment: Environment

    /// The table; `nil` for a list of values without fields.
    func text(_ shown: ShownRows) -> String? {
        guard let columns = shown.columns, !columns.isEmpty else { return nil }
        let values = shown.rows.map { row in columns.map { row.field($0) ?? .nothing } }
        let areNumbers = columns.indices.map { column in
            let kinds = values.compactMap { Self.isNumber($0[column]) }
            return !kinds.isEmpty && kinds.allSatisfy { $0 }
        }
        func row(_ cells: [String], _ tag: String) -> String {
            "<tr>"
                + cells.enumerated().map { index, cell in
                    "<\(tag) style=\"text-align: \(areNumbers[index] ? "right" : "left")\">\(cell)</\(tag)>"
                }.joined() + "</tr>"
        }
        let body = values.map { row($0.map(cell), "td") }
        let notes = shown.notes.map { "<p>\(Markup.html($0))</p>" }
        return
            (["<table>", "<thead>\(row(columns.map { escaped($0) }, "th"))</thead>", "<tbody>"]
            + body + ["</tbody>", "</table>"] + notes).joined(separator: "\n")
    }

    private func cell(_ value: Value) -> String {
        escaped(ValueText.inline(value, timeZone: environment.timeZone, units: environment.units))
    }

    private func escaped(_ text: String) -> String {
        Markup.html(TerminalText.lines(text)).split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "<br>")
    }

    private static func isNumber(_ value: Value) -> Bool? {
        switch value {
        case .nothing: nil
        case .integer, .number, .quantity: true
        default: false
        }
    }
}
