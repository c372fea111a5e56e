import PluginKit
import TrailStores

/// Recorded hikes: the store, GPX import with statistics, tracks on maps and as profiles.
public struct HikesPlugin: Plugin {
    /// The name in lists and in `requires` of notebooks.
    public let name = "hikes"
    /// What it is for.
    public let summary = "recorded hikes: import from GPX, statistics, tracks"
    /// Its version.
    public let version = "1.0"
    /// What is loaded when it is first used.
    public let libraries: [NativeLibrary] = [.xml, .zlib]

    private let library = ActiveStore<HikeStore>()

    /// A plugin for one session.
    public init() {}

    /// Its commands, one a file in `Commands/`.
    public var commands: [any CommandProvider] {
        [
            ImportHike(library: library), ListHikes(library: library), ShowHike(),
            HikeTrack(library: library), HikeStats(library: library), LinkHike(library: library),
            RenameHike(library: library), CommentHike(library: library), DeleteHike(library: library),
        ]
    }

    /// The kinds of error it throws.
    public var errors: [ErrorKind] { HikeErrors.all }

    /// What it offers to the host and to other plugins.
    public var capabilities: [any Capability] {
        let references = HikeReferences(library: library)
        return [references, HikeNames(references: references), HikeMapContent(library: library)]
    }

    /// Closes its store.
    public func close() async { library.close() }
}
