import Foundation
import Geodesy
import PluginTestKit
import Testing

@testable import Pictures

@Suite(.needs(.photos)) struct ExifTests {
    /// 46° 30′ 15.50″ and 7° 45′ 0″ in decimal degrees, by hand, in the four quarters of the Earth.
    @Test(arguments: [("N", "E", 1.0, 1.0), ("N", "W", 1, -1), ("S", "E", -1, 1), ("S", "W", -1, -1)])
    func hemispheres(north: String, east: String, latitudeSign: Double, longitudeSign: Double) throws {
        let exif = ExifBuilder(
            latitude: (46, 30, 1_550, Character(north)), longitude: (7, 45, 0, Character(east)),
            altitude: 12_505)
        let place = try #require(try info(exif).coordinate)
        #expect(abs(place.latitude - latitudeSign * 46.504305555555554) < 1e-12)
        #expect(abs(place.longitude - longitudeSign * 7.75) < 1e-12)
        #expect(place.altitude == 1_250.5)
    }

    @Test func altitudeBelowTheSea() throws {
        let exif = ExifBuilder(latitude: (31, 30, 0, "N"), longitude: (35, 30, 0, "E"), altitude: -4_305)
        #expect(try info(exif).coordinate?.altitude == -430.5)
    }

    @Test func placeWithoutAltitude() throws {
        let exif = ExifBuilder(latitude: (0, 0, 0, "N"), longitude: (0, 0, 0, "E"))
        #expect(try info(exif).coordinate == Coordinate(latitude: 0, longitude: 0))
    }

    @Test func latitudeAloneIsNoPlace() throws {
        #expect(try info(ExifBuilder(latitude: (46, 0, 0, "N"))).coordinate == nil)
    }

    @Test func unknownHemisphereIsNoPlace() throws {
        let exif = ExifBuilder(latitude: (46, 0, 0, "X"), longitude: (7, 0, 0, "E"))
        #expect(try info(exif).coordinate == nil)
    }

    @Test func latitudeBeyondThePoleIsNoPlace() throws {
        let exif = ExifBuilder(latitude: (90, 0, 1, "N"), longitude: (7, 0, 0, "E"))
        #expect(try info(exif).coordinate == nil)
    }

    @Test func timeAndCameraAsWritten() throws {
        let info = try info(ExifBuilder(taken: "2026:02:06 08:15:30", model: "Pocket Seven "))
        #expect(info.taken == "2026:02:06 08:15:30")
        #expect(info.cameraModel == "Pocket Seven")
        #expect(info.cameraMake == nil)
    }

    @Test func photoWithoutExif() throws {
        let info = try Photos.info(PhotoFixtures.jpeg(PhotoFixtures.blocks("AB")))
        #expect(info == PhotoInfo(kind: .jpeg, width: 32, height: 16, orientation: .topLeft))
    }

    @Test func pngChunk() throws {
        var scene = Scene(size: SceneSize(width: 4, height: 2))
        scene.title = "x"
        let png = [UInt8](try ScenePNG.render(scene))
        let tiff = ExifBuilder(orientation: 8).tiff()
        // The checksum is not looked at: cairo's decoder passes over the chunk when it is wrong.
        let chunk = [0, 0, 0, UInt8(tiff.count)] + Array("eXIf".utf8) + tiff + [0, 0, 0, 0]
        let info = try Photos.info(Data(png[..<33] + chunk + png[33...]))
        #expect(info.orientation == .leftBottom)
        #expect((info.uprightWidth, info.uprightHeight) == (2, 4))
    }

    private func info(_ exif: ExifBuilder) throws -> PhotoInfo {
        let stored = try PhotoFixtures.jpeg(PhotoFixtures.blocks("AB"))
        return try Photos.info(PhotoFixtures.inserting(exif.segment(), into: stored))
    }
}
