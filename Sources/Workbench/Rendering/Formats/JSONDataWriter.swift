import Formats
import Foundation
import PluginKit

/// `to json`. Rows are written one at a time; an array of objects has one per line where they fit.
struct JSONDataWriter: DataWriter {
    let timeZone: TimeZone
    let compact: Bool

    func write(_ value: Value, to sink: TextSink) throws {
        switch value {
        case .list, .rows: try writeRows(Rows(value, for: "to"), to: sink)
        default:
            try JSONWriter(style).write(JSONTree(value, timeZone: timeZone), to: sink.write)
        }
    }

    /// The columns of a row: those shown, and the further ones that its type has for data.
    static func columns(_ columns: TableColumns?, of row: Value) -> TableColumns? {
        guard let columns, case .object(let object) = row else { return columns }
        let further = type(of: object).dataFieldNames.filter { !columns.set.contains($0) }
        return further.isEmpty ? columns : TableColumns(columns.names + further)
    }

    private var style: JSONWriter.Style { compact ? .compact : .fitted }

    private func writeRows(_ rows: Rows, to sink: TextSink) throws {
        let text = JSONWriter(style)
        // Plain values are buffered until it is known whether all of them fit on one line.
        var buffered: [JSONTree] = []
        var isOpen = false
        var isFirst = true
        func put(_ node: JSONTree) throws {
            try sink.write((isFirst ? "[" : ",") + text.lineStart(1))
            try text.write(node, depth: 1, to: sink.write)
            isFirst = false
        }
        let columns = rows.columns.map(TableColumns.init)
        try rows.forEach { row in
            let node = try JSONTree(
                row.asRow(Self.columns(columns, of: row)), timeZone: timeZone, depth: 1)
            if !isOpen, !compact, node.items == nil, node.members == nil {
                buffered.append(node)
                if text.line(.list(buffered), budget: JSONWriter.width) != nil { return }
                buffered.removeLast()
            }
            isOpen = true
            for before in buffered { try put(before) }
            buffered = []
            try put(node)
        }
        if isOpen { return try sink.write(text.lineStart(0) + "]") }
        try text.write(.list(buffered), to: sink.write)
    }
}
