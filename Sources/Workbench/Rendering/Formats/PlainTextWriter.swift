import PluginKit

/// `to text`: what the terminal shows, but with all rows, and no cell cut.
struct PlainTextWriter: DataWriter {
    let environment: Environment

    init(environment: Environment) {
        var wide = environment
        wide.width = .max / 2
        wide.color = false
        self.environment = wide
    }

    func write(_ value: Value, to sink: TextSink) throws {
        switch value {
        case .text(let text): try sink.write(text)
        case .list, .rows: try write(Rows(value, for: "to text"), to: sink)
        default: try sink.write(try ValueRenderer(environment: environment).text(value))
        }
    }

    private func write(_ rows: Rows, to sink: TextSink) throws {
        // The widths of columns depend on all rows.
        let items = try rows.collect()
        if let columns = rows.columns ?? items.commonColumns {
            var whole = environment
            whole.view = .wide
            let table = TableRenderer(environment: whole, isComplete: true)
            return try sink.write(table.text(columns: columns, rows: items))
        }
        for (index, item) in items.enumerated() {
            if index > 0 { try sink.write("\n") }
            try sink.write(
                ValueText.inline(
                    item, timeZone: environment.timeZone, units: environment.units, isComplete: true))
        }
    }
}
