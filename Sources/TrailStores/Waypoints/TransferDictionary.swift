import CivilTime
import Core
import Foundation
import Geodesy

/// A waypoint as sent over the watch link: primitive values under fixed keys, missing if there is no value.
/// The timestamp is in seconds since 1970.
public enum TransferDictionary {
    /// A primitive value of a dictionary.
    public enum Primitive: Sendable, Hashable {
        /// Text.
        case text(String)
        /// A number.
        case number(Double)
        /// `true` or `false`.
        case boolean(Bool)
        /// Bytes.
        case data(Data)
    }

    /// The dictionary of a waypoint, with its thumbnail if that is sent.
    public static func make(_ waypoint: Waypoint, thumbnail: Data? = nil) -> [String: Primitive] {
        var dictionary: [String: Primitive] = [
            "type": .text("waypoint"), "id": .text(waypoint.id.uuidString),
            "latitude": .number(waypoint.coordinate.latitude),
            "longitude": .number(waypoint.coordinate.longitude),
            "timestamp": .number(waypoint.timestamp.seconds),
            "label": .text(waypoint.label), "category": .text(waypoint.rawCategory),
            "note": .text(waypoint.note),
            "hasPhoto": .boolean(waypoint.hasPhoto),
        ]
        dictionary["altitude"] = waypoint.coordinate.altitude.map { .number($0) }
        dictionary["hikeId"] = waypoint.hikeID.map { .text($0.uuidString) }
        dictionary["thumbnailData"] = thumbnail.map { .data($0) }
        return dictionary
    }

    /// Decodes a waypoint; throws `E-STORE-TRANSFER` with the missing or invalid key.
    public static func read(
        _ dictionary: [String: Primitive]
    ) throws(RutterError) -> (waypoint: Waypoint, thumbnail: Data?) {
        let coordinate = Coordinate(
            latitude: try number("latitude", dictionary), longitude: try number("longitude", dictionary),
            altitude: dictionary["altitude"] == nil ? nil : try number("altitude", dictionary))
        guard let id = UUID(uuidString: try text("id", dictionary)) else { throw wrong("id", "a UUID") }
        guard let timestamp = Timestamp(seconds: try number("timestamp", dictionary)) else {
            throw wrong("timestamp", "a number of seconds since 1970")
        }
        guard case .boolean(let hasPhoto)? = dictionary["hasPhoto"] else {
            throw wrong("hasPhoto", "true or false")
        }
        var hike: UUID?
        if dictionary["hikeId"] != nil {
            guard let id = UUID(uuidString: try text("hikeId", dictionary)) else {
                throw wrong("hikeId", "a UUID")
            }
            hike = id
        }
        var thumbnail: Data?
        if let value = dictionary["thumbnailData"] {
            guard case .data(let data) = value else { throw wrong("thumbnailData", "bytes") }
            thumbnail = data
        }
        let waypoint = Waypoint(
            id: id, coordinate: coordinate, timestamp: timestamp, label: try text("label", dictionary),
            rawCategory: try text("category", dictionary), note: try text("note", dictionary),
            hasPhoto: hasPhoto,
            hikeID: hike)
        return (waypoint, thumbnail)
    }

    private static func text(_ key: String, _ dictionary: [String: Primitive]) throws(RutterError) -> String {
        guard case .text(let text)? = dictionary[key] else { throw wrong(key, "text") }
        return text
    }

    private static func number(_ key: String, _ dictionary: [String: Primitive]) throws(RutterError) -> Double
    {
        guard case .number(let number)? = dictionary[key], number.isFinite else {
            throw wrong(key, "a number")
        }
        return number
    }

    private static func wrong(_ key: String, _ wanted: String) -> RutterError {
        StoreErrors.transfer("the key \(key) is missing or not \(wanted)")
    }
}
