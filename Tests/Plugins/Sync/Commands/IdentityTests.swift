import Foundation
import GRDB
import PluginTestKit
import Testing

@testable import SyncPlugin

/// Devices restored from a backup, restored clouds, other accounts, and unreadable records.
@Suite(.enabled(if: SyncSession.hasWaypoints, "needs the plugin Waypoints"))
struct IdentityTests {
    private let files = FileManager.default

    private func folder(_ test: TestSession, _ device: String) -> URL {
        test.folder.url.appendingPathComponent("workspace/devices/\(device)")
    }

    private func copy(_ from: URL, _ to: URL) throws {
        if files.fileExists(atPath: to.path) { try files.removeItem(at: to) }
        try files.copyItem(at: from, to: to)
    }

    private func code(_ test: TestSession, _ entry: String) async -> String {
        await test.result(entry).failure?.code ?? "none"
    }

    /// Everything that a device shows.
    private func labels(_ test: TestSession, _ device: String) async -> String {
        await test.run("device use \(device); waypoint list | sort label | get label")
    }

    /// In processes, since files change under the program.
    @Test func aDeviceThatComesBackFromABackup() throws {
        let home = try TemporaryFolder()
        func run(_ entries: String...) throws -> String {
            let outcome = try RutterProcess.run(
                ["--workspace", home.url.path], input: entries.joined(separator: "\n"))
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output
        }
        let phone = home.url.appendingPathComponent("devices/anna")
        let backup = home.url.appendingPathComponent("backup")
        _ = try run("device add phone anna", "waypoint add 46.5,7.9 --label One", "sync")
        try copy(phone, backup)
        _ = try run("device use anna", "waypoint add 46.6,7.9 --label Two", "sync")
        try copy(backup, phone)
        let result = try run(
            "device use anna", "waypoint edit One --label First", "waypoint add 46.7,7.9 --label Three",
            "sync")
        #expect(result.contains("new identity"), "\(result)")
        let seen = try run(
            "device use anna", "sync status | get outbox", "sync log | where kind == renewed | count",
            "device add mac desk", "sync", "waypoint list | sort label | get label", "device use anna",
            "waypoint list | sort label | get label")
        #expect(seen.contains("anna, a phone\n0\n1\n"), "\(seen)")
        #expect(seen.components(separatedBy: "First\nThree\nTwo").count == 3, "\(seen)")
    }

    @Test func aCloneGetsAnIdentityOfItsOwn() async throws {
        let test = try SyncSession.make()
        await test.run("device add phone anna; waypoint add 46.5,7.9 --label One; sync")
        await test.run("device add phone berta")
        try copy(folder(test, "anna"), folder(test, "berta"))
        await test.run("device use anna; waypoint add 46.6,7.9 --label A; sync")
        await test.run(
            "device use berta; waypoint add 46.7,7.9 --label B; sync; device use anna; sync")
        for device in ["anna", "berta"] {
            let seen = await labels(test, device)
            #expect(seen.hasSuffix("A\nB\nOne"), "\(device): \(seen)")
        }
    }

    @Test func aCloudPutBackWhileAnotherWritesOn() async throws {
        let test = try SyncSession.make()
        let cloud = test.folder.url.appendingPathComponent("c.db")
        let backup = test.folder.url.appendingPathComponent("c-backup.db")
        await test.run("device add phone anna; waypoint add 46.5,7.9 --label One; sync --cloud c.db")
        await test.run("device add mac desk; sync --cloud c.db")
        try copy(cloud, backup)
        await test.run("device use anna; waypoint add 46.6,7.9 --label Lost; sync --cloud c.db")
        for end in ["-wal", "-shm"] { try? files.removeItem(atPath: cloud.path + end) }
        try copy(backup, cloud)
        await test.run("device use desk; waypoint add 46.7,7.9 --label New; sync --cloud c.db")
        await test.run("device use anna")
        let differences = await test.run("sync compare --cloud c.db | get difference")
        #expect(differences.contains("only here"), "\(differences)")
        #expect(await test.run("sync plan --cloud c.db | get why").contains("missing in the restored cloud"))
        let result = await test.run("sync --cloud c.db")
        #expect(result.contains("restored from a backup"), "\(result)")
        await test.run("device use desk; sync --cloud c.db; device use anna; sync --cloud c.db")
        for device in ["anna", "desk"] {
            let seen = await labels(test, device)
            #expect(seen.hasSuffix("Lost\nNew\nOne"), "\(device): \(seen)")
        }
        #expect(await test.run("sync compare --cloud c.db | count") == "0")
    }

