import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Testing

@testable import SyncPlugin

/// Damaged clouds, oversized records, wrong clocks, invalid dictionaries: a specific error, no data loss, no
/// crash.
@Suite(.enabled(if: SyncSession.hasWaypoints, "needs the plugin Waypoints"))
struct DamageTests {
    @Test func aCloudDamagedAnywhere() async throws {
        let test = try SyncSession.make()
        try await test.value("device add phone anna")
        for number in 0..<12 { try await test.value("waypoint add 46.\(number),7.9 --label W\(number)") }
        try await test.value("sync --cloud good.db")
        try await test.value("waypoint add 47,8 --label Waiting")
        let good = test.folder.url.appendingPathComponent("good.db")
        let bytes = try Data(contentsOf: good)
        var random = Xoshiro256(seed: 3)
        for number in 0..<25 {
            var damaged = bytes
            for _ in 0..<(1 + number * 20) {
                damaged[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            if number % 5 == 4 { damaged = damaged.prefix(Int(random.next() % UInt64(bytes.count))) }
            let name = "damaged\(number).db"
            try damaged.write(to: test.folder.url.appendingPathComponent(name))
            let result = await test.result("sync push --cloud \(name)")
            if let failure = result.failure {
                #expect(failure.code.hasPrefix("E-S"), "\(failure)")
                #expect(await test.run("waypoint list | count") == "13")
            }
        }
        #expect(await test.run("sync --cloud good.db --delete-many | get parked") == "0")
        #expect(await test.run("waypoint list | where label == Waiting | count") == "1")
    }

    /// A photo lost by the cloud: its record is listed with a code and a fix, which works.
    @Test func aPhotoThatTheCloudLost() async throws {
        let test = try SyncSession.make()
        try await test.value("device add phone anna")
        for label in ["Hut", "Spring"] { try await test.value("waypoint add 46.5,7.9 --label \(label)") }
        let folder = test.folder.url
        let queue = try DatabaseQueue(
            path: folder.appendingPathComponent("workspace/devices/anna/waypoints.db").path)
        for (label, size) in [("Hut", 3_000_000), ("Spring", 900)] {
            try await queue.write {
                try $0.execute(
                    sql: "UPDATE waypoints SET has_photo = 1, photo_data = randomblob(?) WHERE label = ?",
                    arguments: [size, label])
            }
        }
        #expect(await test.run("sync --cloud c.db | get pushed") == "2")
        #expect(await test.run("sync compare --cloud c.db | count") == "0")
        try await DatabaseQueue(path: folder.appendingPathComponent("c.db").path).write {
            try $0.execute(sql: "DELETE FROM blobs; DELETE FROM parts")
        }
        try await test.value("device add mac desk")
        #expect(await test.run("sync --cloud c.db | get remark").contains("2 records wait"))
        #expect(await test.run("sync --cloud c.db | get remark").contains("E-SYNC-PHOTO"))
        #expect(await test.run("sync status | get aside") == "2")
        #expect(await test.run("sync conflicts --aside | get fix | first").contains("sync compare --heal"))
        #expect(await test.run("waypoint list | count") == "0")
        #expect(await test.run("sync compare --cloud c.db | get heal | first") == "the next sync")
        try await test.value("device use anna")
        #expect(await test.run("sync compare --cloud c.db | get heal | first") == "--heal")
        #expect(await test.run("sync compare --cloud c.db --heal | where heal == sent | count") == "2")
        #expect(await test.run("sync compare --cloud c.db | count") == "0")
        try await test.value("device use desk")
        #expect(await test.run("sync --cloud c.db | get pulled") == "2")
        #expect(await test.run("sync conflicts --aside | count") == "0")
        let photos = try await DatabaseQueue(
            path: folder.appendingPathComponent("workspace/devices/desk/waypoints.db").path
        ).read { try Int.fetchAll($0, sql: "SELECT length(photo_data) FROM waypoints ORDER BY 1") }
        #expect(photos == [900, 3_000_000])
    }

    /// Any bytes of a record in the cloud are read or rejected.
    @Test func anyBytesOfARecord() {
        let version = Version(fields: [
            Field(key: "a", value: .text("x"), stamp: Stamp(time: 1, device: 2)),
            Field(key: "b", value: .bytes([1, 2, 3]), stamp: Stamp(time: 1, device: 2)),
        ])
        let bytes = VersionCoding.bytes(version)
        #expect(VersionCoding.version(bytes) == version)
        for length in 0..<bytes.count { #expect(VersionCoding.version(Array(bytes.prefix(length))) == nil) }
        var random = Xoshiro256(seed: 9)
        for _ in 0..<5_000 {
            var other = bytes
            for _ in 0...Int(random.next() % 4) {
                other[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            _ = VersionCoding.version(other)
            _ = Lineage(bytes: other)
        }
    }

    /// 100 MB in a note and 100 MB in a photo: both wait and are reported, and other records are sent. In
    /// separate processes, because other tests measure the memory of this one.
    @Test func aRecordOfAHundredMegabytes() throws {
        let home = try TemporaryFolder()
        func run(_ entries: String...) throws -> [String] {
            let outcome = try RutterProcess.run(
                ["--workspace", home.url.path], input: entries.joined(separator: "\n"))
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output.split(separator: "\n").map(String.init)
        }
        let file = home.url.appendingPathComponent("devices/anna/waypoints.db").path
        _ = try run("device add phone anna", "waypoint add 46.5,7.9 --label Small")
        for (id, note, photo) in [
            (1, "printf('%.100000000c', 'x')", "NULL"), (2, "''", "zeroblob(100000000)"),
        ] {
            let sql = """
                INSERT INTO waypoints (id, latitude, longitude, timestamp, label, note, photo_data)
                VALUES ('00000000-0000-0000-0000-00000000000\(id)', 46, 7, '2026-02-06T08:00:00.000Z', 'Huge',
                    \(note), \(photo))
                """
            try #require(try RutterProcess.shell("sqlite3", [file, sql]) != nil)
        }
        let first = try run("device use anna", "sync | get pushed", "sync status | get parked")
        #expect(first.suffix(2) == ["1", "2"])
        let log = try run("device use anna", "sync log | where kind == parked | get detail").joined()
        #expect(log.contains("maximum is 1048576") && log.contains("maximum is 67108864"))
        // An edit that makes it smaller releases it.
        _ = try RutterProcess.shell("sqlite3", [file, "UPDATE waypoints SET note = '', photo_data = NULL"])
        let second = try run("device use anna", "sync | get pushed", "sync status | get parked")
        #expect(second.suffix(2) == ["2", "0"])
    }

    @Test(arguments: [438_000, -438_000])
    func aClockFiftyYearsOff(_ hours: Int) async throws {
        let test = try SyncSession.make()
        try await test.value("device add phone anna")
        try await test.value("waypoint add 46.5,7.9 --label Hut")
        try await test.value("sync")
        try await test.value("device set anna --clock \(hours)h")
        try await test.value("waypoint edit Hut --label 'Of another time'")
        #expect(await test.result("sync").failure?.code == "E-SYNC-CLOCK")
        #expect(await test.run("sync status | get outbox") == "1")
        try await test.value("device set anna --clock 0s")
        #expect(await test.run("sync | get pushed") == "1")
        // Its edit has no advantage from the wrong clock: a later edit wins.
        try await test.value("device add mac desk")
        try await test.value("sync")
        try await test.value("clock +1min")
        try await test.value("waypoint edit 'Of another time' --label Now")
        try await test.value("sync")
        try await test.value("device use anna")
        try await test.value("sync")
        #expect(await test.run("waypoint list | get label") == "Now")
    }

    /// What is made on such a clock travels over the watch link once the clock is right: no other device's clock follows it.
    @Test(arguments: [438_000, -438_000])
    func aWatchsClockFiftyYearsOff(_ hours: Int) async throws {
        let test = try SyncSession.make()
        try await test.value("device add watch wrist")
        try await test.value("device add phone anna")
        try await test.value("waypoint add 46.5,7.9 --label Hut")
        try await test.value("link deliver")
        try await test.value("device set wrist --clock \(hours)h")
        try await test.value("device use wrist")
        try await test.value("waypoint edit Hut --note 'of another time'")
        #expect(
            await test.run("link deliver").contains(
                "wrist: the device's clock is far off (E-SYNC-CLOCK); its items wait"))
        #expect(await test.result("link send Hut").failure?.code == "E-SYNC-CLOCK")
        // Nor does it take what others send.
        try await test.value("device use anna")
        try await test.value("waypoint edit Hut --label Cabin")
        #expect(await test.run("link deliver | count") == "0")
        try await test.value("device set wrist --clock 0s")
        #expect(await test.run("link deliver | get outcome").split(separator: "\n").contains("applied"))
        #expect(await test.run("waypoint show Cabin | get note") == "of another time")
        try await test.value("clock +1min")
        try await test.value("waypoint edit Cabin --note later")
        try await test.value("link deliver")
        try await test.value("device use wrist")
        #expect(await test.run("waypoint show Cabin | get note") == "later")
    }

    /// Every key of the transfer dictionary, missing or of another type.
    @Test func aWrongTransferDictionary() async throws {
        let test = try SyncSession.make()
        try await test.value("device add watch wrist")
        try await test.value("device add phone anna")
        let right: [(key: String, value: String, wrong: String)] = [
            ("id", "\"6F9619FF-8B86-D011-B42D-00C04FC964FF\"", "\"no id\""),
            ("latitude", "46.5", "\"north\""),
            ("longitude", "7.9", "true"), ("timestamp", "1770364800", "\"today\""), ("label", "\"Hut\"", "5"),
            ("category", "\"shelter\"", "5"), ("note", "\"\"", "false"), ("hasPhoto", "false", "\"no\""),
        ]
        func send(_ fields: [(String, String)]) async throws -> String {
            let text = (fields + [("type", "\"waypoint\"")]).map { "\"\($0)\": \($1)" }.joined(
                separator: ", ")
            try await test.value("link send '{\(text)}'")
            return await test.run("link deliver | get outcome")
        }
        for wrong in right {
            for value in [nil, wrong.wrong] {
                let fields = right.compactMap { field in
                    field.key == wrong.key ? value.map { (field.key, $0) } : (field.key, field.value)
                }
                let outcome = try await send(fields)
                #expect(outcome.hasPrefix("failed: ") && outcome.contains("key \(wrong.key) "), "\(outcome)")
            }
        }
        #expect(try await send(right.map { ($0.key, $0.value) }) == "applied")
        let huge = right.map { ($0.key, $0.key == "latitude" ? "1e300" : $0.value) }
        #expect(try await send(huge).hasPrefix("failed: "))
        try await test.value("device use wrist")
        #expect(await test.run("waypoint list | get label") == "Hut")
        #expect(await test.run("link list --all | where state == failed | count") == "17")
    }
}
