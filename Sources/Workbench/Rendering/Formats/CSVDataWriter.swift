import Formats
import Foundation
import PluginKit

/// `to csv`, by RFC 4180: cells as in JSON, coordinates and boxes as literals, lists and records as JSON in a cell.
///
/// Values survive a round trip through `from csv --quoted-text`: text that looks like a number, a date or another
/// value is quoted, nothing is an empty cell and an empty text a quoted one. (In a single column the two are the same: an empty
/// line is not a row.)
///
/// Quantities are numbers in base units. Their units are written into the names of the columns, or else reported.
struct CSVDataWriter: DataWriter {
    let timeZone: TimeZone
    /// The byte between cells: a comma, or a tab for `to tsv`.
    var separator = CSVSeparator.standard
    var style = CSVStyle()
    var notice: (String) -> Void = { _ in }

    func write(_ value: Value, to sink: TextSink) throws {
        let command = separator == CSVSeparator.standard ? "to csv" : "to tsv"
        let rows = try Rows(value.fieldNames == nil ? value : .list([value]), for: command)
        guard let table = try table(of: rows) else { return }
        guard style.isPlain else {
            var cells: [[Value]] = []
            try table.rows.forEach { cells.append(try table.cells($0)) }
            let shown = try CSVColumns(table.names, cells, style)
            try sink.write(line(of: shown.names.map { .text($0) }, isHeader: true))
            for row in cells { try sink.write(CSVLine.end + line(of: shown.cells(row))) }
            return
        }
        var units = CSVUnits(table.names)
        try sink.write(line(of: table.names.map { .text($0) }, isHeader: true))
        try table.rows.forEach { row in
            let cells = try table.cells(row)
            units.take(cells)
            try sink.write(CSVLine.end)
            try sink.write(line(of: cells))
        }
        if let note = units.note(command) { notice(note) }
    }

    /// Rows whose cells are those of some columns.
    private struct Table {
        let names: [String]
        let rows: Rows
        let cells: (Value) throws -> [Value]
    }

    /// The table of rows; `nil` if there are neither rows nor columns.
    private func table(of rows: Rows) throws -> Table? {
        if let columns = rows.columns {
            return Table(names: columns, rows: rows) { row in columns.map { row.field($0) ?? .nothing } }
        }
        guard let first = try rows.makeIterator().next() else { return nil }
        guard first.fieldNames != nil else {
            return Table(names: ["value"], rows: rows) { item in
                guard item.fieldNames == nil else { throw mixed(item) }
                return [item]
            }
        }
        // Rows with different fields: the columns are the union of the fields.
        let items = try rows.collect()
        var columns: [String] = []
        var seen = Set<String>()
        for item in items {
            for name in item.fieldNames ?? [] where seen.insert(name).inserted { columns.append(name) }
        }
        // Records without fields have no columns.
        guard !columns.isEmpty else { return Table(names: ["value"], rows: Rows(items)) { [$0] } }
        for item in items where item.fieldNames == nil { throw mixed(item) }
        return Table(names: columns, rows: Rows(items)) { item in
            columns.map { item.field($0) ?? .nothing }
        }
    }

    private func mixed(_ item: Value) -> RutterError {
        DataErrors.notRows(
            "rows and \(item.kindName) cannot be combined in one table",
            fix: "write a mixed list with `to json`")
    }

    /// Whether a column of cells with this text would be one of numbers, dates or other values, or of none.
    private func isReadAsValue(_ text: String) -> Bool {
        guard let first = text.utf8.first(where: { !CSVLine.isBlank($0) }) else { return true }
        // Most texts begin with a letter, which no number, date or quantity does.
        let isDigitOrSign = (48...57).contains(first) || "+-.".utf8.contains(first)
        let kinds = isDigitOrSign ? ColumnKind.found : [.boolean]
        let time = CellTime(zone: timeZone)
        return kinds.contains { $0.value(text, in: time) != nil }
    }

    private func line(of cells: [Value], isHeader: Bool = false) throws -> String {
        var line = CSVLine(separator: separator)
        for cell in cells { try append(cell, isHeader: isHeader, to: &line) }
        // An empty line would not be read as a row.
        return line.bytes.isEmpty ? "\"\"" : line.text
    }

    private func append(_ value: Value, isHeader: Bool, to line: inout CSVLine) throws {
        switch value {
        case .text(let text):
            // Quotes tell `from csv --quoted-text` what is text; for other readers they mean nothing.
            let mustQuote = !isHeader && isReadAsValue(text)
            line.append(text.utf8, isQuoted: mustQuote)
        case .coordinate(let place): line.append(Literal.exact(place).utf8)
        case .box: line.append(ValueText.inline(value).utf8)
        case .date(let date): line.append(ValueText.day(date, timeZone).utf8)
        case .object(let object): line.append(object.summary.utf8)
        default:
            switch try JSONTree(value, timeZone: timeZone) {
            case .null: line.append([])
            case .text(let text): line.append(text.utf8)
            case let tree: line.append(tree.compactText.utf8)
            }
        }
    }
}
