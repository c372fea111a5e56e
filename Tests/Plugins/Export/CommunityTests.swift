import Foundation
import Geodesy
import Photos
import Pictures
import PluginTestKit
import Testing
import TrailStores

/// The community's files: all data round-trip, including the photos.
struct CommunityTests {
    /// A file with everything in the format; the identifiers are those of `Walk` in no store.
    private static let shared = """
        {"activityType":"cycling","author":"Ann \\"A\\" B","boundingBox":{"east":7.92,"north":46.53,"south":46.5,"west":7.9},\
        "createdAt":"2026-03-01T12:00:00Z","description":"Long\\nand steep","id":"6BA7B810-9DAD-11D1-80B4-00C04FD430C8",\
        "name":"Pass","photos":[\
        {"caption":"Top","filename":"top.jpg","lat":46.52,"lon":7.91,"waypointId":"6BA7B811-9DAD-11D1-80B4-00C04FD430C8"},\
        {"caption":"Again","filename":"top-2.jpg","waypointId":"6BA7B811-9DAD-11D1-80B4-00C04FD430C8"},\
        {"caption":"","filename":"way.jpg","lat":46.51,"lon":7.9},\
        {"caption":"Lost","filename":"lost.jpg","waypointId":"gone"}],\
        "region":{"area":"Oberland","country":"Switzerland"},\
        "stats":{"distanceMeters":4321.5,"durationSeconds":0,"elevationGainMeters":12,"elevationLossMeters":3.5},\
        "track":[{"ele":500,"lat":46.5,"lon":7.9,"time":"2026-02-05T08:00:00Z"},\
        {"ele":510.5,"lat":46.53,"lon":7.92,"time":"2026-02-05T08:20:00.500Z"}],"version":3,\
        "waypoints":[{"category":"viewpoint","ele":700,"id":"6BA7B811-9DAD-11D1-80B4-00C04FD430C8","label":"Top",\
        "lat":46.52,"lon":7.91,"note":"wide"},\
        {"category":"geocache","id":"6BA7B812-9DAD-11D1-80B4-00C04FD430C8","label":"","lat":46.51,"lon":7.91,"note":""}]}

        """

    private static func photo(_ shade: UInt32) throws -> Data {
        let scene = Scene(size: SceneSize(width: 300, height: 400), background: Color(shade))
        return try Photos.uprightJPEG(try ScenePNG.render(scene))
    }

    private static func session(_ files: [String: Data] = [:]) throws -> TestSession {
        try TestSession.exporting(["a.json": Data(shared.utf8)].merging(files) { $1 })
    }

