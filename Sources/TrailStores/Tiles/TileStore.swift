import Core
import Formats
import Foundation
import GRDB
import Geodesy

/// `<region>.mbtiles`: map tiles as images (MBTiles 1.3). Opened for reading: the file is never changed.
public final class TileStore: Sendable {
    /// The file's metadata.
    public struct Info: Sendable, Hashable {
        /// Its name.
        public var name: String
        /// The attribution, without markup.
        public var attribution: String
        /// `png`, `jpg` or `webp`; other values are vector tiles, which are not drawn.
        public var format: String
        /// The covered area; `nil` if not stated.
        public var bounds: BoundingBox?
        /// Its zoom levels.
        public var zooms: ClosedRange<Int>
        /// Whether rows count from the north, against the format: many programs write tiles as they are numbered on the web. The
        /// stated area tells; a stated scheme does not, as it is often that of the source.
        public var countsFromNorth = false
    }

    /// The file's metadata.
    public let info: Info
    private let connection: StoreConnection
    /// Maximum bytes of a tile.
    private static let largestTile = 4 << 20
    /// Zoom levels of Web Mercator tiles.
    private static let possibleZooms = 0...22

    /// Opens a file. Throws an error of `StoreErrors` if it contains no tiles.
    public init(_ url: URL) throws(RutterError) {
        let connection = try StoreConnection(url, access: .foreign)
        self.connection = connection
        info = try connection.read { db in
            guard try db.tableExists("tiles") || db.viewExists("tiles") else {
                throw StoreErrors.schema("\(url.lastPathComponent) has no table tiles")
            }
            return try Self.info(db, fallback: url.deletingPathExtension().lastPathComponent)
        }
    }

    private static func info(_ db: Database, fallback: String) throws -> Info {
        var metadata: [String: String] = [:]
        if try db.tableExists("metadata") || db.viewExists("metadata") {
            let rows = try TypedRow.all(
                db, "SELECT CAST(name AS TEXT) AS name, CAST(value AS TEXT) AS value FROM metadata",
                of: "metadata")
            for row in rows {
                if let name: String = try row.allow("name"), let value: String = try row.allow("value") {
                    metadata[name] = value
                }
            }
        }
        let stored = try TypedRow.first(
            db,
            "SELECT min(zoom_level) AS low, max(zoom_level) AS high FROM tiles WHERE typeof(zoom_level) = 'integer'",
            of: "tiles")
        let (low, high): (Int?, Int?) = (try stored?.allow("low"), try stored?.allow("high"))
        guard let low, let high, possibleZooms.contains(low), possibleZooms.contains(high) else {
            throw StoreErrors.schema(
                "\(fallback) has no tiles of zooms \(possibleZooms.lowerBound) to \(possibleZooms.upperBound)"
            )
        }
        let credit = HTMLFragment.plain(metadata["attribution"] ?? "").split(whereSeparator: \.isWhitespace)
        var info = Info(
            name: metadata["name"] ?? fallback, attribution: credit.joined(separator: " "),
            format: metadata["format"] ?? "png", bounds: metadata["bounds"].flatMap(box), zooms: low...high)
        if let bounds = info.bounds, let rows = try rows(db, zoom: high) {
            info.countsFromNorth = isFromNorth(rows, zoom: high, bounds)
        }
        return info
    }

    /// The range of the rows of a zoom level.
    private static func rows(_ db: Database, zoom: Int) throws -> ClosedRange<Int>? {
        let stored = try TypedRow.first(
            db,
            "SELECT min(tile_row) AS low, max(tile_row) AS high FROM tiles WHERE zoom_level = \(zoom) AND typeof(tile_row) = 'integer'",
            of: "tiles")
        let (low, high): (Int?, Int?) = (try stored?.allow("low"), try stored?.allow("high"))
        guard let low, let high, low <= high else { return nil }
        return low...high
    }

    /// Whether rows lie in the stated area only if they count from the north.
    private static func isFromNorth(_ rows: ClosedRange<Int>, zoom: Int, _ bounds: BoundingBox) -> Bool {
        func row(_ latitude: Double) -> Int {
            let angle = max(-85.05, min(85.05, latitude)) * .pi / 180
            let share = (1 - asinh(tan(angle)) / .pi) / 2
            return Int((share * Double(1 << zoom)).rounded(.down))
        }
        let stated = row(bounds.north) - 1...row(bounds.south) + 1
        let last = (1 << zoom) - 1
        return rows.lowerBound >= 0 && rows.upperBound <= last && stated.overlaps(rows)
            && !stated.overlaps(last - rows.upperBound...last - rows.lowerBound)
    }

    /// The first tile that is neither empty nor too large, in any format; `nil` if there is none.
    public func sample() throws(RutterError) -> Data? {
        try connection.read { db in
            try Data.fetchOne(
                db,
                sql: """
                    SELECT tile_data FROM tiles WHERE length(tile_data) BETWEEN 1 AND \(Self.largestTile) LIMIT 1
                    """)
        }
    }

    /// The JPEG or PNG image of a tile; `nil` if there is none. `y` counts from the north, as on the web.
    public func tile(zoom: Int, x: Int, y: Int) throws(RutterError) -> Data? {
        guard Self.possibleZooms.contains(zoom) else { return nil }
        // Rows count from the south (TMS).
        let row = info.countsFromNorth ? y : (1 << zoom) - 1 - y
        return try connection.read { db in
            try Data.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? \
                        AND length(tile_data) <= \(Self.largestTile)
                        """), arguments: [zoom, x, row])
        }
    }

    /// Whether its tiles can be drawn and cover a box.
    public func covers(_ box: BoundingBox) -> Bool {
        guard ["png", "jpg", "jpeg"].contains(info.format.lowercased()) else { return false }
        guard let bounds = info.bounds else { return true }
        let corners = [
            Coordinate(latitude: box.south, longitude: box.west),
            Coordinate(latitude: box.north, longitude: box.east),
        ]
        return corners.allSatisfy(bounds.contains)
    }

    /// `west,south,east,north`
    private static func box(_ text: String) -> BoundingBox? {
        let edges = text.split(separator: ",").compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard edges.count == 4, edges.allSatisfy(\.isFinite), edges[1] <= edges[3] else { return nil }
        return BoundingBox(south: edges[1], west: edges[0], north: edges[3], east: edges[2])
    }
}
