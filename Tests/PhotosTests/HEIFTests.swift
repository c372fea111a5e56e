import Core
import Foundation
import PhotoFixtures
import PluginTestKit
import Testing

@testable import Photos
@testable import Pictures

/// HEIC photos. Expected values are those of pillow-heif 1.1 (Python), which brings a libheif of its own, and of its EXIF
/// reader.
@Suite(
    .needs(.photos), .needs(.heif), .enabled(if: RealPhotos.isPresent, "no photos in ../shared/data/photos"))
struct HEIFTests {
    private static let phone = "heic_IMG_5195.HEIC"
    private static let small = "heic_samplefilehub.heif"

    @Test func aPhonesPhotoKnowsItsPlaceAndTime() throws {
        let info = try Photos.info(RealPhotos.read(Self.phone))
        #expect(info.kind == .heic)
        #expect((info.width, info.height) == (2566, 3313))
        #expect(info.orientation == .topLeft)
        #expect(info.taken == "2021:04:11 15:47:53")
        #expect(info.takenOffset == "-05:00")
        #expect(info.cameraModel == "iPhone 11 Pro Max")
        let place = try #require(info.coordinate)
        #expect(abs(place.latitude - (39 + 3 / 60.0 + 4.84 / 3600)) < 1e-9)
        #expect(abs(place.longitude + (94 + 17 / 60.0 + 19.58 / 3600)) < 1e-9)
        #expect(abs((place.altitude ?? 0) - 260.560_638_297_872_34) < 1e-9)
    }

    @Test func aPhotoWithoutExifHasNone() throws {
        let info = try Photos.info(RealPhotos.read(Self.small))
        #expect((info.width, info.height) == (640, 426))
        #expect(info.coordinate == nil && info.taken == nil)
    }

    /// Means of a grid of 4 × 3 cells, as pillow-heif's picture has them.
    @Test(arguments: [
        (
            phone,
            [
                161, 154, 134, 142, 144, 128, 120, 143, 112, 145, 158, 127, 88, 80, 93, 118, 101, 144, 95, 89,
                101,
                133, 140, 111, 98, 87, 103, 135, 115, 150, 112, 99, 105, 144, 130, 117,
            ]
        ),
        (
            small,
            [
                39, 40, 39, 60, 60, 58, 49, 54, 54, 18, 30, 32, 79, 72, 65, 74, 69, 64, 87, 80, 72, 97, 91,
                81, 33,
                14, 10, 80, 38, 17, 87, 40, 18, 52, 25, 14,
            ]
        ),
    ]) func pixelsAreThoseOfAnotherReader(name: String, means: [Int]) throws {
        let picture = try Photos.decode(RealPhotos.read(name))
        let (columns, rows) = (4, 3)
        for row in 0..<rows {
            for column in 0..<columns {
                var sums = [0, 0, 0]
                var count = 0
                // Every seventh pixel is enough for a mean.
                for y in stride(
                    from: picture.height * row / rows, to: picture.height * (row + 1) / rows, by: 7)
                {
                    for x in stride(
                        from: picture.width * column / columns, to: picture.width * (column + 1) / columns,
                        by: 7)
                    {
                        for c in 0..<3 { sums[c] += Int(picture.pixels[(y * picture.width + x) * 3 + c]) }
                        count += 1
                    }
                }
                for c in 0..<3 {
                    let expected = means[(row * columns + column) * 3 + c]
                    #expect(abs(sums[c] / count - expected) <= 3, "row \(row), column \(column)")
                }
            }
        }
    }

    @Test func thumbnailsAreJPEG() throws {
        let thumbnail = try Photos.thumbnail(RealPhotos.read(Self.small)).jpeg
        let info = try Photos.info(thumbnail)
        #expect(info.kind == .jpeg && info.width == 100 && info.height == 100)
        #expect(info.coordinate == nil)
    }

    /// Whatever the file states, the result is an error or a picture, and the session continues.
    @Test(arguments: [13, 40, 200, 1000, 5000, 20_000, 29_000]) func cutFilesAreRefused(length: Int) throws {
        let data = try RealPhotos.read(Self.small).prefix(length)
        #expect(throws: PhotoError.self) { try Photos.decode(Data(data)) }
    }

    /// A size of 60,000 × 60,000 pixels in each `ispe` box of a file of 29 KB.
    @Test func aBombIsRefusedByItsHeader() throws {
        var data = try RealPhotos.read(Self.small)
        var from = data.startIndex
        var boxes = 0
        while let found = data.range(of: Data("ispe".utf8), in: from..<data.endIndex) {
            let size = Data([0, 0, 0xEA, 0x60])
            data.replaceSubrange(found.upperBound + 4..<found.upperBound + 12, with: size + size)
            from = found.upperBound
            boxes += 1
        }
        #expect(boxes > 0)
        #expect(throws: PhotoError.self) { try Photos.info(data) }
        #expect(throws: PhotoError.self) { try Photos.decode(data) }
    }

    /// Damage at many places, by a generator of Lehmer's: each ends in an error or a picture.
    @Test func damageNeverEndsTheProcess() throws {
        let sound = try RealPhotos.read(Self.small)
        var state: UInt64 = 17
        var outcomes = (errors: 0, pictures: 0)
        for _ in 0..<24 {
            var data = sound
            for _ in 0..<6 {
                state = state * 48_271 % 2_147_483_647
                let place = Int(state) % min(data.count, 2000)
                data[data.startIndex + place] = UInt8(truncatingIfNeeded: state >> 8)
            }
            do {
                _ = try Photos.info(data)
                outcomes.pictures += 1
            } catch {
                outcomes.errors += 1
            }
        }
        #expect(outcomes.errors > 0 && outcomes.errors + outcomes.pictures == 24)
    }
}
