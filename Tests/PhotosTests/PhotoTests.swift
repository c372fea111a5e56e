import Foundation
import PhotoFixtures
import PluginTestKit
import Testing

@testable import Photos
@testable import Pictures

@Suite(.needs(.photos)) struct PhotoTests {
    /// Stored is ABC/DEF. Expected by hand from the wording of EXIF 2.3, tag 0x0112: "the 0th row is at the visual
    /// … of the image, and the 0th column is the visual …".
    @Test(arguments: [
        (1, "ABC/DEF"), (2, "CBA/FED"), (3, "FED/CBA"), (4, "DEF/ABC"), (5, "AD/BE/CF"), (6, "DA/EB/FC"),
        (7, "FC/EB/DA"), (8, "CF/BE/AD"),
    ])
    func everyOrientationIsTurnedUpright(value: Int, upright: String) throws {
        let stored = try PhotoFixtures.jpeg(PhotoFixtures.blocks("ABC/DEF"))
        let segment = ExifBuilder(orientation: UInt16(value)).segment()
        let photo = PhotoFixtures.inserting(segment, into: stored)
        let info = try Photos.info(photo)
        #expect(info.orientation.rawValue == value)
        let result = try Photos.uprightJPEG(photo)
        #expect(PhotoFixtures.letters(of: try Photos.decode(result)) == upright)
        let after = try Photos.info(result)
        #expect(after.orientation == .topLeft)
        #expect((after.width, after.height) == (info.uprightWidth, info.uprightHeight))
    }

    @Test(arguments: [0, 9, 65_535]) func orientationOutOfRangeIsUpright(value: Int) throws {
        let stored = try PhotoFixtures.jpeg(PhotoFixtures.blocks("AB"))
        let segment = ExifBuilder(orientation: UInt16(value)).segment()
        #expect(try Photos.info(PhotoFixtures.inserting(segment, into: stored)).orientation == .topLeft)
    }

    @Test func outputHoldsNoMetadata() throws {
        let stored = try PhotoFixtures.jpeg(PhotoFixtures.blocks("AB"))
        let exif = ExifBuilder(
            orientation: 6, taken: "2026:02:06 08:15:30", latitude: (46, 30, 0, "N"),
            longitude: (7, 30, 0, "E"))
        let photo = PhotoFixtures.inserting(exif.segment(), into: stored)
        for output in [try Photos.uprightJPEG(photo), try Photos.thumbnail(photo).jpeg] {
            #expect(output.range(of: Data("Exif".utf8)) == nil)
            #expect(output.range(of: Data("2026:02".utf8)) == nil)
            #expect(try Photos.info(output).coordinate == nil)
        }
    }

    /// The colours of sRGB primaries; CMYK by the plain formula (1 − ink)(1 − black).
    @Test(arguments: [
        ("grey", TinyJPEG.grey, 0x282828, 0xC8C8C8),
        ("progressive", TinyJPEG.progressive, 0xFF0000, 0x0000FF),
        ("cmyk", TinyJPEG.cmyk, 0x00FFFF, 0x000000),
    ])
    func kindsOfJPEGAreRead(name: String, bytes: [UInt8], left: Int, right: Int) throws {
        let bitmap = try Photos.decode(Data(bytes))
        #expect((bitmap.width, bitmap.height) == (16, 8))
        for (x, expected) in [(3, left), (12, right)] {
            let color = try #require(bitmap.color(x: x, y: 4))
            #expect(PhotoFixtures.distance(color, Color(UInt32(expected))) < 300, "\(name): \(color.hex)")
        }
        #expect(try Photos.info(Photos.uprightJPEG(Data(bytes))).kind == .jpeg)
    }

    @Test func pngTransparencyIsLaidOnWhite() throws {
        var scene = Scene(size: SceneSize(width: 20, height: 10), background: nil)
        let half = SceneRect(x: 0, y: 0, width: 10, height: 10)
        scene.add(.polygon([half.corners], fill: Fill(Color(0xFF0000), opacity: 0.5), stroke: nil))
        let png = try ScenePNG.render(scene)
        let bitmap = try Photos.decode(png)
        let pink = try #require(bitmap.color(x: 4, y: 5))
        #expect(PhotoFixtures.distance(pink, Color(0xFF8080)) < 10)
        #expect(bitmap.color(x: 15, y: 5) == .white)
        #expect(
            PhotoFixtures.nearest(try #require(Photos.decode(Photos.uprightJPEG(png)).color(x: 15, y: 5)))
                == "D")
    }

    @Test func qualitiesAreThoseOfTheSeed() throws {
        #expect(PhotoSettings.fullQuality == 0.8)
        #expect(PhotoSettings.thumbnailQuality == 0.7)
        // A small thumbnail keeps its quality.
        let thumbnail = try Photos.thumbnail(PhotoFixtures.jpeg(PhotoFixtures.blocks("AB/CD")))
        #expect(thumbnail.quality == 0.7)
    }

    @Test func thumbnailIsSquareAndShowsTheMiddle() throws {
        let photo = try PhotoFixtures.jpeg(PhotoFixtures.blocks("AABBCC/AABBCC"))
        let thumbnail = try Photos.thumbnail(photo)
        let bitmap = try Photos.decode(thumbnail.jpeg)
        #expect((bitmap.width, bitmap.height) == (100, 100))
        #expect(!thumbnail.wasReduced)
        for (x, y) in [(10, 10), (50, 50), (90, 90)] {
            #expect(PhotoFixtures.nearest(try #require(bitmap.color(x: x, y: y))) == "B")
        }
    }

    @Test func thumbnailIsTurned() throws {
        let photo = PhotoFixtures.inserting(
            ExifBuilder(orientation: 6).segment(), into: try PhotoFixtures.jpeg(PhotoFixtures.blocks("AB/CD"))
        )
        let bitmap = try Photos.decode(Photos.thumbnail(photo).jpeg)
        let corners = [(20, 20), (80, 20), (20, 80), (80, 80)].compactMap { bitmap.color(x: $0.0, y: $0.1) }
        #expect(String(corners.map(PhotoFixtures.nearest)) == "CADB")
    }

    @Test(arguments: [(100, 100), (640, 480), (37, 900), (3, 2), (1, 1)])
    func thumbnailOfNoiseIsUnderTheLimit(width: Int, height: Int) throws {
        let noise = try PhotoFixtures.noise(width: width, height: height, seed: 7)
        let thumbnail = try Photos.thumbnail(PhotoFixtures.jpeg(noise, quality: 1))
        #expect(thumbnail.jpeg.count < 10_000)
        #expect(try Photos.info(thumbnail.jpeg).width == 100)
    }

    @Test func thumbnailOverTheLimitLosesQualityAndSaysSo() throws {
        // Even the worst noise stays under 10 KB at quality 0.7, so the limit of this test is lower.
        var numbers = SplitMix(seed: 3)
        let pixels = (0..<30_000).map { _ -> UInt8 in numbers.next() % 2 == 0 ? 0 : 255 }
        let noise = try #require(Bitmap(width: 100, height: 100, pixels: pixels))
        let photo = try PhotoFixtures.jpeg(noise, quality: 1)
        #expect(try !Photos.thumbnail(photo).wasReduced)
        let thumbnail = try Photos.thumbnail(photo, limit: 5_000)
        #expect(thumbnail.jpeg.count < 5_000)
        #expect(thumbnail.wasReduced)
        #expect(thumbnail.quality < 0.7)
    }

    @Test func shrinkingAveragesAreas() throws {
        // Columns black and white in turn: the mean is grey, and nearest-neighbour would show stripes.
        let row = (0..<400).flatMap { x -> [UInt8] in [UInt8](repeating: x % 2 == 0 ? 0 : 255, count: 3) }
        let pixels = [[UInt8]](repeating: row, count: 400).flatMap { $0 }
        let stripes = try #require(Bitmap(width: 400, height: 400, pixels: pixels))
        let small = try #require(Resampling.aspectFill(stripes, side: 100))
        #expect(small.pixels.allSatisfy { (127...128).contains($0) })
    }

    @Test func theSameBytesTwice() throws {
        let photo = try PhotoFixtures.jpeg(PhotoFixtures.noise(width: 60, height: 40, seed: 1))
        #expect(try Photos.uprightJPEG(photo) == Photos.uprightJPEG(photo))
        #expect(try Photos.thumbnail(photo) == Photos.thumbnail(photo))
    }

    @Test func colourProfileIsKept() throws {
        // An ICC segment is passed on unread, so any bytes do.
        let profile = [UInt8](repeating: 0x5A, count: 200)
        let bitmap = try PhotoFixtures.blocks("AB")
        let photo = try JPEGFile.encode(bitmap, orientation: .topLeft, quality: 0.9, profile: profile)
        #expect(try JPEGFile.profile([UInt8](Photos.uprightJPEG(photo))) == profile)
        #expect(try JPEGFile.profile([UInt8](Photos.thumbnail(photo).jpeg)) == profile)
    }

    @Test func longProfileIsLeftOutOfTheThumbnail() throws {
        let profile = [UInt8](repeating: 0x5A, count: 9_000)
        let bitmap = try PhotoFixtures.blocks("AB")
        let photo = try JPEGFile.encode(bitmap, orientation: .topLeft, quality: 0.9, profile: profile)
        #expect(try JPEGFile.profile([UInt8](Photos.uprightJPEG(photo))) == profile)
        let thumbnail = try Photos.thumbnail(photo)
        #expect(try JPEGFile.profile([UInt8](thumbnail.jpeg)).isEmpty)
        #expect(thumbnail.jpeg.count < 10_000 && !thumbnail.wasReduced)
    }
}
