import Foundation
import PhotoFixtures
import PluginTestKit
import Testing

@testable import Photos
@testable import Pictures

/// Photos of real cameras, if the shared data is beside the package.
enum RealPhotos {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("shared/data/photos")
    static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.path) }

    static func read(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(name))
    }
}

@Suite(.needs(.photos), .enabled(if: RealPhotos.isPresent, "no photos in ../shared/data/photos"))
struct RealPhotoTests {
    private static func landscape(_ orientation: Int) throws -> Data {
        try RealPhotos.read("jpg_orientation_landscape_\(orientation).jpg")
    }

    private static func difference(_ a: Bitmap, _ b: Bitmap) -> Double {
        let sum = zip(a.pixels, b.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(a.pixels.count)
    }

    /// One landscape stored four ways, with its number written into it. Number 1 is stored upright, in another
    /// colour space than the rest, so its pixels differ by more than the number; yet of its eight turns the upright
    /// one must be the nearest.
    @Test(arguments: [3, 6, 8]) func landscapesAreTheSameUpright(orientation: Int) throws {
        let photo = try Self.landscape(orientation)
        #expect(try Photos.info(photo).orientation.rawValue == orientation)
        let upright = try Photos.info(Photos.uprightJPEG(photo))
        #expect((upright.width, upright.height) == (600, 450))
        let thumbnail = try Photos.decode(Photos.thumbnail(photo).jpeg)
        let reference = try Photos.decode(Photos.thumbnail(Self.landscape(1)).jpeg)
        let differences = try Orientation.allCases.map { turn in
            let turned = try Photos.decode(JPEGFile.encode(reference, orientation: turn, quality: 0.9))
            return Self.difference(thumbnail, turned)
        }
        #expect(differences.min() == differences[0])
    }

    /// Those in one colour space differ by no more than the number written into them.
    @Test(arguments: [6, 8]) func landscapesOfOneColourSpaceAgree(orientation: Int) throws {
        let a = try Photos.decode(Photos.thumbnail(Self.landscape(3)).jpeg)
        let b = try Photos.decode(Photos.thumbnail(Self.landscape(orientation)).jpeg)
        #expect(Self.difference(a, b) < 4)
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
