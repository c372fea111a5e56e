import Pictures
import PluginKit

/// Shows a value as text: what a terminal prints and a notebook compares.
struct ValueRenderer: Sendable {
    /// Constants of rendering.
    enum Settings {
        /// Maximum number of rows shown of a table or list; the rest is counted.
        static let shownRows = 200
    }

    private let environment: Environment

    /// A renderer for an environment.
    init(environment: Environment) { self.environment = environment }

    /// The value as text without a line end; empty for nothing. Stops when its task is cancelled.
    func text(_ value: Value) throws -> String {
        switch value {
        case .list(let items): return try rows(Rows(items))
        case .rows(let rows): return try self.rows(rows)
        case .record(let record): return self.record(record)
        case .object(let object):
            if let drawn = object as? any TabularObject & SelfRendering {
                return TerminalText.styled(try drawn.rendered(in: environment))
            }
            if let table = (object as? any TabularObject)?.table {
                let headline = (object as? any OverviewRendering)?.headline(in: environment)
                return try [headline.map(TerminalText.lines), rows(table)].compactMap(\.self)
                    .joined(separator: "\n")
            }
            if let object = object as? any OverviewRendering { return overview(of: object) }
            guard let drawn = object as? any SelfRendering else {
                return value.asRecord.map { self.record($0) } ?? TerminalText.lines(object.summary)
            }
            return TerminalText.styled(try drawn.rendered(in: environment))
        case .text(let text): return TerminalText.lines(text)
        default:
            return TerminalText.withoutControls(
                ValueText.inline(value, timeZone: environment.timeZone, units: environment.units))
        }
    }

    /// The value as text, and as text for another environment. Streams are read once.
    func texts(_ value: Value, and other: Environment) throws -> (String, String) {
        let renderer = ValueRenderer(environment: other)
        guard let rows = tableRows(of: value) else { return (try text(value), try renderer.text(value)) }
        let shown = try ShownRows(rows)
        return (text(shown), renderer.text(shown))
    }

    /// The value as text and in the forms for graphical front ends. Streams are read once.
    func displayed(_ value: Value) throws -> DisplayedValue {
        if case .object(let drawing as Drawing) = value {
            var displayed = DisplayedValue(text: try text(value))
            displayed.svg = SceneSVG.render(try drawing.scene())
            return displayed
        }
        if case .object(let sweep as Sweep) = value, let chart = sweep.chart {
            var displayed = DisplayedValue(text: try text(value))
            displayed.svg = SceneSVG.render(chart.scene())
            return displayed
        }
        if let rows = tableRows(of: value) {
            let shown = try ShownRows(rows)
            var displayed = DisplayedValue(text: text(shown))
            displayed.html = TableHTML(environment: environment).text(shown)
            return displayed
        }
        var displayed = DisplayedValue(text: try text(value))
        if case .object = value, !displayed.text.isEmpty { displayed.geoJSON = geoJSON(value) }
        return displayed
    }

    private func tableRows(of value: Value) -> Rows? {
        switch value {
        case .list(let items): Rows(items)
        case .rows(let rows): rows
        default: nil
        }
    }

    /// `nil` for an object without coordinates.
    private func geoJSON(_ value: Value) -> String? {
        let sink = TextSink()
        let writer = GeoJSONDataWriter(timeZone: environment.timeZone, compact: true)
        guard (try? writer.write(value, to: sink)) != nil else { return nil }
        return sink.text
    }

    private func rows(_ rows: Rows) throws -> String { text(try ShownRows(rows)) }

    private func text(_ shown: ShownRows) -> String {
        ([body(shown.rows, shown.columns)] + shown.notes).joined(separator: "\n")
    }

    private func body(_ shown: [Value], _ columns: [String]?) -> String {
        if let columns { return TableRenderer(environment: environment).text(columns: columns, rows: shown) }
        if shown.isEmpty { return "(empty list)" }
        return shown.map { item in
            TerminalText.withoutControls(
                ValueText.inline(item, timeZone: environment.timeZone, units: environment.units))
        }.joined(separator: "\n")
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
