import Core
import Foundation
import Geodesy

/// The furniture of a map.
public struct MapFurniture: Sendable, Hashable {
    /// A title at the top left; empty for none.
    public var title: String
    /// The attribution at the bottom right; empty for none.
    public var attribution: String
    /// The units of the scale bar; `nil` for no bar.
    public var scale: ScaleUnits?
    /// Whether a north arrow is drawn.
    public var compass: Bool
    /// The grid that is drawn; `nil` for none.
    public var grid: MapGrid?
    /// What is said below the north arrow of a printed map, a line each.
    public var north: [String] = []
    /// The pages of an atlas beside this one.
    public var neighbours: [AtlasNeighbour] = []
    /// Degrees of magnetic north east of true north, drawn at the north arrow; `nil` for none.
    public var declination: Double?
    /// The scale as a ratio, beside the scale bar; empty for none.
    public var ratio: String
    /// Whether a legend is drawn below, if there is a base map.
    public var legend: Bool

    /// Makes the furniture.
    public init(
        title: String = "", attribution: String = "", scale: ScaleUnits? = .metric, compass: Bool = true,
        grid: MapGrid? = nil, legend: Bool = false, ratio: String = ""
    ) {
        self.title = title
        self.attribution = attribution
        self.scale = scale
        self.compass = compass
        self.grid = grid
        self.ratio = ratio
        self.legend = legend
    }
}

/// A map: features seen through a view, drawn as a scene or in a terminal.
public struct MapScene: Sendable, Hashable {
    /// The visible area.
    public var view: MapView
    /// The features; within a layer, later ones are drawn above.
    public var features: [MapFeature]
    /// The furniture.
    public var furniture: MapFurniture

    /// Makes a map.
    public init(view: MapView, features: [MapFeature], furniture: MapFurniture = MapFurniture()) {
        self.view = view
        self.features = features
        self.furniture = furniture
    }

    /// Makes a map that shows all of its features; `nil` if none has valid coordinates.
    public init?(
        fitting features: [MapFeature], size: SceneSize = MapView.defaultSize,
        furniture: MapFurniture = MapFurniture()
    ) {
        guard let view = MapView(fitting: features.lazy.flatMap(\.coordinates), size: size) else {
            return nil
        }
        self.init(view: view, features: features, furniture: furniture)
    }

    /// The map as a picture with labels where they fit.
    public func scene() -> Scene { scene(check: {}) }

    /// The same. `check` is called for every feature, and stops the
    /// drawing by throwing.
    public func scene(check: () throws -> Void) rethrows -> Scene {
        try scene(check: check) { _ in nil }
    }

    /// The same on a map that `ground` draws for the view; it receives the space that its labels must avoid.
    public func scene(
        check: () throws -> Void, ground: (LabelObstacles) throws -> GroundDrawing?
    ) rethrows -> Scene {
        var scene = Scene(size: view.size, background: MapTheme.void, title: furniture.title)
        let labels = MapLabels(view: view, features: features)
        let (boxes, routes) = (self.boxes, labels.routes)
        let milestones = milestones(avoiding: boxes)
        let drawn = try ground(LabelObstacles(boxes + milestones.room, routes: routes))
        scene.add(
            .polygon([view.visible.corners], fill: Fill(drawn?.color ?? MapTheme.ground), stroke: nil),
            z: MapLayer.tile)
        if let drawn {
            scene.add(.group(drawn.elements, clip: view.visible), z: MapLayer.tile, id: "map")
            scene.add(.group(drawn.labels, clip: view.visible), z: MapLayer.names, id: "names")
        }
        try add(to: &scene, hasGround: drawn != nil, check)
        for element in milestones.elements { scene.add(element) }
        var furniture = furniture
        // Of a base map only the data in view is credited.
        if let credits = drawn?.attribution { furniture.attribution = credits }
        var blocked = MapFurnitureDrawing(view: view, furniture: furniture).add(to: &scene)
        blocked += milestones.room
        if let grid = furniture.grid { GridDrawing(grid, view: view, blocked: blocked).add(to: &scene) }
        try labels.add(to: &scene, avoiding: blocked, beside: routes, check: check)
        let isExplained = furniture.legend && drawn != nil
        MapKey(features, ground: isExplained ? drawn : nil, view: view).add(below: &scene)
        return scene
    }

    /// The map on the base chosen by the host, with attribution.
    public func scene(on base: any MapBacking) throws -> Scene {
        var map = self
        map.features = base.features(features)
        map.furniture.attribution = base.attribution
        return try map.drawn(on: base)
    }

