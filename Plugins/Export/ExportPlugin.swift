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

    /// Its commands: one for each format and direction.
    public var commands: [any CommandProvider] {
        let source = JourneySource(waypoints: waypoints)
        let importer = JourneyImporter(hikes: hikes, waypoints: waypoints)
        return [
            ExportMarkdown(source: source), ExportGPX(source: source), ExportPDF(source: source),
            ExportGeoJSON(source: source), ExportKML(source: source), ExportCommunity(source: source),
            ExportFIT(source: source), ExportTCX(source: source),
            ExportHTML(source: source), ExportFolder(source: source),
            ImportGPX(importer: importer), ImportGeoJSON(importer: importer), ImportKML(importer: importer),
            ImportCommunity(importer: importer), ImportFIT(importer: importer), ImportTCX(importer: importer),
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
