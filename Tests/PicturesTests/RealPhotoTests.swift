import Foundation
import Testing

@testable import Pictures

/// Photos of real cameras, where the shared data lie beside the package.
enum RealPhotos {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("shared/data/photos")
    static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.path) }

    static func read(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(name))
    }
}

@Suite(.enabled(if: RealPhotos.isPresent, "no photos in ../shared/data/photos"))
struct RealPhotoTests {
    /// The same landscape stored four ways: upright it has one size and one look.
    @Test(arguments: [3, 6, 8]) func landscapesAreTheSameUpright(orientation: Int) throws {
        let reference = try RealPhotos.read("jpg_orientation_landscape_1.jpg")
        let photo = try RealPhotos.read("jpg_orientation_landscape_\(orientation).jpg")
        #expect(try Photos.info(photo).orientation.rawValue == orientation)
        let upright = try Photos.info(Photos.uprightJPEG(photo))
        let expected = try Photos.info(reference)
        #expect((upright.width, upright.height) == (expected.width, expected.height))
        let a = try Photos.decode(Photos.thumbnail(photo).jpeg)
        let b = try Photos.decode(Photos.thumbnail(reference).jpeg)
        let difference = zip(a.pixels, b.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(Double(difference) / Double(a.pixels.count) < 8)
    }

    @Test(arguments: ["jpg_gps_DSCN0010.jpg", "jpg_gps_DSCN0012.jpg", "jpg_gps_DSCN0021.jpg"])
    func photosFromArezzoKnowTheirPlace(name: String) throws {
        let info = try Photos.info(RealPhotos.read(name))
        let place = try #require(info.coordinate)
        #expect(abs(place.latitude - 43.467) < 0.01)
        #expect(abs(place.longitude - 11.88) < 0.02)
        #expect(info.cameraMake == "NIKON")
        #expect(info.taken?.hasPrefix("2008:10:22") == true)
        let thumbnail = try Photos.thumbnail(RealPhotos.read(name))
        #expect(thumbnail.jpeg.count < 10_000)
        #expect(!thumbnail.wasReduced)
    }
}
