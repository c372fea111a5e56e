import Foundation
import Geodesy

/// A web map tile, counted from the north-west.
public struct TileAddress: Sendable, Hashable {
    /// 0 is the whole world.
    public var zoom: Int
    /// Column from 180° west.
    public var x: Int
    /// Row from the north; an MBTiles file counts from the south.
    public var y: Int

    /// Makes an address.
    public init(zoom: Int, x: Int, y: Int) {
        self.zoom = zoom
        self.x = x
        self.y = y
    }
}

/// The visible area of a map in Web Mercator: at zoom z the world is 256 · 2^z points wide.
///
/// The world is shown once: half of it on either side of the centre, so nothing special happens at the 180°
/// meridian.
public struct MapView: Sendable, Hashable {
    /// The centre.
    public var center: Coordinate
    /// The zoom; may be fractional.
    public var zoom: Double
    /// Width and height in points.
    public var size: SceneSize
    /// Whether it is one of several adjacent pictures, into which labels may extend; otherwise
    /// labels stay inside.
    public var isTile = false

    /// A map of 640 × 400 points: 80 columns and 25 rows of a terminal.
    public static let defaultSize = SceneSize(width: 640, height: 400)
    /// Margin of a fitted map in points: enough for a pin.
    public static let defaultPadding = 36.0
    /// The zoom for a single point, and the largest zoom of a fitted map.
    public static let nearestZoom = 16.0

    /// Makes a map around a coordinate.
    public init(center: Coordinate, zoom: Double, size: SceneSize = defaultSize) {
        self.center = center
        self.zoom = zoom
        self.size = size
    }

    /// A tile with a margin in points.
    public init(of tile: TileAddress, edge: Double = 0) {
        let count = exp2(Double(tile.zoom))
        let side = GeodesySettings.tileSize + 2 * edge
        self.init(
            center: WebMercator.unproject(
                WebMercator.Point(x: (Double(tile.x) + 0.5) / count, y: (Double(tile.y) + 0.5) / count)),
            zoom: Double(tile.zoom), size: SceneSize(width: side, height: side))
        isTile = true
    }

    /// The largest zoom that shows a whole box with a margin.
    public init(
        fitting box: BoundingBox, size: SceneSize = defaultSize, padding: Double = defaultPadding,
        nearest: Double = nearestZoom
    ) {
        let northWest = WebMercator.project(Coordinate(latitude: box.north, longitude: box.west))
        let southEast = WebMercator.project(Coordinate(latitude: box.south, longitude: box.east))
        let width = box.longitudeSpan / 360
        let height = southEast.y - northWest.y
        self.init(
            center: WebMercator.unproject(
                WebMercator.Point(x: northWest.x + width / 2, y: (northWest.y + southEast.y) / 2)),
            zoom: min(
                nearest, Self.zoom(span: width, room: size.width, padding: padding),
                Self.zoom(span: height, room: size.height, padding: padding)),
            size: size)
    }

    /// The largest zoom that shows all coordinates, by the shorter way across the antimeridian; `nil` without a
    /// valid coordinate.
    public init?(
        fitting places: some Sequence<Coordinate>, size: SceneSize = defaultSize,
        padding: Double = defaultPadding, nearest: Double = nearestZoom
    ) {
        guard let box = BoundingBox(around: places) else { return nil }
        self.init(fitting: box, size: size, padding: padding, nearest: nearest)
    }

    private static func zoom(span: Double, room: Double, padding: Double) -> Double {
        guard span > 0 else { return .infinity }
        return log2(max(room - 2 * padding, room / 5) / (GeodesySettings.tileSize * span))
    }

    /// The same area in another size: everything visible stays visible.
    public func resized(to other: SceneSize) -> MapView {
        let scale = min(other.width / size.width, other.height / size.height)
        return MapView(center: center, zoom: zoom + log2(scale), size: other)
    }

    /// Points from 180° west to 180° east.
    public var worldWidth: Double { GeodesySettings.tileSize * exp2(zoom) }

    /// Metres on the ground per point, at the centre.
    public var metresPerPoint: Double {
        WebMercator.metresPerPixel(zoom: zoom, latitude: drawnLatitude)
    }

