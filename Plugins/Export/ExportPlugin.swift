import PluginKit
import TrailStores

/// Exports hikes, planned routes and waypoints to documents and files, and imports them.
public struct ExportPlugin: Plugin {
    /// The name in lists and in `requires` of notebooks.
    public let name = "export"
    /// The summary shown by `plugins`.
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

    /// The formats that `export` gets from it.
    public var capabilities: [any Capability] {
        [JourneyFormats(source: JourneySource(waypoints: waypoints))]
    }

    /// Its commands: the imports.
    public var commands: [any CommandProvider] {
        let importer = JourneyImporter(hikes: hikes, waypoints: waypoints)
        return [
            ImportGPX(importer: importer), ImportGeoJSON(importer: importer), ImportKML(importer: importer),
            ImportCommunity(importer: importer), ImportFIT(importer: importer), ImportTCX(importer: importer),
        ]
    }

    /// The commands of each format that `export` replaced.
    public var formerCommands: [String: String] {
        [
            "export community": "export FILE.json", "export fit": "export FILE.fit",
            "export folder": "export FOLDER --each --as FORMAT", "export geojson": "export FILE.geojson",
            "export gpx": "export FILE.gpx", "export html": "export FILE.html",
            "export kml": "export FILE.kml",
            "export markdown": "export FILE.md", "export pdf": "export FILE.pdf",
            "export tcx": "export FILE.tcx",
        ]
    }

    /// The kinds of error it throws.
    public var errors: [ErrorKind] { ExportErrors.all }

    /// Closes its stores.
    public func close() async {
        hikes.close()
        waypoints.close()
    }
}
