import PluginKit
import TrailStores

/// Waypoints: categories, a store, photos, near-search, GPX, markers on maps.
public struct WaypointsPlugin: Plugin {
    /// The name in lists and in `requires` of notebooks.
    public let name = "waypoints"
    /// The summary shown by `plugin list`.
    public let summary = "waypoints: categories, photos, near-search, GPX, markers"
    /// Its version.
    public let version = "1.0"
    /// Libraries loaded on first use.
    public let libraries: [NativeLibrary] = [.xml, .photos, .cairo, .heif, .zones]

    private let library = ActiveStore<WaypointStore>()
    private let hikes = ActiveStore<HikeStore>()

    /// A plugin for one session.
    public init() {}

    /// What its commands are for.
    public var commandGroup: CommandGroup { .waypoints }

    /// Its commands, one per file in `Commands/`.
    public var commands: [any CommandProvider] {
        [
            AddWaypoint(library: library), ListWaypoints(library: library), ShowWaypoint(),
            EditWaypoint(library: library), DeleteWaypoint(library: library), NearWaypoints(library: library),
            CountWaypoints(library: library), LinkWaypoint(library: library),
            WaypointPhotoCommand(library: library),
            ListCategories(), AddCategory(), EditCategory(), DeleteCategory(library: library),
        ]
    }

    /// Commands of earlier versions.
    public var formerCommands: [String: String] {
        [
            "waypoint export": "waypoint list | export FILE.gpx",
            "waypoint import": "import FILE --as waypoints",
            "waypoint categories": "category list",
        ]
    }

    /// The kinds of error it throws.
    public var errors: [ErrorKind] { WaypointErrors.all }

    /// Its capabilities for the host and other plugins.
    public var capabilities: [any Capability] {
        [
            WaypointReferences(library: library), WaypointMapContent(library: library),
            HikeLinks(library: library), WaypointPlaces(library: library),
            StoredWaypoints(), CategoryCompletions(), TrackImporter(hikes: hikes, waypoints: library),
        ]
    }

    /// Closes its stores.
    public func close() async {
        library.close()
        hikes.close()
    }
}
