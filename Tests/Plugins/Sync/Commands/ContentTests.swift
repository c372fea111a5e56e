import Foundation
import GRDB
import PluginTestKit
import Testing

@testable import SyncPlugin

/// Data besides the fields of a waypoint: photos, thumbnails, planned routes, regions.
@Suite(.enabled(if: SyncSession.hasWaypoints, "needs the plugin Waypoints"))
struct ContentTests {
    private static let route = """
        {
          "coordinates": [{"latitude": 46.5, "longitude": 7.9}, {"latitude": 46.6, "longitude": 8}],
          "createdAt": "2026-02-06T08:00:00Z", "elevationGain": 120, "elevationLoss": 20,
          "endCoordinate": {"latitude": 46.6, "longitude": 8}, "estimatedDuration": 3600,
          "futureKey": {"of": ["a", "newer", "app"]}, "id": "00000000-0000-0000-0000-0000000000AB",
          "mode": "hiking", "name": "To the lake", "startCoordinate": {"latitude": 46.5, "longitude": 7.9},
          "totalDistance": 13500, "turnInstructions": [], "viaPoints": []
        }
        """
    private static let routeFile = "planned_routes/00000000-0000-0000-0000-0000000000AB.json"

    private func folder(_ test: TestSession, _ device: String) -> URL {
        test.folder.url.appendingPathComponent("workspace/devices/\(device)")
    }

    private func photo(_ test: TestSession, _ device: String) throws -> (photo: Data?, thumbnail: Data?) {
        let file = folder(test, device).appendingPathComponent("waypoints.db")
        let row = try DatabaseQueue(path: file.path).read {
            try GRDB.Row.fetchOne($0, sql: "SELECT photo_data, photo_thumbnail FROM waypoints")
        }
        return (row?["photo_data"], row?["photo_thumbnail"])
    }

    /// A phone with a waypoint that has a photo.
    private func phone(thumbnail: Int) async throws -> TestSession {
        let test = try SyncSession.make()
        try await test.value("device add phone anna")
        try await test.value("waypoint add 46.5,7.9 --label Hut")
        let file = folder(test, "anna").appendingPathComponent("waypoints.db")
        try await DatabaseQueue(path: file.path).write {
            try $0.execute(
                sql: "UPDATE waypoints SET photo_data = ?, photo_thumbnail = ?, has_photo = 1",
                arguments: [Data(repeating: 0xd8, count: 300_000), Data(repeating: 0xd9, count: thumbnail)])
        }
        return test
    }

    @Test func aThumbnailTravelsOverTheLinkAndAPhotoNever() async throws {
        let test = try await phone(thumbnail: 5_000)
        try await test.value("device add watch wrist")
        try await test.value("device use anna")
        try await test.value("link send Hut")
        #expect(await test.run("link deliver | get outcome") == "applied")
        let (photo, thumbnail) = try photo(test, "wrist")
        #expect(photo == nil)
        #expect(thumbnail == Data(repeating: 0xd9, count: 5_000))
    }

    @Test func aThumbnailThatIsTooLargeStaysBehind() async throws {
        let test = try await phone(thumbnail: 20_000)
        try await test.value("device add watch wrist")
        try await test.value("device use anna")
        try await test.value("link send Hut")
        #expect(await test.run("link deliver | get outcome") == "applied")
        #expect(try photo(test, "wrist").thumbnail == nil)
    }

    @Test func aPhotoTravelsThroughTheCloud() async throws {
        let test = try await phone(thumbnail: 5_000)
        #expect(await test.run("sync | get pushed") == "1")
        try await test.value("device add mac desk")
        #expect(await test.run("sync | get pulled") == "1")
        let (photo, thumbnail) = try photo(test, "desk")
        #expect(photo == Data(repeating: 0xd8, count: 300_000))
        #expect(thumbnail == Data(repeating: 0xd9, count: 5_000))
        // A photo made smaller elsewhere comes back.
        let file = folder(test, "desk").appendingPathComponent("waypoints.db")
        try await DatabaseQueue(path: file.path).write {
            try $0.execute(sql: "UPDATE waypoints SET photo_data = ?", arguments: [Data([1, 2, 3])])
        }
        try await test.value("sync")
        try await test.value("device use anna")
        #expect(await test.run("sync | get pulled") == "1")
        #expect(try self.photo(test, "anna").photo == Data([1, 2, 3]))
    }

