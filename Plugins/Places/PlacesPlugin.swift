import Fetching
import PluginKit

/// Place search by name or address, in the names of other plugins and at a geocoding server.
public struct PlacesPlugin: Plugin {
    /// The name in lists and in `requires` of notebooks.
    public let name = "places"
    /// The summary shown by `plugin list`.
    public let summary = "places by name or address, and names of coordinates"
    /// Its version.
    public let version = "1.0"
    /// Libraries loaded on first use.
    public let libraries: [NativeLibrary] = [.http]

    /// A plugin for one session.
    public init() {}

    /// What its commands are for.
    public var commandGroup: CommandGroup { .places }

    /// Its commands.
    public var commands: [any CommandProvider] { [FindPlaces(), PlaceAt(), PlacesAlong()] }

    /// Commands of earlier versions.
    public var formerCommands: [String: String] { ["place search": "place find"] }

    /// The kinds of error it throws.
    public var errors: [ErrorKind] { PlaceErrors.all }

    /// Names instead of coordinates in parameters, and after `@`.
    public var capabilities: [any Capability] { [PlaceService(), PlaceReferences(), ReversePlaces()] }

    /// The server and how it is queried.
    public var settings: [SettingSpec] {
        [
            SettingSpec(
                "places.server", .text, default: "",
                "URL of a Nominatim-compatible server; empty: none"),
            SettingSpec(
                "places.timeout", .quantity(.duration, 0.1...120), default: PlaceSettings.timeout,
                "timeout of a request to the server"),
            SettingSpec("places.language", .text, default: "en", "language of the server's responses"),
        ]
    }
}
