import Archives
import PluginKit

/// Which archives are feeds.
enum FeedKinds {
    /// Hands feeds over to `feed import`.
    static let importer = CommandImporter(
        "feed", command: "feed import", takesStrict: true, recognise: kind)

    /// `gtfs` for a ZIP archive with the tables that every feed has.
    @Sendable static func kind(of source: SourceBytes) throws -> String? {
        try isFeed(source, depth: 0) ? "gtfs" : nil
    }

    /// Whether an archive has the tables, or is only the cover of another one that has them.
    private static func isFeed(_ source: SourceBytes, depth: Int) throws -> Bool {
        guard try source.bytes(at: 0, count: 4) == [0x50, 0x4B, 3, 4],
            let reader = try? ArchiveReader(source, limits: ZipArchive.limits)
        else { return false }
        var tables: Set<FeedTable> = []
        var inner: SourceBytes?
        var entries = 0
        while let entry = try? reader.next() {
            entries += 1
            let name = entry.path.split(separator: "/").last.map(String.init) ?? ""
            if let table = FeedTable.named(name) { tables.insert(table) }
            guard entries == 1, name.lowercased().hasSuffix(".zip"), depth < TransitSettings.archiveDepth,
                let bytes = try? reader.bytes(limit: TransitSettings.largestInnerArchive),
                bytes.count <= TransitSettings.largestInnerArchive
            else { continue }
            inner = SourceBytes(bytes, name: name)
        }
        if entries == 1, let inner { return try isFeed(inner, depth: depth + 1) }
        return tables.isSuperset(of: [.stops, .routes, .trips])
    }
}
