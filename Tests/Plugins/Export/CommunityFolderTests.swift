import Foundation
import Geodesy
import Photos
import Pictures
import PluginTestKit
import Testing
import TrailStores

/// A folder laid out like the community's repository: what is found, previewed, imported and published. Layout, keys and the rules of
/// the check are those of the public template of the repository.
struct CommunityFolderTests {
    private static let publish =
        "community publish Walk --author Ann --country CH --area 'Bernese Oberland'"

    /// A session with the walk in its store.
    private static func session(_ files: [String: Data] = [:]) async throws -> TestSession {
        let test = try TestSession.exporting(Walk.files.merging(files) { $1 })
        try await test.value("import walk.gpx")
        return test
    }

    private static func json(_ test: TestSession, _ name: String) throws -> [String: Any] {
        let tree = try JSONSerialization.jsonObject(with: try test.data(name))
        return try #require(tree as? [String: Any])
    }

    /// A session whose folder has the published walk.
    private static func published(_ files: [String: Data] = [:]) async throws -> TestSession {
        let test = try await session(files)
        try await test.value(publish)
        return test
    }

    private static func files(_ test: TestSession, _ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: test.url(folder).path).sorted()
    }

    // MARK: Publishing

    @Test func aPublishedRouteIsLaidOutLikeTheRepository() async throws {
        let test = try await Self.published()
        let found = try Self.files(test, "community")
        #expect(
            found == [
                "index.json", "routes", "routes/ch", "routes/ch/walk", "routes/ch/walk/README.md",
                "routes/ch/walk/route.gpx", "routes/ch/walk/route.json",
            ])
        let index = try Self.json(test, "community/index.json")
        #expect(Set(index.keys) == ["updatedAt", "routeCount", "routes"])
        #expect(index["routeCount"] as? Int == 1)
        let entry = try #require((index["routes"] as? [[String: Any]])?.first)
        let keys: Set = [
            "id", "name", "activityType", "author", "summary", "createdAt", "region", "stats", "boundingBox",
            "path", "photoCount", "waypointCount",
        ]
        #expect(Set(entry.keys) == keys)
        #expect(entry["path"] as? String == "routes/ch/walk")
        #expect(entry["waypointCount"] as? Int == 2)
        #expect(entry["summary"] as? String == "Fog & sun")
    }

    /// The rules that the repository's check runs on a route.json.
    @Test func aPublishedRoutePassesTheRepositorysCheck() async throws {
        let test = try await Self.published()
        let route = try Self.json(test, "community/routes/ch/walk/route.json")
        let required = [
            "id", "version", "name", "activityType", "author", "createdAt", "region", "stats", "boundingBox",
            "track",
        ]
        #expect(required.allSatisfy { route[$0] != nil })
        let stats = try #require(route["stats"] as? [String: Any])
        #expect(
            ["distanceMeters", "elevationGainMeters", "elevationLossMeters", "durationSeconds"].allSatisfy {
                stats[$0] != nil
            })
        let box = try #require(route["boundingBox"] as? [String: Any])
        #expect(["north", "south", "east", "west"].allSatisfy { box[$0] != nil })
        #expect((route["track"] as? [Any])?.count == 5)
        #expect(route["activityType"] as? String == "hiking")
    }

    @Test func heartRatesAreNotPublished() async throws {
        let test = try await Self.published()
        #expect(await test.run("export - Walk --as gpx").contains("hr>100<"))
        for name in try Self.files(test, "community/routes/ch/walk") {
            let text = try test.text("community/routes/ch/walk/\(name)")
            #expect(!text.contains("hr>") && !text.contains("bpm"), "\(name)")
        }
    }

    @Test func whatTheCommunityRequiresIsAskedFor() async throws {
        let test = try await Self.session()
        let without = await test.run("community publish Walk")
        // The file of the walk names its author.
        #expect(without.contains("error E-COMMUNITY-DETAILS: Walk has no country, no area"))
        #expect(without.contains("add --country COUNTRY --area AREA"))
        #expect(!FileManager.default.fileExists(atPath: test.url("community").path))
        try await test.value("import walk.gpx --dry-run | export other.gpx")
        let text = try test.text("other.gpx").replacing("<type>hiking</type>", with: "<type>kayaking</type>")
        try Data(text.utf8).write(to: test.url("kayak.gpx"))
        let other = "import kayak.gpx --dry-run | community publish --author A --country CH --area B"
        #expect(await test.run(other).contains("the activity `kayaking` is none of the community's"))
        #expect(await test.code(other + " --activity other") == nil)
    }

    @Test func theSameRouteIsReplacedOnlyIfForced() async throws {
        let test = try await Self.published()
        #expect(await test.code(Self.publish) == "E-COMMUNITY-PUBLISHED")
        try await test.value(Self.publish + " --description New --force")
        let index = try Self.json(test, "community/index.json")
        #expect(index["routeCount"] as? Int == 1)
        #expect(await test.run("community list | get summary") == "New")
    }

    @Test func anotherRouteOfTheSameNameHasAFolderOfItsOwn() async throws {
        let test = try await Self.published()
        try await test.value(
            "import walk.gpx --dry-run | community publish --country CH --area Elsewhere")
        let paths = await test.run("community list | get path").split(separator: "\n")
        #expect(paths.count == 2)
        #expect(paths.contains { $0.hasPrefix("routes/ch/walk-") })
        #expect(await test.code("community show Walk") == "E-REFERENCE-AMBIGUOUS")
        #expect(await test.code("community show routes/ch/walk") == nil)
    }

    /// The identifier of a file is text: it leads to no other folder, and another file is not replaced unasked.
    @Test func identifiersLeadNowhereElse() async throws {
        let test = try await Self.published()
        let route = try test.text("community/routes/ch/walk/route.json")
        let id = try #require(try Self.json(test, "community/routes/ch/walk/route.json")["id"] as? String)
        try Data(route.replacing(id, with: "../../..").utf8).write(to: test.url("other.json"))
        let publish = "import other.json --dry-run | community publish"
        #expect(await test.run(publish + " | get path") == "routes/ch/walk-route")
        #expect(await test.run("community list | count") == "2")
        try Data("{".utf8).write(to: test.url("community/routes/ch/walk-route/route.json"))
        try FileManager.default.removeItem(at: test.url("community/index.json"))
        #expect(await test.code(publish) == "E-COMMUNITY-PUBLISHED")
        #expect(await test.run(publish + " --force | get path") == "routes/ch/walk-route")
        #expect(await test.run("community list | count") == "2")
    }

    @Test func anIndexWithoutAListIsNamed() async throws {
        let test = try await Self.published()
        try Data(#"{"routes": {}}"#.utf8).write(to: test.url("community/index.json"))
        #expect(await test.run("community list").contains("1 entry cannot be used"))
        #expect(await test.run("community list | first | get name") == "Walk")
    }

    @Test func nothingIsLeftOfARouteWhoseIndexCannotBeWritten() async throws {
        let test = try await Self.session()
        let place = test.url("community/index.json")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        #expect(await test.code(Self.publish) == "E-FILE-ACCESS")
        let left = try Self.files(test, "community").filter { $0.contains("walk") || $0.contains(".rutter") }
        #expect(left == [])
    }

    @Test(arguments: [
        ("Über den Pass!", "uber-den-pass"), ("  Tour -- 2 ", "tour-2"), ("Çatal Höyük", "catal-hoyuk"),
    ])
    func namesBecomePaths(name: String, path: String) async throws {
        let test = try TestSession.exporting(Walk.files)
        try await test.value("import walk.gpx --name '\(name)'")
        try await test.value("community publish '\(name)' --country 'New Zealand' --area B")
        #expect(await test.run("community list | get path") == "routes/new-zealand/\(path)")
    }

    @Test(.needs(.photos)) func photosAreSmallAndTellNothing() async throws {
        let scene = Scene(size: SceneSize(width: 900, height: 1200), background: Color(0x336699))
        let photo = try Photos.uprightJPEG(try ScenePNG.render(scene))
        let test = try await Self.session(["a.jpg": photo])
        let store = try test.waypointStore
        var bench = try #require(try store.all().first { $0.label == "Bench" })
        bench.id = try #require(UUID(uuidString: "6BA7B811-9DAD-11D1-80B4-00C04FD430C8"))
        bench.label = "Tarn"
        bench.hasPhoto = true
        let thumbnail = try Photos.thumbnail(photo).jpeg
        try store.insert(bench, photo: WaypointPhoto(photo: photo, thumbnail: thumbnail))
        try await test.value(Self.publish)
        let name = "community/routes/ch/walk/photos/\(bench.id.uuidString).jpg"
        let info = try Photos.info(try test.data(name))
        // 900 × 1200 in a box of 640 × 400.
        #expect(info.width == 300 && info.height == 400)
        #expect(await test.run("community list | get photos") == "1")
        let readme = try test.text("community/routes/ch/walk/README.md")
        #expect(readme.contains("](photos/\(bench.id.uuidString).jpg)"))
        // And back, with the photo, into an empty store.
        let other = try TestSession.exporting()
        try FileManager.default.copyItem(at: test.url("community"), to: other.url("community"))
        #expect(await other.run("community import Walk | get kept").hasSuffix("1 hike, 3 waypoints"))
        #expect(try other.waypointStore.all().filter(\.hasPhoto).map(\.label) == ["Tarn"])
        #expect(await other.run("undo") == "undone: imported 1 hike, 3 waypoints")
    }

    // MARK: Browsing

    @Test func routesAreSearchedAndFiltered() async throws {
        let test = try await Self.published()
        try await test.value(
            "import walk.gpx --dry-run | community publish --author Bo --country FR --area 'Haute-Savoie' --activity running"
        )
        #expect(await test.run("community list | count") == "2")
        #expect(await test.run("community list bernese ANN | get country") == "CH")
        #expect(await test.run("community list bernese bo | count") == "0")
        #expect(await test.run("community list --activity running | get author") == "Bo")
        #expect(await test.run("community list --area haute | get author") == "Bo")
        #expect(await test.run("community list --area fr | get author") == "Bo")
        #expect(await test.run("community list --near 47,8 | count") == "2")
        #expect(await test.run("community list --near 48,8 | count") == "0")
        #expect(await test.run("community list --near 48,8 --radius 200km | count") == "2")
        #expect(await test.code("community list --radius 1km") == "E-INPUT-KIND")
        #expect(await test.code("community list --activity swimming") == "E-ARG-CHOICE")
    }

    @Test func aPreviewStoresNothing() async throws {
        let test = try await Self.published()
        #expect(await test.run("community show Walk | get points") == "5")
        let other = try TestSession.exporting()
        try FileManager.default.copyItem(at: test.url("community"), to: other.url("community"))
        #expect(await other.code("community show walk") == nil)
        #expect(!FileManager.default.fileExists(atPath: other.url("workspace/routes.db").path))
        #expect(await other.run("community import Walk --as routes | get kept").contains("1 planned route"))
    }

    @Test func ownHikesGoBeforeSharedOnesOfTheSameName() async throws {
        let test = try await Self.published()
        #expect(await test.run("export - @Walk --as gpx").contains("hr>100<"))
    }

    @Test func whatIsThereTwiceIsNotImportedTwice() async throws {
        let test = try await Self.published()
        let result = await test.run("community import Walk | get result")
        #expect(result.hasPrefix("duplicate of Walk"), "\(result)")
    }

    /// The format has five decimals, the recording more: the waypoints are known by their identifiers.
    @Test func roundedWaypointsAreNotImportedTwice() async throws {
        let exact = Walk.gpx.replacing("lat=\"46.501\"", with: "lat=\"46.5010049\"")
        let test = try TestSession.exporting(["walk.gpx": Data(exact.utf8)])
        try await test.value("import walk.gpx")
        try await test.value(Self.publish)
        let result = await test.run("community import Walk | get result")
        #expect(result.hasPrefix("duplicate of"), "\(result)")
        #expect(try test.waypointStore.all().count == 2)
    }

    @Test func routesThatTheIndexDoesNotListAreFound() async throws {
        let test = try await Self.published()
        try FileManager.default.removeItem(at: test.url("community/index.json"))
        #expect(await test.run("community list | get listed") == "false")
        #expect(await test.run("community list | get name") == "Walk")
    }

    @Test func listedRoutesThatAreNotThereAreNamed() async throws {
        let test = try await Self.published()
        try FileManager.default.removeItem(at: test.url("community/routes/ch/walk"))
        let shown = await test.run("community list")
        #expect(shown.contains("listed in index.json, and not there"))
        #expect(shown.contains("1 entry cannot be used"))
    }

    @Test(arguments: ["../../secret", "/etc", "routes/ch/../../../secret", "routes/ch/other"])
    func pathsOfTheIndexLeadNowhereElse(path: String) async throws {
        let test = try await Self.published()
        let index = try test.text("community/index.json").replacing("routes/ch/walk", with: path)
        try Data(index.utf8).write(to: test.url("community/index.json"))
        let shown = await test.run("community list --area zz")
        #expect(shown.contains("listed in index.json, and not there"), "\(shown)")
        // The route itself is read from its file.
        #expect(await test.run("community list walk | first | get path") == "routes/ch/walk")
    }

    @Test func damagedFilesAreListedAndHideNoOther() async throws {
        let test = try await Self.published()
        for (name, text) in [("bad", "{\"id\": 3}"), ("torn", "{\"id\": \"a\", \"na")] {
            let folder = test.url("community/routes/ch/\(name)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: folder.appendingPathComponent("route.json"))
        }
        try Data("no json".utf8).write(to: test.url("community/index.json"))
        await test.run("set view wide")
        let shown = await test.run("community list")
        #expect(shown.contains("routes/ch/bad"))
        #expect(shown.contains("routes/ch/torn"))
        #expect(shown.contains("3 entries cannot be used"))
        #expect(await test.run("community list | first | get name") == "Walk")
    }

    @Test func aFolderOfSomethingElseIsRefused() async throws {
        let test = try await Self.session()
        let none = await test.run("community list")
        #expect(none.contains("error E-COMMUNITY-FOLDER: no such folder: community"))
        try FileManager.default.createDirectory(
            at: test.url("community/photos"), withIntermediateDirectories: true)
        #expect(await test.code("community list") == "E-COMMUNITY-FOLDER")
        #expect(await test.code(Self.publish) == "E-COMMUNITY-FOLDER")
        await test.run("set community.folder elsewhere")
        #expect(await test.code(Self.publish) == nil)
        #expect(await test.run("community list | get name") == "Walk")
    }

    /// Names of stops, waypoints and other kinds are looked up where nobody has a folder of the community.
    @Test func namesOfOtherKindsNeedNoFolder() async throws {
        let test = try await Self.session()
        let code = await test.code("community show nowhere")
        #expect(code != nil && code != "E-COMMUNITY-FOLDER", "\(code ?? "none")")
    }
}
