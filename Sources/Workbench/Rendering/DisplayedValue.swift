import PluginKit

/// A displayed value as text, and in the forms for graphical front ends.
public struct DisplayedValue: Sendable {
    /// The text that a terminal shows, without a line end.
    public let text: String
    /// Rows as an HTML table.
    public var html: String?
    /// A picture as an SVG document.
    public var svg: String?
    /// An object with a coordinate as a GeoJSON FeatureCollection.
    public var geoJSON: String?

    /// A value that is text only.
    public init(text: String) { self.text = text }
}

/// The displayed rows of a value, collected in one pass.
struct ShownRows {
    /// The first rows, up to the display limit.
    private(set) var rows: [Value] = []
    /// The total number of rows.
    private(set) var total = 0
    let columns: [String]?
    private let remarks: [String]

    init(_ rows: Rows) throws {
        if let ready = rows.ready {
            (self.rows, total) = (Array(ready.prefix(ValueRenderer.Settings.shownRows)), ready.count)
        } else {
            var (shown, total) = ([Value](), 0)
            try rows.forEach { row in
                if total < ValueRenderer.Settings.shownRows { shown.append(row) }
                total += 1
            }
            (self.rows, self.total) = (shown, total)
        }
        columns = rows.columns ?? self.rows.commonColumns
        remarks = [rows.note, rows.remark, rows.cut?.summary].compactMap { $0.map(TerminalText.lines) }
    }

    /// The notes below the rows.
    var notes: [String] {
        (rows.count < total
            ? ["… and \(total - rows.count) more; `first`, `where` and `count` narrow it down"] : [])
            + remarks
    }
}
