import PluginKit
import TrailStores

/// Exports hikes, planned routes and waypoints to documents and files, and imports them.
public struct ExportPlugin: Plugin {
    /// The name in lists and in `requires` of notebooks.
    public let name = "export"
    /// The summary shown by `plugin list`.
    public let summary =
        "export and import: GPX, FIT, TCX, KML, GeoJSON, PDF, HTML"
    /// Its version.
    public let version = "1.0"
    /// Libraries loaded on first use.
    public let libraries: [NativeLibrary] = [.xml, .cairo, .photos, .heif]

    private let hikes = ActiveStore<HikeStore>()
    private let waypoints = ActiveStore<WaypointStore>()

    /// A plugin for one session.
    public init() {}

    /// The formats that `export` gets from it; for `import`, the community's format and the value of a file that is only looked
    /// at.
    public var capabilities: [any Capability] {
        [
            JourneyFormats(source: JourneySource(waypoints: waypoints)), JourneyViewing(), CommunityTracks(),
            TrackImporter(hikes: hikes, waypoints: waypoints), CommunityReferences(),
        ]
    }

    /// Those of the community's routes; `export` and `import` are commands of every session.
    public var commands: [any CommandProvider] {
        [
            ListCommunity(), ShowCommunity(),
            ImportCommunity(importer: TrackImporter(hikes: hikes, waypoints: waypoints)),
            PublishCommunity(source: JourneySource(waypoints: waypoints)),
        ]
    }

    /// What its commands are for.
    public var commandGroup: CommandGroup { .hikes }

    /// Where the community's routes are.
    public var settings: [SettingSpec] { [CommunityFolder.setting.spec] }

    /// Commands of earlier versions: `export` takes the format from the ending, `import` recognises it.
    public var formerCommands: [String: String] {
        var all: [String: String] = [
            "export community": "export FILE.json", "export fit": "export FILE.fit",
            "export folder": "export FOLDER --each --as FORMAT", "export geojson": "export FILE.geojson",
            "export gpx": "export FILE.gpx", "export html": "export FILE.html",
            "export kml": "export FILE.kml",
            "export markdown": "export FILE.md", "export pdf": "export FILE.pdf",
            "export tcx": "export FILE.tcx",
        ]
        for format in ["gpx", "fit", "tcx", "kml", "geojson", "community"] {
            all["import \(format)"] = "import FILE, or import FILE --dry-run"
        }
        return all
    }

    /// The kinds of error it throws.
    public var errors: [ErrorKind] { ExportErrors.all + CommunityErrors.all }

    /// Closes its stores.
    public func close() async {
        hikes.close()
        waypoints.close()
    }
}
