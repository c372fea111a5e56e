import Archives
import PluginKit

/// Which files are maps of OpenStreetMap.
enum MapFiles {
    /// Hands maps over to `region import`.
    static let importer = CommandImporter("region", command: "region import", recognise: kind)

    /// The kind of a map by its content: PBF begins with a block `OSMHeader`, XML with the element `osm`. Of compressed
    /// files the name decides.
    @Sendable static func kind(of source: SourceBytes) throws -> String? {
        let head = try source.bytes(at: 0, count: 512)
        if head.prefix(32).contains(Array("OSMHeader".utf8)) { return "osm.pbf" }
        if String(decoding: head, as: UTF8.self).contains("<osm") { return "osm" }
        let isPacked = head.starts(with: [0x1F, 0x8B]) || head.starts(with: Array("BZh".utf8))
        return isPacked && source.name.lowercased().contains(".osm") ? "osm" : nil
    }
}
