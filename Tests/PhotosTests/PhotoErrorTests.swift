import Foundation
import PhotoFixtures
import PluginTestKit
import Testing

@testable import Photos
@testable import Pictures

@Suite(.needs(.photos)) struct PhotoErrorTests {
    @Test(arguments: ["", "GIF89a", "hello", "\u{FF}", "<svg/>"]) func otherBytesAreNoImage(text: String) {
        #expect(throws: PhotoError.notAnImage) { try Photos.uprightJPEG(Data(text.utf8)) }
        #expect(throws: PhotoError.notAnImage) { try Photos.thumbnail(Data(text.utf8)) }
    }

    @Test func jpegCutAnywhereIsRefused() throws {
        let whole = try PhotoFixtures.jpeg(PhotoFixtures.noise(width: 40, height: 30, seed: 5))
        // The last two bytes are the end marker; without it the picture is complete but the file is not.
        for length in 3..<whole.count {
            #expect(throws: PhotoError.self, "\(length) bytes") {
                try Photos.uprightJPEG(whole.prefix(length))
            }
        }
        #expect(throws: PhotoError.truncated) { try Photos.uprightJPEG(whole.prefix(whole.count - 20)) }
        #expect(throws: PhotoError.truncated) { try Photos.thumbnail(whole.prefix(whole.count / 2)) }
    }

    @Test func progressiveCutIsRefused() {
        let half = Data(TinyJPEG.progressive.prefix(TinyJPEG.progressive.count * 3 / 4))
        #expect(throws: PhotoError.truncated) { try Photos.uprightJPEG(half) }
    }

    @Test func pngCutIsRefused() throws {
        var scene = Scene(size: SceneSize(width: 30, height: 30))
        scene.add(.circle(center: ScenePoint(15, 15), radius: 9, fill: Fill(.black), stroke: nil))
        let whole = try ScenePNG.render(scene)
        for length in 8..<whole.count - 12 {
            #expect(throws: PhotoError.truncated, "\(length) bytes") {
                try Photos.decode(whole.prefix(length))
            }
        }
    }

    /// A header that promises 60 000 × 60 000 pixels is rejected by its header, before anything is
    /// allocated.
    @Test func bombsAreRefusedByTheirHeader() throws {
        var jpeg = [UInt8](try PhotoFixtures.jpeg(PhotoFixtures.blocks("A")))
        let frame = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xEA, 0x60, 0xEA, 0x60])
        #expect(throws: PhotoError.tooLarge(pixels: 3_600_000_000)) { try Photos.uprightJPEG(Data(jpeg)) }
        #expect(throws: PhotoError.tooLarge(pixels: 3_600_000_000)) { try Photos.info(Data(jpeg)) }

        var png = [UInt8](try ScenePNG.render(Scene(size: SceneSize(width: 2, height: 2))))
        png.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
        #expect(throws: PhotoError.self) { try Photos.decode(Data(png)) }
        png.replaceSubrange(16..<24, with: [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60])
        #expect(throws: PhotoError.tooLarge(pixels: 3_600_000_000)) { try Photos.decode(Data(png)) }
    }

    @Test(.timeLimit(.minutes(10))) func scansWithoutEndAreRefused() throws {
        // Every scan of a progressive photo costs as much as the whole picture; here the first comes 5 000 times.
        let bytes = TinyJPEG.progressive
        let starts = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
        let first = try #require(starts.first)
        let second = try #require(
            bytes.indices.first { $0 > first + 12 && bytes[$0] == 0xFF && bytes[$0 + 1] != 0 })
        let scans = (0..<5_000).flatMap { _ in bytes[first..<second] }
        let bomb = Data(bytes[..<first] + scans + bytes[first...])
        #expect(throws: PhotoError.self) { try Photos.decode(bomb) }
    }

    @Test(arguments: [(1, 100), (20_000_000, 50), (100_000_000, 20)]) func largePhotosMayHaveFewerScans(
        pixels: Int, scans: Int
    ) {
        #expect(PhotoLimits.scans(pixels) == scans)
    }

    @Test func losslessJPEGIsNamedUnsupported() throws {
        var jpeg = [UInt8](try PhotoFixtures.jpeg(PhotoFixtures.blocks("A")))
        let frame = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        jpeg[frame + 1] = 0xC3
        #expect {
            try Photos.decode(Data(jpeg))
        } throws: { error in
            if case PhotoError.unsupported = error { true } else { false }
        }
    }

    @Test func everyErrorIsASentence() {
        let errors: [PhotoError] = [
            .notAnImage, .truncated, .tooLarge(pixels: 200_000_000), .corrupt("x"), .unsupported("y"),
            .outOfMemory,
        ]
        #expect(errors.allSatisfy { !$0.description.isEmpty })
        #expect(PhotoError.tooLarge(pixels: 200_000_000).description.contains("200 megapixels"))
    }
}

