import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import SyncPlugin

/// Syncing through the command language: cases of the page, and bad input.
@Suite(.enabled(if: SyncSession.hasWaypoints, "needs the plugin Waypoints"))
struct SyncCommandTests {
    private func code(_ test: TestSession, _ entry: String) async -> String {
        await test.result(entry).failure?.code ?? "none"
    }

    @Test func devicesAreNamedOnce() async throws {
        let test = try SyncSession.make()
        await test.run("device add phone anna")
        #expect(await code(test, "device add watch Anna") == "E-DEVICE-NAME")
        #expect(await code(test, "device add phone ../x") == "E-DEVICE-NAME")
        #expect(await code(test, "device use berta") == "E-DEVICE-UNKNOWN")
        await test.run("device use")
        #expect(await code(test, "sync") == "E-DEVICE-NONE")
    }

    @Test func anOfflineDeviceKeepsItsOutbox() async throws {
        let test = try SyncSession.make()
        await test.run(
            "device add phone anna; waypoint add 46.5,7.9 --label Hut; device set anna --network off")
        #expect(await code(test, "sync") == "E-SYNC-OFFLINE")
        #expect(await test.run("sync status | get outbox") == "1")
        await test.run("device set anna --network on; sync")
        #expect(await test.run("sync status | get outbox") == "0")
    }

    @Test func manyDeletionsAreAskedAbout() async throws {
        let test = try SyncSession.make()
        await test.run("device add phone anna")
        for number in 0..<6 { await test.run("waypoint add 46.\(number),7.9 --label W\(number)") }
        await test.run("sync; waypoint delete W0 W1 W2 W3")
        #expect(await code(test, "sync") == "E-SYNC-MASSDELETE")
        #expect(await test.run("sync plan | where action == delete | count") == "4")
        #expect(await test.run("sync --delete-many | get pushed") == "4")
    }

    @Test func aDamagedCloudAndANewerOneAreRefused() async throws {
        let test = try SyncSession.make()
        let folder = test.folder.url
        try Data("no database, whatever its name says".utf8).write(
            to: folder.appendingPathComponent("bad.db"))
        await test.run("device add phone anna; waypoint add 46.5,7.9 --label Hut")
        #expect(await code(test, "sync --cloud bad.db") == "E-STORE-NOTDB")
        await test.run("sync --cloud new.db")
        let newer = try RutterProcess.shell(
            "sqlite3", [folder.appendingPathComponent("new.db").path, "PRAGMA user_version = 99"])
        try #require(newer != nil)
        #expect(await code(test, "sync --cloud new.db") == "E-SYNC-NEWER")
    }

    /// Later edits are kept when a lost value is restored.
    @Test func restoringKeepsEditsThatWereNotSent() async throws {
        let test = try SyncSession.make()
        await test.run("device add phone anna; waypoint add 46.5,7.9 --label Hut; sync")
        await test.run("device add mac desk; sync; waypoint edit Hut --label Wrong; sync")
        await test.run("device use anna; waypoint edit Hut --label Right; sync")
        let lost = await test.run("sync conflicts | get lost")
        let stands = await test.run("waypoint list | get label")
        #expect(Set([lost, stands]) == ["Right", "Wrong"])
        await test.run("waypoint edit \(stands) --note Closed")
        await test.run("sync restore 1")
        #expect(await test.run("waypoint list | get label") == lost)
        #expect(await test.run("waypoint list | get note") == "Closed")
    }

    /// Reports include edits that were not synced yet.
    @Test func reportsKnowEditsThatWereNotSent() async throws {
        let test = try SyncSession.make()
        await test.run("device add phone anna; waypoint add 46.5,7.9 --label Hut; sync")
        await test.run("device add mac desk; sync; waypoint edit Hut --note Open; sync")
        await test.run("device use anna; waypoint edit Hut --label Cabin")
        #expect(await test.run("sync plan | where direction == pull | get action") == "merge")
        let id = await test.run("waypoint list | get id")
        let explained = await test.run("sync explain \(id)")
        #expect(explained.contains("not sent yet"), "\(explained)")
        #expect(explained.contains("Cabin"), "\(explained)")
        // Reports change nothing.
        #expect(await test.run("sync | get pushed") == "1")
        #expect(await test.run("sync plan | count") == "0")
    }

    @Test func anEditBackAndForthIsNoConflict() async throws {
        let test = try SyncSession.make()
        await test.run("device add phone anna; waypoint add 46.5,7.9 --label Hut; sync")
        await test.run("device add mac desk; sync")
        await test.run(
            "waypoint edit Hut --label Cabin; sync; device use anna; waypoint edit Hut --note wet; sync"
        )
        #expect(await test.run("waypoint list | get label") == "Cabin")
        #expect(await test.run("waypoint show Cabin | get note") == "wet")
        #expect(await test.run("sync conflicts | count") == "0")
    }

    @Test func aReinstalledDeviceFetchesEverything() async throws {
        let test = try SyncSession.make()
        await test.run(
            "device add phone anna; waypoint add 46.5,7.9 --label Hut; sync; device set anna --state reinstalled"
        )
        #expect(await test.run("waypoint list | count") == "0")
        #expect(await test.run("sync | get pulled") == "1")
        #expect(await test.run("waypoint list | get label") == "Hut")
    }

    @Test func aMalformedTransferNamesItsKey() async throws {
        let test = try SyncSession.make()
        await test.run("device add watch wrist; device add phone anna")
        await test.run("link send '{\"type\": \"waypoint\", \"id\": \"x\"}'")
        #expect(await test.run("link deliver | get outcome").contains("latitude"))
        #expect(await code(test, "link send '{\"a\": [1]}'") == "E-LINK-PAYLOAD")
        await test.run("device set wrist --state killed")
        #expect(await code(test, "link send '{\"type\": \"x\"}' --channel message") == "E-LINK-UNREACHABLE")
    }
}
