import Archives
import PluginKit

/// Which archives are feeds.
enum FeedKinds {
    /// Hands feeds over to `feed import`.
    static let importer = CommandImporter(
        "feed", command: "feed import", takesStrict: true, recognise: kind)

    /// `gtfs` for a ZIP archive with the tables that every feed has.
    @Sendable static func kind(of source: SourceBytes) throws -> String? {
        guard try source.bytes(at: 0, count: 4) == [0x50, 0x4B, 3, 4],
            let reader = try? ArchiveReader(source, limits: ZipArchive.limits)
        else { return nil }
        var tables: Set<FeedTable> = []
        while let entry = try? reader.next() {
            let name = entry.path.split(separator: "/").last.map(String.init) ?? ""
            if let table = FeedTable.named(name) { tables.insert(table) }
        }
        return tables.isSuperset(of: [.stops, .routes, .trips]) ? "gtfs" : nil
    }
}
