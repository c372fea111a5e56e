import Cartography
import Foundation
import Geodesy
import Pictures
import PluginKit

/// What a map lies on.
struct MapBase {
    /// The map below; `nil` for the plain ground.
    private var ground: (any MapGround)?
    private let style: String
    /// Why it is not the topographic map, where one might be expected.
    private(set) var notice: String?

    /// Whose data it shows.
    var attribution: String { ground?.attribution ?? networkAttribution }
    /// Whose data the ways are that stand for a map.
    private var networkAttribution = ""

    /// What `--base` names: topo, plain, none, or a file of tiles. Without a name the topographic map is taken for files
    /// where a region knows the area.
    init(
        _ name: String?, style: String, out: URL?, for view: MapView, _ features: [MapFeature],
        _ context: Context
    ) throws {
        self.style = MapStyle.isBuiltIn(style) ? style : try context.files.input(style).path
        switch name {
        case nil:
            guard out != nil else { return }
            let found = try Self.topographic(view.bounds, context)
            (ground, notice) = (found.ground, found.notice)
            if features.contains(where: \.isNetwork) { networkAttribution = found.attribution }
            _ = try MapStyle.named(self.style)
        case "plain"?, "none"?: break
        case "topo"?:
            let found = try Self.topographic(view.bounds, context)
            ground = found.ground
            if ground == nil {
                if let notice = found.notice {
                    throw MapErrors.lacking(notice, fix: "region import FILE --replace")
                }
                throw MapErrors.base(
                    "no imported region knows this area", at: .parameter("base"), fix: "region import FILE")
            }
            _ = try MapStyle.named(self.style)
        case let file?:
            guard file.lowercased().hasSuffix(".mbtiles") else {
                throw MapErrors.base(
                    "\(file) is neither topo, plain, none nor an .mbtiles file", at: .parameter("base"),
                    suggestion: Suggestion.nearest(to: file, in: ["topo", "plain", "none"]))
            }
            ground = try TileGround(context.files.input(file))
        }
    }

    /// What regions know of a part of the world.
    private struct Found {
        var ground: (any MapGround)?
        var notice: String?
        var attribution = ""
    }

    private static func topographic(_ box: BoundingBox, _ context: Context) throws -> Found {
        var found = Found()
        for source in context.all((any BaseMap).self) {
            guard let content = try source.baseMap(of: box, region: nil, context: context) else { continue }
            if let ground = content.drawing as? any MapGround {
                return Found(ground: ground, attribution: content.attribution)
            }
            found.notice = found.notice ?? content.notice
            if found.attribution.isEmpty { found.attribution = content.attribution }
        }
        return found
    }

    /// The features that are drawn: where there is a map below, the ways that stand for one are left out.
    func features(_ features: [MapFeature]) -> [MapFeature] {
        ground == nil ? features : features.filter { !$0.isNetwork }
    }

    /// The map of a view; `nil` for the plain ground.
    func drawing(of view: MapView, _ blocked: [SceneRect]) throws -> GroundDrawing? {
        try ground?.drawing(of: view, style: style, blocked: blocked)
    }
}

extension MapFeature {
    /// Whether it is a way that stands for a base map.
    fileprivate var isNetwork: Bool {
        if case .line(_, let style) = self { return style.layer == MapLayer.network }
        return false
    }
}
