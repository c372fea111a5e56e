import PluginKit

/// `to markdown`: rows as a table of GitHub's Markdown, a record as a table of two columns, a list as a list.
struct MarkdownWriter: DataWriter {
    let environment: Environment

    func write(_ value: Value, to sink: TextSink) throws {
        switch value {
        case .list, .rows: try write(Rows(value, for: "to markdown"), to: sink)
        case .record, .object:
            let record = value.asRecord ?? Record()
            let cells = zip(record.keys, record.values).map { [Self.escaped($0), text($1)] }
            try sink.write(table(["field", "value"], cells, right: [false, false]))
        case .text(let text): try sink.write(text)
        default: try sink.write(text(value))
        }
    }

    private func write(_ rows: Rows, to sink: TextSink) throws {
        let items = try rows.collect()
        guard let columns = rows.columns ?? items.commonColumns else {
            return try sink.write(items.map { "- " + text($0) }.joined(separator: "\n"))
        }
        let values = items.map { row in columns.map { row.field($0) ?? .nothing } }
        let right = columns.indices.map { column in
            values.allSatisfy { Self.isNumber($0[column]) ?? true }
                && values.contains { Self.isNumber($0[column]) == true }
        }
        try sink.write(table(columns.map(Self.escaped), values.map { $0.map(text) }, right: right))
    }

    private func table(_ header: [String], _ rows: [[String]], right: [Bool]) -> String {
        let widths = header.indices.map { column in
            rows.reduce(max(3, DisplayWidth.of(header[column]))) { max($0, DisplayWidth.of($1[column])) }
        }
        func line(_ cells: [String]) -> String {
            let padded = cells.indices.map { column in
                DisplayWidth.padded(cells[column], to: widths[column], right: right[column])
            }
            return "| " + padded.joined(separator: " | ") + " |"
        }
        let rule = header.indices.map { column in
            String(repeating: "-", count: widths[column] - (right[column] ? 1 : 0))
                + (right[column] ? ":" : "")
        }
        return ([line(header), "| " + rule.joined(separator: " | ") + " |"] + rows.map(line))
            .joined(separator: "\n")
    }

    private func text(_ value: Value) -> String {
        Self.escaped(
            ValueText.inline(
                value, timeZone: environment.timeZone, units: environment.units, isComplete: true))
    }

    private static func isNumber(_ value: Value) -> Bool? {
        switch value {
        case .nothing: nil
        case .integer, .number, .quantity: true
        default: false
        }
    }

    /// Escapes text for Markdown: markup is escaped, line ends become breaks.
    static func escaped(_ text: String) -> String {
        var out = ""
        var before: Character = " "
        let characters = Array(text)
        for (index, character) in characters.enumerated() {
            let after = index + 1 < characters.count ? characters[index + 1] : " "
            switch character {
            case "\\", "`", "*", "[", "]", "<", "|", "~": out += "\\\(character)"
            case "_" where !(before.isWord && after.isWord): out += "\\_"
            case "&" where after.isLetter || after == "#": out += "\\&"
            case _ where character.isNewline: out += "<br>"
            default: out.append(character)
            }
            before = character
        }
        return out
    }
}

extension Character {
    fileprivate var isWord: Bool { isLetter || isNumber }
}
