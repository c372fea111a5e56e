import PluginKit
import TrailStores

/// Recorded hikes: import with a report, editing, statistics, tracks on maps and as profiles.
public struct HikesPlugin: Plugin {
    /// The name in lists and in `requires` of notebooks.
    public let name = "hikes"
    /// The summary shown by `plugin list`.
    public let summary = "recorded hikes: import, editing, statistics, tracks"
    /// Its version.
    public let version = "1.0"
    /// Libraries loaded on first use.
    public let libraries: [NativeLibrary] = [.xml, .zlib, .archive, .photos, .heif, .cairo, .zones]

    private let library = ActiveStore<HikeStore>()
    private let waypoints = ActiveStore<WaypointStore>()

    /// A plugin for one session.
    public init() {}

    /// What its commands are for.
    public var commandGroup: CommandGroup { .hikes }

    /// Its commands, one or a small family per file in `Commands/`.
    public var commands: [any CommandProvider] {
        [
            ListHikes(library: library), ShowHike(), HikePoints(library: library),
            HikeStats(library: library), HikeSplits(), HikeLaps(), HikeZones(), HikeBest(),
            HikeCalendar(library: library),
            EditHike(library: library), DeleteHike(library: library), LinkHike(library: library),
            CropHike(library: library, waypoints: waypoints), SplitHike(library: library),
            MergeHikes(library: library), SimplifyHike(library: library), DespikeHike(library: library),
            ReverseHike(library: library), ShiftHike(library: library), ElevateHike(library: library),
            RestoreHike(library: library),
            MatchPhotos(waypoints: waypoints), GeotagPhotos(), CompressPhotos(),
        ]
    }

    /// Commands of earlier versions.
    public var formerCommands: [String: String] {
        [
            "hike import": "import", "hike rename": "hike edit HIKE --name TEXT",
            "hike comment": "hike edit HIKE --comment TEXT",
            "hike activity": "hike edit HIKE --activity TEXT",
            "hike trim": "hike crop HIKE --radius LENGTH", "hike track": "hike points",
            "hike original": "hike show HIKE --original", "hike undo-edits": "hike restore",
            "hike summary": "hike stats --by month",
        ]
    }

    /// The kinds of error it throws.
    public var errors: [ErrorKind] { HikeErrors.all }

    /// Its capabilities for the host and other plugins.
    public var capabilities: [any Capability] {
        let references = HikeReferences(library: library)
        return [
            references, HikeNames(references: references), HikeMapContent(library: library), HikeImports(),
            StoredWaypoints(), TrackImporter(hikes: library, waypoints: waypoints),
        ]
    }

    /// Closes its stores.
    public func close() async {
        library.close()
        waypoints.close()
    }
}