/// Bytes changed at random end in a picture or in an error, never in a crash.
@Suite(.needs(.photos)) struct PhotoFuzzTests {
    private static let rounds = 1_000

    @Test func jpeg() throws {
        let exif = ExifBuilder(
            orientation: 6, taken: "2026:02:06 08:15:30", model: "m", latitude: (46, 30, 0, "N"),
            longitude: (7, 30, 0, "E"), altitude: 5)
        let photo = PhotoFixtures.inserting(
            exif.segment(), into: try PhotoFixtures.jpeg(PhotoFixtures.noise(width: 24, height: 16, seed: 2)))
        for seeds in [[UInt8](photo), TinyJPEG.progressive, TinyJPEG.cmyk, TinyJPEG.grey] {
            mutate(seeds, seed: 11) { data in
                _ = try Photos.info(data)
                _ = try Photos.thumbnail(data)
            }
        }
    }

    @Test func png() throws {
        var scene = Scene(size: SceneSize(width: 24, height: 16), background: nil)
        scene.add(.circle(center: ScenePoint(12, 8), radius: 7, fill: Fill(Color(0x4A90D9)), stroke: nil))
        mutate([UInt8](try ScenePNG.render(scene)), seed: 12) { _ = try Photos.uprightJPEG($0) }
    }

    @Test func exifAlone() throws {
        let exif = ExifBuilder(
            orientation: 3, taken: "2026:02:06 08:15:30", model: "model", latitude: (1, 2, 3, "S"),
            longitude: (4, 5, 6, "W"), altitude: 7)
        let jpeg = try PhotoFixtures.jpeg(PhotoFixtures.blocks("A"))
        mutate(exif.tiff(), seed: 13) { block in
            let content = Array("Exif\0\0".utf8) + [UInt8](block)
            guard content.count < 0xFFFD else { return }
            let length = content.count + 2
            let segment = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + content
            let info = try Photos.info(PhotoFixtures.inserting(segment, into: jpeg))
            #expect(info.coordinate?.isValid ?? true)
        }
    }

    /// Changes, cuts and repeats bytes. Errors must be typed.
    private func mutate(_ bytes: [UInt8], seed: UInt64, try attempt: (Data) throws -> Void) {
        var numbers = SplitMix(seed: seed)
        for round in 0..<Self.rounds {
            var copy = bytes
            for _ in 0..<Int.random(in: 1...6, using: &numbers) {
                let place = Int.random(in: 2..<copy.count, using: &numbers)
                switch Int.random(in: 0..<6, using: &numbers) {
                case 0: copy = Array(copy[..<max(3, place)])
                case 1: copy.insert(contentsOf: copy[place...].prefix(9), at: place)
                case 2: copy[place] = 0xFF
                case 3: copy[place] = 0
                default: copy[place] = UInt8.random(in: 0...255, using: &numbers)
                }
            }
            do {
                try attempt(Data(copy))
            } catch {
                #expect(error is PhotoError, "round \(round)")
            }
        }
    }
}
