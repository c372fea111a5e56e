import CivilTime
import Foundation
import Geodesy
import PhotoFixtures
import PluginTestKit
import Testing

@testable import Photos
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
        let exif = ExifBuilder(latitude: (0, 0, 0, "N"), longitude: (7, 0, 0, "E"))
        #expect(try info(exif).coordinate == Coordinate(latitude: 0, longitude: 7))
    }

    /// Cameras without a fix write zeros; 99 minutes are no minutes.
    @Test func zerosAndImpossibleMinutesAreNoPlace() throws {
        let zeros = ExifBuilder(latitude: (0, 0, 0, "N"), longitude: (0, 0, 0, "E"))
        #expect(try info(zeros).coordinate == nil)
        #expect(try info(zeros).positionFault == .zero)
        let minutes = ExifBuilder(latitude: (46, 99, 0, "N"), longitude: (7, 0, 0, "E"))
        #expect(try info(minutes).coordinate == nil)
    }

    /// ExifTool writes 10.2° as 10° 11' 60".
    @Test func sixtySecondsAreOneMinute() throws {
        let exif = ExifBuilder(latitude: (46, 30, 0, "N"), longitude: (10, 11, 6_000, "E"))
        #expect(abs((try info(exif).coordinate?.longitude ?? .nan) - 10.2) < 1e-12)
    }

    /// What is written and is no position is told apart from nothing written.
    @Test func aPositionThatCannotBeReadIsSaid() throws {
        let minutes = ExifBuilder(latitude: (46, 99, 0, "N"), longitude: (7, 0, 0, "E"))
        #expect(try info(minutes).positionFault == .unreadable)
        #expect(try info(ExifBuilder(latitude: (46, 0, 0, "N"))).positionFault == .unreadable)
        #expect(try info(ExifBuilder(taken: "2026:06:06 10:03:20", model: "Pocket")).positionFault == nil)
        let sound = ExifBuilder(latitude: (46, 30, 0, "N"), longitude: (7, 0, 0, "E"))
        #expect(try info(sound).positionFault == nil)
        // Zeros without a letter, of a camera without a fix.
        let blank = ExifBuilder(latitude: (0, 0, 0, "\0"), longitude: (0, 0, 0, "\0"))
        #expect(try info(blank).positionFault == nil)
        #expect(try info(blank).coordinate == nil)
    }

    /// Some telephones write small letters, or the signed kind of number.
    @Test func smallLettersAndSignedNumbersAreRead() throws {
        var exif = ExifBuilder(latitude: (46, 30, 0, "s"), longitude: (7, 45, 0, "e"))
        exif.angleType = 10
        #expect(try info(exif).coordinate == Coordinate(latitude: -46.5, longitude: 7.75))
        exif.latitude = (0xFFFF_FFD2, 30, 0, "S")
        #expect(try info(exif).positionFault == .unreadable)
    }

    /// The last change of an edited photo is no time at which it was taken.
    @Test func theLastChangeIsKeptApart() throws {
        var exif = ExifBuilder(model: "Pocket")
        exif.changed = "2026:06:06 10:03:20"
        let info = try info(exif)
        #expect(info.taken == nil && info.changed == "2026:06:06 10:03:20" && PhotoTime(info) == nil)
    }

    /// Seconds of 0/0 are not 0 seconds: the place would be up to a minute of arc away.
    @Test func secondsThatAreNoNumberAreNoPlace() throws {
        var exif = ExifBuilder(latitude: (46, 30, 0, "N"), longitude: (7, 45, 0, "E"))
        #expect(try info(exif).coordinate != nil)
        exif.secondsOver = 0
        #expect(try info(exif).coordinate == nil)
    }

    /// A camera that wrote no time, or blanks, may have the receiver's, which is UTC.
    @Test(arguments: ["    :  :     :  :  ", "0000:00:00 00:00:00"])
    func theTimeOfTheReceiverStandsIn(taken: String) throws {
        var info = try info(ExifBuilder(taken: taken, model: "Pocket"))
        #expect(info.taken == nil && PhotoTime(info) == nil)
        info.gpsTime = "2026:06:06 08:03:20"
        let reading = PhotoTime(info)?.reading(near: nil, session: .gmt)
        #expect(reading?.moment == ISO8601.timestamp("2026-06-06T08:03:20Z"))
        #expect(reading?.words == "receiver" && PhotoTime(info)?.isReceivers == true)
    }

    /// As ISO 8601 writes it, or nearly so.
    @Test(arguments: [
        "2026-06-06T10:03:20+02:00", "2026:06:06T10:03:20+02:00", "2026:06:06 10:03:20.5+02:00",
        "2026:06:06 10:03:20 +02:00",
    ])
    func aTimeWithItsOwnOffsetIsRead(taken: String) throws {
        let info = try info(ExifBuilder(taken: taken, model: "Pocket"))
        let reading = PhotoTime(info)?.reading(near: nil, session: .gmt)
        #expect(reading?.moment == ISO8601.timestamp("2026-06-06T08:03:20Z") && reading?.words == "+02:00")
    }

    /// A fraction of the second is no reason to refuse the time, whose offset stands in its own field.
    @Test func aTimeWithAFractionIsRead() throws {
        var info = try info(ExifBuilder(taken: "2026:06:06 10:03:20.512", model: "Pocket"))
        info.takenOffset = "+02:00"
        let reading = PhotoTime(info)?.reading(near: nil, session: .gmt)
        #expect(reading?.moment == ISO8601.timestamp("2026-06-06T08:03:20Z"))
    }

    /// A time with slashes is one, and an offset that the receiver contradicts is said.
    @Test func aTimeWithSlashesAndAContradictedOffset() throws {
        var info = try info(ExifBuilder(taken: "2026/06/06 10:30:00", model: "Pocket"))
        info.takenOffset = "+00:00"
        info.gpsTime = "2026:06:06 08:30:02"
        let reading = PhotoTime(info)?.reading(near: nil, session: .gmt)
        #expect(reading?.moment == ISO8601.timestamp("2026-06-06T10:30:00Z"))
        #expect(reading?.words == "+00:00; the receiver's time is 2 h earlier")
        info.takenOffset = "+02:00"
        #expect(PhotoTime(info)?.reading(near: nil, session: .gmt)?.words == "+02:00")
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

    /// The offset of the place is the difference between a camera's local time and its receiver's UTC, if
    /// that is unambiguous.
    @Test(arguments: [
        ("2026:02:06 08:15:30", "2026:02:06 07:15:28", PhotoTime.Zone.receiver, "2026-02-06T07:15:30Z"),
        // A clock that is 92 s fast, in a zone of 5 h 45 min.
        ("2026:02:06 13:02:00", "2026:02:06 07:15:28", .receiver, "2026-02-06T07:17:00Z"),
        ("2026:02:05 22:15:30", "2026:02:06 07:15:28", .receiver, "2026-02-06T07:15:30Z"),
        // Seven minutes: which quarter of an hour is meant?
        ("2026:02:06 08:22:30", "2026:02:06 07:15:28", .assumed, "2026-02-06T05:22:30Z"),
        ("2026:02:07 08:15:30", "2026:02:06 07:15:28", .assumed, "2026-02-07T05:15:30Z"),
        ("2026:02:06 08:15:30", "0000:00:00 00:00:00", .assumed, "2026-02-06T05:15:30Z"),
    ])
    func zonesOfTheReceiver(taken: String, utc: String, zone: PhotoTime.Zone, moment: String) throws {
        var info = try info(ExifBuilder(taken: taken, model: "Pocket"))
        info.gpsTime = utc
        let time = try #require(PhotoTime(info))
        let assumed = try #require(TimeZone(secondsFromGMT: 3 * 3600))
        #expect(time.reading(near: nil, session: assumed)?.zone == zone)
        #expect(time.reading(near: nil, session: assumed).map { ISO8601.text($0.moment) } == moment)
        info.takenOffset = "-02:00"
        #expect(PhotoTime(info)?.reading(near: nil, session: assumed)?.zone == .written)
    }

    /// A Nikon of 2008 whose receiver was a day ahead of its clock: no zone of the world is so far from UTC.
    @Test(.enabled(if: RealData.has("photos"), "needs the folder of real data"))
    func aReceiverThatIsWrong() throws {
        let info = try Photos.info(try Data(contentsOf: RealData.url("photos/jpg_gps_DSCN0010.jpg")))
        #expect(info.taken == "2008:10:22 16:28:39")
        #expect(info.gpsTime == "2008:10:23 14:27:07")
        #expect(PhotoTime(info)?.reading(near: nil, session: .gmt)?.zone == .assumed)
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
        // The checksum is not verified: cairo's decoder skips the chunk if it is wrong.
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