    /// The map on a base, with its features and attribution unchanged.
    package func drawn(on base: any MapBacking) throws -> Scene {
        try scene(check: { try Interruption.check() }) { try base.drawing(of: view, $0) }
    }

    /// What the map cannot show; `nil` for nothing: Web Mercator ends before the poles, and so does UTM.
    public var lack: String? {
        let end = NumberText.fixed(GeodesySettings.webMercatorLimit, places: 2) + "° of latitude"
        var parts: [String] = []
        if view.center.isValid, !view.center.isOnMercator {
            parts.append("the centre lies beyond \(end), where the map ends; its edge is shown")
        }
        let all = features.filter { !$0.isMilestones }
        let beyond = all.count { $0.coordinates.contains { $0.isValid && !$0.isOnMercator } }
        if beyond > 0 {
            let verb = beyond == 1 ? "reaches" : "reach"
            parts.append(
                "\(beyond) of \(all.count, of: "feature") \(verb) beyond \(end), where the map ends; "
                    + "what lies there is not drawn")
        }
        if let grid = furniture.grid, let lack = GridDrawing(grid, view: view).lack { parts.append(lack) }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// That none of the features is in view, which happens only where the view was asked for; `nil` if one is.
    public var unshown: String? {
        let all = features.filter { !$0.isMilestones && $0.coordinates.contains(where: \.isOnMercator) }
        guard !all.isEmpty, !all.contains(where: isInView) else { return nil }
        return all.count == 1
            ? "the feature lies outside the view" : "all \(all.count) features lie outside the view"
    }

    /// Whether the box around a feature meets the view.
    private func isInView(_ feature: MapFeature) -> Bool {
        let visible = view.visible
        var (low, high): (ScenePoint?, ScenePoint?)
        for place in feature.coordinates where place.isOnMercator {
            let at = view.point(for: place)
            low = ScenePoint(min(low?.x ?? at.x, at.x), min(low?.y ?? at.y, at.y))
            high = ScenePoint(max(high?.x ?? at.x, at.x), max(high?.y ?? at.y, at.y))
        }
        guard let low, let high else { return false }
        return low.x <= visible.maxX && high.x >= visible.x && low.y <= visible.maxY && high.y >= visible.y
    }

    /// The label decisions of a file, in order of placement.
    package func labelChoices() -> [LabelChoice] {
        var scratch = Scene(size: view.size)
        let blocked = MapFurnitureDrawing(view: view, furniture: furniture).add(to: &scratch)
        var choices: [LabelChoice] = []
        let labels = MapLabels(view: view, features: features)
        labels.add(
            to: &scratch, avoiding: blocked + milestones(avoiding: boxes).room, beside: labels.routes,
            check: {}, choice: { choices.append($0) })
        return choices
    }

    private func milestones(avoiding boxes: [SceneRect]) -> Milestones.Drawing {
        guard features.contains(where: \.isMilestones) else { return Milestones.Drawing() }
        return Milestones(view: view, units: furniture.scale ?? .metric).drawing(features, avoiding: boxes)
    }

    /// The space of title, scale, attribution, compass and pins.
    private var boxes: [SceneRect] {
        var scratch = Scene(size: view.size)
        let blocked = MapFurnitureDrawing(view: view, furniture: furniture).add(to: &scratch)
        let grid = furniture.grid.map { GridDrawing($0, view: view, blocked: blocked).labels } ?? []
        return blocked + grid + MapLabels(view: view, features: features).bodies
    }

    /// The features alone, without ground, labels and furniture: what a terminal draws.
    func bareScene(check: () throws -> Void) rethrows -> Scene {
        var scene = Scene(size: view.size, background: nil, title: furniture.title)
        try add(to: &scene, hasGround: false, check)
        if let grid = furniture.grid { GridDrawing(grid, view: view).add(to: &scene) }
        return scene
    }

    private func add(
        to scene: inout Scene, hasGround: Bool, _ check: () throws -> Void
    ) rethrows {
        let drawing = MapFeatureDrawing(view: view, hasGround: hasGround)
        let tiles = features.flatMap(drawing.tiles)
        if !tiles.isEmpty { scene.add(.group(tiles, clip: view.visible), z: MapLayer.tile, id: "tiles") }
        for feature in features {
            try check()
            for element in drawing.elements(feature) { scene.add(element) }
        }
    }
}

extension MapFeature {
    /// Whether it is arrows and distances along another feature.
    public var isMilestones: Bool {
        if case .milestones = self { return true }
        return false
    }
}
