import PluginKit
import TrailStores

/// Beacons: several coordinates heard at once, each with its own tone, and north.
public struct BeaconsPlugin: Plugin {
    /// The name in lists and in `requires` of notebooks.
    public let name = "beacons"
    /// The summary shown by `plugin list`.
    public let summary = "audio beacons: tones, bearings, spatial sound"
    /// Its version.
    public let version = "1.0"
    /// Libraries loaded on first use.
    public let libraries: [NativeLibrary] = [.sofa, .cairo]

    /// A plugin for one session.
    public init() {}

    /// What its commands are for.
    public var commandGroup: CommandGroup { .sound }

    /// Its commands, one or a small family per file in `Commands/`.
    public var commands: [any CommandProvider] {
        [
            AddBeacon(), ListBeacons(), EditBeacon(), DeleteBeacons(), BeaconBearings(), BeaconCompass(),
            BeaconEars().grouped(.teaching), BeaconRender(),
            BeaconPlay(), BeaconNext(), BeaconRouteCommand(), BeaconPermission(), ShareBeacons(),
            ImportBeacons(),
            ExportBeacons(),
            ListTones(), ShowTone(), AddTone(), EditTone(),
        ]
    }

    /// Commands of earlier versions.
    public var formerCommands: [String: String] {
        [
            "beacon enable": "beacon edit BEACON… --enabled true",
            "beacon disable": "beacon edit BEACON… --enabled false",
        ]
    }

    /// The kinds of error it throws.
    public var errors: [ErrorKind] { BeaconErrors.all }

    /// What it contributes to the host and to other plugins.
    public var capabilities: [any Capability] {
        [
            BeaconReferences(), BeaconCompletions(kind: "beacon"), BeaconCompletions(kind: "tone"),
            BeaconMapContent(),
            BeaconPlaces(),
        ]
    }
}
