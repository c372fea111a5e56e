import Foundation
import PluginTestKit
import Testing

@testable import SyncPlugin

/// A damaged `sync.db` names a fix that works: the rows stay, and the sync goes on.
@Suite(.enabled(if: SyncSession.hasWaypoints, "needs the plugin Waypoints"))
struct DamagedMemoryTests {
    @Test(arguments: ["cut", "header", "noise", "empty"])
    func theFixWorks(_ damage: String) async throws {
        let test = try SyncSession.make()
        try await test.value("device add phone anna")
        for number in 0..<20 { try await test.value("waypoint add 46.\(number),7.9 --label W\(number)") }
        try await test.value(
            "sync; device add mac desk; sync; device use anna; waypoint add 47,8 --label New")
        let file = test.folder.url.appendingPathComponent("workspace/devices/anna/sync.db")
        var bytes = try Data(contentsOf: file)
        let size = bytes.count
        switch damage {
        case "cut": bytes = bytes.prefix(size / 2)
        case "header": bytes.replaceSubrange(0..<100, with: Data(count: 100))
        case "noise": for index in 200..<size { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
        default: bytes = Data()
        }
        try bytes.write(to: file)
        if let failure = await test.result("sync").failure {
            #expect(failure.code == "E-SYNC-STORE")
            #expect(failure.fix == "sync restore memory")
            #expect(!failure.message.contains("damaged: sync.db is damaged"))
            #expect(await test.run("sync restore memory").hasPrefix("a new sync.db was begun"))
            try await test.value("sync")
        }
        #expect(await test.run("waypoint list | count") == "21")
        try await test.value("device use desk; sync")
        #expect(await test.run("waypoint list | count") == "21")
        #expect(await test.run("sync conflicts | count") == "0")
    }

    @Test func aMemoryThatIsWholeIsKept() async throws {
        let test = try SyncSession.make()
        try await test.value("device add phone anna; waypoint add 46.5,7.9 --label Hut; sync")
        #expect(await test.run("sync restore memory") == "sync.db can be read; nothing was changed")
    }
}
