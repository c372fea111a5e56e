/// The category of a waypoint. The nine kinds are data; stores may contain others.
public struct WaypointCategory: Sendable, Hashable {
    /// The value in stores, such as `waterSource`.
    public let raw: String
    /// The display name.
    public let displayName: String
    /// Six hexadecimal digits, red, green, blue.
    public let colorHex: String
    /// The app's icon name (SF Symbols).
    public let icon: String
}

extension WaypointCategory {
    /// The nine categories in the order of the app's picker.
    public static let all: [WaypointCategory] = [
        .init(raw: "trailMarker", displayName: "Trail Marker", colorHex: "4A90D9", icon: "signpost.right"),
        .init(raw: "viewpoint", displayName: "Viewpoint", colorHex: "8E44AD", icon: "eye"),
        .init(raw: "waterSource", displayName: "Water", colorHex: "3498DB", icon: "drop.fill"),
        .init(raw: "campsite", displayName: "Campsite", colorHex: "27AE60", icon: "tent"),
        .init(raw: "danger", displayName: "Danger", colorHex: "E74C3C", icon: "exclamationmark.triangle"),
        .init(raw: "food", displayName: "Food", colorHex: "F39C12", icon: "fork.knife"),
        .init(raw: "shelter", displayName: "Shelter", colorHex: "7F8C8D", icon: "house"),
        .init(raw: "parking", displayName: "Parking", colorHex: "2C3E50", icon: "car"),
        custom,
    ]

    /// The category of anything else, and of unknown values.
    public static let custom = WaypointCategory(
        raw: "custom", displayName: "Custom", colorHex: "E67E22", icon: "mappin")

    /// The category of a stored value; unknown values read as `custom`.
    public static func reading(_ raw: String) -> WaypointCategory { known(raw) ?? custom }

    /// The category of a stored value; `nil` if it is not one of the nine.
    public static func known(_ raw: String) -> WaypointCategory? { all.first { $0.raw == raw } }
}
