import Cartography
import Foundation
import Geodesy
import Pictures
import PluginKit
import Synchronization

/// What a map lies on.
struct MapBase: MapBacking {
    /// The map below; `nil` for the plain ground.
    private var ground: (any MapGround)?
    private let style: String
    /// Why it is not the topographic map, where one might be expected.
    private var notice: String?
    /// What the map lacks that was drawn last.
    private let lacking = LastNotice()

    private final class LastNotice: Sendable {
        private let value = Mutex<String?>(nil)
        var last: String? { value.withLock { $0 } }
        func keep(_ notice: String?) { value.withLock { $0 = notice } }
    }

    /// Whose data it shows.
    var attribution: String { ground?.attribution ?? networkAttribution }
    /// Whose data a terminal shows.
    var cellAttribution: String { isSketched ? attribution : networkAttribution }
    /// Whether a terminal shows the map too, which it does when asked: its cells hold little.
    let isSketched: Bool
    /// Whose data the ways are that stand for a map.
    private var networkAttribution = ""
    /// Whether ways may stand for a map.
    private var hasNetwork = true

    /// What `--base` names: topo, plain, none, or a file of tiles. Without a name the topographic map is taken where a
    /// region knows the area.
    init(
        _ name: String?, style: String, for view: MapView, _ features: [MapFeature], _ context: Context
    ) throws {
        isSketched = name == "topo"
        self.style = try Self.path(ofStyle: style, context)
        switch name {
        case nil:
            let found = try Self.topographic(view.bounds, context)
            (ground, notice) = (found.ground, found.notice)
            if features.contains(where: \.isNetwork) {
                networkAttribution = Self.ofWays(found)
            }
            _ = try MapStyle.named(self.style)
        case "plain"?:
            if features.contains(where: \.isNetwork) {
                let found = try Self.topographic(view.bounds, context)
                networkAttribution = Self.ofWays(found)
            }
        case "none"?: hasNetwork = false
        case "topo"?:
            let found = try Self.topographic(view.bounds, context)
            ground = found.ground
            if ground == nil {
                if let notice = found.notice {
                    throw MapErrors.lacking(notice, fix: "region import FILE --update")
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

    /// What maps lie on that nobody chose a base for: the topographic map where a region knows the area, or where there are
    /// many pictures in a file, each with a view of its own, the plain ground.
    static func usual(_ context: Context, ofMany: Bool = false) -> Choosing {
        {
            try MapBase(
                ofMany ? "plain" : nil, style: MapStyle.Palette.light.rawValue, for: $0, $1, context)
        }
    }

    /// Chooses what a view of features lies on.
    typealias Choosing = (MapView, [MapFeature]) throws -> any MapBacking

    /// The name of a style that comes along, or the path of a style file, whose name has an extension or a folder.
    static func path(ofStyle style: String, _ context: Context) throws -> String {
        if MapStyle.isBuiltIn(style) { return style }
        guard style.contains(".") || style.contains("/") else {
            throw MapErrors.style(
                "\(style) is neither light, dark, print nor a style file", at: .parameter("style"),
                suggestion: Suggestion.nearest(
                    to: style, in: MapStyle.Palette.allCases.map(\.rawValue)))
        }
        return try context.files.input(style).path
    }

    /// What regions know of a part of the world.
    private struct Found {
        var ground: (any MapGround)?
        var notice: String?
        var attribution = ""
    }

    /// Whose data ways alone are, which show no heights.
    private static func ofWays(_ found: Found) -> String {
        found.ground == nil ? found.attribution : MapAttribution.openStreetMap
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

    /// What of the map a terminal shows.
    func sketch(of view: MapView) throws -> TerminalGround? {
        isSketched ? try ground?.sketch(of: view) : nil
    }

    /// The features that are drawn in a terminal.
    func cellFeatures(_ features: [MapFeature]) -> [MapFeature] {
        isSketched || !hasNetwork ? self.features(features) : features
    }

    /// The features that are drawn: where there is a map below, the ways that stand for one are left out.
    func features(_ features: [MapFeature]) -> [MapFeature] {
        ground == nil && hasNetwork ? features : features.filter { !$0.isNetwork }
    }

    /// The map of a view; `nil` for the plain ground.
    func drawing(of view: MapView, _ room: MapRoom) throws -> GroundDrawing? {
        guard let drawn = try ground?.drawing(of: view, style: style, blocked: room) else { return nil }
        lacking.keep(drawn.notice)
        return drawn
    }

    /// What is to be said of the map: why it is no other, or what it lacks, which is known once it is drawn.
    var said: String? { notice ?? lacking.last }
}

extension MapFeature {
    /// Whether it is a way that stands for a base map.
    fileprivate var isNetwork: Bool {
        if case .line(_, let style) = self { return style.layer == MapLayer.network }
        return false
    }
}
