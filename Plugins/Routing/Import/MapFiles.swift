import Archives
import Formats
import PluginKit

/// Which files are maps of OpenStreetMap.
enum MapFiles {
    /// Hands maps over to `region import`.
    static let importer = CommandImporter("region", command: "region import", recognise: kind)

    /// The kind of a map by its content: PBF begins with a block `OSMHeader`, XML with the element `osm`, also within gzip or
    /// bzip2. `nil` for anything else.
    @Sendable static func kind(of source: SourceBytes) throws -> String? {
        let head = try source.bytes(at: 0, count: Self.head)
        if let kind = kind(head) { return kind }
        guard head.starts(with: [0x1F, 0x8B]) || head.starts(with: Array("BZh".utf8)),
            let reader = try? ArchiveReader(source, as: [.compressed, .single]), (try? reader.next()) != nil,
            reader.isSingle, let inner = try? reader.bytes(limit: Self.head)
        else { return nil }
        return kind(inner) == "osm" ? "osm" : nil
    }

    private static func kind(_ head: [UInt8]) -> String? {
        if head.prefix(32).firstRange(of: Array("OSMHeader".utf8)) != nil { return "osm.pbf" }
        return HeadText(head).start == .element("osm") ? "osm" : nil
    }

    /// Bytes from which a map is recognised.
    private static let head = 512
}
