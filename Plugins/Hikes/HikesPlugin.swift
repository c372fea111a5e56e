import PluginKit
import TrailStores

/// Recorded hikes: the store, GPX import with statistics, tracks on maps and as profiles.
public struct HikesPlugin: Plugin {
    public let name = "hikes"
    public let summary = "recorded hikes: import from GPX, statistics, tracks"
    public let version = "1.0"

    private let library = StoreInUse<HikeStore>(.hikes, fileName: "routes.db")

    /// A plugin for one session.
    public init() {}

    public var commands: [any Command] {
        [
            ImportHike(library: library), ListHikes(library: library), ShowHike(),
            HikeTrack(library: library),
            RenameHike(library: library), CommentHike(library: library), DeleteHike(library: library),
        ]
    }

    public var errors: [ErrorKind] { HikeErrors.all }

    public var capabilities: [any Capability] {
        let references = HikeReferences(library: library)
        return [references, HikeNames(references: references), HikeMapContent(library: library)]
    }

    public func close() async { library.close() }
}
