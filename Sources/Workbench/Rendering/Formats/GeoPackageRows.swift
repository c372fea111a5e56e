import CivilTime
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// Rows of a GeoPackage: `at` for points, `line` for lines, `area` for polygons, and the columns.
enum GeoPackageRows {
    /// The rows of all layers; `notice` gets what is not read. Throws `E-DATA-FORMAT` for what is no GeoPackage in WGS 84.
    static func rows(of url: URL, _ notice: (String) -> Void) throws -> Value {
        let reader: GeoPackageReader
        do {
            reader = try GeoPackageReader(url) { try Interruption.check() }
        } catch let refusal as GeoPackageReader.Refusal {
            throw DataErrors.format(refusal.message, at: .parameter("files"), fix: refusal.fix)
        }
        for note in reader.unread { notice(note) }
        let isLayered = reader.tables.count > 1
        let rows = reader.tables.flatMap { table in
            table.rows.map { row in
                var record = Record()
                if isLayered { record["layer"] = .text(table.name) }
                for (name, value) in fields(of: row.shape) { record[name] = value }
                for (name, cell) in zip(table.columns, row.cells) {
                    record[unused(name, table.columns, record)] = value(of: cell)
                }
                return Value.record(record)
            }
        }
        let all = rows.asTableIfRecords
        guard case .rows(var table) = all else { return all }
        table.account = reader.account
        table.account?.source = url.lastPathComponent
        return .rows(table)
    }

    /// A column's name; another one for a column that would replace the geometry.
    private static func unused(_ name: String, _ columns: [String], _ record: Record) -> String {
        guard record[name] != nil else { return name }
        let other = "column" + name.prefix(1).uppercased() + name.dropFirst()
        var unused = other
        var number = 2
        while record[unused] != nil || columns.contains(unused) {
            unused = "\(other)\(number)"
            number += 1
        }
        return unused
    }

    private static func fields(of shape: GeoPackageShape?) -> [(String, Value)] {
        func list(_ points: [Coordinate]) -> Value { .list(points.map { .coordinate($0) }) }
        return switch shape {
        case nil: []
        case .point(let place): [("at", .coordinate(place))]
        case .lines(let lines):
            lines.count == 1 ? [("line", list(lines[0]))] : [("lines", .list(lines.map(list)))]
        case .polygons(let polygons): [("area", .list(polygons.flatMap(\.self).map(list)))]
        }
    }

    private static func value(of cell: GeoPackageCell) -> Value {
        switch cell {
        case .null: .nothing
        case .integer(let number): .integer(Int(number))
        case .real(let number): .number(number)
        case .text(let text): .text(text)
        case .boolean(let flag): .boolean(flag)
        case .time(let text): ISO8601.timestamp(text).map { .date($0) } ?? .text(text)
        }
    }
}
