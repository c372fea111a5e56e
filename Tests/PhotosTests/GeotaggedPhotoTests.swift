import CivilTime
import Foundation
import Geodesy
import PhotoFixtures
import PluginTestKit
import Testing

@testable import Photos
@testable import Pictures

/// Positions written into photos, read back by libexif. Pillow 12 and exiftool read the same values.
@Suite(.needs(.photos))
struct GeotaggedPhotoTests {
    private let place = Coordinate(latitude: -46.501_234_5, longitude: 7.900_000_1, altitude: -3.25)
    private let time = ISO8601.timestamp("2026-02-06T08:15:30Z")

    @Test func aPositionIsReadBackToATenThousandthOfASecond() throws {
        let tagged = try Photos.geotagged(Data(TinyJPEG.progressive), at: place, time: time)
        let info = try Photos.info(tagged)
        let read = try #require(info.coordinate)
        #expect(abs(read.latitude - place.latitude) < 1e-9)
        #expect(abs(read.longitude - place.longitude) < 1e-9)
        #expect(read.altitude == -3.25)
        #expect(try Photos.decode(tagged) == Photos.decode(Data(TinyJPEG.progressive)))
    }

    /// Degrees that round up to a whole minute stay a valid angle.
    @Test(arguments: [0, 59.999_999_999_9, 89.999_999_999_99, 90, 12.983_333_333_3])
    func anglesNeverHaveSixtySeconds(latitude: Double) throws {
        let there = Coordinate(latitude: latitude, longitude: -179.999_999_999_9)
        let read = try #require(
            try Photos.info(Photos.geotagged(Data(TinyJPEG.progressive), at: there)).coordinate)
        #expect(abs(read.latitude - latitude) < 1e-9)
        #expect(abs(read.longitude + 180) < 1e-9)
        #expect(read.altitude == nil)
    }

    @Test(.enabled(if: RealPhotos.isPresent, "no photos in ../shared/data/photos"), arguments: [1, 3, 6, 8])
    func allOtherMetadataStays(orientation: Int) throws {
        let data = try RealPhotos.read("jpg_orientation_landscape_\(orientation).jpg")
        let (before, after) = (try Photos.info(data), try Photos.info(Photos.geotagged(data, at: place)))
        #expect(after.coordinate != nil)
        #expect(after.orientation == before.orientation)
        #expect(after.taken == before.taken && after.cameraModel == before.cameraModel)
        #expect((after.width, after.height) == (before.width, before.height))
    }

    @Test(.enabled(if: RealPhotos.isPresent, "no photos in ../shared/data/photos"))
    func aPositionIsReplaced() throws {
        let data = try RealPhotos.read("jpg_gps_DSCN0010.jpg")
        let info = try Photos.info(Photos.geotagged(Photos.geotagged(data, at: place), at: place))
        #expect(abs((info.coordinate?.latitude ?? 0) - place.latitude) < 1e-9)
        #expect(info.cameraMake == "NIKON")
        #expect(info.taken == "2008:10:22 16:28:39")
    }

    /// A PNG of 2 × 1 pixels; CRC-32 of a chunk as Python's zlib computes it.
    @Test(.needs(.cairo)) func pngGetsAChunk() throws {
        let png = try #require(
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAEklEQVR4AQEHAPj/AP8AAAAA/wcAAf9VNrrHAAAAAElFTkSuQmCC"
            ))
        let tagged = try Photos.geotagged(png, at: place)
        #expect(try Photos.info(tagged).coordinate.map { abs($0.latitude - place.latitude) < 1e-9 } == true)
        #expect(try Photos.decode(tagged) == Photos.decode(png))
        let twice = try Photos.geotagged(tagged, at: Coordinate(latitude: 1, longitude: 2))
        #expect(abs((try Photos.info(twice).coordinate?.latitude ?? 0) - 1) < 1e-9)
    }

    @Test func whatCannotHoldAPositionIsRefused() {
        #expect(throws: PhotoError.notAnImage) { try Photos.geotagged(Data("no".utf8), at: place) }
        #expect(throws: PhotoError.truncated) {
            try Photos.geotagged(Data([0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF, 0, 0]), at: place)
        }
    }

    /// EXIF blocks whose directories point outside, or that are not TIFF.
    @Test(arguments: [
        "MM\u{0}*\u{0}\u{0}\u{0}\u{7F}", "II*\u{0}\u{8}\u{0}\u{0}\u{0}\u{7F}\u{7F}", "XX", "",
    ]) func aDamagedBlockIsAnError(block: String) throws {
        let content = Array("Exif\0\0".utf8) + Array(block.utf8)
        let segment = [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content
        let bytes = TinyJPEG.progressive.prefix(2) + segment + TinyJPEG.progressive.dropFirst(2)
        #expect(throws: PhotoError.self) { try Photos.geotagged(Data(bytes), at: place) }
    }
}
