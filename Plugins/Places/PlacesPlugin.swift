import PluginKit

/// Places: finding them by name or address, among what other plugins know and at a geocoding server.
public struct PlacesPlugin: Plugin {
    /// The name in lists and in `requires` of notebooks.
    public let name = "places"
    /// What it is for.
    public let summary = "finding places by name or address"
    /// Its version.
    public let version = "1.0"
    /// What is loaded when it is first used.
    public let libraries: [NativeLibrary] = [.http]

    /// A plugin for one session.
    public init() {}

    /// Its command.
    public var commands: [any CommandProvider] { [SearchPlaces()] }

    /// The kinds of error it throws.
    public var errors: [ErrorKind] { PlaceErrors.all }

    /// Names instead of coordinates wherever a place is taken, and behind `@`.
    public var capabilities: [any Capability] { [PlaceService(), PlaceReferences()] }

    /// Which server is asked, and how.
    public var settings: [SettingSpec] {
        [
            SettingSpec(
                "places.server", .text, default: "",
                "address of a Nominatim-compatible server; none when empty"),
            SettingSpec(
                "places.timeout", .quantity(.duration, 0.1...120), default: PlaceSettings.timeout,
                "how long to wait for its answer"),
            SettingSpec("places.language", .text, default: "en", "language of its answers"),
        ]
    }
}
