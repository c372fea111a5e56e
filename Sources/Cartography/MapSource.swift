import Core
import Foundation
import Geodesy
import Pictures

/// A region's map: offline tiles and pictures of any area.
///
/// Thread-safe. The same request returns the same bytes on a machine; letters are drawn with the installed
/// fonts.
public final class MapSource: Sendable {
    /// The attribution of the map, which every picture and page must show.
    public let attribution: String
    /// The area of the region; `nil` if unknown.
    public let bounds: BoundingBox?
    /// Zooms of tiles.
    public static let zooms = 0...19
    /// Pixels per point; 2 for high-resolution screens.
    public static let scales = 1.0...4.0

    let table: MapTable

    /// The map of a region file (`NAME.routing.db`). Throws `E-MAP-FEATURES` for a region that was imported without one.
    public init(_ region: URL) throws(RutterError) {
        table = try MapTable(region)
        attribution = [table.facts.credit, table.facts.heightCredit]
            .compactMap { $0 }.joined(separator: MapFact.creditSeparator)
        bounds = table.facts.bounds
    }

    /// A fingerprint of the region's map: the size and modification time of its file.
    var fingerprint: String {
        var info = stat()
        guard stat(table.url.path, &info) == 0 else { return "" }
        return "\(info.st_size)-\(info.st_mtim.tv_sec)-\(info.st_mtim.tv_nsec)"
    }

    /// Whether the region has heights, which relief requires.
    public var hasRelief: Bool { table.facts.grid != nil }

    /// A tile as PNG, 256 points a side. `y` counts from the north. Throws `E-MAP-REQUEST` for a tile that does not exist.
    public func tile(
        z: Int, x: Int, y: Int, scale: Double = 1, style: MapStyle = .builtIn(.light)
    ) throws -> Data {
        guard Self.zooms.contains(z), (0..<1 << z).contains(x), (0..<1 << z).contains(y) else {
            throw MapErrors.request("there is no tile \(z)/\(x)/\(y)")
        }
        guard Self.scales.contains(scale) else {
            throw MapErrors.request("a tile has 1 to 4 pixels per point, not \(scale)")
        }
        return try png(
            MapView(of: TileAddress(zoom: z, x: x, y: y)), scale: scale, style: style, isTile: true)
    }

    /// A picture of the map alone as PNG, with its attribution.
    public func png(
        _ view: MapView, scale: Double = 1, style: MapStyle = .builtIn(.light)
    ) throws -> Data {
        try png(view, scale: scale, style: style, isTile: false)
    }

    private func png(_ view: MapView, scale: Double, style: MapStyle, isTile: Bool) throws -> Data {
        try NativeLibrary.cairo.require()
        var drawing = MapDrawing(table: table, style: style, view: view)
        drawing.hasLegend = false
        let drawn = try drawing.drawn()
        var scene = drawn.scene(size: view.size)
        let attribution = drawn.attribution ?? attribution
        if !isTile { scene.add(MapCredits.element(attribution, in: view.size), z: MapLayer.furniture) }
        return try ScenePNG.render(scene, scale: scale)
    }

    /// The map of a view as elements of a scene. Its labels avoid `blocked`.
    public func drawing(
        of view: MapView, style: MapStyle, blocked: LabelObstacles = [], units: ScaleUnits = .metric,
        hasSlopes: Bool = false
    ) throws -> GroundDrawing {
        var drawing = MapDrawing(table: table, style: style, view: view, units: units)
        drawing.blocked = blocked
        drawing.hasSlopes = hasSlopes
        return try drawing.drawn()
    }

    /// The map of a view, reduced to the cells of a terminal.
    public func sketch(of view: MapView, units: ScaleUnits) throws -> TerminalGround? {
        try TerminalSketch(table: table, view: view, units: units).drawn()
    }

    /// Whether the map has data in an area.
    public func covers(_ box: BoundingBox) -> Bool {
        guard let bounds else { return true }
        return bounds.meets(box)
    }
}

extension BoundingBox {
    /// Whether two areas have a place in common, also across the 180° meridian.
    public func meets(_ other: BoundingBox) -> Bool {
        guard south <= other.north, other.south <= north else { return false }
        return longitudeRanges.contains { mine in other.longitudeRanges.contains { mine.overlaps($0) } }
    }
}

extension MapSource: MapGround {
    /// The same in metres.
    public func sketch(of view: MapView) throws -> TerminalGround? { try sketch(of: view, units: .metric) }

    /// The map of a view in a named style or a style file.
    public func drawing(of view: MapView, style: String, blocked: LabelObstacles) throws -> GroundDrawing {
        try drawing(of: view, style: try MapStyle.named(style), blocked: blocked)
    }

    /// The same with steep slopes shaded; `nil` for a region without heights.
    public func slopes(of view: MapView, style: String, blocked: LabelObstacles) throws -> GroundDrawing? {
        guard hasRelief else { return nil }
        return try drawing(of: view, style: MapStyle.named(style), blocked: blocked, hasSlopes: true)
    }
}

/// The attribution of a picture, in its lower right corner.
enum MapCredits {
    static func element(_ text: String, in size: SceneSize) -> SceneShape {
        let credits = CreditLines(text, width: size.width - 6, size: 9)
        let (width, height) = (credits.width * 0.92 + 6, credits.height + credits.size * 0.25)
        let box = SceneRect(x: size.width - width, y: size.height - height, width: width, height: height)
        let words = credits.texts(
            at: ScenePoint(size.width - 3, size.height - credits.size * 0.45), anchor: .end, color: .ink,
            halo: nil)
        return .group(
            [SceneElement(shape: .polygon([box.corners], fill: Fill(.white, opacity: 0.75), stroke: nil))]
                + words.map { SceneElement(shape: .text($0)) }, clip: nil)
    }
}
