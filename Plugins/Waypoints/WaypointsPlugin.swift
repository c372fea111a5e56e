import PluginKit

/// Waypoints: nine categories, a store, photos, near-search, GPX, markers on maps.
public struct WaypointsPlugin: Plugin {
    public let name = "waypoints"
    public let summary = "places worth keeping: categories, photos, near-search, GPX, markers"
    public let version = "1.0"

    private let library = WaypointLibrary()

    /// A plugin for one session.
    public init() {}

    public var commands: [any Command] {
        [
            AddWaypoint(library: library), ListWaypoints(library: library), ShowWaypoint(),
            EditWaypoint(library: library), DeleteWaypoint(library: library), NearWaypoints(library: library),
            CountWaypoints(library: library), LinkWaypoint(library: library),
            WaypointPhotoCommand(library: library),
            ImportWaypoints(library: library), ExportWaypoints(library: library), WaypointCategories(),
        ]
    }

    public var errors: [ErrorKind] { WaypointErrors.all }

    public var capabilities: [any Capability] { [WaypointReferences(library: library)] }

    public func close() async { library.close() }
}
