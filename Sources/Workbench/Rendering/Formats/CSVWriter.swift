import Foundation
import PluginKit

/// `to csv`, by RFC 4180: cells as in JSON, places and boxes as literals, lists and records as JSON in a cell.
///
/// Reading gives the same numbers and texts back: text that looks like a number is quoted, nothing is an empty cell
/// and an empty text a quoted one. (A single column cannot tell the two apart: an empty line is no row.)
struct CSVWriter: DataWriter {
    static let lineEnd = "\r\n"

    let timeZone: TimeZone

    func write(_ value: Value, to sink: TextSink) throws {
        try write(Rows(value.fieldNames == nil ? value : .list([value]), for: "to csv"), to: sink)
    }

    private func write(_ rows: Rows, to sink: TextSink) throws {
        if let columns = rows.columns {
            try sink.write(line(of: columns.map { .text($0) }, isHeader: true))
            return try rows.forEach { row in
                try sink.write(Self.lineEnd)
                try sink.write(line(of: columns.map { row.field($0) ?? .nothing }))
            }
        }
        // Rows that are not alike: all their fields are columns.
        let items = try rows.collect()
        guard !items.isEmpty else { return }
        var columns: [String] = []
        var seen = Set<String>()
        for item in items {
            for name in item.fieldNames ?? [] where seen.insert(name).inserted { columns.append(name) }
        }
        guard !columns.isEmpty else {
            let lines = try items.map { try line(of: [$0]) }
            return try sink.write((["value"] + lines).joined(separator: Self.lineEnd))
        }
        for item in items where item.fieldNames == nil {
            throw DataErrors.notRows(
                "rows and \(item.kindName) cannot stand in one table",
                fix: "write a list that is mixed with `to json`")
        }
        try sink.write(line(of: columns.map { .text($0) }, isHeader: true))
        for item in items {
            try sink.write(Self.lineEnd + line(of: columns.map { item.field($0) ?? .nothing }))
        }
    }

    private func line(of cells: [Value], isHeader: Bool = false) throws -> String {
        let texts = try cells.map { try cell($0, isHeader: isHeader) }
        // A line without anything would be read as no row at all.
        if texts == [""] { return "\"\"" }
        return texts.joined(separator: ",")
    }

    private func cell(_ value: Value, isHeader: Bool) throws -> String {
        switch value {
        case .nothing: return ""
        case .text(let text):
            let mustQuote = !isHeader && (text.isEmpty || JSONNumber.value(text) != nil)
            return Self.quoted(text, always: mustQuote)
        case .coordinate, .box: return Self.quoted(ValueText.inline(value), always: true)
        case .object(let object): return Self.quoted(object.summary, always: false)
        default:
            let node = try JSONNode(value, timeZone: timeZone)
            switch node {
            case .null: return ""
            case .string(let text): return text
            default:
                let text = JSONText(compact: true).line(node, budget: .max) ?? ""
                return Self.quoted(text, always: false)
            }
        }
    }

    private static func quoted(_ text: String, always: Bool) -> String {
        let special = text.utf8.contains { $0 == 34 || $0 == 44 || $0 == 10 || $0 == 13 }
        let hasEdge = text.hasPrefix(" ") || text.hasSuffix(" ")
        guard always || special || hasEdge else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