    /// The cloud's file is gone: another one is made, which is no reason to delete what may be the only copy.
    @Test func aCloudThatIsGoneDeletesNothing() async throws {
        let test = try SyncSession.make()
        await test.run("device add phone anna; waypoint add 46.5,7.9 --label Mine; sync --cloud a.db")
        try FileManager.default.removeItem(at: test.folder.url.appendingPathComponent("a.db"))
        let said = await test.result("sync --cloud a.db").failure
        #expect(said?.code == "E-SYNC-ACCOUNT" && said?.fix?.hasPrefix("sync account merge if") == true)
        #expect(await code(test, "sync account remove --cloud a.db") == "E-SYNC-UNSENT")
        #expect(await test.run("waypoint list | get label") == "Mine")
        await test.run("sync account merge --cloud a.db; sync --cloud a.db")
        #expect(await test.run("device add mac desk; sync --cloud a.db | get pulled").hasSuffix("1"))
    }

    @Test func anotherAccountIsAQuestion() async throws {
        let test = try SyncSession.make()
        await test.run("device add phone anna; waypoint add 46.5,7.9 --label Mine; sync --cloud a.db")
        await test.run("device add mac desk; waypoint add 46.6,7.9 --label Theirs; sync --cloud b.db")
        await test.run("device use anna")
        for mode in ["", "push", "pull"] {
            await test.run("waypoint edit Mine --note 'a \(mode)'")
            #expect(await code(test, "sync \(mode) --cloud b.db") == "E-SYNC-ACCOUNT")
        }
        #expect(await code(test, "sync plan --cloud b.db") == "E-SYNC-ACCOUNT")
        #expect(await test.run("device use desk; sync --cloud b.db | get pulled").hasSuffix("0"))
        await test.run("device use anna")
        #expect(await code(test, "sync account remove --cloud b.db") == "E-SYNC-UNSENT")
        #expect(await test.run("sync account apart --cloud b.db | get same") == "true")
        await test.run("sync --cloud b.db")
        #expect(await test.run("waypoint list | get label") == "Theirs")
        // Back in the first account, its records are there again, with what was never sent.
        await test.run("sync account apart --cloud a.db")
        #expect(await test.run("sync --cloud a.db | get pushed") == "1")
        #expect(await test.run("waypoint list | get label") == "Mine")
        await test.run("sync account merge --cloud b.db; sync --cloud b.db")
        #expect(await test.run("waypoint list | sort label | get label") == "Mine\nTheirs")
    }

    /// A cloud without any record is no other account's: the records are sent again, and not removed with their last
    /// copy.
    @Test func aLostCloudTakesNoRecordsWithIt() async throws {
        let test = try SyncSession.make()
        await test.run("device add phone anna; waypoint add 46.5,7.9 --label Mine; sync --cloud a.db")
        let failure = await test.result("sync --cloud new.db").failure
        #expect(failure?.code == "E-SYNC-ACCOUNT")
        #expect(failure?.fix?.hasPrefix("sync account merge") == true, "\(failure?.fix ?? "none")")
        #expect(await code(test, "sync account remove --cloud new.db") == "E-SYNC-UNSENT")
        #expect(await test.run("waypoint list | get label") == "Mine")
        // Set apart they are named, and return with their cloud.
        await test.run("sync account apart --cloud new.db")
        #expect(await test.run("waypoint list | count") == "0")
        let aside = await test.run("sync account --cloud new.db | get aside")
        #expect(aside.count == 16, "\(aside)")
        await test.run("sync account apart --cloud a.db; sync account merge --cloud new.db")
        #expect(await test.run("sync --cloud new.db | get pushed") == "1")
        #expect(await test.run("waypoint list | get label") == "Mine")
    }

