import CivilTime
import Formats
import Foundation
import Geodesy

/// Converts waypoints to and from `wpt` elements: `ele time name desc sym type` are altitude, timestamp,
/// label, note and category.
public enum GPXWaypoints {
    /// The element of a waypoint. `type` is the category, `sym` its display name; of others than the nine both are the identifier.
    public static func point(_ waypoint: Waypoint) -> GPXPoint {
        GPXPoint(
            coordinate: waypoint.coordinate, time: waypoint.time,
            name: waypoint.label.isEmpty ? nil : waypoint.label,
            description: waypoint.note.isEmpty ? nil : waypoint.note, symbol: waypoint.category.displayName,
            type: waypoint.category.raw)
    }

    /// The waypoint of an element; a missing time stays unknown.
    public static func waypoint(_ point: GPXPoint, id: UUID, in categories: CategoryList = .init())
        -> Waypoint
    {
        Waypoint(
            id: id, coordinate: point.coordinate, timestamp: point.time ?? Waypoint.unknownTime,
            label: point.name ?? "",
            rawCategory: category(type: point.type, symbol: point.symbol, in: categories), note: note(point))
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
    /// symbol. A `type` that is none of them is the category of another program, and is kept.
    public static func category(type: String?, symbol: String?, in categories: CategoryList = .init())
        -> String
    {
        for text in [type, symbol].compactMap({ $0?.lowercased() }) {
            if let known = categories.named(text) { return known.raw }
            if let common = commonSymbols[text] { return common }
        }
        guard let type, !generic.contains(type.lowercased()), isName(type) else {
            return WaypointCategory.custom.raw
        }
        return type
    }

    /// Whether a text can be the name of a category: not empty, short, on one line.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.count <= longestName
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Characters of the longest type that is taken for a category.
    private static let longestName = 40
    /// Types, in lower case, by which programs say only that it is a waypoint.
    private static let generic: Set<String> = [
        "user", "waypoint", "wpt", "poi", "point", "place", "marker", "default", "unknown",
    ]

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
