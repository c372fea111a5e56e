import CivilTime
import Formats
import Foundation
import Geodesy

/// Converts waypoints to and from `wpt` elements: `ele time name desc sym type` are altitude, timestamp,
/// label, note and category.
public enum GPXWaypoints {
    /// The element of a waypoint. `type` is the category, one of the nine, `sym` its display name.
    public static func point(_ waypoint: Waypoint) -> GPXPoint {
        GPXPoint(
            coordinate: waypoint.coordinate, time: waypoint.time,
            name: waypoint.label.isEmpty ? nil : waypoint.label,
            description: waypoint.note.isEmpty ? nil : waypoint.note, symbol: waypoint.category.displayName,
            type: waypoint.category.raw)
    }

    /// The waypoint of an element; a missing time stays unknown.
    public static func waypoint(_ point: GPXPoint, id: UUID) -> Waypoint {
        Waypoint(
            id: id, coordinate: point.coordinate, timestamp: point.time ?? Waypoint.unknownTime,
            label: point.name ?? "",
            rawCategory: category(type: point.type, symbol: point.symbol), note: note(point))
    }

    /// Description, comment and the addresses of links, one below the other: the store has one text.
    private static func note(_ point: GPXPoint) -> String {
        var texts: [String] = []
        for text in [point.description, point.comment].compactMap(\.self) + point.links.map(\.address)
        where !text.isEmpty && !texts.contains(text) {
            texts.append(text)
        }
        return texts.joined(separator: "\n")
    }

    /// The stored category from `type`, or else from `sym`: a stored value, a display name, or a common
    /// symbol.
    public static func category(type: String?, symbol: String?) -> String {
        for text in [type, symbol].compactMap({ $0?.lowercased() }) {
            let known = WaypointCategory.all.first {
                $0.raw.lowercased() == text || $0.displayName.lowercased() == text
            }
            if let known { return known.raw }
            if let common = commonSymbols[text] { return common }
        }
        return WaypointCategory.custom.raw
    }

    /// Symbols of Garmin devices and of common editors, in lower case.
    private static let commonSymbols: [String: String] = [
        "campground": "campsite", "tent": "campsite", "drinking water": "waterSource",
        "water source": "waterSource",
        "spring": "waterSource", "lodge": "shelter", "lodging": "shelter", "hut": "shelter",
        "cabin": "shelter",
        "scenic area": "viewpoint", "summit": "viewpoint", "peak": "viewpoint", "binoculars": "viewpoint",
        "restaurant": "food", "fast food": "food", "bar": "food", "parking area": "parking",
        "trail head": "trailMarker",
        "trailhead": "trailMarker", "guidepost": "trailMarker", "skull and crossbones": "danger",
        "hazard": "danger",
        "danger area": "danger",
    ]
}