    private static func folder(_ test: TestSession, _ files: [String: Data]) throws {
        let folder = test.url("pictures")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, data) in files { try data.write(to: folder.appendingPathComponent(name)) }
    }

    @Test func aFileComesBackToTheByte() async throws {
        let test = try Self.session()
        try await test.value("import a.json --dry-run | export b.json")
        #expect(try test.text("b.json") == Self.shared)
        #expect(await test.run("import a.json --dry-run | get photos") == "4")
    }

    @Test func aTrackWithoutTimesOrHeightsComesBack() async throws {
        let flat = Self.shared.replacing("510.5", with: "0").replacing("\"ele\":500", with: "\"ele\":0")
            .replacing("08:20:00.500Z", with: "08:00:00Z")
        let test = try TestSession.exporting(["a.json": Data(flat.utf8)])
        try await test.value("import a.json --dry-run | export b.json")
        #expect(try test.text("b.json") == flat)
        #expect(
            !(await test.run("import a.json --dry-run | export --as gpx").contains(
                "<trkpt lat=\"46.5\" lon=\"7.9\"><")))
    }

    @Test func whatTheUserSaysReplacesWhatTheFileTold() async throws {
        let test = try Self.session()
        let text = await test.run(
            "import a.json --dry-run | export --as community --country France --author Bo")
        #expect(text.contains("\"region\":{\"area\":\"Oberland\",\"country\":\"France\"}"))
        #expect(text.contains("\"author\":\"Bo\""))
    }

    @Test(.needs(.photos)) func photosGoToTheStoreAndToAFolder() async throws {
        let test = try Self.session()
        let (top, way) = (try Self.photo(0x336699), try Self.photo(0x993366))
        try Self.folder(test, ["top.jpg": top, "way.jpg": way, "other.jpg": way])
        let shown = await test.run("import a.json --photos pictures | get kept")
        #expect(shown.hasSuffix("1 hike, 2 waypoints"))
        let waypoints = try test.waypointStore.all()
        #expect(Set(waypoints.filter(\.hasPhoto).map(\.label)) == ["Top"])
        let stored = try test.waypointStore.photo(
            of: try #require(UUID(uuidString: "6BA7B811-9DAD-11D1-80B4-00C04FD430C8")))
        #expect(try Photos.info(try #require(stored.photo)).height == 400)
        #expect(try Photos.info(try #require(stored.thumbnail)).width == 100)
        // And out again: the photo of the waypoint, by its identifier.
        #expect(
            await test.run("export c.json Pass --photos shared").contains(
                "c.json, and 1 photo"))
        let name = "6BA7B811-9DAD-11D1-80B4-00C04FD430C8.jpg"
        #expect(try FileManager.default.contentsOfDirectory(atPath: test.url("shared").path) == [name])
        #expect(try test.data("shared/\(name)") == stored.photo)
        #expect(try test.text("c.json").contains("\"filename\":\"\(name)\""))
        #expect(await test.run("undo") == "undone: imported 1 hike, 2 waypoints")
        #expect(try test.waypointStore.all().isEmpty)
    }

    @Test(.needs(.photos)) func photosPassThroughAnImport() async throws {
        let test = try Self.session()
        let pictures = ["top.jpg": try Self.photo(1), "way.jpg": try Self.photo(2)]
        try Self.folder(test, pictures)
        let shown = await test.run(
            "import a.json --photos pictures --dry-run | export b.json --photos copy")
        #expect(shown.contains("written to b.json, and 2 photos"))
        #expect(shown.contains("the photo lost.jpg is not in pictures"))
        #expect(try test.text("b.json") == Self.shared)
        for (name, data) in pictures { #expect(try test.data("copy/\(name)") == data) }
        let again = "import a.json --photos pictures --dry-run | export c.json --photos copy"
        #expect(await test.code(again) == "E-FILE-EXISTS")
        #expect(!FileManager.default.fileExists(atPath: test.url("c.json").path))
        #expect(await test.code(again + " --force") == nil)
    }

    @Test(.needs(.photos)) func nothingIsLeftOfPhotosThatCannotBeWritten() async throws {
        let test = try Self.session(["b.json": Data("old".utf8)])
        try Self.folder(test, ["top.jpg": try Self.photo(1)])
        let entry = "import a.json --photos pictures --dry-run | export b.json --photos"
        // The file already exists: neither it nor the folder is changed.
        #expect(await test.code("\(entry) copy") == "E-FILE-EXISTS")
        #expect(!FileManager.default.fileExists(atPath: test.url("copy").path))
        #expect(await test.code("\(entry) /proc/copy --force") == "E-FILE-ACCESS")
        #expect(await test.code("\(entry) a.json --force") == "E-FILE-ACCESS")
        #expect(try test.text("b.json") == "old")
        try FileManager.default.createDirectory(
            at: test.url("copy/top.jpg"), withIntermediateDirectories: true)
        #expect(await test.code("\(entry) copy --force") == "E-FILE-ACCESS")
        #expect(try test.text("b.json") == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: test.url("copy").path) == ["top.jpg"])
    }

    @Test(.needs(.photos)) func photosThatAreNone() async throws {
        let test = try Self.session()
        try Self.folder(test, ["top.jpg": Data("no photo".utf8), "way.jpg": try Self.photo(1).prefix(900)])
        #expect(await test.code("import a.json --photos pictures") == "E-IMPORT-VALUE")
        // Nothing was stored.
        #expect(try test.waypointStore.all().isEmpty)
        #expect(try test.hikeStore.all().isEmpty)
        let shown = await test.run("import a.json --photos pictures --dry-run | export a.pdf")
        #expect(shown.contains("the photo of Top was omitted: not a JPEG, PNG or HEIC image"))
        #expect(shown.contains("the photo way.jpg was omitted"))
        let written = await test.run(
            "import a.json --photos pictures --dry-run | export b.json --photos copy")
        #expect(written.contains("the photo top.jpg is not an image, and was omitted"))
    }

    @Test(arguments: ["../a.json", "", ".", "..", "/etc/passwd", "a/b.jpg", "a\\u0000b"])
    func namesThatLeaveTheFolderAreRefused(name: String) async throws {
        let text = Self.shared.replacing("way.jpg", with: name)
        let test = try TestSession.exporting(["a.json": Data(text.utf8)])
        let shown = await test.run("import a.json --photos .")
        #expect(shown.contains("error E-IMPORT-VALUE: $.photos[2].filename:"), "\(shown)")
    }

    @Test func linksAreNotFollowedOutOfANotebooksFiles() async throws {
        let test = try Self.session()
        let folder = test.url("pictures")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent("top.jpg").path, withDestinationPath: "/dev/zero")
        #expect(await test.code("import a.json --photos pictures") == "E-FILE-ACCESS")
    }

    @Test(
        .needs(.photos), .enabled(if: Tools.has("pdftotext", "pdfimages"), "poppler-utils is not installed"))
    func photosOfAnImportAreInTheReport() async throws {
        let test = try Self.session()
        try Self.folder(test, ["top.jpg": try Self.photo(1), "way.jpg": try Self.photo(0x00FF00)])
        try await test.value("import a.json --photos pictures --dry-run | export a.pdf")
        let images = try Tools.run("pdfimages", ["-list", test.url("a.pdf").path]).output
        #expect(images.split(separator: "\n").count == 4)
        let text = try Tools.run("pdftotext", [test.url("a.pdf").path, "-"]).output
        #expect(text.contains("1 Top"))
    }
}
