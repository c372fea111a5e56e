import Formats
import Foundation
import PluginKit

/// `to jsonl`: a compact JSON value in each line, one for each row, as it comes; a single value is one line.
struct JSONLinesWriter: DataWriter {
    let timeZone: TimeZone

    func write(_ value: Value, to sink: TextSink) throws {
        let writer = JSONDataWriter(timeZone: timeZone, compact: true)
        guard let rows = value.asRows else { return try writer.write(value, to: sink) }
        let columns = rows.columns.map(TableColumns.init)
        var isFirst = true
        try rows.forEach { row in
            if !isFirst { try sink.write("\n") }
            isFirst = false
            try writer.write(row.asRow(JSONDataWriter.columns(columns, of: row)), to: sink)
        }
    }
}
