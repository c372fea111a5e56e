import Foundation
import GRDB
import PluginTestKit
import Testing

@testable import SyncPlugin

/// The cases in which two devices disagree. Each is played twice: under the seed's plain rule, to see the harm, and under
/// the default rule, to see that there is none.
@Suite(.enabled(if: SyncSession.hasWaypoints, "needs the plugin Waypoints"))
struct ConflictTests {
    /// A phone and a mac that both hold a hut.
    private struct Pair {
        let test: TestSession

        init(_ rule: String) async throws {
            test = try SyncSession.make()
            try await all(
                "device add phone p", "sync rule \(rule)", "waypoint add 46.5,7.9 --label Hut", "sync",
                "device add mac m", "sync rule \(rule)", "sync")
        }

        /// Runs entries that must all succeed.
        func all(_ entries: String...) async throws { for entry in entries { try await test.value(entry) } }

        /// Uses a device and runs entries.
        func on(_ device: String, _ entries: String...) async throws {
            try await test.value("device use \(device)")
            for entry in entries { try await test.value(entry) }
        }

        /// What an entry shows on a device.
        func see(_ device: String, _ entry: String) async throws -> String {
            try await test.value("device use \(device)")
            return await test.run(entry)
        }

        /// What an app of another version does to a device's store.
        func other(_ device: String, _ sql: String) throws {
            let file = test.folder.url.appendingPathComponent("workspace/devices/\(device)/waypoints.db")
            try DatabaseQueue(path: file.path).write { try $0.execute(sql: sql) }
        }

        func settle() async throws {
            for device in ["m", "p", "m", "p"] { try await on(device, "sync") }
        }
    }

    @Test func twoEditsOfDifferentFields() async throws {
        func play(_ rule: String) async throws -> String {
            let pair = try await Pair(rule)
            try await pair.on("m", "clock +1min", "waypoint edit Hut --note closed", "sync")
            try await pair.on("p", "clock +1min", "waypoint edit Hut --label Upper", "sync")
            try await pair.settle()
            #expect(try await pair.see("m", "sync conflicts | count") == "0")
            return try await pair.see("m", "waypoint show Upper | get note")
        }
        #expect(try await play("seed") == "")
        #expect(try await play("merge") == "closed")
    }

    @Test func twoEditsOfOneField() async throws {
        func play(_ rule: String) async throws -> (label: String, kept: String) {
            let pair = try await Pair(rule)
            try await pair.on("m", "clock +1min", "waypoint edit Hut --label Early", "sync")
            try await pair.on("p", "clock +1min", "waypoint edit Hut --label Late", "sync")
            try await pair.settle()
            let label = try await pair.see("m", "waypoint list | get label")
            #expect(try await pair.see("p", "waypoint list | get label") == label)
            return (label, try await pair.see("p", "sync conflicts | where field == label | get lost"))
        }
        #expect(try await play("seed") == ("Late", "(empty list)"))
        #expect(try await play("merge") == ("Late", "Early"))
    }

    /// Two edits in the same millisecond: both devices decide alike, and the loser is kept.
    @Test func aTie() async throws {
        let pair = try await Pair("merge")
        try await pair.on("m", "waypoint edit Hut --label Left")
        try await pair.on("p", "waypoint edit Hut --label Right")
        try await pair.settle()
        let label = try await pair.see("m", "waypoint list | get label")
        #expect(["Left", "Right"].contains(label))
        #expect(try await pair.see("p", "waypoint list | get label") == label)
        var kept = try await pair.see("m", "sync conflicts | where field == label | get lost")
        kept += try await pair.see("p", "sync conflicts | where field == label | get lost")
        #expect(kept.contains(label == "Left" ? "Right" : "Left"))
    }

    /// An older app edits without saying when. The plain rule treats such an edit as the oldest.
    @Test func aMissingTime() async throws {
        func play(_ rule: String) async throws -> Bool {
            let pair = try await Pair(rule)
            try await pair.on("m", "clock +1min", "waypoint edit Hut --label New", "sync")
            try pair.other("p", "UPDATE waypoints SET label = 'Older app', modified_at = NULL")
            try await pair.settle()
            let shown = try await pair.see("m", "waypoint list | get label")
            let kept = try await pair.see("p", "sync conflicts | get lost")
            return (shown + kept).contains("Older app") && (shown + kept).contains("New")
        }
        #expect(try await !play("seed"))
        #expect(try await play("merge"))
    }

    /// The mac's clock is ahead. An edit made after seeing its edit must win, whatever the clocks say.
    @Test func anEditUponAnEditFromTheFuture() async throws {
        func play(_ rule: String) async throws -> String {
            let pair = try await Pair(rule)
            try await pair.on("m", "device set m --clock 5min", "waypoint edit Hut --label Ahead", "sync")
            try await pair.on("p", "sync", "waypoint edit Ahead --label Corrected")
            try await pair.on("m", "waypoint edit Ahead --note seen", "sync")
            try await pair.on("p", "sync")
            return try await pair.see("p", "waypoint list | get label")
        }
        #expect(try await play("seed") == "Ahead")
        #expect(try await play("merge") == "Corrected")
    }