    /// Anna's records with one that was never sent are set aside, and the device uses another account.
    private func unsentSetAside() async throws -> TestSession {
        let test = try SyncSession.make()
        await test.run("device add phone anna; waypoint add 1,1 --label A; sync --cloud a.db")
        await test.run("waypoint add 3,3 --label Unsent; sync account apart --cloud b.db")
        return test
    }

    @Test func mergingIntoAnAccountWithUnsentRecordsSetAsideIsRefused() async throws {
        let test = try await unsentSetAside()
        await test.run("waypoint add 9,9 --label InOther; sync --cloud b.db")
        let failure = await test.result("sync account merge --cloud a.db").failure
        #expect(failure?.code == "E-SYNC-UNSENT")
        #expect(failure?.fix == "sync account apart --cloud a.db", "\(failure?.fix ?? "none")")
        #expect(await test.run("waypoint list | get label") == "InOther")
        // The fix sends them; afterwards nothing prevents the merge.
        await test.run("sync account apart --cloud a.db")
        #expect(await test.run("sync --cloud a.db | get pushed") == "1")
        await test.run("sync account apart --cloud b.db; sync account merge --cloud a.db")
        await test.run("sync --cloud a.db")
        #expect(await test.run("waypoint list | sort label | get label") == "A\nInOther\nUnsent")
    }

    @Test func unsentRecordsSetAsideAreNotReplaced() async throws {
        let test = try await unsentSetAside()
        // Without an account yet, the device syncs with the account whose records are set aside.
        await test.run("waypoint add 9,9 --label Later; sync --cloud a.db")
        for answer in ["apart", "remove"] {
            #expect(await code(test, "sync account \(answer) --cloud b.db") == "E-SYNC-UNSENT", "\(answer)")
        }
        await test.run("waypoint add 8,8 --label Waiting; sync account apart --cloud a.db")
        #expect(await test.run("waypoint list | sort label | get label") == "A\nUnsent")
        #expect(await test.run("sync --cloud a.db | get pushed") == "1")
        // The other records, with an unsent one, are now aside.
        #expect(await code(test, "sync account apart --cloud b.db") == "E-SYNC-UNSENT")
        await test.run("sync account apart --cloud a.db")
        #expect(await test.run("sync --cloud a.db | get pushed") == "1")
        #expect(await test.run("waypoint list | sort label | get label") == "A\nLater\nUnsent\nWaiting")
        #expect(await code(test, "sync account apart --cloud b.db") == "none")
        #expect(await test.run("waypoint list | count") == "0")
    }

    @Test func aDeviceWithoutAccountReturnsToRecordsSetAside() async throws {
        let test = try await unsentSetAside()
        await test.run("sync account apart --cloud a.db")
        #expect(await test.run("waypoint list | sort label | get label") == "A\nUnsent")
        // With records of its own it sends them first.
        let other = try await unsentSetAside()
        await other.run("waypoint add 9,9 --label Own")
        for answer in ["apart", "merge", "remove"] {
            #expect(await code(other, "sync account \(answer) --cloud a.db") == "E-SYNC-UNSENT", "\(answer)")
        }
        await other.run("sync --cloud a.db; sync account apart --cloud a.db; sync --cloud a.db")
        #expect(await other.run("waypoint list | sort label | get label") == "A\nOwn\nUnsent")
    }

    @Test func unsentRecordsSetAsideAreDiscardedOnRequest() async throws {
        let test = try await unsentSetAside()
        await test.run("sync --cloud a.db; sync account apart --cloud b.db --discard")
        #expect(await test.run("waypoint list | count") == "0")
        await test.run("sync account apart --cloud a.db")
        #expect(await test.run("waypoint list | get label") == "A")
    }

