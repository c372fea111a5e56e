import CivilTime
import Formats
import Geodesy
import PluginKit

/// What GPX and KML know of a feature, from fields of their usual names.
enum GPXParts {
    static func point(_ thing: GeoFeature, _ coordinate: Coordinate) -> GPXPoint {
        var coordinate = coordinate
        coordinate.altitude = altitude(thing) ?? coordinate.altitude
        let category = thing.field("category").map(text)
        return GPXPoint(
            coordinate: coordinate, time: time(thing), name: name(thing),
            description: note(thing), symbol: thing.field("sym", "symbol").map(text) ?? category,
            type: category ?? thing.field("type").map(text))
    }

    static func track(_ thing: GeoFeature, _ points: [Coordinate]) -> GPXLine {
        GPXLine(
            name: name(thing), description: note(thing),
            type: thing.field("category", "type").map(text),
            segments: [points.map { GPXPoint(coordinate: $0) }])
    }

    private static func note(_ thing: GeoFeature) -> String? {
        thing.field("note", "desc", "description").map(text)
    }

    private static func altitude(_ thing: GeoFeature) -> Double? {
        switch thing.field("altitude", "ele", "elevation") {
        case .quantity(let quantity)? where quantity.dimension == .length: quantity.value
        case let value: value?.asNumber
        }
    }

    private static func time(_ thing: GeoFeature) -> Timestamp? {
        switch thing.field("timestamp", "time") {
        case .date(let date)?: date
        case .text(let text)?: ISO8601.timestamp(text)
        default: nil
        }
    }

    /// The fields that have a place of their own in GPX and a value that it cannot hold, such as a `time` that is a day.
    static func unread(_ thing: GeoFeature) -> [String] {
        var names: [String] = []
        if time(thing) == nil { names += ["timestamp", "time"].filter { thing.field($0) != nil } }
        if altitude(thing) == nil {
            names += ["altitude", "ele", "elevation"].filter { thing.field($0) != nil }
        }
        return names
    }

    private static func name(_ thing: GeoFeature) -> String? {
        names.lazy.compactMap { thing.field($0) }.first.map(text)
    }

    private static func text(_ value: Value) -> String { ValueText.inline(value) }

    /// Fields that hold a name, the best first.
    private static let names = ["label", "name", "stop_name", "title"]

    /// The fields of a feature that have no place of their own, as text.
    static func others(_ thing: GeoFeature) -> [(name: String, value: String)] {
        var taken: Set<String> = []
        func take(_ names: [String]) {
            if let name = names.first(where: { thing.field($0) != nil }) { taken.insert(name) }
        }
        for group in [names, ["note", "desc", "description"], ["sym", "symbol"]] { take(group) }
        take(thing.field("category") == nil ? ["type"] : ["category"])
        if altitude(thing) != nil { take(["altitude", "ele", "elevation"]) }
        if time(thing) != nil { take(["timestamp", "time"]) }
        return zip(thing.fields.keys, thing.fields.values).compactMap { key, value in
            if taken.contains(key) { return nil }
            if case .nothing = value { return nil }
            return (key, text(value))
        }
    }
}
