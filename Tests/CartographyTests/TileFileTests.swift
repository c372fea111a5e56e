import Core
import Foundation
import GRDB
import Geodesy
import Pictures
import PluginTestKit
import Testing
import TrailStores

@testable import Cartography

@Suite("Tiles for apps")
struct TileFileTests {
    private static let area = BoundingBox(south: 47.01, west: 9.01, north: 47.09, east: 9.09)

    @Test("the tiles of an area are those that intersect it")
    func pyramid() throws {
        var numbers = SplitMix(seed: 20)
        for _ in 0..<40 {
            let south = Double.random(in: -80...79, using: &numbers)
            let west = Double.random(in: -179...170, using: &numbers)
            let box = BoundingBox(
                south: south, west: west, north: south + Double.random(in: 0.1...5, using: &numbers),
                east: west + Double.random(in: 0.1...9, using: &numbers))
            let pyramid = try TilePyramid(area: box, zooms: 0...6)
            for zoom in 0...6 {
                // Every tile of the world is checked.
                var slow: [TileAddress] = []
                let count = exp2(Double(zoom))
                for y in 0..<1 << zoom {
                    for x in 0..<1 << zoom {
                        let northWest = WebMercator.unproject(
                            WebMercator.Point(x: Double(x) / count, y: Double(y) / count))
                        let southEast = WebMercator.unproject(
                            WebMercator.Point(x: Double(x + 1) / count, y: Double(y + 1) / count))
                        if northWest.longitude < box.east, southEast.longitude > box.west,
                            southEast.latitude < box.north, northWest.latitude > box.south
                        {
                            slow.append(TileAddress(zoom: zoom, x: x, y: y))
                        }
                    }
                }
                #expect(Array(pyramid.tiles(zoom)) == slow, "\(box) at zoom \(zoom)")
            }
        }
        // Across the 180° meridian: the columns on both sides, not those around the world.
        let across = try TilePyramid(
            area: BoundingBox(south: 0.1, west: 170, north: 1, east: -170), zooms: 3...3)
        #expect(across.span(3).columns == [7, 0] && across.count == 2)
        #expect(throws: RutterError.self) { try TilePyramid(area: Self.area, zooms: 0...25) }
    }