    @Test func aStaleItemOfTheWatchOverwritesNothing() async throws {
        let test = try SyncSession.make()
        await test.run("device add watch wrist; device add phone anna; waypoint add 46.5,7.9 --label Hut")
        await test.run("link deliver; waypoint edit Hut --note old")
        // On its way while the watch edits.
        #expect(await test.run("link list | get state") == "queued")
        await test.run("device use wrist; waypoint edit Hut --label Cabin; device use anna")
        await test.run(
            "waypoint edit Hut --note new; link deliver 0 --last; link mode field; link deliver 0 --last; link mode strict"
        )
        await test.run("link deliver; link deliver")
        for device in ["anna", "wrist"] {
            #expect(await labels(test, device).hasSuffix("Cabin"), "\(device)")
            #expect(await test.run("waypoint show Cabin | get note") == "new", "\(device)")
            #expect(await test.run("sync conflicts | count") == "0", "\(device)")
        }
        // A deletion is sent, and a late item does not undo it.
        await test.run(
            "device use anna; waypoint edit Cabin --note late; link list; waypoint delete Cabin; link list"
        )
        await test.run("link mode field; link deliver 0 --last; link mode strict; link deliver; link deliver")
        await test.run("device use wrist")
        #expect(await test.run("waypoint list | count") == "0")
    }

    /// A watch that has a waypoint over the link alone, with the cloud's version as the phone knew it.
    private func watchWithAnItem(of account: String = "c.db") async throws -> TestSession {
        let test = try SyncSession.make()
        await test.run("device add watch wrist; sync --cloud \(account); device add phone anna")
        await test.run("sync --cloud c.db")
        try copy(
            test.folder.url.appendingPathComponent("c.db"), test.folder.url.appendingPathComponent("old.db"))
        await test.run(
            "waypoint add 46.5,7.9 --label Hut; link deliver 0 --drop; sync --cloud c.db; link send Hut")
        #expect(await test.run("link deliver | get outcome") == "applied")
        return test
    }

    /// A record received over the link and missing in a cloud counts as deleted only if it is the sender's
    /// cloud.
    @Test func anItemOfTheWatchIsNotDeletedByAnotherCloud() async throws {
        for isPutBack in [true, false] {
            let cloud = isPutBack ? "c.db" : "b.db"
            let test = try await watchWithAnItem(of: cloud)
            if isPutBack {
                let file = test.folder.url.appendingPathComponent("c.db")
                for end in ["-wal", "-shm"] { try? files.removeItem(atPath: file.path + end) }
                try copy(test.folder.url.appendingPathComponent("old.db"), file)
            }
            await test.run("device use wrist")
            #expect(await test.run("sync --cloud \(cloud) | get pushed") == "1")
            #expect(await test.run("waypoint list | get label") == "Hut", "put back: \(isPutBack)")
            #expect(await test.run("sync log | get detail").contains("unknown history of the cloud"))
            await test.run("link deliver; device use anna; sync --cloud c.db")
            #expect(await test.run("waypoint list | get label") == "Hut", "put back: \(isPutBack)")
        }
    }

    /// If it is, the cloud's values are later without a conflict, and records missing there were deleted.
    @Test func anItemOfTheWatchMeetsTheCloudOfItsSender() async throws {
        let test = try await watchWithAnItem()
        await test.run(
            "waypoint edit Hut --label Cabin; link deliver 0 --drop; sync --cloud c.db; device use wrist")
        #expect(await test.run("sync --cloud c.db | get pushed") == "0")
        #expect(await test.run("waypoint list | get label") == "Cabin")
        #expect(await test.run("sync conflicts | count") == "0")
        let other = try await watchWithAnItem()
        await other.run("waypoint delete Hut; link deliver 0 --drop; sync --cloud c.db")
        try await DatabaseQueue(path: other.folder.url.appendingPathComponent("c.db").path).write {
            try $0.execute(sql: "DELETE FROM records; UPDATE zones SET floor = head")
        }
        #expect(await other.run("device use wrist; sync --cloud c.db | get pushed").hasSuffix("0"))
        #expect(await other.run("waypoint list | count") == "0")
    }