    private var drawnLatitude: Double {
        let limit = GeodesySettings.webMercatorLimit
        return max(-limit, min(limit, center.latitude))
    }

    private var middle: WebMercator.Point { WebMercator.project(center) }

    /// The position of a coordinate, in the copy of the world nearest to the centre.
    public func point(for coordinate: Coordinate) -> ScenePoint {
        let projected = WebMercator.project(coordinate)
        let dx = projected.x - middle.x
        return point(x: dx - dx.rounded(), y: projected.y - middle.y)
    }

    /// The coordinate at a point.
    public func coordinate(at point: ScenePoint) -> Coordinate {
        WebMercator.unproject(
            WebMercator.Point(
                x: middle.x + (point.x - size.width / 2) / worldWidth,
                y: middle.y + (point.y - size.height / 2) / worldWidth))
    }

    /// The part of the picture that the world covers.
    public var visible: SceneRect {
        let corner = point(x: -0.5, y: -middle.y)
        let x = max(0, corner.x)
        let y = max(0, corner.y)
        return SceneRect(
            x: x, y: y, width: min(size.width, corner.x + worldWidth) - x,
            height: min(size.height, corner.y + worldWidth) - y)
    }

    /// The visible area in degrees.
    public var bounds: BoundingBox {
        let northWest = coordinate(at: ScenePoint(visible.x, visible.y))
        let southEast = coordinate(at: ScenePoint(visible.maxX, visible.maxY))
        let isWhole = visible.width >= worldWidth - 1e-6
        return BoundingBox(
            south: southEast.latitude, west: isWhole ? -180 : northWest.longitude, north: northWest.latitude,
            east: isWhole ? 180 : southEast.longitude)
    }

    /// A point from its offset to the centre in widths of the world.
    func point(x: Double, y: Double) -> ScenePoint {
        ScenePoint(size.width / 2 + x * worldWidth, size.height / 2 + y * worldWidth)
    }
}

extension MapView {
    /// The zoom whose tiles are drawn nearest to their own size.
    public var tileZoom: Int { max(0, min(22, Int(zoom.rounded()))) }

    /// The tiles of a zoom that the map shows, row by row from the north-west; none if there are more than
    /// `limit`.
    public func tiles(zoom tileZoom: Int, limit: Int = 1024) -> [TileAddress] {
        placements(zoom: tileZoom, limit: limit).map(\.address).reduce(into: []) { found, address in
            if !found.contains(address) { found.append(address) }
        }
    }

    /// The positions of a tile: two if the edge of the shown world runs through it.
    package func placements(of address: TileAddress) -> [SceneRect] {
        guard (0...22).contains(address.zoom) else { return [] }
        let side = worldWidth / exp2(Double(address.zoom))
        let count = exp2(Double(address.zoom))
        let x = (Double(address.x)) / count - middle.x
        let y = (Double(address.y)) / count - middle.y
        return [-1.0, 0, 1].compactMap { shift in
            let corner = point(x: x + shift, y: y)
            let rect = SceneRect(x: corner.x, y: corner.y, width: side, height: side)
            return rect.intersects(visible) ? rect : nil
        }
    }

    private func placements(zoom tileZoom: Int, limit: Int) -> [(address: TileAddress, column: Int)] {
        guard (0...22).contains(tileZoom), visible.width > 0, visible.height > 0 else { return [] }
        let side = worldWidth / exp2(Double(tileZoom))
        let count = 1 << tileZoom
        let origin = point(x: -middle.x, y: -middle.y)
        let columns = Self.range(visible.x - origin.x, visible.maxX - origin.x, side)
        let rows = Self.range(visible.y - origin.y, visible.maxY - origin.y, side)
        guard columns.count * rows.count <= limit else { return [] }
        return rows.filter { (0..<count).contains($0) }.flatMap { row in
            columns.map { column in
                let wrapped = ((column % count) + count) % count
                return (TileAddress(zoom: tileZoom, x: wrapped, y: row), column)
            }
        }
    }

    private static func range(_ from: Double, _ to: Double, _ side: Double) -> Range<Int> {
        let slack = 1e-9
        let first = Int((from / side + slack).rounded(.down))
        return first..<max(first, Int((to / side - slack).rounded(.up)))
    }
}
