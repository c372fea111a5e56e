import Core
import Foundation
import Geodesy

/// What a map shows beside its features.
public struct MapFurniture: Sendable, Hashable {
    /// A title at the top left; empty for none.
    public var title: String
    /// Whose data it is, at the bottom right; empty for none.
    public var attribution: String
    /// The units of the scale bar; `nil` for no bar.
    public var scale: ScaleUnits?
    /// Whether an arrow shows north.
    public var compass: Bool
    /// Whether meridians and parallels are drawn.
    public var graticule: Bool
    /// Whether a strip below explains what is drawn, where there is a map below.
    public var legend: Bool

    /// Makes the furniture.
    public init(
        title: String = "", attribution: String = "", scale: ScaleUnits? = .metric, compass: Bool = true,
        graticule: Bool = false, legend: Bool = false
    ) {
        self.title = title
        self.attribution = attribution
        self.scale = scale
        self.compass = compass
        self.graticule = graticule
        self.legend = legend
    }
}

/// A map: features seen through a view, drawn as a scene or in a terminal.
public struct MapScene: Sendable, Hashable {
    /// What part of the world is shown.
    public var view: MapView
    /// What is drawn on it; of two in the same layer the later one lies above.
    public var features: [MapFeature]
    /// What is drawn beside.
    public var furniture: MapFurniture

    /// Makes a map.
    public init(view: MapView, features: [MapFeature], furniture: MapFurniture = MapFurniture()) {
        self.view = view
        self.features = features
        self.furniture = furniture
    }

    /// Makes a map that shows all of its features; `nil` when none has a valid place.
    public init?(
        fitting features: [MapFeature], size: SceneSize = MapView.defaultSize,
        furniture: MapFurniture = MapFurniture()
    ) {
        guard let view = MapView(fitting: features.lazy.flatMap(\.coordinates), size: size) else {
            return nil
        }
        self.init(view: view, features: features, furniture: furniture)
    }

    /// The map as a picture with labels where there is room for them.
    public func scene() -> Scene { scene(check: {}) }

    /// The same. `check` is called for every feature, and stops the
    /// drawing by throwing.
    public func scene(check: () throws -> Void) rethrows -> Scene {
        try scene(check: check) { _ in nil }
    }

    /// The same on a map that `ground` draws for the view; it is given the room that its labels must leave.
    public func scene(
        check: () throws -> Void, ground: (MapRoom) throws -> GroundDrawing?
    ) rethrows -> Scene {
        var scene = Scene(size: view.size, background: MapTheme.void, title: furniture.title)
        let labels = MapLabels(view: view, features: features)
        let (boxes, routes) = (self.boxes, labels.routes)
        let milestones = milestones(avoiding: boxes)
        let drawn = try ground(MapRoom(boxes + milestones.room, routes: routes))
        scene.add(
            .polygon([view.visible.corners], fill: Fill(drawn?.color ?? MapTheme.ground), stroke: nil),
            z: MapLayer.tile)
        if let drawn {
            scene.add(.group(drawn.elements, clip: view.visible), z: MapLayer.tile, id: "map")
            scene.add(.group(drawn.labels, clip: view.visible), z: MapLayer.names, id: "names")
        }
        try add(to: &scene, hasGround: drawn != nil, check)
        for element in milestones.elements { scene.add(element) }
        var blocked = MapFurnitureDrawing(view: view, furniture: furniture).add(to: &scene)
        blocked += milestones.room
        if furniture.graticule { Graticule(view: view, blocked: blocked).add(to: &scene) }
        try labels.add(to: &scene, avoiding: blocked, beside: routes, check: check)
        let isExplained = furniture.legend && drawn != nil
        MapKey(features, ground: isExplained ? drawn : nil, view: view).add(below: &scene)
        return scene
    }

    /// The map on what its host chose, which is named.
    public func scene(on base: any MapBacking) throws -> Scene {
        var map = self
        map.features = base.features(features)
        map.furniture.attribution = base.attribution
        return try map.drawn(on: base)
    }

    /// The features as they are on a map.
    package func drawn(on base: any MapBacking) throws -> Scene {
        try scene(check: { try Interruption.check() }) { try base.drawing(of: view, $0) }
    }

    /// What is decided about each label of a file, in the order in which they take room.
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

    /// The room of title, scale, attribution, compass and pins.
    private var boxes: [SceneRect] {
        var scratch = Scene(size: view.size)
        let blocked = MapFurnitureDrawing(view: view, furniture: furniture).add(to: &scratch)
        let grid = furniture.graticule ? Graticule(view: view, blocked: blocked).labels : []
        return blocked + grid + MapLabels(view: view, features: features).bodies
    }

    /// The features alone, without ground, labels and furniture: what a terminal draws.
    func bareScene(check: () throws -> Void) rethrows -> Scene {
        var scene = Scene(size: view.size, background: nil, title: furniture.title)
        try add(to: &scene, hasGround: false, check)
        if furniture.graticule { Graticule(view: view).add(to: &scene) }
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
