import Geodesy
import Pictures
import TrailStores

/// The background of a report's map.
struct BaseLayer: Sendable {
    /// The map's tiles as a single PNG.
    var picture: [UInt8]?
    /// A map drawn for the view, with labels placed around overlays.
    var ground: (@Sendable (LabelObstacles) throws -> GroundDrawing)?
    /// Lines of a trail network.
    var features: [MapFeature] = []
    /// Attribution of the data.
    var attribution = ""

    /// No background.
    static let none = BaseLayer()

    /// A map of features on this background, with its attribution.
    func scene(of view: MapView, _ features: [MapFeature], _ furniture: MapFurniture) throws -> Scene {
        var map = MapScene(view: view, features: self.features + features, furniture: furniture)
        map.furniture.attribution = attribution
        var scene = try map.scene(check: {}) { try ground?($0) }
        if let picture {
            let frame = SceneRect(x: 0, y: 0, width: view.size.width, height: view.size.height)
            scene.add(.image(bytes: picture, frame), z: MapLayer.tile)
        }
        return scene
    }

    /// The tiles of a store joined without seams; `nil` if they do not cover the map or are too coarse.
    static func tiles(of store: TileStore, for view: MapView, check: () throws -> Void) throws -> BaseLayer? {
        guard store.covers(view.bounds) else { return nil }
        let wanted = view.tileZoom
        guard store.info.zooms.upperBound + ReportSettings.coarsestTiles >= wanted else { return nil }
        // In print, tiles of the next zoom level are sharper, if they are not too many.
        let finest = min(store.info.zooms.upperBound, wanted + 1)
        for zoom in stride(from: finest, through: max(store.info.zooms.lowerBound, wanted - 1), by: -1) {
            let addresses = view.tiles(zoom: zoom, limit: ReportSettings.mostTiles)
            guard !addresses.isEmpty else { continue }
            var features: [MapFeature] = []
            for address in addresses {
                try check()
                guard let data = try store.tile(zoom: zoom, x: address.x, y: address.y) else { continue }
                features.append(.tile(address, data: [UInt8](data)))
            }
            // A map with holes is worse than a coarser one.
            guard features.count == addresses.count else { continue }
            var furniture = MapFurniture(scale: nil, compass: false)
            furniture.title = ""
            let scene = MapScene(view: view, features: features, furniture: furniture).scene()
            let picture: [UInt8]
            do {
                picture = [UInt8](try ScenePNG.render(scene, scale: ReportSettings.tileScale))
            } catch {
                throw ExportErrors.drawing("\(error)")
            }
            return BaseLayer(picture: picture, attribution: store.info.attribution)
        }
        return nil
    }
}
