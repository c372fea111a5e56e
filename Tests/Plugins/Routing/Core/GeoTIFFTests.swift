import Foundation
import PluginKit
import Testing

@testable import RoutingPlugin

/// Rasters written here tag by tag, after the specifications of TIFF 6 and GeoTIFF 1.1; heights by hand.
@Suite struct GeoTIFFTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("geotiff-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func file(_ tiff: HandmadeTIFF, _ name: String = "dem.tif") throws -> URL {
        let url = folder.appendingPathComponent(name)
        try tiff.data.write(to: url)
        return url
    }

    private func model(_ urls: [URL]) throws -> ElevationModel {
        try ElevationFile.model(urls, wanted: { _ in true }, progress: ProgressReporter())
    }

    @Test(.enabled(if: NativeLibrary.tiff.isAvailable), arguments: [1, 2] as [UInt16])
    func heights(raster: UInt16) throws {
        // 4 × 4 samples a tenth of a degree apart, 10 m a column and 1 m a row.
        let tiff = HandmadeTIFF(raster: raster) { row, column in Float(column * 10 + row) }
        let model = try model([try file(tiff)])
        let half = raster == 1 ? 0.05 : 0
        let found = try #require(model.height(latitude: 47.9 - half, longitude: 9.15 + half))
        #expect(abs(found - 16) < 1e-4)
        #expect(model.height(latitude: 46, longitude: 9.1) == nil)
        #expect(model.names == ["dem"])
    }

    @Test(.enabled(if: NativeLibrary.tiff.isAvailable)) func unknownStaysUnknown() throws {
        let tiff = HandmadeTIFF { row, column in row == 1 && column == 1 ? -9999 : 100 }
        let model = try model([try file(tiff)])
        #expect(model.height(latitude: 47.9, longitude: 9.1) == nil)
        #expect(model.height(latitude: 47.85, longitude: 9.15) == nil)
        #expect(model.height(latitude: 47.8, longitude: 9.2).map { abs($0 - 100) < 1e-9 } == true)
    }

    /// What programs write for "none" is no height, whether it is declared or not.
    @Test(
        .enabled(if: NativeLibrary.tiff.isAvailable),
        arguments: [-9999, -32_767, 9999, 32_767, -99_999] as [Float])
    func undeclaredNoDataIsUnknown(value: Float) throws {
        var tiff = HandmadeTIFF { row, column in row == 1 && column == 1 ? value : 100 }
        tiff.nodata = "-1234567"
        let model = try model([try file(tiff)])
        #expect(model.height(latitude: 47.9, longitude: 9.1) == nil)
        #expect(model.height(latitude: 47.8, longitude: 9.2).map { abs($0 - 100) < 1e-9 } == true)
    }

    /// Rasters that end one step before the next begins, as those of Copernicus do, leave no gap.
    @Test(.enabled(if: NativeLibrary.tiff.isAvailable)) func betweenTwoRasters() throws {
        let west = try file(HandmadeTIFF { _, column in Float(column) }, "west.tif")
        let east = try file(HandmadeTIFF(west: 9.4) { _, column in Float(column + 4) }, "east.tif")
        let both = try #require(try model([west, east]).height(latitude: 47.9, longitude: 9.375))
        #expect(abs(both - 3.75) < 1e-4)
        #expect(try model([west]).height(latitude: 47.9, longitude: 9.375) == nil)
        let edge = try model([west]).height(latitude: 47.9, longitude: 9.34)
        #expect(edge.map { abs($0 - 3) < 1e-9 } == true)
    }

    @Test(.enabled(if: NativeLibrary.tiff.isAvailable)) func whatIsRefused() throws {
        func message(_ tiff: HandmadeTIFF) throws -> String {
            let url = try file(tiff)
            do {
                _ = try model([url])
                return "read"
            } catch let error as RutterError {
                #expect(error.code == RegionErrors.elevation.code)
                return error.message
            }
        }
        var utm = HandmadeTIFF { _, _ in 1 }
        utm.keys = [(1024, 1), (3072, 32632)]
        utm.citation = "WGS 84 / UTM zone 32N|"
        #expect(try message(utm).contains("EPSG:32632, WGS 84 / UTM zone 32N"))
        var packed = HandmadeTIFF { _, _ in 1 }
        packed.compression = 34712
        #expect(try message(packed).contains("compression method 34712"))
        var feet = HandmadeTIFF { _, _ in 1 }
        feet.keys.append((4099, 9002))
        #expect(try message(feet).contains("EPSG:9002"))
        var color = HandmadeTIFF { _, _ in 1 }
        color.samplesPerPixel = 3
        #expect(try message(color).contains("3 × 32 bits"))
        var radians = HandmadeTIFF { _, _ in 1 }
        radians.keys.append((2054, 9101))
        #expect(try message(radians).contains("EPSG:9101, not in degrees"))
    }

    /// Any cut and any flipped byte is read or refused; nothing crashes, and no height is outside the Earth's
    /// range.
    @Test(.enabled(if: NativeLibrary.tiff.isAvailable)) func damage() throws {
        let whole = HandmadeTIFF { row, column in Float(row * 4 + column) }.data
        for index in whole.indices {
            var flipped = whole
            flipped[index] ^= 0xFF
            for data in [flipped, whole.prefix(index)] {
                let url = folder.appendingPathComponent("damaged.tif")
                try data.write(to: url)
                do {
                    let height = try model([url]).height(latitude: 47.9, longitude: 9.1)
                    #expect(height.map { abs($0) <= 12_000 } ?? true)
                } catch let error as RutterError {
                    #expect(error.code == RegionErrors.elevation.code, "\(index): \(error)")
                }
            }
        }
    }
}