    @Test func aDeletionAndALaterEdit() async throws {
        func play(_ rule: String) async throws -> (count: String, kept: String) {
            let pair = try await Pair(rule)
            try await pair.on("p", "waypoint delete Hut", "sync")
            try await pair.on("m", "clock +1min", "waypoint edit Hut --note lamp", "sync")
            try await pair.settle()
            return (
                try await pair.see("p", "waypoint list | count"),
                try await pair.see("m", "sync conflicts | where field == note | get lost")
            )
        }
        let plain = try await play("seed")
        #expect(plain == ("1", "(empty list)"), "\(plain)")
        #expect(try await play("merge") == ("0", "lamp"))
        // The other policy recreates it, and reports that.
        #expect(try await play("editWins").count == "1")
    }

    /// Deleted on both; recreated on one before the other's deletion arrives, which refers to the earlier
    /// record.
    @Test func aRecordMadeAgain() async throws {
        func play(_ rule: String) async throws -> String {
            let pair = try await Pair(rule)
            try await pair.on("m", "clock +2min", "waypoint delete Hut")
            try await pair.on(
                "p", "waypoint delete Hut", "sync", "clock +1min", "undo", "undo", "sync")
            try await pair.settle()
            return try await pair.see("p", "waypoint list | get label")
        }
        #expect(try await play("merge") == "Hut")
    }

    /// The mac's app is newer and has a column more; the phone's app does not know it.
    @Test func aFieldOfANewerApp() async throws {
        func play(_ rule: String) async throws -> String {
            let pair = try await Pair(rule)
            try pair.other("m", "ALTER TABLE waypoints ADD COLUMN rating INTEGER")
            try pair.other(
                "m", "UPDATE waypoints SET rating = 5, modified_at = '2026-02-06T08:01:00.000Z'")
            try await pair.on("m", "sync")
            try await pair.on("p", "sync", "clock +5min", "waypoint edit Hut --label Upper", "sync")
            try await pair.on("m", "sync")
            let file = pair.test.folder.url.appendingPathComponent("workspace/devices/m/waypoints.db")
            let rating = try await DatabaseQueue(path: file.path).read {
                try Int.fetchOne($0, sql: "SELECT rating FROM waypoints")
            }
            return rating.map(String.init) ?? "gone"
        }
        #expect(try await play("seed") == "gone")
        #expect(try await play("merge") == "5")
    }

    /// A record that the cloud refuses for good, and one behind it in the same batch.
    @Test func aRefusedRecord() async throws {
        func play(_ rule: String) async throws -> (fails: Bool, waiting: String) {
            let pair = try await Pair(rule)
            try pair.other(
                "p",
                """
                INSERT INTO waypoints (id, latitude, longitude, timestamp, label, note)
                VALUES ('00000000-0000-0000-0000-000000000001', 46, 7, '2026-02-06T08:00:00.000Z', 'Huge',
                    replace(hex(zeroblob(1000000)), '00', 'xx'))
                """)
            try await pair.on("p", "waypoint add 46.7,7.7 --label Behind")
            let result = await pair.test.result("sync")
            return (result.failure != nil, try await pair.see("p", "sync status | get outbox"))
        }
        let plain = try await play("seed")
        #expect(plain.fails && plain.waiting == "2", "\(plain)")
        let ours = try await play("merge")
        #expect(!ours.fails && ours.waiting == "1")
    }

    /// An emptied store or a wrong folder: the sync fails before it propagates the deletions.
    @Test func aMassOfDeletions() async throws {
        func play(_ rule: String) async throws -> String {
            let pair = try await Pair(rule)
            for number in 0..<5 { try await pair.on("p", "waypoint add 46.\(number),7.9 --label W\(number)") }
            try await pair.on("p", "sync")
            try await pair.on("m", "sync")
            try pair.other("m", "DELETE FROM waypoints")
            _ = try await pair.see("m", "sync")
            try await pair.all("device add mac fresh", "sync")
            return try await pair.see("fresh", "waypoint list | count")
        }
        #expect(try await play("seed") == "0")
        #expect(try await play("merge") == "6")
    }

    /// An edit while its record is on its way: the acknowledgement is of what was sent.
    @Test func anEditDuringTheUpload() throws {
        func play<S: SimulatedDeviceStore>(_ around: (SimulatedStore) -> S, _ rule: SyncRule) throws -> Int {
            var store = around(SimulatedStore(device: 1, records: 1, schema: ["a"]))
            var zone = MemoryZone(epoch: 1)
            var machine = SyncMachine(rule: rule)
            try store.simulated.userWrites([RowField(key: "a", value: .integer(1))], at: 0, now: 0)
            var output = try machine.start(.now, in: &store, now: 1000)
            while case .send(let request) = output {
                let reply = zone.answer(request)
                if case .saved = reply {
                    try store.simulated.userWrites([RowField(key: "a", value: .integer(2))], at: 0, now: 0)
                }
                let next = try machine.receive(reply, to: machine.requestNumber, in: &store, now: 2000)
                output = next ?? .finished(.done)
            }
            return try store.changedKeys().count + store.outbox(limit: 9).count
        }
        #expect(try play({ SeedStore.seed($0) }, .seed) == 0)
        #expect(try play({ $0 }, .merge) == 1)
    }
}