    @Test("a file conforms to MBTiles 1.3, and its tiles are those of the map")
    func file() throws {
        let fixture = try RegionFixture()
        defer { fixture.remove() }
        let source = try MapSource(try fixture.region("a"))
        let pyramid = try TilePyramid(area: Self.area, zooms: 11...13)
        let out = fixture.url("a.mbtiles")
        let report = try TileFileWriter(source, pyramid, name: "a", style: .builtIn(.light)).write(
            to: out, force: false)
        #expect(report.tiles == pyramid.count && report.resumed == 0)
        let queue = try DatabaseQueue(path: out.path)
        try queue.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT name, value FROM metadata")
            let metadata = Dictionary(
                uniqueKeysWithValues: rows.map { row -> (String, String) in (row[0], row[1]) })
            #expect(metadata["name"] == "a" && metadata["format"] == "png" && metadata["type"] == "baselayer")
            #expect(metadata["minzoom"] == "11" && metadata["maxzoom"] == "13")
            #expect(metadata["bounds"] == "9.01,47.01,9.09,47.09")
            #expect(metadata["center"] == "9.05,47.05,11")
            #expect(metadata["attribution"] == "© OpenStreetMap contributors")
            #expect(try Int.fetchOne(db, sql: "PRAGMA application_id") == 0x4D50_4258)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM tiles") == pyramid.count)
            #expect(
                try String.fetchAll(db, sql: "SELECT name FROM sqlite_master ORDER BY name") == [
                    "metadata", "tile_index", "tiles",
                ])
        }
        try queue.close()
        let store = try TileStore(out)
        let tile = try #require(pyramid.tiles(13).first { _ in true })
        #expect(try store.tile(zoom: 13, x: tile.x, y: tile.y) == source.tile(z: 13, x: tile.x, y: tile.y))
        // The same request writes the same bytes, and no other files are left.
        let again = fixture.url("again.mbtiles")
        _ = try TileFileWriter(source, pyramid, name: "a", style: .builtIn(.light)).write(
            to: again, force: false)
        #expect(try Data(contentsOf: out) == Data(contentsOf: again))
        let left = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
        #expect(!left.contains { $0.contains(".part") || $0.hasPrefix(".rutter") }, "\(left)")
        // An existing file is kept unless forced.
        #expect(throws: RutterError.self) {
            try TileFileWriter(source, pyramid, name: "a", style: .builtIn(.dark)).write(
                to: out, force: false)
        }
        #expect(try Data(contentsOf: out) == Data(contentsOf: again))
    }

    @Test("an interrupted run leaves no file under the name, and the next resumes it")
    func resuming() async throws {
        let fixture = try RegionFixture()
        defer { fixture.remove() }
        let region = try fixture.region("a")
        let source = try MapSource(region)
        let pyramid = try TilePyramid(area: Self.area, zooms: 13...14)
        let out = fixture.url("a.mbtiles")
        let writer = try TileFileWriter(source, pyramid, name: "a", style: .builtIn(.light))
        let stopping = ProgressReporter { update in
            if update.done >= 16 { withUnsafeCurrentTask { $0?.cancel() } }
        }
        let stopped = await Task {
            do {
                _ = try writer.write(to: out, force: false, progress: stopping)
                return ""
            } catch let error as RutterError { return error.code } catch { return "\(error)" }
        }.value
        #expect(stopped == "E-INTERRUPTED")
        #expect(!FileManager.default.fileExists(atPath: out.path))
        #expect(FileManager.default.fileExists(atPath: TileFileWriter.unfinished(out).path))
        let report = try writer.write(to: out, force: false)
        #expect(report.resumed >= 16 && report.resumed < report.tiles && report.tiles == pyramid.count)
        #expect(!FileManager.default.fileExists(atPath: TileFileWriter.unfinished(out).path))
        let whole = fixture.url("whole.mbtiles")
        _ = try writer.write(to: whole, force: false)
        #expect(try Data(contentsOf: out) == Data(contentsOf: whole))
    }

    @Test("a partial file of another request is not resumed")
    func otherRequests() async throws {
        let fixture = try RegionFixture()
        defer { fixture.remove() }
        let source = try MapSource(try fixture.region("a"))
        let pyramid = try TilePyramid(area: Self.area, zooms: 13...14)
        let out = fixture.url("a.mbtiles")
        let stopping = ProgressReporter { update in
            if update.done >= 16 { withUnsafeCurrentTask { $0?.cancel() } }
        }
        let light = try TileFileWriter(source, pyramid, name: "a", style: .builtIn(.light))
        await Task { _ = try? light.write(to: out, force: false, progress: stopping) }.value
        let dark = try TileFileWriter(source, pyramid, name: "a", style: .builtIn(.dark))
        #expect(try dark.write(to: out, force: false).resumed == 0)
        // A foreign file at the path of the partial file is replaced.
        try Data("notes".utf8).write(to: TileFileWriter.unfinished(fixture.url("b.mbtiles")))
        #expect(try dark.write(to: fixture.url("b.mbtiles"), force: false).resumed == 0)
    }

    @Test("undrawable tiles are named by their content, not by the metadata")
    func formats() throws {
        let fixture = try RegionFixture()
        defer { fixture.remove() }
        let webp = Data("RIFF".utf8) + Data([0, 0, 0, 0]) + Data("WEBPVP8 ".utf8)
        let cases: [(String, Data, String)] = [
            ("webp", webp, "WebP tiles"), ("png", webp, "WebP tiles"),
            ("pbf", Data([0x1F, 0x8B, 8, 0]), "vector tiles"),
            ("png", Data([0x1A, 5, 1, 2]), "vector tiles"),
            ("png", Data("no".utf8), "unknown format"),
        ]
        for (index, (format, data, words)) in cases.enumerated() {
            let file = try fixture.tiles("\(index).mbtiles", format: format, [(0, 0, 0, data)])
            let error = #expect(throws: RutterError.self) { try TileGround(file) }
            #expect(error?.code == "E-MAP-BASE" && error?.message.contains(words) == true)
        }
        let png = try MapSource(try fixture.region("a")).tile(z: 1, x: 1, y: 0)
        #expect(throws: Never.self) {
            try TileGround(fixture.tiles("named-jpg.mbtiles", format: "jpg", [(0, 0, 0, png)]))
        }
    }

    @Test("holes are filled from coarser tiles, and counted")
    func holes() throws {
        let fixture = try RegionFixture()
        defer { fixture.remove() }
        let png = try MapSource(try fixture.region("a")).tile(z: 1, x: 1, y: 0)
        let view = MapView(
            center: Coordinate(latitude: 0, longitude: 0), zoom: 1, size: SceneSize(width: 300, height: 300))
        func drawn(_ name: String, _ tiles: [(zoom: Int, x: Int, y: Int, data: Data)]) throws -> GroundDrawing
        {
            try TileGround(fixture.tiles(name, format: "png", tiles)).drawing(
                of: view, style: "light", blocked: [])
        }
        let fine: [(zoom: Int, x: Int, y: Int, data: Data)] = [
            (1, 0, 0, png), (1, 1, 0, png), (1, 0, 1, png), (1, 1, 1, png),
        ]
        #expect(try drawn("whole.mbtiles", fine).notice == nil)
        let holed = try drawn("holed.mbtiles", [(0, 0, 0, png)] + fine.dropLast())
        #expect(holed.elements.count == 4 && holed.notice?.hasPrefix("1 tile is missing") == true)
        let blank = try drawn("blank.mbtiles", Array(fine.prefix(2)))
        #expect(blank.elements.count == 2 && blank.notice?.hasPrefix("2 tiles are missing") == true)
        let torn = try drawn("torn.mbtiles", fine.dropLast() + [(1, 1, 1, Data("torn".utf8))])
        #expect(torn.notice == "1 tile is skipped: neither PNG nor JPEG, or cut")
        let cut = try drawn("cut.mbtiles", fine.dropLast() + [(1, 1, 1, png.prefix(png.count / 2))])
        #expect(cut.elements.count == 3 && cut.notice == torn.notice)
        // An empty tile is none, also as the first one of a file.
        let empty = try drawn("empty.mbtiles", [(1, 0, 0, Data())] + fine.dropFirst())
        #expect(empty.elements.count == 3 && empty.notice?.hasPrefix("1 tile is missing") == true)
    }

    @Test("tiles that are much coarser than the picture are enlarged, and that is said")
    func enlarged() throws {
        let fixture = try RegionFixture()
        defer { fixture.remove() }
        let png = try MapSource(try fixture.region("a")).tile(z: 1, x: 1, y: 0)
        let ground = try TileGround(fixture.tiles("world.mbtiles", format: "png", [(0, 0, 0, png)]))
        func drawing(_ zoom: Double) throws -> GroundDrawing {
            let view = MapView(
                center: Coordinate(latitude: 10, longitude: 10), zoom: zoom,
                size: SceneSize(width: 300, height: 300))
            return try ground.drawing(of: view, style: "light", blocked: [])
        }
        let near = try drawing(6)
        #expect(near.elements.count == 1)
        #expect(near.notice?.contains("tiles up to zoom 0, enlarged 64 times for zoom 6") == true)
        #expect(try drawing(1).notice == nil)
    }

    @Test("a joined map has the features of both, and gaps in the heights of each are filled from the other")
    func joining() throws {
        let fixture = try RegionFixture()
        defer { fixture.remove() }
        let west = try fixture.region("west", west: 9) { _, longitude in longitude < 9.1 ? 500 : nil }
        let east = try fixture.region("east", west: 9.1) { _, longitude in longitude >= 9.1 ? 900 : nil }
        let file = fixture.url("both.routing.db")
        let queue = try DatabaseQueue(path: file.path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "ATTACH DATABASE ? AS part0", arguments: [west.path])
            try db.execute(sql: "ATTACH DATABASE ? AS part1", arguments: [east.path])
            try db.inTransaction {
                let notices = try MapTableJoin.join(db, [("part0", "west"), ("part1", "east")])
                #expect(notices.isEmpty)
                return .commit
            }
        }
        try queue.close()
        let table = try MapTable(file)
        let bounds = try #require(table.facts.bounds)
        #expect(bounds.west < 9.001 && bounds.east > 9.199)
        var names: Set<String> = []
        var whole = MapBox()
        whole.add(MapPoint(x: 0, y: 0))
        whole.add(MapPoint(x: .max, y: .max))
        try table.features(level: 3, in: whole) { if let name = $0.name { names.insert(name) } }
        #expect(names == ["Lake", "Peak west", "Peak east"])
        // The piece of heights through which the border runs: 1,200 samples a degree, 128 a side.
        let across = Int((9.1 + 180) * 1200) / 128
        let down = Int((90 - 47.05) * 1200) / 128
        let samples = try #require(try table.heights(across: across, down: down))
        #expect(Set(samples) == [500, 900])
    }
}
