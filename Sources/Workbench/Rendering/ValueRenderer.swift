import PluginKit

/// Shows a value as text: what a terminal prints and a notebook compares.
public struct ValueRenderer: Sendable {
    /// What rendering takes for granted.
    public enum Settings {
        /// Rows of a table or list that are shown; the rest is counted.
        public static let shownRows = 200
    }

    private let environment: Environment

    /// A renderer for an environment.
    public init(environment: Environment) { self.environment = environment }

    /// The value as text without a line end; empty for nothing. `check` is called while rows are made.
    public func text(_ value: Value, check: () throws -> Void = {}) throws -> String {
        switch value {
        case .list(let items): return list(items, total: items.count)
        case .table(let table):
            let shown = Array(table.rows.prefix(Settings.shownRows))
            let text = rows(shown, table.columns, total: table.rows.count)
            return table.note.map { text + "\n" + TerminalText.lines($0) } ?? text
        case .stream(let stream): return try self.stream(stream, check)
        case .record(let record): return self.record(record)
        case .object(let object):
            if object is any TabularObject { return try text(value.tabulated, check: check) }
            guard let drawn = object as? any SelfRendering else {
                return value.asRecord.map { self.record($0) } ?? object.summary
            }
            return try drawn.rendered(in: environment)
        case .text(let text): return TerminalText.lines(text)
        default: return ValueText.inline(value, timeZone: environment.timeZone, units: environment.units)
        }
    }

    private func stream(_ stream: ValueStream, _ check: () throws -> Void) throws -> String {
        let iterator = try stream.makeIterator()
        var shown: [Value] = []
        var total = 0
        while let value = try iterator.next() {
            try check()
            if total < Settings.shownRows { shown.append(value) }
            total += 1
        }
        if let columns = stream.columns ?? shown.commonColumns { return rows(shown, columns, total: total) }
        return list(shown, total: total)
    }

    private func rows(_ rows: [Value], _ columns: [String], total: Int) -> String {
        let table = TableRenderer(environment: environment).text(columns: columns, rows: rows)
        return table + more(than: rows.count, total)
    }

    private func list(_ items: [Value], total: Int) -> String {
        if items.isEmpty { return "(empty list)" }
        let shown = Array(items.prefix(Settings.shownRows))
        if let columns = shown.commonColumns { return rows(shown, columns, total: total) }
        let lines = shown.map { item -> String in
            ValueText.inline(item, timeZone: environment.timeZone, units: environment.units)
        }
        return lines.map(TerminalText.withoutControls).joined(separator: "\n") + more(than: shown.count, total)
    }

    private func more(than shown: Int, _ total: Int) -> String {
        shown < total ? "\n… and \(total - shown) more; `first`, `where` and `count` narrow it down" : ""
    }

    private func record(_ record: Record) -> String {
        let width = record.keys.map(DisplayWidth.of).max() ?? 0
        return zip(record.keys, record.values).map { key, value in
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

extension [Value] {
    /// The fields of the first item when all items have the same.
    var commonColumns: [String]? {
        guard let first = first?.fieldNames, allSatisfy({ $0.fieldNames == first }) else { return nil }
        return first
    }
}
