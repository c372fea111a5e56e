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

    private let waypoints = ActiveStore<WaypointStore>()

    /// A plugin for one session.
    public init() {}

    /// Its commands: one for each format and direction.
    public var commands: [any CommandProvider] {
        let source = JourneySource(waypoints: waypoints)
        return [
            ExportMarkdown(source: source), ExportGPX(source: source), ExportPDF(source: source),
            ExportGeoJSON(source: source), ExportKML(source: source), ExportCommunity(source: source),
            ExportFIT(source: source), ExportTCX(source: source),
            ExportHTML(source: source), ExportFolder(source: source),
        ]
    }

    /// Commands of earlier versions: the format is recognised, and `--dry-run` only looks.
    public var formerCommands: [String: String] {
        var all: [String: String] = [:]
        for format in ["gpx", "fit", "tcx", "kml", "geojson", "community"] {
            all["import \(format)"] = "import FILE, or import FILE --dry-run"
        }
        return all
    }

    /// The value of a file that is only looked at, and the format of the community.
    public var capabilities: [any Capability] { [JourneyViewing(), CommunityTracks()] }

    /// The kinds of error it throws.
    public var errors: [ErrorKind] { ExportErrors.all }

    /// Closes its stores.
    public func close() async {
        waypoints.close()
    }
}