    private func write(_ text: String, at url: URL) throws {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func object(_ url: URL) throws -> NSDictionary? {
        try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? NSDictionary
    }

    /// Including data of a route that is unknown to this version.
    @Test func aPlannedRouteTravelsThroughTheCloud() async throws {
        let test = try SyncSession.make()
        try await test.value("device add phone anna")
        let mine = folder(test, "anna").appendingPathComponent(Self.routeFile)
        try write(Self.route, at: mine)
        #expect(await test.run("sync | get pushed") == "1")
        try await test.value("device add mac desk")
        #expect(await test.run("sync | get pulled") == "1")
        let theirs = folder(test, "desk").appendingPathComponent(Self.routeFile)
        let sent = try #require(try object(mine))
        #expect(try object(theirs) == sent)
        // Deleted there, it goes here.
        try FileManager.default.removeItem(at: theirs)
        #expect(await test.run("sync | get pushed") == "1")
        try await test.value("device use anna")
        #expect(await test.run("sync | get deleted") == "1")
        #expect(!FileManager.default.fileExists(atPath: mine.path))
        // A file that is not a route is no route of the user's: it is set aside, and the sync goes on.
        try write("{ half a rou", at: mine)
        #expect(await test.run("sync | get remark").contains("1 record is set aside"))
        #expect(await test.run("sync status | get aside") == "1")
    }

    @Test func filesTravelOverTheLink() async throws {
        let test = try SyncSession.make()
        try await test.value("device add watch wrist")
        try await test.value("device add phone anna")
        try write(Self.route, at: test.folder.url.appendingPathComponent("lake.json"))
        try write("{}", at: test.folder.url.appendingPathComponent("broken.json"))
        try write("tiles", at: test.folder.url.appendingPathComponent("alps.mbtiles"))
        try await test.value("link send --file lake.json")
        try await test.value("link send --file broken.json")
        try await test.value("link send --file alps.mbtiles --type region")
        let outcomes = await test.run("link deliver | get outcome").split(separator: "\n").map(String.init)
        #expect(outcomes == ["applied", "failed: broken.json is not a planned route", "applied"])
        try await test.value("link send --file broken.json --type region")
        #expect(await test.run("link deliver | get outcome") == "failed: broken.json is not a region")
        let wrist = folder(test, "wrist")
        #expect(try object(wrist.appendingPathComponent(Self.routeFile))?["name"] as? String == "To the lake")
        #expect(
            try Data(contentsOf: wrist.appendingPathComponent("regions/alps.mbtiles")) == Data("tiles".utf8))
    }

    /// The queues are in the workspace: another process continues with them.
    @Test func queuesOutliveTheProcess() throws {
        let home = try TemporaryFolder()
        let place = ["--workspace", home.url.path]
        let first = try RutterProcess.run(
            place,
            input: """
                device add phone anna
                device add watch wrist
                device set anna --network off
                waypoint add 46.5,7.9 --label Spring
                link send Spring
                link send '{"type": "battery"}' --channel context
                """)
        #expect(first.status == 0, "\(first.errors)")
        let second = try RutterProcess.run(
            place, input: "link deliver | count\ndevice set anna --network on\nlink deliver | get outcome\n")
        #expect(second.output.hasPrefix("0\n"))
        #expect(second.output.hasSuffix("applied\nunknown\n"), "\(second.output) \(second.errors)")
    }

    /// Items of one channel keep their order, whatever is reordered.
    @Test func onlyChannelsOvertakeEachOther() async throws {
        let test = try SyncSession.make()
        try await test.value("device add watch wrist")
        try await test.value("device add phone anna")
        for number in 1...3 { try await test.value("link send '{\"type\": \"t\(number)\"}'") }
        #expect(await test.result("link deliver 0 --last").failure?.code == "E-LINK-ORDER")
        try await test.value("link send '{\"type\": \"c\"}' --channel context")
        try await test.value("link deliver 0 --last")
        #expect(await test.run("link deliver | get type") == "c\nt1\nt2\nt3")
    }
}
