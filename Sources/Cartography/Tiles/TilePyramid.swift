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

    /// Tiles of an area. Throws `E-MAP-REQUEST` for zooms out of range.
    public init(area: BoundingBox, zooms: ClosedRange<Int>) throws(RutterError) {
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

    /// The columns and rows of a zoom, counted from the north west. Columns across the 180° meridian follow each
    /// other as on the ground, each once.
    public func span(_ zoom: Int) -> (columns: [Int], rows: ClosedRange<Int>) {
        let north = WebMercator.project(Coordinate(latitude: area.north, longitude: area.west)).y
        let south = WebMercator.project(Coordinate(latitude: area.south, longitude: area.east)).y
        var columns: [Int] = []
        for edges in area.longitudeRanges {
            let span = Self.range(
                WebMercator.project(Coordinate(latitude: 0, longitude: edges.lowerBound)).x,
                WebMercator.project(Coordinate(latitude: 0, longitude: edges.upperBound)).x, zoom)
            columns += span.filter { !columns.contains($0) }
        }
        return (columns, Self.range(north, south, zoom))
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
