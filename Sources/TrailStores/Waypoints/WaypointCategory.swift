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

    /// A category.
    public init(raw: String, displayName: String, colorHex: String, icon: String) {
        self.raw = raw
        self.displayName = displayName
        self.colorHex = colorHex
        self.icon = icon
    }
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

    /// The category of anything else.
    public static let custom = WaypointCategory(
        raw: "custom", displayName: "Custom", colorHex: "E67E22", icon: "mappin")

    /// The category of a stored value. One that is not of the nine has its own name and the looks of `custom`, as which the app
    /// reads it; an empty one is `custom`.
    public static func reading(_ raw: String) -> WaypointCategory {
        known(raw)
            ?? (raw.isEmpty
                ? custom
                : WaypointCategory(raw: raw, displayName: raw, colorHex: custom.colorHex, icon: custom.icon))
    }

    /// The category of a stored value; `nil` if it is not one of the nine.
    public static func known(_ raw: String) -> WaypointCategory? { all.first { $0.raw == raw } }
}

extension WaypointCategory {
    /// The identifier for a display name, in the style of the nine: `Mountain Rescue` is `mountainRescue`; empty without letters
    /// or digits.
    public static func identifier(of name: String) -> String {
        let words = name.split { !$0.isLetter && !$0.isNumber }
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        guard let first = words.first else { return "" }
        return ([first.prefix(1).lowercased() + first.dropFirst()] + rest).joined()
    }

    /// Whether a text is six hexadecimal digits.
    static func isColor(_ text: String) -> Bool {
        text.utf8.count == 6 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}
