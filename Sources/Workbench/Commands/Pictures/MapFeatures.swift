import Geodesy
import Pictures
import PluginKit

/// What of a value can be drawn on a map.
enum MapFeatures {
    /// Colour of places that have no category.
    private static let plain = Color(0x2F7DE1)
    /// Fields that name a row on a map, the first that has text.
    private static let labelFields = ["label", "name", "title", "id"]

    /// The features of a value; empty when nothing in it has a place.
    static func of(_ value: Value) throws -> [MapFeature] {
        try Interruption.check()
        switch value {
        case .coordinate(let place): return [point(place, label: "")]
        case .box(let box): return [outline(box)]
        case .object(let object):
            if let drawable = object as? any MapDrawable { return try drawable.mapFeatures }
            return row(value)
        case .record(let record): return row(value) + (try lines(in: record))
        case .list(let items): return try items.flatMap(of)
        case .rows(let rows): return try rows.collect().flatMap(of)
        default: return []
        }
    }

    private static func row(_ value: Value) -> [MapFeature] {
        guard let record = value.asRecord else { return [] }
        let place = value.asCoordinate ?? record.values.lazy.compactMap { $0.asCoordinate }.first
        guard let place else { return [] }
        let label = labelFields.lazy.compactMap { record[$0] }.map { ValueText.inline($0) }.first {
            !$0.isEmpty
        }
        return [point(place, label: label ?? "")]
    }

    /// The lines and areas that a record has in its fields.
    private static func lines(in record: Record) throws -> [MapFeature] {
        try record.values.flatMap { field -> [MapFeature] in
            guard case .object(let object) = field, let drawable = object as? any MapDrawable else {
                return []
            }
            return try drawable.mapFeatures.filter {
                switch $0 {
                case .line, .polygon, .route, .track: true
                default: false
                }
            }
        }
    }

    private static func point(_ place: Coordinate, label: String) -> MapFeature {
        .point(place, MapPointStyle(color: plain, label: label))
    }

    private static func outline(_ box: BoundingBox) -> MapFeature {
        let corners = [
            Coordinate(latitude: box.south, longitude: box.west),
            Coordinate(latitude: box.south, longitude: box.east),
            Coordinate(latitude: box.north, longitude: box.east),
            Coordinate(latitude: box.north, longitude: box.west),
        ]
        return .polygon([corners], MapAreaStyle(stroke: Stroke(plain, width: 2)))
    }
}