/// A little-endian TIFF of 4 × 4 floats in one strip.
struct HandmadeTIFF {
    var west = 9.0
    var keys: [(UInt16, UInt16)]
    var citation = ""
    var compression: UInt16 = 1
    var samplesPerPixel: UInt16 = 1
    /// The declared value of no data; empty to declare another one.
    var nodata = "-9999"
    let samples: [Float]

    init(west: Double = 9.0, raster: UInt16 = 2, _ sample: (Int, Int) -> Float) {
        self.west = west
        keys = [(1024, 2), (1025, raster), (2048, 4326)]
        samples = (0..<16).map { sample($0 / 4, $0 % 4) }
    }

    var data: Data {
        func bytes<T>(_ values: [T]) -> Data { values.withUnsafeBytes { Data($0) } }
        var directory: [UInt16] = [1, 1, 0, UInt16(keys.count + (citation.isEmpty ? 0 : 1))]
        for (key, value) in keys { directory += [key, 0, 1, value] }
        if !citation.isEmpty { directory += [1026, 34737, UInt16(citation.utf8.count), 0] }
        let texts = Data((citation.isEmpty ? "none|" : citation).utf8) + [0]
        let (short, long, double, ascii): (UInt16, UInt16, UInt16, UInt16) = (3, 4, 12, 2)
        let entries: [(tag: UInt16, type: UInt16, count: Int, value: Data)] = [
            (256, long, 1, bytes([UInt32(4)])), (257, long, 1, bytes([UInt32(4)])),
            (258, short, 1, bytes([UInt16(32)])), (259, short, 1, bytes([compression])),
            (262, short, 1, bytes([UInt16(1)])), (273, long, 1, Data()),
            (277, short, 1, bytes([samplesPerPixel])), (278, long, 1, bytes([UInt32(4)])),
            (279, long, 1, bytes([UInt32(64)])), (339, short, 1, bytes([UInt16(3)])),
            (33550, double, 3, bytes([0.1, 0.1, 0])), (33922, double, 6, bytes([0, 0, 0, west, 48, 0])),
            (34735, short, directory.count, bytes(directory)), (34737, ascii, texts.count, texts),
            (42113, ascii, nodata.utf8.count + 1, Data(nodata.utf8) + [0]),
        ]
        var (head, rest) = (bytes([UInt16(entries.count)]), Data())
        let start = 8 + 2 + entries.count * 12 + 4
        for entry in entries {
            head += bytes([entry.tag, entry.type]) + bytes([UInt32(entry.count)])
            if entry.tag == 273 {
                head += bytes([UInt32(start)])
            } else if entry.value.count <= 4 {
                head += entry.value + Data(count: 4 - entry.value.count)
            } else {
                head += bytes([UInt32(start + 64 + rest.count)])
                rest += entry.value + Data(count: entry.value.count % 2)
            }
        }
        return Data("II".utf8) + bytes([UInt16(42)]) + bytes([UInt32(8)]) + head + bytes([UInt32(0)])
            + bytes(samples) + rest
    }
}
