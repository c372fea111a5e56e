import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Elevation tiles. Expected heights are worked out by hand from the samples.
struct ElevationTests {
    private func tile(
        _ name: String, side: Int = 1201, _ sample: (Int, Int) -> Int16
    ) throws -> ElevationTile {
        let corner = try #require(ElevationTile.Corner(name: name))
        return try #require(
            ElevationTile(corner: corner, bytes: Array(HGTBytes.tile(side: side, sample)), check: {}))
    }

    struct Name: Sendable {
        var text: String
        var latitude: Int?
        var longitude: Int?
    }

    static let names = [
        Name(text: "N47E009.hgt", latitude: 47, longitude: 9),
        Name(text: "n42e001.hgt.zip", latitude: 42, longitude: 1),
        Name(text: "S34E151", latitude: -34, longitude: 151),
        Name(text: "N55W003.SRTMGL3.hgt.zip", latitude: 55, longitude: -3),
        Name(text: "S01W180", latitude: -1, longitude: -180),
        Name(text: "map.hgt", latitude: nil, longitude: nil),
        Name(text: "N99E009.hgt", latitude: nil, longitude: nil),
        Name(text: "N4", latitude: nil, longitude: nil),
    ]

    @Test(arguments: names.indices) func cornersByName(index: Int) {
        let corner = ElevationTile.Corner(name: Self.names[index].text)
        #expect(corner?.latitude == Self.names[index].latitude)
        #expect(corner?.longitude == Self.names[index].longitude)
    }

    /// Samples rise by 1 m a column and 5 m a row (southwards), and begin again at 5,000 m; 1/1200 of a degree between two.
    @Test(arguments: [1201, 3601]) func heightsBetweenSamples(side: Int) throws {
        let tile = try tile("N47E009", side: side) { row, column in Int16((row * 5 + column) % 5_000) }
        let step = 1 / Double(side - 1)
        func height(_ row: Double, _ column: Double) -> Double? {
            tile.height(latitude: 48 - row * step, longitude: 9 + column * step)
        }
        for (row, column, expected) in [
            (0.0, 0.0, 0.0), (0, 1, 1), (1, 0, 5), (0.5, 0, 2.5), (0, 0.25, 0.25), (3.5, 7.5, 25),
            (Double(side - 1), Double(side - 1), Double(6 * (side - 1) % 5_000)),
        ] {
            let found = try #require(height(row, column))
            #expect(abs(found - expected) < 1e-5, "\(row) \(column)")
        }
        #expect(height(-0.1, 0) == nil)
        #expect(height(0, Double(side)) == nil)
    }

    @Test func everyHemisphere() throws {
        for (name, latitude, longitude) in [
            ("N47E009", 47.25, 9.75), ("S34E151", -33.75, 151.75), ("N55W003", 55.25, -2.25),
            ("S23W044", -22.75, -43.25),
        ] {
            // The row is the distance from the northern edge: 0.75 of 1200; the column that from the
            // western edge.
            let tile = try tile(name) { row, column in Int16(row * 5 + column) }
            var model = ElevationModel()
            model.add(tile)
            let height = try #require(model.height(latitude: latitude, longitude: longitude))
            #expect(abs(height - (900 * 5 + 900)) < 1e-6, "\(name)")
        }
    }

    @Test func voidsAreFilledFromValidNeighbours() throws {
        let void = RoutingSettings.elevationVoid
        // One void among samples of 100, but 180 to its east: the mean of its eight neighbours is 110.
        let single = try tile("N47E009") { row, column in
            row == 600 && column == 600 ? void : row == 600 && column == 601 ? 180 : 100
        }
        #expect(single.height(latitude: 47.5, longitude: 9.5) == 110)
        // In the middle of a larger hole nothing is known; on its rim the neighbours outside count.
        let hole = try tile("N47E009") { row, column in
            abs(row - 600) <= 2 && abs(column - 600) <= 2 ? void : 100
        }
        #expect(hole.height(latitude: 47.5, longitude: 9.5) == nil)
        let rim = try #require(hole.height(latitude: 48 - 598.0 / 1200, longitude: 9.5))
        #expect(abs(rim - 100) < 1e-6)
        #expect(try tile("N47E009") { _, _ in void }.height(latitude: 47.5, longitude: 9.5) == nil)
    }

    /// A gap that was filled with 0 lies amid slopes: nothing is known there. The sea, a fjord's end, a lake at the coast and a polder stay.
    @Test func gapsWrittenAsZeroAreUnknown() throws {
        let gap = try tile("N46E008") { row, column in
            abs(row - 600) <= 20 && abs(column - 600) <= 20 ? 0 : Int16(1500 + (row + column) % 40)
        }
        #expect(gap.falseZeros == 41 * 41)
        #expect(gap.height(latitude: 46.5, longitude: 8.5) == nil)
        #expect(gap.height(latitude: 46.9, longitude: 8.5) ?? 0 > 1400)
        var model = ElevationModel()
        model.add(gap)
        #expect(model.notices.count == 1 && model.notices[0].hasPrefix("N46E008 has 1681 samples of 0 m"))
        // At the edge of a tile too; one sample is filled from its neighbours, as any gap.
        let edge = try tile("N46E008") { row, column in row < 30 && column < 30 ? 0 : 900 }
        #expect(edge.height(latitude: 46.99, longitude: 8.01) == nil)
        let single = try tile("N46E008") { row, column in row == 600 && column == 600 ? 0 : 900 }
        #expect(single.height(latitude: 46.5, longitude: 8.5) == 900)
        let waters: [(Int, Int) -> Int16] = [
            // Cliffs of 60 m, and a beach along a third of them.
            { row, column in column < 400 ? 0 : row < 400 ? 3 : 60 },
            // A fjord whose slopes rise by 45°.
            { row, column in abs(row - 600) < 8 ? 0 : Int16(min(1200, (abs(row - 600) - 7) * 92)) },
            { row, column in abs(row - 600) <= 20 && abs(column - 600) <= 20 ? 0 : 4 },
            { row, column in abs(row - 600) <= 20 && abs(column - 600) <= 20 ? 0 : -3 }, { _, _ in 0 },
        ]
        for (index, water) in waters.enumerated() {
            let tile = try tile("N46E008", water)
            #expect(tile.falseZeros == 0, "\(index)")
        }
        #expect(try tile("N46E008", waters[0]).height(latitude: 46.5, longitude: 8.1) == 0)
    }

    @Test func placesOnTheLineBetweenTiles() throws {
        let south = try tile("N46E009") { _, _ in 100 }
        var model = ElevationModel()
        model.add(south)
        // 47.0 belongs to the tile north of it, which is not there; the one south of it has the line too.
        #expect(model.height(latitude: 47, longitude: 9.5) == 100)
        #expect(model.height(latitude: 46.5, longitude: 10) == 100)
        #expect(model.height(latitude: 47, longitude: 10) == 100)
        #expect(model.height(latitude: 47.0001, longitude: 9.5) == nil)
        model.add(try tile("N47E009") { _, _ in 200 })
        #expect(model.height(latitude: 47, longitude: 9.5) == 200)
        #expect(model.names == ["N46E009", "N47E009"])
    }

    @Test func theFinerTileCounts() throws {
        var model = ElevationModel()
        model.add(try tile("N47E009", side: 3601) { _, _ in 3 })
        model.add(try tile("N47E009") { _, _ in 1 })
        #expect(model.height(latitude: 47.5, longitude: 9.5) == 3)
    }

    // MARK: Files

    private func packed(_ command: [String], in folder: URL) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = folder
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func packedTilesAreRead() throws {
        let folder = try ScratchFolder()
        _ = try folder.write("N47E009.hgt", HGTBytes.tile(side: 1201) { _, _ in 77 })
        try packed(["gzip", "-k", "N47E009.hgt"], in: folder.url)
        try packed(
            ["python3", "-m", "zipfile", "-c", "N47E009.SRTMGL3.hgt.zip", "N47E009.hgt"], in: folder.url)
        for name in ["N47E009.hgt", "N47E009.hgt.gz", "N47E009.SRTMGL3.hgt.zip"] {
            let tile = try ElevationFile.tile(folder.url.appendingPathComponent(name))
            #expect(tile.height(latitude: 47.5, longitude: 9.5) == 77, "\(name)")
        }
        let model = try ElevationFile.model([folder.url], wanted: { _ in true }, progress: ProgressReporter())
        #expect(model.names == ["N47E009"])
    }

    /// A file named by the user that lies elsewhere is no answer to where the heights are.
    @Test(.needs(.osmium)) func tilesElsewhereAreReported() throws {
        let folder = try ScratchFolder()
        let map = try folder.write(
            "map.osm",
            "<osm version=\"0.6\"><node id=\"1\" lat=\"47.1\" lon=\"9.1\"/><node id=\"2\" lat=\"47.2\" lon=\"9.1\"/>"
                + "<way id=\"1\"><nd ref=\"1\"/><nd ref=\"2\"/><tag k=\"highway\" v=\"path\"/></way></osm>")
        func notices(_ tile: String) throws -> [String] {
            let file = try folder.write(tile, HGTBytes.tile(side: 1201) { _, _ in 77 })
            return try RegionImport(into: folder.regions).run(
                RegionImport.Request(source: map, elevation: [file], name: tile.prefix(7).lowercased())
            ).notices
        }
        let said = "the elevation files cover no way of the region"
        #expect(try notices("N46E009.hgt").contains(said))
        #expect(try !notices("N47E009.hgt").contains(said))
    }

    @Test func filesThatAreNoTiles() throws {
        let folder = try ScratchFolder()
        let good = HGTBytes.tile(side: 1201) { _, _ in 1 }
        let files = [
            try folder.write("N47E009.hgt", good.dropLast()), try folder.write("N47E010.hgt", Data()),
            try folder.write("hills.hgt", good), try folder.write("N47E011.hgt.zip", Data("PK no".utf8)),
        ]
        for file in files {
            #expect(
                errorCode { _ = try ElevationFile.tile(file) } == "E-REGION-HGT", "\(file.lastPathComponent)")
        }
        // Of thirty million zero bytes in a small file, no more than the size of a tile is read.
        _ = try folder.write("N48E009.hgt", Data(count: 60_000_000))
        try packed(["gzip", "N48E009.hgt"], in: folder.url)
        let bomb = rutterError {
            _ = try ElevationFile.tile(folder.url.appendingPathComponent("N48E009.hgt.gz"))
        }
        #expect(bomb?.message.contains("more than") == true)
    }

    // MARK: Climbing

    struct Climb: Sendable {
        var heights: [Double]
        var gain: Double
        var loss: Double
    }

    static let climbs = [
        Climb(heights: [], gain: 0, loss: 0), Climb(heights: [5], gain: 0, loss: 0),
        Climb(heights: [100, 110, 120], gain: 20, loss: 0), Climb(heights: [100, 90], gain: 0, loss: 10),
        // A slope of small steps counts whole; noise on it does not.
        Climb(heights: [100, 101, 102, 103, 104], gain: 4, loss: 0),
        Climb(heights: [100, 105, 103, 110, 108.5, 120], gain: 20, loss: 0),
        Climb(heights: [100, 102, 100, 102, 100], gain: 0, loss: 0),
        Climb(heights: [100, 103, 100, 103, 100], gain: 6, loss: 6),
        Climb(heights: [100, 110, 100], gain: 10, loss: 10),
        Climb(heights: [100, .nan, 110, .nan, 105], gain: 10, loss: 5),
    ]

    @Test(arguments: climbs.indices) func climbingIsSummedWithHysteresis(index: Int) {
        let climb = Self.climbs[index]
        let (gain, loss) = ClimbMeter.sums(climb.heights)
        #expect(
            abs(gain - climb.gain) < 1e-9 && abs(loss - climb.loss) < 1e-9,
            "\(climb.heights): \(gain) \(loss)")
    }

    @Test func theWayBackSwapsGainAndLoss() {
        var random = SplitMix(seed: 9)
        for _ in 0..<500 {
            let heights = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                Double.random(in: 0...12, using: &random)
            }
            let (there, back) = (ClimbMeter.sums(heights), ClimbMeter.sums(heights.reversed()))
            #expect(abs(there.gain - back.loss) < 1e-9 && abs(there.loss - back.gain) < 1e-9, "\(heights)")
            let difference = (heights.last ?? 0) - (heights.first ?? 0)
            #expect(abs(there.gain - there.loss - difference) < 1e-9)
        }
    }
}
