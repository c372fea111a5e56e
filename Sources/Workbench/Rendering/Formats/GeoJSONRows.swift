import Formats
import Geodesy
import PluginKit

/// Converts GeoJSON features to rows: `at` for points, `line` for lines, and the properties.
///
/// Other geometries, and those with invalid coordinates, are kept unchanged in `geometry`.
enum GeoJSONRows {
    static func rows(of tree: JSONTree) throws -> Value {
        var values = JSONValues()
        return try GeoJSON.features(of: tree).map { try row($0, &values) }.asTableIfRecords
    }

    private static func row(_ feature: GeoJSON.Feature, _ values: inout JSONValues) throws -> Value {
        var record = Record()
        // An invalid geometry is kept, not rejected.
        switch try? feature.geometry() {
        case .point(let place): record["at"] = .coordinate(place)
        case .line(let points): record["line"] = .list(points.map { .coordinate($0) })
        default: record["geometry"] = try values.value(of: feature.rawGeometry ?? .null)
        }
        if let id = feature.id { record["id"] = try values.value(of: id) }
        for member in feature.properties {
            // A property never replaces the geometry's own column.
            let name = member.key
            let isTaken = record[name] != nil
            record[isTaken ? "property" + name.prefix(1).uppercased() + name.dropFirst() : name] =
                try values.value(of: member.value)
        }
        return .record(record)
    }
}
