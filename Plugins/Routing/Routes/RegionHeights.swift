import Cartography
import Foundation
import Geodesy
import PluginKit

/// Provides the heights of the regions' terrain models to other plugins.
struct RegionHeights: TerrainHeights {
    let regions: RegionChoice

    /// Tiles of the degrees in which the coordinates lie.
    func heights(at places: [Coordinate], file: URL, context: Context) throws -> TerrainAnswer? {
        let degrees = Set(places.map { ElevationTile.Corner(around: $0) })
        let model = try ElevationFile.model(
            [file], wanted: { degrees.contains($0) }, progress: context.progress)
        guard let source = model.mapSource(files: [file]) else { return nil }
        let heights = try places.enumerated().map { index, place in
            if index % 4096 == 0 { try context.checkCancelled() }
            return model.height(latitude: place.latitude, longitude: place.longitude)
        }
        let prefix = "elevation: "
        let data =
            source.source.hasPrefix(prefix) ? String(source.source.dropFirst(prefix.count)) : source.source
        return heights.contains { $0 != nil } ? TerrainAnswer(heights: heights, origin: data) : nil
    }

    /// Uses the one region that has most of the coordinates: models of different sources differ by metres.
    func heights(at places: [Coordinate], context: Context) throws -> TerrainAnswer? {
        guard let databases = regions.accompanying(context), let box = BoundingBox(around: places) else {
            return nil
        }
        var best: (answer: TerrainAnswer, known: Int)?
        for name in databases.names {
            try context.checkCancelled()
            // An unreadable region, and one without a map, is skipped; its own commands report why.
            guard let region = try? regions.region(name, of: databases), let map = try? region.map(),
                let source = map.heightSource, region.reach?.meets(box) ?? true
            else { continue }
            var known = 0
            let heights = try places.enumerated().map { index, place in
                if index % 4096 == 0 { try context.checkCancelled() }
                let height = try map.height(at: place)
                if height != nil { known += 1 }
                return height
            }
            guard known > best?.known ?? 0 else { continue }
            let prefix = "elevation: "
            let data = source.hasPrefix(prefix) ? String(source.dropFirst(prefix.count)) : source
            best = (TerrainAnswer(heights: heights, origin: "region \(name), \(data)"), known)
        }
        return best?.answer
    }
}

extension ElevationTile.Corner {
    /// The corner of the degree in which a coordinate lies.
    init(around coordinate: Coordinate) {
        self.init(
            latitude: Int(coordinate.latitude.rounded(.down)),
            longitude: Int(coordinate.longitude.rounded(.down)))
    }
}
