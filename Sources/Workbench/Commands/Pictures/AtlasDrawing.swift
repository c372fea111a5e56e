import Core
import Foundation
import Geodesy
import Pictures
import PluginKit
import Synchronization

/// Draws an atlas: an index page with the legend of all pages, then the pages.
struct AtlasDrawing: Sendable {
    let atlas: MapAtlas
    let features: [MapFeature]
    /// The furniture of a page, without what depends on the page.
    let furniture: MapFurniture
    let size: SceneSize
    /// The base map of a view.
    let base: @Sendable (MapView) throws -> any MapBacking
    /// What is said about north in a view.
    let north: @Sendable (MapView) -> MapNorth

    private static let frame = Color(0x1864AB)

    /// The map with the outlines of the pages.
    var index: MapScene? {
        var features = features
        for number in atlas.pages.indices {
            let corners = atlas.corners(of: number)
            let stroke = Stroke(Self.frame, width: 1.2)
            features.append(
                .polygon(
                    [corners], MapAreaStyle(fill: nil, stroke: stroke, layer: MapLayer.milestone)))
            features.append(.badge(corners[0], MapBadge("\(number + 1)", color: Self.frame)))
        }
        var furniture = furniture
        furniture.title = Self.title(furniture.title, "index of \(atlas.pages.count, of: "page")")
        furniture.ratio = ""
        return MapScene(fitting: features, size: size, furniture: furniture)
    }

    /// The scenes of the pages; the index is the first.
    func pages() throws -> [Scene] {
        let legend = LegendCollector()
        var scenes: [Scene] = []
        for number in atlas.pages.indices {
            try Interruption.check()
            let view = atlas.pages[number]
            var page = furniture
            page.title = Self.title(furniture.title, "page \(number + 1) of \(atlas.pages.count)")
            page.legend = false
            page.neighbours = atlas.neighbours(of: number)
            let north = north(view)
            (page.north, page.declination) = (north.lines, north.declination)
            scenes.append(try scene(MapScene(view: view, features: features, furniture: page), legend))
        }
        guard var index else { return scenes }
        let legends = furniture.legend ? legend.entries : []
        // The legend takes a part of the page.
        for _ in 0..<3 {
            let backing = try base(index.view)
            var scene = try index.drawn(on: backing, legend: legends)
            if scene.size.height <= size.height {
                scene.size.height = size.height
                return [scene] + scenes
            }
            let height = index.view.size.height - (scene.size.height - size.height)
            guard height > size.height / 4 else { return [scene] + scenes }
            index.view = index.view.resized(to: SceneSize(width: size.width, height: height))
        }
        return [try index.drawn(on: try base(index.view), legend: legends)] + scenes
    }

    private func scene(_ map: MapScene, _ legend: LegendCollector) throws -> Scene {
        let backing = try base(map.view)
        var map = map
        map.features = backing.features(map.features)
        map.furniture.attribution = backing.attribution
        return try map.scene(check: { try Interruption.check() }) { room in
            let drawn = try backing.drawing(of: map.view, room)
            legend.add(drawn?.legend ?? [])
            return drawn
        }
    }

    private static func title(_ title: String, _ page: String) -> String {
        title.isEmpty ? page : "\(title) · \(page)"
    }

    /// The legend entries of all pages, each once.
    private final class LegendCollector: Sendable {
        private let state = Mutex<[LegendEntry]>([])
        var entries: [LegendEntry] { state.withLock { $0 } }
        func add(_ entries: [LegendEntry]) {
            state.withLock { known in
                for entry in entries where !known.contains(where: { $0.words == entry.words }) {
                    known.append(entry)
                }
            }
        }
    }
}

extension MapScene {
    /// The map on a base with a legend of more than this picture.
    fileprivate func drawn(on base: any MapBacking, legend: [LegendEntry]) throws -> Scene {
        var map = self
        map.features = base.features(features)
        map.furniture.attribution = base.attribution
        return try map.scene(check: { try Interruption.check() }) { room in
            var drawn = try base.drawing(of: map.view, room)
            if !legend.isEmpty { drawn?.legend = legend }
            return drawn
        }
    }
}
