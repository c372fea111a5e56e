import Cartography
import Foundation
import Geodesy
import Pictures
import PluginKit
import TrailStores

/// Finds the background of a report's map: the given tiles, the region's tiles, or the base map of another
/// plugin.
struct BaseLayers {
    let tiles: URL?
    let region: String?
    let context: Context

    /// The style of printed maps.
    private static let paper = "print"
    /// Suffix of the tile files of a workspace's regions.
    private static let tileSuffix = ".mbtiles"

    /// The layer for a map.
    func layer(for view: MapView) throws -> BaseLayer {
        if let tiles {
            guard
                let layer = try BaseLayer.tiles(
                    of: try TileStore(tiles), for: view, check: context.checkCancelled)
            else {
                throw ExportErrors.nothing(
                    "the tiles of \(tiles.lastPathComponent) do not cover the map, or are too coarse for it",
                    at: .parameter("tiles"), fix: "omit --tiles")
            }
            return layer
        }
        for file in regionTiles {
            // A damaged file of the workspace must not prevent the report.
            guard let store = try? TileStore(file) else { continue }
            if let layer = try BaseLayer.tiles(of: store, for: view, check: context.checkCancelled) {
                return layer
            }
        }
        let base = try BaseMapChoice(of: view.bounds, region: region, context)
        if let ground = base.ground {
            return BaseLayer(
                ground: { try ground.drawing(of: view, style: Self.paper, blocked: $0) },
                attribution: ground.attribution)
        }
        let ways = try base.ways
        return ways.isEmpty ? .none : BaseLayer(features: ways, attribution: base.attribution)
    }

    /// The open tiles, or else the tile files of the workspace, that of the journey's own region first.
    private var regionTiles: [URL] {
        guard let active = context.accompanyingStore(.mbtiles) else { return [] }
        guard active.isOwn else { return [active.url] }
        let folder = active.url
        // A missing folder means no tiles.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let own = region.map { $0 + Self.tileSuffix }
        let files = names.filter { $0.hasSuffix(Self.tileSuffix) && !$0.hasPrefix(".") }.sorted()
        return (files.filter { $0 == own } + files.filter { $0 != own }).map {
            folder.appendingPathComponent($0)
        }
    }
}
