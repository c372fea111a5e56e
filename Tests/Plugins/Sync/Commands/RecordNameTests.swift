import Foundation
import GRDB
import PluginTestKit
import Testing

@testable import SyncPlugin

/// The name of a record in the cloud stands in the app's own rows and files after a sync: a record's name is its id, as the seed says.
@Suite(.enabled(if: SyncSession.hasWaypoints, "needs the plugin Waypoints"))
struct RecordNameTests {
    private static let id = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
    private static let route = """
        {"coordinates": [{"latitude": 46.5, "longitude": 7.9}, {"latitude": 46.6, "longitude": 7.9}],
        "createdAt": "2026-02-06T08:00:00Z", "elevationGain": 0, "elevationLoss": 0,
        "endCoordinate": {"latitude": 46.6, "longitude": 7.9}, "estimatedDuration": 60, "id": "\(id)", "later": [1],
        "mode": "hiking", "name": "Tour", "startCoordinate": {"latitude": 46.5, "longitude": 7.9},
        "totalDistance": 11119, "turnInstructions": [], "viaPoints": []}
        """

    private func names(_ test: TestSession, _ device: String) throws -> [String?] {
        let url = test.folder.url.appendingPathComponent("workspace/devices/\(device)/waypoints.db")
        return try DatabaseQueue(path: url.path).read {
            try GRDB.Row.fetchAll($0, sql: "SELECT id, cloudkit_record_id FROM waypoints").map { row in
                let name: String? = row["cloudkit_record_id"]
                let id: String? = row["id"]
                #expect(name == nil || name == id)
                return name
            }
        }
    }

    @Test func rowsHaveTheNameOfTheirRecordAfterASync() async throws {
        let test = try SyncSession.make()
        try await test.value("device add phone anna; waypoint add 46.5,7.9 --label Hut")
        #expect(try names(test, "anna") == [nil])
        try await test.value("sync")
        #expect(try names(test, "anna").compactMap(\.self).count == 1)
        // It is no edit: nothing is sent, here or there.
        #expect(await test.run("sync | get pushed") == "0")
        try await test.value("device add mac desk; sync")
        #expect(try names(test, "desk") == names(test, "anna"))
        #expect(await test.run("sync | get pushed") == "0")
        try await test.value("device use anna")
        #expect(await test.run("sync | get pulled") == "0")
    }

    @Test func filesOfRoutesHaveTheNameOfTheirRecordAfterASync() async throws {
        let test = try SyncSession.make()
        try await test.value("device add phone anna")
        let folder = test.folder.url.appendingPathComponent("workspace/devices/anna/planned_routes")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("\(Self.id).json")
        try Data(Self.route.utf8).write(to: file)
        #expect(await test.run("sync | get pushed") == "1")
        let tree = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        #expect(tree?["cloudKitRecordID"] as? String == Self.id)
        // What the app does not know stays.
        #expect(tree?["later"] as? [Int] == [1])
        #expect(await test.run("sync | get pushed") == "0")
    }

    /// A row that no sync has sent has no name.
    @Test func refusedAndUnsentRowsHaveNone() async throws {
        let test = try SyncSession.make()
        try await test.value("device add phone anna; waypoint add 46.5,7.9 --label Hut; sync")
        try await test.value("waypoint add 46.6,7.9 --label Peak")
        try await test.value("sync pull")
        #expect(try names(test, "anna").count { $0 == nil } == 1)
    }

    @Test func aSyncIsNoEditThatStopsAnUndo() async throws {
        let test = try SyncSession.make()
        try await test.value("device add phone anna; waypoint add 46.5,7.9 --label Hut; sync")
        #expect(await test.run("undo").hasPrefix("undone: added waypoint Hut"))
        #expect(await test.run("waypoint list | count") == "0")
        #expect(await test.run("sync | get pushed") == "1")
    }

    /// The app syncs whenever it starts.
    @Test func anAppThatStartsSyncsIfAsked() async throws {
        let test = try SyncSession.make()
        try await test.value("device add mac desk; waypoint add 46.5,7.9 --label Hut; sync")
        try await test.value("device add phone anna")
        #expect(await test.run("device set anna --state restarted | get state") == "running")
        #expect(await test.run("waypoint list | count") == "0")
        try await test.value("set sync.at-launch true")
        let started = await test.run("device set anna --state restarted | get sync")
        #expect(started == "pushed 0, pulled 1, deleted 0")
        #expect(await test.run("waypoint list | get label") == "Hut")
        // Without a network the app starts all the same, and says so.
        let offline = await test.run("device set anna --network off --state restarted | get sync")
        #expect(offline == "failed: anna is offline (E-SYNC-OFFLINE)")
        // An app that runs already does not start.
        #expect(await test.run("device set anna --network on | get state") == "running")
    }
}
