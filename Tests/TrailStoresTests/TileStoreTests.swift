import Foundation
import GRDB
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// MBTiles files.
struct TileStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ sql: String) throws -> URL {
        let url = folder.url.appendingPathComponent("valley.mbtiles")
        try DatabaseQueue(path: url.path).write { try $0.execute(sql: sql) }
        return url
    }

    private static let tables = """
        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
        CREATE TABLE metadata (name TEXT, value TEXT);
        """

    @Test func rowsCountFromTheSouth() throws {
        let url = try file(Self.tables + "INSERT INTO tiles VALUES (2, 1, 3, x'AA'), (2, 1, 0, x'BB');")
        let store = try TileStore(url)
        #expect(try store.tile(zoom: 2, x: 1, y: 0) == Data([0xAA]))
        #expect(try store.tile(zoom: 2, x: 1, y: 3) == Data([0xBB]))
        #expect(try store.tile(zoom: 2, x: 2, y: 0) == nil)
        #expect(try store.tile(zoom: 99, x: 0, y: 0) == nil)
        #expect(store.info.zooms == 2...2)
        #expect(store.info.name == "valley" && store.info.format == "png" && store.info.bounds == nil)
    }

    /// 46° to 47° north are row 360 of 1,024 from the north, and row 663 from the south.
    @Test(arguments: [
        (360, "8,46.3,9,46.9", true), (663, "8,46.3,9,46.9", false), (511, "8,-1,9,1", false),
        (360, "-180,-85,180,85", false), (Int.max, "8,46.3,9,46.9", false), (360, "8,-60,9,-50", false),
    ])
    func rowsThatCountFromTheNorth(row: Int, bounds: String, isTurned: Bool) throws {
        let url = try file(
            Self.tables + """
                INSERT INTO tiles VALUES (10, 535, \(row), x'AA');
                INSERT INTO metadata VALUES ('bounds', '\(bounds)'), ('scheme', 'xyz');
                """)
        let store = try TileStore(url)
        #expect(store.info.countsFromNorth == isTurned)
        if isTurned { #expect(try store.tile(zoom: 10, x: 535, y: row) == Data([0xAA])) }
    }

    @Test func whatTheFileSaysOfItself() throws {
        let url = try file(
            Self.tables + """
                INSERT INTO tiles VALUES (3, 0, 0, x'00'), (5, 0, 0, x'00');
                INSERT INTO metadata VALUES ('name', 'V'), ('format', 'jpg'), ('bounds', '9, 46.5,9.7,47.5'),
                ('attribution', '<a href="x">&copy; A &amp; B</a>');
                """)
        let store = try TileStore(url)
        #expect(store.info.name == "V" && store.info.attribution == "© A & B" && store.info.zooms == 3...5)
        #expect(store.covers(BoundingBox(south: 47, west: 9.1, north: 47.1, east: 9.2)))
        #expect(!store.covers(BoundingBox(south: 47, west: 9.1, north: 47.1, east: 9.8)))
    }

    @Test func vectorTilesAreNotDrawn() throws {
        let url = try file(
            Self.tables
                + "INSERT INTO tiles VALUES (3, 0, 0, x'00'); INSERT INTO metadata VALUES ('format', 'pbf');")
        #expect(!(try TileStore(url).covers(BoundingBox(south: 0, west: 0, north: 1, east: 1))))
    }

    @Test(arguments: [
        "CREATE TABLE other (a);", tables, tables + "INSERT INTO tiles VALUES (77, 0, 0, x'00');",
        tables + "INSERT INTO tiles VALUES (-1, 0, 0, x'00');",
    ])
    func filesWithoutUsableTiles(sql: String) throws {
        let url = try file(sql)
        #expect { try TileStore(url) } throws: { ($0 as? RutterError)?.code == "E-STORE-SCHEMA" }
    }

    @Test(.enabled(if: RealData.has("mbtiles"), "the folder of real data is not there"))
    func realFiles() throws {
        for name in ["geography-class-jpg", "geography-class-png"] {
            let store = try TileStore(RealData.url("mbtiles/\(name).mbtiles"))
            #expect(store.covers(BoundingBox(south: -10, west: -10, north: 10, east: 10)))
            #expect(store.info.zooms == 0...1)
            for y in 0...1 { for x in 0...1 { #expect(try store.tile(zoom: 1, x: x, y: y) != nil) } }
        }
        #expect(throws: RutterError.self) { try TileStore(RealData.url("malformed/mbtiles/invalid.mbtiles")) }
    }
}
