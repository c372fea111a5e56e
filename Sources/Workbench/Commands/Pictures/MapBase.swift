import Cartography
import Foundation
import Geodesy
import Pictures
import PluginKit
import Synchronization

/// The base layer of a map.
struct MapBase: MapBacking {
    /// The base map; `nil` for a plain background.
    private var ground: (any MapGround)?
    private let style: String
    /// Whether steep slopes are shaded.
    private let hasSlopes: Bool
    /// Why the topographic map is not used, if it might be expected.
    private var notice: String?
    /// What was missing from the last drawn map.
    private let lacking = LastNotice()

    private final class LastNotice: Sendable {
        private let value = Mutex<String?>(nil)
        var last: String? { value.withLock { $0 } }
        func keep(_ notice: String?) { value.withLock { $0 = notice } }
    }
    /// The outlines of regions, where the map is too small for more.
    private var outlines: [MapFeature] = []
    /// Points of a region's longer side below which its outline is drawn.
    private static let smallestRegion = 60.0
    private static let outline = Color(0x8E3FA0)

    /// Attribution of its data.
    var attribution: String { ground?.attribution ?? networkAttribution }
    /// Attribution in the terminal.
    var cellAttribution: String { isSketched ? attribution : networkAttribution }
    /// Whether the terminal draws the base map, too. Off by default because its cells have a low resolution.
    let isSketched: Bool
    /// Attribution of ways drawn in place of a base map.
    private var networkAttribution = ""
    /// Whether ways may be drawn in place of a base map.
    private var hasNetwork = true

    /// What `--base` names: topo, plain, none, or a file of tiles. The default is the topographic map where a
    /// region covers the area. `isAll` is whether the map shows all there is, and not a selection: without a region its
    /// background is said to be blank.
    init(
        _ name: String?, style: String, for view: MapView, _ features: [MapFeature], _ context: Context,
        hasSlopes: Bool = false, isAll: Bool = false
    ) throws {
        isSketched = name == "topo"
        self.hasSlopes = hasSlopes
        if name == nil || name == "topo" { outlines = try Self.outlines(view, context) }
        self.style = try Self.path(ofStyle: style, context)
        switch name {
        case nil:
            let found = try BaseMapChoice(of: view.bounds, context)
            (ground, notice) = (found.ground, found.notice)
            if found.isUncovered { notice = "no imported region covers this view; the background is blank" }
            if found.hasNoRegion, isAll { notice = "no region is imported; the background is blank" }
            if features.contains(where: \.isNetwork) {
                networkAttribution = found.attributionOfWays
            }
            _ = try MapStyle.named(self.style)
        case "plain"?:
            if features.contains(where: \.isNetwork) {
                let found = try BaseMapChoice(of: view.bounds, context)
                networkAttribution = found.attributionOfWays
            }
        case "none"?: hasNetwork = false
        case "topo"?:
            let found = try BaseMapChoice(of: view.bounds, context)
            ground = found.ground
            if ground == nil {
                if let notice = found.notice {
                    throw MapErrors.lacking(notice, fix: "region import FILE --update")
                }
                throw MapErrors.base(
                    "no imported region covers this area", at: .parameter("base"), fix: "region import FILE")
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

    /// The default base: the topographic map where a region covers the area; a plain background for files
    /// with many pictures, each with its own view.
    static func usual(_ context: Context, ofMany: Bool = false) -> Choosing {
        {
            try MapBase(
                ofMany ? "plain" : nil, style: MapStyle.Palette.light.rawValue, for: $0, $1, context)
        }
    }

    /// The regions that are too small on the map to show anything.
    private static func outlines(_ view: MapView, _ context: Context) throws -> [MapFeature] {
        guard view.zoom < MapBaseSettings.outlineZoom else { return [] }
        var features: [MapFeature] = []
        for source in context.all((any BaseMap).self) {
            for name in source.regionNames(context) {
                try Interruption.check()
                // A region that cannot be read is skipped; its own commands report why.
                guard let content = try? source.baseMap(of: view.bounds, region: name, context: context),
                    let region = content.drawing as? any RegionMap, let box = region.source.bounds
                else { continue }
                let corners = [
                    (box.south, box.west), (box.south, box.east), (box.north, box.east),
                    (box.north, box.west),
                ]
                .map { Coordinate(latitude: $0.0, longitude: $0.1) }
                let points = corners.map { view.point(for: $0) }
                let width = box.longitudeSpan / 360 * view.worldWidth
                guard max(width, points[0].y - points[2].y) < smallestRegion else { continue }
                features.append(
                    .polygon([corners], MapAreaStyle(stroke: Stroke(outline, width: 1.2))))
                features.append(
                    .point(
                        box.center,
                        MapPointStyle(color: outline, radius: 1.5, symbol: "□", label: region.region)))
            }
        }
        return features
    }

    /// Chooses the base of a view of features.
    typealias Choosing = (MapView, [MapFeature]) throws -> any MapBacking

    /// The name of a built-in style, or the path of a style file, which has an extension or a folder.
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

    /// The layers that the terminal shows.
    func sketch(of view: MapView) throws -> TerminalGround? {
        isSketched ? try ground?.sketch(of: view) : nil
    }

    /// The features that are drawn in a terminal.
    func cellFeatures(_ features: [MapFeature]) -> [MapFeature] {
        isSketched || !hasNetwork ? self.features(features) : features
    }

    /// The features to draw: ways drawn in place of a base map are omitted where there is one.
    func features(_ features: [MapFeature]) -> [MapFeature] {
        outlines + shown(features)
    }

    private func shown(_ features: [MapFeature]) -> [MapFeature] {
        ground == nil && hasNetwork ? features : features.filter { !$0.isNetwork }
    }

    /// The map of a view; `nil` for a plain background.
    func drawing(of view: MapView, _ room: LabelObstacles) throws -> GroundDrawing? {
        guard let ground else {
            if hasSlopes { lacking.keep(Self.noHeights) }
            return nil
        }
        if hasSlopes {
            if let drawn = try ground.slopes(of: view, style: style, blocked: room) {
                lacking.keep(drawn.notice)
                return drawn
            }
            let drawn = try ground.drawing(of: view, style: style, blocked: room)
            lacking.keep([drawn.notice, Self.noHeights].compactMap(\.self).joined(separator: "; "))
            return drawn
        }
        let drawn = try ground.drawing(of: view, style: style, blocked: room)
        lacking.keep(drawn.notice)
        return drawn
    }

    private static let noHeights = "there are no heights in view; slopes are not shaded"

    /// The notice about the map: why the topographic map is not used, or what it lacks, known after drawing.
    var noticeAfterDrawing: String? {
        let all = [notice, lacking.last].compactMap(\.self)
        return all.isEmpty ? nil : all.joined(separator: "; ")
    }
}

/// Constants of base maps.
enum MapBaseSettings {
    /// Zoom below which small regions are outlined, and pictures have degrees: nothing else shows where the map is.
    static let outlineZoom = 6.0
}

extension MapFeature {
    /// Whether it is a way drawn in place of a base map.
    fileprivate var isNetwork: Bool {
        if case .line(_, let style) = self { return style.layer == MapLayer.network }
        return false
    }
}
