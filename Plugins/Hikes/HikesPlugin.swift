import PluginKit
import TrailStores

/// Recorded hikes: import with a report, editing, statistics, tracks on maps and as profiles.
public struct HikesPlugin: Plugin {
    /// The name in lists and in `requires` of notebooks.
    public let name = "hikes"
    /// The summary shown by `plugins`.
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
            ListHikes(library: library), ShowHike(),
            HikeTrack(library: library), HikeStats(library: library), LinkHike(library: library),
            RenameHike(library: library), SetActivity(library: library), CommentHike(library: library),
            DeleteHike(library: library),
            CropHike(library: library), TrimHike(library: library, waypoints: waypoints),
            SplitHike(library: library),
            MergeHikes(library: library), SimplifyHike(library: library), DespikeHike(library: library),
            ReverseHike(library: library), ShiftHike(library: library), OriginalHike(),
            UndoEdits(library: library), HikeSplits(), HikeLaps(), HikeZones(), HikeBest(),
            MatchPhotos(waypoints: waypoints), GeotagPhotos(), CompressPhotos(),
            ElevateHike(library: library),
            SummarizeHikes(library: library), HikeCalendar(library: library),
        ]
    }

    /// Commands of earlier versions.
    public var formerCommands: [String: String] { ["hike import": "import"] }

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
