import CivilTime
import Formats
import Foundation
import Geodesy
import Photos
import Pictures
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import HikesPlugin

/// Photos matched with hikes. The photos are those of `Notebooks/data/make-photos.py`: a camera whose clock is 62 minutes slow,
/// and a phone whose clock is right.
@Suite(.needs(.photos), .needs(.heif), .needs(.xml))
struct HikePhotoTests {
    private let test: TestSession
    private static let data = RealData.project.appendingPathComponent("Notebooks/data")

    init() async throws {
        let gpx = try Data(contentsOf: Self.data.appendingPathComponent("hut-and-lake.gpx"))
        test = try TestSession(
            plugins: { [HikesPlugin()] }, files: ["day.gpx": gpx, "text.jpg": Data("no photo".utf8)])
        try FileManager.default.copyItem(
            at: Self.data.appendingPathComponent("photos"),
            to: test.folder.url.appendingPathComponent("photos"))
        await test.run("import day.gpx --name Day")
    }

    private func code(_ entry: String) async -> String? { await test.result(entry).failure?.code }

    /// As the apps' compressor: an upright JPEG, no longer than asked, without what the photo tells of its place.
    @Test func compressedCopiesAreSmallerAndTellNothing() async throws {
        let entry = "photo compress photos --out small --side 64"
        #expect(await code(entry) == nil)
        let folder = test.folder.url.appendingPathComponent("small")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(!names.isEmpty)
        for name in names {
            let info = try Photos.info(Data(contentsOf: folder.appendingPathComponent(name)))
            #expect(max(info.width, info.height) <= 64, "\(name)")
            #expect(info.coordinate == nil && info.taken == nil, "\(name)")
        }
        #expect(await code(entry) == "E-FILE-EXISTS")
        #expect(await code("\(entry) --force") == nil)
        #expect(
            await test.run("photo compress text.jpg --out none | get result")
                == "not a JPEG, PNG or HEIC image")
        #expect(!FileManager.default.fileExists(atPath: test.folder.url.appendingPathComponent("none").path))
    }

    private func waypoints() throws -> [Waypoint] {
        let url = test.folder.url.appendingPathComponent("workspace/waypoints.db")
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        return try WaypointStore(url, access: .foreign).all().filter(\.hasPhoto).sorted {
            $0.label < $1.label
        }
    }

    @Test func theClockOfACameraIsCorrected() async throws {
        let lines = await test.run(
            "photo match photos --hike Day | select file time offset position result | to csv")
        #expect(
            lines == """
                file,time,offset,position,result
                hut.heic,2026-02-05T10:10:00Z,0,recording,on the hike
                lake-copy.jpg,2026-02-05T10:50:00Z,3720,recording,on the hike
                lake.jpg,2026-02-05T10:50:00Z,3720,recording,duplicate of lake-copy.jpg
                ridge.jpg,2026-02-05T09:29:04Z,3720,photo,on the hike
                terrace.jpg,2026-02-05T08:37:13Z,3720,photo,on the hike
                train.jpg,2026-02-05T07:00:00Z,3720,,1h30min before the hike
                """)
        // Nothing was written.
        #expect(try waypoints().isEmpty)
        #expect(
            await test.run("photo match photos --hike Day").contains(
                "the clock of Sample Field C1 is 1h2min slow, by the positions of 2 photos"))
    }

    /// A phone may write the position of an earlier fix.
    @Test func aSinglePositionOnlyProposesAClock() async throws {
        try FileManager.default.removeItem(
            at: test.folder.url.appendingPathComponent("photos/ridge.jpg"))
        let lines = await test.run("photo match photos --hike Day")
        #expect(
            lines.contains("by the position of one photo, which proves nothing: --offset 1h2min if it is so"))
        #expect(
            await test.run(
                "photo match photos --hike Day | where file == 'lake.jpg' | select time position | to csv")
                == "time,position\n2026-02-05T09:48:00Z,\"recording, if the camera's clock is right\"")
        // Nothing is written into files that nobody confirmed.
        #expect(
            await test.run("photo geotag photos --hike Day --out tagged --correct | get result").contains(
                "its camera's clock is doubted: --offset decides"))
        #expect(
            !FileManager.default.fileExists(atPath: test.folder.url.appendingPathComponent("tagged").path))
    }

    @Test func photosBecomeLinkedWaypoints() async throws {
        await test.run("photo match photos --hike Day --add")
        let made = try waypoints()
        #expect(made.map(\.label) == ["hut", "lake-copy", "ridge", "terrace"])
        let lake = try #require(made.first { $0.label == "lake-copy" })
        // By hand: 4/67 of the way from the point of 10:49:56 to that of 10:51:03.
        #expect(lake.coordinate.distance(to: lakePlace) < 0.01)
        #expect(abs((lake.coordinate.altitude ?? 0) - lakeAltitude) < 0.01)
        #expect(made.allSatisfy { $0.hasPhoto && $0.hikeID != nil })
        let store = try WaypointStore(
            test.folder.url.appendingPathComponent("workspace/waypoints.db"), access: .foreign)
        let photo = try Photos.info(try #require(try store.photo(of: lake.id).photo))
        #expect(photo.kind == .jpeg && photo.taken == nil && photo.coordinate == nil)

        #expect(
            await test.run("photo match photos --hike Day --add | get result")
                == "duplicate of hut\nduplicate of lake-copy\nduplicate of lake-copy.jpg\nduplicate of ridge\nduplicate of terrace\n1h30min before the hike"
        )
        #expect(try waypoints().count == 4)
        await test.run("undo")
        #expect(try waypoints().isEmpty)
    }

    @Test func aGivenOffsetCounts() async {
        #expect(
            await test.run("photo match photos/terrace.jpg --hike Day --offset 0s | get time")
                == "2026-02-05T07:35:13Z")
        #expect(
            await test.run("photo match photos/lake.jpg --hike Day --offset 30min | get result")
                == "on the hike")
        // A camera without any photo that has a position: its clock is assumed to be right.
        #expect(await test.run("photo match photos/lake.jpg --hike Day | get offset") == "0s")
    }

    @Test func badInputIsNamed() async {
        #expect(await test.run("photo match text.jpg --hike Day | get result").hasPrefix("not a JPEG"))
        #expect(await code("photo match photos") == "E-ARG-MISSING")
        #expect(await code("photo match photos --hike Nobody") == "E-REFERENCE-UNKNOWN")
        try? FileManager.default.createDirectory(
            at: test.folder.url.appendingPathComponent("empty"), withIntermediateDirectories: false)
        #expect(await code("photo match empty --hike Day") == "E-HIKE-PHOTOS")
        #expect(await code("photo geotag photos --hike Day") == "E-ARG-MISSING")
    }

    @Test func copiesGetThePosition() async throws {
        #expect(
            await test.run("photo geotag photos --hike Day --out tagged | get result | unique").contains(
                "its camera's clock is corrected: --correct writes it at this position"))
        #expect(
            await test.run("photo geotag photos --hike Day --out tagged --correct | get result") == """
                HEIC files cannot be written
                written
                written
                it already has a position
                it already has a position
                1h30min before the hike
                """)
        let folder = test.folder.url.appendingPathComponent("tagged")
        let copy = try Data(contentsOf: folder.appendingPathComponent("lake.jpg"))
        let original = try Data(contentsOf: Self.data.appendingPathComponent("photos/lake.jpg"))
        let place = try #require(try Photos.info(copy).coordinate)
        #expect(place.distance(to: lakePlace) < 0.01)
        #expect(try Photos.info(copy).taken == "2026:02:05 09:48:00")
        #expect(try Photos.decode(copy) == Photos.decode(original))
        // The originals stay, and nothing is overwritten.
        #expect(try Data(contentsOf: test.folder.url.appendingPathComponent("photos/lake.jpg")) == original)
        #expect(await code("photo geotag photos --hike Day --out tagged --correct") == "E-FILE-EXISTS")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                "lake-copy.jpg", "lake.jpg",
            ])
    }

    private let lakePlace = Coordinate(latitude: 0.515_452_5, longitude: 0.511_310_2)
    private let lakeAltitude = 1306.07
}