    @Test func whatCannotBeReadIsSetAside() async throws {
        let test = try SyncSession.make()
        await test.run("device add phone anna; waypoint add 46.5,7.9 --label One; sync --cloud c.db")
        let queue = try DatabaseQueue(path: test.folder.url.appendingPathComponent("c.db").path)
        let field = Version(fields: [Field(key: "a", value: .text("x"), stamp: Stamp(time: 5, device: 1))])
        let contents: [(Int64, UInt64, [UInt8])] = [
            (9, 1, VersionCoding.bytes(field)), (1, 2, [77, 1, 2, 3]), (1, 3, VersionCoding.bytes(field)),
        ]
        try await queue.write { db in
            for (index, (type, name, bytes)) in contents.enumerated() {
                try db.execute(
                    sql: "INSERT INTO records VALUES ('private', ?, ?, ?, 0, ?)",
                    arguments: [type, RecordName(high: 0, low: name).text, 2 + index, Data(bytes)])
            }
            try db.execute(sql: "INSERT INTO history VALUES ('private', 4, 12345)")
            try db.execute(sql: "UPDATE zones SET head = 4 WHERE name = 'private'")
        }
        await test.run("device add mac desk; waypoint add 46.6,7.9 --label Two")
        #expect(await test.run("sync --cloud c.db | get pulled") == "1")
        #expect(await test.run("waypoint list | sort label | get label") == "One\nTwo")
        #expect(await test.run("sync conflicts --aside | count") == "3")
        #expect(await test.run("sync --cloud c.db | get pushed") == "0")
        #expect(await test.run("sync status | get aside") == "3")
        // Nothing differs but that they are set aside here.
        #expect(
            await test.run("sync compare --cloud c.db | where difference == 'set aside here' | count") == "3")
        #expect(await test.run("sync compare --cloud c.db | count") == "3")
        // An older copy of the cloud lacks them: they are sent on as they were.
        let before = try await queue.read {
            try Data.fetchAll($0, sql: "SELECT content FROM records ORDER BY type, name")
        }
        try await queue.write {
            try $0.execute(sql: "DELETE FROM records WHERE type = 9; DELETE FROM history WHERE number > 1")
        }
        await test.run(
            "sync --cloud c.db; device use anna; sync --cloud c.db; device use desk; sync --cloud c.db"
        )
        let after = try await queue.read {
            try Data.fetchAll($0, sql: "SELECT content FROM records ORDER BY type, name")
        }
        #expect(after == before)
    }

    /// With the same number of bytes, in a scan of all rows.
    @Test func aPhotoReplacedByOneOfTheSameSize() async throws {
        let test = try SyncSession.make()
        await test.run("device add phone anna; waypoint add 46.5,7.9 --label Hut")
        let file = folder(test, "anna").appendingPathComponent("waypoints.db").path
        for (byte, count) in [(1 as UInt8, "1"), (2, "1")] {
            try await DatabaseQueue(path: file).write {
                try $0.execute(
                    sql: "UPDATE waypoints SET photo_data = ?",
                    arguments: [Data(repeating: byte, count: 9_000)])
                // The log of changes is gone: all rows are read.
                try $0.execute(
                    sql: "DROP TABLE IF EXISTS rutter_sync_changed; DROP TABLE IF EXISTS rutter_sync_log")
                for event in ["insert", "update", "delete"] {
                    try $0.execute(sql: "DROP TRIGGER IF EXISTS rutter_sync_\(event)")
                }
            }
            #expect(await test.run("sync | get pushed") == count)
        }
        await test.run("device add mac desk; sync")
        let other = folder(test, "desk").appendingPathComponent("waypoints.db").path
        let photo = try await DatabaseQueue(path: other).read {
            try Data.fetchOne($0, sql: "SELECT photo_data FROM waypoints")
        }
        #expect(photo == Data(repeating: 2, count: 9_000))
        // On the device it is stored once.
        let kept = try await DatabaseQueue(path: folder(test, "desk").appendingPathComponent("sync.db").path)
            .read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM blobs")
            }
        #expect(kept == 0)
    }
}
