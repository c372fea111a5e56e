import Foundation
import GRDB
import Geodesy
import Testing

@testable import Cartography

/// Region files with nothing but a map.
struct RegionFixture {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "rutter-cartography-\(getpid())-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// A wood with a lake, a path and a peak between 47.0° and 47.1° north, and heights that rise to the east.
    func region(
        _ name: String, west: Double = 9, heights: (@Sendable (Double, Double) -> Double?)? = nil
    ) throws -> URL {
        var builder = MapTableBuilder(
            heights: heights.map {
                HeightSource(samplesPerDegree: 1200, source: "elevation: test", height: $0)
            })
        func ring(_ places: [(Double, Double)]) -> [Int32] {
            places.flatMap { [Int32($0.0 * 1e7), Int32((west + $0.1) * 1e7)] }
        }
        func area(_ tags: [String: String], _ places: [(Double, Double)]) {
            builder.add(
                SourceFeature(origin: .way, tags: tags, isClosed: true), parts: [ring(places + [places[0]])])
        }
        area(["natural": "wood"], [(47, 0), (47, 0.1), (47.1, 0.1), (47.1, 0)])
        area(
            ["natural": "water", "name": "Lake"],
            [(47.04, 0.04), (47.04, 0.06), (47.06, 0.06), (47.06, 0.04)])
        builder.add(
            SourceFeature(
                origin: .way, tags: ["highway": "path", "sac_scale": "mountain_hiking"], isClosed: false),
            parts: [ring([(47, 0), (47.1, 0.1)])])
        builder.add(
            SourceFeature(
                origin: .node, tags: ["natural": "peak", "name": "Peak \(name)", "ele": "1234"],
                isClosed: false), parts: [ring([(47.08, 0.02)])])
        try builder.finish {}
        let file = url(name + ".routing.db")
        let queue = try DatabaseQueue(path: file.path)
        try queue.write { try builder.write(to: $0) }
        try queue.close()
        return file
    }

    /// An MBTiles file of given tiles.
    func tiles(_ name: String, format: String?, _ tiles: [(zoom: Int, x: Int, y: Int, data: Data)]) throws
        -> URL
    {
        let file = url(name)
        let queue = try DatabaseQueue(path: file.path)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE metadata(name TEXT, value TEXT);
                    CREATE TABLE tiles(zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                    """)
            if let format {
                try db.execute(sql: "INSERT INTO metadata VALUES ('format', ?)", arguments: [format])
            }
            for tile in tiles {
                try db.execute(
                    sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)",
                    arguments: [tile.zoom, tile.x, (1 << tile.zoom) - 1 - tile.y, tile.data])
            }
        }
        try queue.close()
        return file
    }
}