/// The moments and places of a recording, and the clocks of cameras, on small made-up recordings.
struct TrackTimelineTests {
    private static func recording(_ points: [[(Double, Double)]]) -> Recording {
        // Seconds, and metres to the north of 0,0.
        let start = Timestamp(milliseconds: 0)
        return Recording(
            line: GPXLine(
                segments: points.map { segment in
                    segment.map { seconds, metres in
                        GPXPoint(
                            coordinate: Coordinate(latitude: metres / 111_226.3, longitude: 0),
                            time: start.advanced(bySeconds: seconds))
                    }
                }))
    }

    private static func at(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: 0).advanced(bySeconds: seconds)
    }

    @Test func gapsAreNotBridged() throws {
        let timeline = try #require(
            TrackTimeline(Self.recording([[(0, 0), (50, 100)], [(600, 120), (1200, 5000)]])))
        guard case .place(let middle) = timeline.answer(at: Self.at(25)) else { return #expect(Bool(false)) }
        #expect(abs(middle.latitude * 111_226.3 - 50) < 0.01)
        // A pause without movement.
        guard case .place = timeline.answer(at: Self.at(300)) else { return #expect(Bool(false)) }
        #expect(timeline.answer(at: Self.at(900)) == .gap(600))
        #expect(timeline.answer(at: Self.at(-10)) == .before(10))
        #expect(timeline.answer(at: Self.at(1260)) == .after(60))
    }

    /// A way out and back passes twice; the second photo decides.
    @Test func theOffsetThatFitsMostPhotosCounts() throws {
        let way = (0...20).map { (step: Int) -> (Double, Double) in
            let metres = step <= 10 ? step * 200 : (20 - step) * 200
            return (Double(step * 100), Double(metres))
        }
        let timeline = try #require(TrackTimeline(Self.recording([way])))
        func photo(_ seconds: Double, _ metres: Double, fix: Double? = nil) -> CameraClock.Sighting {
            .init(
                Self.at(seconds), Coordinate(latitude: metres / 111_226.3, longitude: 0),
                fix: fix.map(Self.at))
        }
        func finding(_ photos: [CameraClock.Sighting]) -> CameraClock.Finding? {
            CameraClock.finding(photos, on: timeline)
        }
        // 400 m are passed after 200 s and after 1800 s; the clock is an hour fast.
        let alone = try #require(finding([photo(3800, 400)]))
        #expect(alone == .init(offset: -2000, photos: 1, isProved: false) && alone.applied == 0)
        #expect(
            finding([photo(3800, 400), photo(4400, 1600)])
                == .init(offset: -3600, photos: 2, isProved: true))
        // A burst is as one photo.
        #expect(finding([photo(3800, 400), photo(3802, 400)])?.isProved == false)
        // The receiver's time decides, for and against; what is earlier than the camera's may be of an old fix.
        #expect(finding([photo(100, 400, fix: 210)]) == .init(offset: 100, photos: 1, isProved: true))
        #expect(finding([photo(3800, 400, fix: 1790)]) == .init(offset: -2000, photos: 1, isProved: false))
        #expect(
            finding([photo(3800, 400, fix: 3795), photo(3700, 600)])
                == .init(offset: 0, photos: 0, isProved: true))
        #expect(finding([photo(0, 50_000)]) == nil)
        #expect(finding([]) == nil)
    }

    /// The names of Google's files: cut where they are too long, and of the original for an edited photo.
    @Test(arguments: [
        ("IMG_1.jpg", "IMG_1.jpg.supplemental-metadata.json"), ("IMG_1.jpg", "IMG_1.jpg.supple.json"),
        ("IMG_1(2).jpg", "IMG_1.jpg.supplemental-metadata(2).json"), ("IMG_1-edited.jpg", "IMG_1.jpg.json"),
        (
            "123456789123456789123456789123456789_DSCN0091.JPG",
            "123456789123456789123456789123456789_DSCN0091..json"
        ),
        (
            "1234567891234567891234567891234_DSCN0095.JPG",
            "1234567891234567891234567891234_DSCN0095.JPG.s.json"
        ),
    ])
    func namesOfSidecars(photo: String, sidecar: String) {
        #expect(PhotoSidecar.names(of: photo).contains(sidecar), "\(PhotoSidecar.names(of: photo))")
    }
}
