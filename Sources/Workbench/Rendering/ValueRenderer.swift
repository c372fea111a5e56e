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

    /// The value as text without a line end; empty for nothing. Stops when its task is cancelled.
    public func text(_ value: Value) throws -> String {
        switch value {
        case .list(let items): return try rows(Rows(items))
        case .rows(let rows): return try self.rows(rows)
        case .record(let record): return self.record(record)
        case .object(let object):
            if let table = (object as? any TabularObject)?.table {
                let headline = (object as? any OverviewRendering)?.headline(in: environment)
                return try [headline.map(TerminalText.lines), rows(table)].compactMap(\.self)
                    .joined(separator: "\n")
            }
            if let object = object as? any OverviewRendering { return overview(of: object) }
            guard let drawn = object as? any SelfRendering else {
                return value.asRecord.map { self.record($0) } ?? TerminalText.lines(object.summary)
            }
            return try drawn.rendered(in: environment)
        case .text(let text): return TerminalText.lines(text)
        default:
            return TerminalText.withoutControls(
                ValueText.inline(value, timeZone: environment.timeZone, units: environment.units))
        }
    }

    private func rows(_ rows: Rows) throws -> String {
        var shown: [Value] = []
        var total = 0
        if let ready = rows.ready {
            (shown, total) = (Array(ready.prefix(Settings.shownRows)), ready.count)
        } else {
            try rows.forEach { row in
                if total < Settings.shownRows { shown.append(row) }
                total += 1
            }
        }
        let lines = [body(shown, rows.columns ?? shown.commonColumns), more(than: shown.count, total)]
        return (lines + [rows.note, rows.cut?.summary].map { $0.map(TerminalText.lines) })
            .compactMap(\.self).joined(separator: "\n")
    }

    private func body(_ shown: [Value], _ columns: [String]?) -> String {
        if let columns { return TableRenderer(environment: environment).text(columns: columns, rows: shown) }
        if shown.isEmpty { return "(empty list)" }
        return shown.map { item in
            TerminalText.withoutControls(
                ValueText.inline(item, timeZone: environment.timeZone, units: environment.units))
        }.joined(separator: "\n")
    }

    private func more(than shown: Int, _ total: Int) -> String? {
        shown < total ? "… and \(total - shown) more; `first`, `where` and `count` narrow it down" : nil
    }

    private func overview(of object: any OverviewRendering) -> String {
        let fields = object.overviewFields.filter(object.fieldNames.contains).compactMap { name in
            object.field(name).map { (name, $0) }
        }.filter { !Self.isEmpty($0.1) }
        let record = RecordRenderer(environment: environment)
            .text(keys: fields.map(\.0), values: fields.map(\.1))
        let further = TextWrap.wrapped(
            "fields: " + object.furtherFields.joined(separator: " "), to: environment.width)
        return [TerminalText.lines(object.headline(in: environment)), record, further]
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func isEmpty(_ value: Value) -> Bool {
        switch value {
        case .nothing: true
        case .text(let text): text.isEmpty
        default: value.readyItems?.isEmpty ?? false
        }
    }

    private func record(_ record: Record) -> String {
        RecordRenderer(environment: environment).text(keys: record.keys, values: record.values)
    }
}
