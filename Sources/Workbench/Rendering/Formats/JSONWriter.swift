import Foundation
import PluginKit

/// `to json`. Rows are written one at a time; an array of objects has one a line where they fit.
struct JSONWriter: DataWriter {
    let timeZone: TimeZone
    let compact: Bool

    func write(_ value: Value, to sink: TextSink) throws {
        switch value {
        case .list, .rows: try writeRows(Rows(value, for: "to"), to: sink)
        default: try JSONText(compact: compact).write(JSONNode(value, timeZone: timeZone), to: sink)
        }
    }

    private func writeRows(_ rows: Rows, to sink: TextSink) throws {
        let text = JSONText(compact: compact)
        // Plain values are held back until it is known whether all of them fit on one line.
        var held: [JSONNode] = []
        var isOpen = false
        var isFirst = true
        func put(_ node: JSONNode) throws {
            try sink.write((isFirst ? "[" : ",") + text.lineStart(1))
            try text.write(node, depth: 1, to: sink)
            isFirst = false
        }
        try rows.forEach { row in
            let node = try JSONNode(row.asRow(rows.columns), timeZone: timeZone, depth: 1)
            if !isOpen, !compact, !node.isContainer {
                held.append(node)
                if text.line(.array(held), budget: JSONText.width) != nil { return }
                held.removeLast()
            }
            isOpen = true
            for before in held { try put(before) }
            held = []
            try put(node)
        }
        if isOpen { return try sink.write(text.lineStart(0) + "]") }
        try text.write(.array(held), to: sink)
    }
}
