import Geodesy
import PluginKit

/// Makes rows of GeoJSON (RFC 7946): the place in `at` for points, the points of a line in `line`, and the properties.
///
/// Other geometries, and those whose place is impossible, stay as they were read, in `geometry`.
enum GeoJSONReader {
    /// The features of a document; `nil` when it is other JSON.
    static func rows(of document: Value) -> Value? {
        switch text(document.field("type")) {
        case "Feature": return [row(document)].asTableIfAlike
        case "FeatureCollection":
            return document.field("features")?.readyItems?.map(row).asTableIfAlike
        default: return nil
        }
    }

    private static func row(_ feature: Value) -> Value {
        var record = Record()
        let geometry = feature.field("geometry") ?? .nothing
        let coordinates = geometry.field("coordinates")
        switch text(geometry.field("type")) {
        case "Point": record["at"] = position(coordinates).map { .coordinate($0) }
        case "LineString": record["line"] = line(coordinates)
        default: break
        }
        if record.keys.isEmpty { record["geometry"] = geometry }
        if let id = feature.field("id") { record["id"] = id }
        let properties = feature.field("properties")?.asRecord ?? Record()
        for (name, value) in zip(properties.keys, properties.values) {
            // A property never takes the place's own column.
            record[record[name] == nil ? name : "property" + name.prefix(1).uppercased() + name.dropFirst()] =
                value
        }
        return .record(record)
    }

    private static func line(_ value: Value?) -> Value? {
        guard case .list(let items)? = value else { return nil }
        let points = items.compactMap { position($0) }
        return points.count == items.count ? .list(points.map { .coordinate($0) }) : nil
    }

    /// Longitude, latitude and perhaps altitude; `nil` for what is no place.
    private static func position(_ value: Value?) -> Coordinate? {
        guard case .list(let items)? = value, items.count >= 2, let longitude = items[0].asNumber,
            let latitude = items[1].asNumber
        else { return nil }
        let altitude = items.count > 2 ? items[2].asNumber : nil
        let place = Coordinate(latitude: latitude, longitude: longitude, altitude: altitude)
        return place.isValid ? place : nil
    }

    private static func text(_ value: Value?) -> String? {
        guard case .text(let text)? = value else { return nil }
        return text
    }
}
