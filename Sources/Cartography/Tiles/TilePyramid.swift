import Core
import Foundation
import Geodesy
import Pictures

/// The tiles of an area at several zooms.
public struct TilePyramid: Sendable, Hashable {
    /// The area.
    public let area: BoundingBox
    /// Zooms of the tiles.
    public let zooms: ClosedRange<Int>

    /// Tiles of an area. Throws `E-MAP-REQUEST` for an area across the 180° meridian and for zooms out of range.
    public init(area: BoundingBox, zooms: ClosedRange<Int>) throws(RutterError) {
        guard !area.crossesAntimeridian else {
            throw MapErrors.request(
                "the area crosses the 180° meridian", at: .parameter("area"), fix: "make a file for each side"
            )
        }
        guard MapSource.zooms.contains(zooms.lowerBound), MapSource.zooms.contains(zooms.upperBound) else {
            throw MapErrors.request(
                "tiles have zooms \(MapSource.zooms.lowerBound) to \(MapSource.zooms.upperBound), not \(zooms.lowerBound)-\(zooms.upperBound)",
                at: .parameter("zoom"))
        }
        self.area = area
        self.zooms = zooms
    }

    /// The number of tiles.
    public var count: Int {
        zooms.reduce(0) { sum, zoom in
            let (columns, rows) = span(zoom)
            return sum + columns.count * rows.count
        }
    }

    /// The columns and rows of a zoom, counted from the north west.
    public func span(_ zoom: Int) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        let northWest = WebMercator.project(Coordinate(latitude: area.north, longitude: area.west))
        let southEast = WebMercator.project(Coordinate(latitude: area.south, longitude: area.east))
        return (
            Self.range(northWest.x, southEast.x, zoom), Self.range(northWest.y, southEast.y, zoom)
        )
    }

    private static func range(_ low: Double, _ high: Double, _ zoom: Int) -> ClosedRange<Int> {
        let side = exp2(Double(zoom))
        let last = (1 << zoom) - 1
        let first = max(0, min(last, Int((low * side).rounded(.down))))
        return first...max(first, min(last, Int((high * side).rounded(.up)) - 1))
    }

    /// The tiles of a zoom, row by row.
    public func tiles(_ zoom: Int) -> some Sequence<TileAddress> {
        let (columns, rows) = span(zoom)
        return rows.lazy.flatMap { y in columns.lazy.map { x in TileAddress(zoom: zoom, x: x, y: y) } }
    }
}
