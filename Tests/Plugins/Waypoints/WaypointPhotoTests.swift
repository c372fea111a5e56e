import Foundation
import Photos
import Pictures
import PluginKit
import PluginTestKit
import Testing
import TrailStores
import WaypointsPlugin

/// A small picture for tests that need any photo.
enum SamplePhoto {
    /// A PNG of 2 × 1 pixels, red and blue, written by hand with stored DEFLATE blocks (Python's zlib and binascii).
    static func file() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "rutter-sample-\(getpid()).png")
        if !FileManager.default.fileExists(atPath: url.path) { try png.write(to: url, options: .atomic) }
        return url
    }

    static let png =
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAEklEQVR4AQEHAPj/AP8AAAAA/wcAAf9VNrrHAAAAAElFTkSuQmCC"
        )
        ?? Data()
}

/// Photos of waypoints.
struct WaypointPhotoTests {
    private func session(_ photos: String...) throws -> TestSession {
        var files = ["text.jpg": Data("no image".utf8), "empty.jpg": Data(), "small.png": SamplePhoto.png]
        for name in photos { files[name] = try Data(contentsOf: RealData.url("photos/\(name)")) }
        return try TestSession(plugins: { [WaypointsPlugin()] }, files: files)
    }

    private func stored(_ test: TestSession) throws -> WaypointPhoto {
        let store = try WaypointStore(
            test.folder.url.appendingPathComponent("workspace/waypoints.db"), access: .foreign)
        return try store.photo(of: try #require(try store.all().first).id)
    }

    @Test(
        .enabled(if: RealData.has("photos"), "the folder of real data is not there"), arguments: [1, 3, 6, 8])
    func photosAreStoredUpright(orientation: Int) async throws {
        let name = "jpg_orientation_landscape_\(orientation).jpg"
        let test = try session(name)
        #expect(await test.run("waypoint add 46.5,7.9 --photo \(name) | get photo") == "true")
        let photo = try stored(test)
        let info = try Photos.info(try #require(photo.photo))
        // All of these files show the same landscape of 600 × 450 pixels.
        #expect(info.width == 600 && info.height == 450)
        #expect(info.orientation.rawValue == 1)
        let thumbnail = try #require(photo.thumbnail)
        let small = try Photos.info(thumbnail)
        #expect(small.width == 100 && small.height == 100)
        #expect(thumbnail.count < 10_000)
        #expect(thumbnail.starts(with: [0xFF, 0xD8, 0xFF]))
    }

    @Test(.enabled(if: RealData.has("photos"), "the folder of real data is not there"))
    func thePositionOfThePhotoPlacesTheWaypoint() async throws {
        let name = "jpg_gps_DSCN0010.jpg"
        let test = try session(name)
        // exiftool: 43 deg 28' 2.81" N, 11 deg 53' 6.46" E
        let place = await test.run("waypoint add --photo \(name) | get at")
        let angles = place.split(separator: ",").compactMap { Double($0) }
        #expect(angles.count == 2)
        #expect(abs(angles[0] - 43.467_448) < 1e-5)
        #expect(abs(angles[1] - 11.885_127) < 1e-5)
        #expect(await test.run("waypoint add 1,2 --photo \(name) | get at") == "1,2")
    }

    /// EXIF: 2008:10:22 16:28:39 without an offset, near Arezzo: in Italy's zone where borders of zones are known, else in the
    /// session's.
    @Test(.enabled(if: RealData.has("photos"), "the folder of real data is not there"))
    func theTimeIsThatOfThePhoto() async throws {
        let name = "jpg_gps_DSCN0010.jpg"
        let test = try session(name)
        #expect(
            await test.run("waypoint add --photo \(name) | get time")
                == (NativeLibrary.zones.isAvailable ? "2008-10-22T14:28:39Z" : "2008-10-22T16:28:39Z"))
        await test.run("set timezone Europe/Rome")
        await test.run("let w = waypoint add --photo \(name)")
        await test.run("let v = waypoint add 1,2 --time 2020-01-01T00:00:00Z --photo \(name)")
        await test.run("set timezone UTC")
        #expect(await test.run("$w | get time") == "2008-10-22T14:28:39Z")
        #expect(await test.run("$v | get time") == "2020-01-01")
    }

    @Test(.needs(.photos)) func aPhotoWithoutAPositionNeedsAPlace() async throws {
        let test = try session()
        let result = await test.result("waypoint add --photo small.png")
        #expect(result.failure?.code == "E-WAYPOINT-PLACE")
        #expect(result.failure?.message == "the photo has no EXIF position")
        #expect(await test.run("waypoint count") == "0")
    }

    @Test(.needs(.photos), arguments: ["text.jpg", "empty.jpg"])
    func whatIsNoImageIsRefused(name: String) async throws {
        let test = try session()
        await test.run("waypoint add 1,1 --label Hut --photo small.png")
        let before = try stored(test)
        #expect(await test.result("waypoint add 1,1 --photo \(name)").failure?.code == "E-WAYPOINT-PHOTO")
        #expect(await test.result("waypoint edit Hut --photo \(name)").failure?.code == "E-WAYPOINT-PHOTO")
        #expect(await test.run("waypoint count") == "1")
        #expect(try stored(test) == before)
    }

    @Test(.needs(.photos)) func writingPhotosOut() async throws {
        let test = try session()
        await test.run("waypoint add 1,1 --label Hut --photo small.png")
        let photo = try stored(test)
        #expect(
            await test.run("waypoint photo Hut --out out.jpg")
                == "\(photo.photo?.count ?? 0) bytes written to out.jpg")
        let written = try Data(contentsOf: test.folder.url.appendingPathComponent("out.jpg"))
        #expect(written == photo.photo)
        #expect(await test.result("waypoint photo Hut --out out.jpg").failure?.code == "E-FILE-EXISTS")
        #expect(await test.result("waypoint photo Hut --thumbnail --out out.jpg --force").failure == nil)
        #expect(try Data(contentsOf: test.folder.url.appendingPathComponent("out.jpg")) == photo.thumbnail)
        #expect(await test.run("waypoint photo Hut | get thumbnail") == "\(photo.thumbnail?.count ?? 0)")
        await test.run("waypoint edit Hut --no-photo")
        #expect(await test.result("waypoint photo Hut").failure?.code == "E-WAYPOINT-NOPHOTO")
        #expect(await test.run("waypoint show Hut | get photo") == "false")
    }

    /// On a watch only the thumbnail is stored: it is shown in place of the photo, and that is said.
    @Test(.needs(.photos)) func aThumbnailStandsForAnAbsentPhoto() async throws {
        let test = try session()
        await test.run("waypoint add 1,1 --label Hut --photo small.png")
        let thumbnail = try #require(try stored(test).thumbnail)
        let url = test.folder.url.appendingPathComponent("workspace/waypoints.db")
        let store = try WaypointStore(url, access: .own)
        var waypoint = try #require(try store.all().first)
        waypoint.id = UUID()
        waypoint.label = "Lake"
        try store.insert(waypoint, photo: WaypointPhoto(photo: nil, thumbnail: thumbnail))
        let said = "the photo is not on this device: this is its thumbnail"
        #expect(await test.run("waypoint photo Lake | get note") == said)
        #expect(
            await test.run("waypoint photo Lake --out out.jpg")
                == "\(thumbnail.count) bytes written to out.jpg; \(said)")
        #expect(try Data(contentsOf: test.folder.url.appendingPathComponent("out.jpg")) == thumbnail)
        #expect(!(await test.run("waypoint photo Lake --thumbnail")).contains(said))
    }
}
