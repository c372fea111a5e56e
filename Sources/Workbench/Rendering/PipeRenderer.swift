import PluginKit

/// Writes values for programs: every row and column, separated by tabs, nothing cut.
///
/// Text is written as it is, so that `to json` and the like arrive unchanged. In cells, line ends, tabs and
/// characters that would confuse a terminal are written with a backslash: `\\n`, `\\t`, `\\u{1B}`.
struct PipeRenderer {
    let environment: Environment
    /// Receives the text in chunks.
    let write: (String) throws -> Void

    /// Writes a value with a line end. `nothing` has no output.
    func show(_ value: Value) throws {
        switch value {
        case .nothing: break
        case .text(let text): try write(text + "\n")
        case .list(let items): try show(Rows(items, columns: items.commonColumns))
        case .rows(let rows): try show(rows)
        case .record: try show(fieldsOf: value)
        case .object(let object):
            if let table = (object as? any TabularObject)?.table { return try show(table) }
            if let drawn = object as? any SelfRendering {
                if let rows = drawn.plainRows { return try show(rows) }
                return try write(TerminalText.styled(drawn.rendered(in: environment)) + "\n")
            }
            try show(fieldsOf: value)
        default: try write(cell(value) + "\n")
        }
    }

    private func show(_ rows: Rows) throws {
        var columns = rows.columns
        if columns == nil, let ready = rows.ready { columns = ready.commonColumns }
        let iterator = try rows.makeIterator()
        // The header is written with the first row; a stream that fails at once has none.
        var next = try iterator.next()
        if let columns { try write(columns.map(Self.escaped).joined(separator: "\t") + "\n") }
        while let row = next {
            try Interruption.check()
            let cells = columns.map { $0.map { cell(row.field($0) ?? .nothing) } } ?? [cell(row)]
            try write(cells.joined(separator: "\t") + "\n")
            next = try iterator.next()
        }
    }

    private func show(fieldsOf value: Value) throws {
        guard let record = value.asRecord else { return try write(cell(value) + "\n") }
        for (key, value) in zip(record.keys, record.values) {
            try write(Self.escaped(key) + "\t" + cell(value) + "\n")
        }
    }

    private func cell(_ value: Value) -> String {
        Self.escaped(
            ValueText.inline(
                value, timeZone: environment.timeZone, units: environment.units, isComplete: true))
    }

    private static func escaped(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 32 && $0 < 127 && $0 != UInt8(ascii: "\\") }) { return text }
        // Appended to a text: appending to a view of scalars copies what it holds, each time.
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case let scalar where TerminalText.isHarmful(scalar):
                out += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
