import Core
import Foundation
import Geodesy
import PhotoFixtures
import PluginTestKit
import Testing

@testable import Photos

/// Mutants of photos: their metadata, pictures and sidecars.
@Suite(.needs(.photos), .serialized) struct PhotoMutantTests {
    private static let packet =
        "<x:xmpmeta><rdf:Description exif:GPSLatitude=\"46,30.27N\" exif:GPSLongitude=\"10,15.0E\" "
        + "exif:DateTimeOriginal=\"2026-06-06T10:10:00+02:00\"/></x:xmpmeta>"

    private func jpeg() throws -> [UInt8] {
        let exif = ExifBuilder(
            orientation: 6, taken: "2026:06:06 10:00:00", model: "Camera", latitude: (46, 30, 1620, "N"),
            longitude: (10, 15, 0, "E"), altitude: 15_000)
        let plain = try PhotoFixtures.jpeg(PhotoFixtures.blocks("AB/CD"))
        return Array(PhotoFixtures.inserting(exif.segment(), into: plain))
    }

    /// What is known of a photo; a position is one, and so is a time.
    private func facts(_ info: PhotoInfo) -> [String] {
        if let place = info.coordinate { #expect(place.isValid, "\(place)") }
        return [info.taken, info.takenOffset, info.cameraModel, info.coordinate.map { "\($0)" }].compactMap(
            \.self)
    }

    @Test func metadata() async throws {
        let jpeg = try jpeg()
        let start = jpeg.prefix(400)
        let files = [
            // Most mutants are of the metadata, which come first.
            MutableFile("a.jpg", whole: jpeg), MutableFile("cut.jpg", whole: Array(start)),
        ]
        try await MutantTrial(files) { bytes, _ in
            do {
                return facts(try Photos.info(Data(bytes)))
            } catch is PhotoError {
                return []
            }
        }.run()
    }

    @Test func pictures() async throws {
        try await MutantTrial([MutableFile("p.jpg", whole: jpeg(), share: 0.25)]) { bytes, _ in
            do {
                let small = try Photos.thumbnail(Data(bytes))
                #expect(!small.jpeg.isEmpty)
                return []
            } catch is PhotoError {
                return []
            }
        }.run()
    }

    @Test func positionsThatAreWritten() async throws {
        try await MutantTrial([MutableFile("g.jpg", whole: jpeg(), share: 0.5)]) { bytes, _ in
            do {
                let tagged = try Photos.geotagged(
                    Data(bytes), at: .init(latitude: 47, longitude: 8, altitude: 500))
                _ = try Photos.info(tagged)
                return []
            } catch is PhotoError {
                return []
            }
        }.run()
    }

    @Test func sidecars() async throws {
        try await MutantTrial([MutableFile("a.xmp", whole: Array(Self.packet.utf8))]) { bytes, _ in
            guard let sidecar = XMPSidecar(Data(bytes)) else { return [] }
            if let place = sidecar.coordinate { #expect(place.isValid, "\(place)") }
            return [sidecar.taken].compactMap(\.self)
        }.run()
    }
}
