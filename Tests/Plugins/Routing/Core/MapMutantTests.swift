import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Mutants of map files and of elevations. The library for maps reads the whole of a file or none of it.
@Suite(.serialized) struct MapMutantTests {
    private static let town: String = {
        var text = "<?xml version=\"1.0\"?>\n<osm version=\"0.6\">\n"
        for index in 0..<12 {
            text += "<node id=\"\(index + 1)\" lat=\"47.00\(10 + index)\" lon=\"8.00\(10 + index)\"/>\n"
        }
        for index in 0..<11 {
            text += "<way id=\"\(index + 1)\"><nd ref=\"\(index + 1)\"/><nd ref=\"\(index + 2)\"/>"
            text += "<tag k=\"highway\" v=\"path\"/><tag k=\"name\" v=\"W\(index)\"/></way>\n"
        }
        return text + "</osm>\n"
    }()

    private func ways(_ url: URL) throws -> [String] {
        let result = try OSMReader(OSMFile(url), progress: ProgressReporter()).read(bounds: nil)
        return ["\(result.seenWays) \(result.seenNodes)"]
    }

    @Test(.needs(.osmium)) func maps() async throws {
        let folder = try ScratchFolder()
        let files = [
            MutableFile("a.osm", whole: Array(Self.town.utf8)),
            MutableFile("a.osm.pbf", whole: MalformedInputTests.smallMap("crossing")),
        ]
        try await MutantTrial(files) { bytes, name in try ways(folder.write(name, Data(bytes))) }.run()
    }

    @Test(.enabled(if: NativeLibrary.tiff.isAvailable)) func rasters() async throws {
        let folder = try ScratchFolder()
        let tiff = HandmadeTIFF { row, column in Float(column * 10 + row) }
        try await MutantTrial([MutableFile("dem.tif", whole: Array(tiff.data))]) { bytes, name in
            let model = try ElevationFile.model(
                [folder.write(name, Data(bytes))], wanted: { _ in true }, progress: ProgressReporter())
            let height = model.height(latitude: 47.9, longitude: 9.15)
            if let height { #expect(GroundHeights.isGround(height), "\(name)") }
            return []
        }.run()
    }
}
