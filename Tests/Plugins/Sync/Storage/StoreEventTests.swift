import CivilTime
import Foundation
import GRDB
import PluginTestKit
import Testing
import TrailStores

@testable import SyncPlugin

/// What happens to the apps' own files and is no edit: nothing of it reaches the other devices.
@Suite struct StoreEventTests {
    static let now = Timestamp(milliseconds: 1_770_000_000_000)
    static let start = "2026-01-01T00:00:00Z"
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["phone", "desk"] {
            try FileManager.default.createDirectory(at: path(name), withIntermediateDirectories: true)
            _ = try WaypointStore(own: path(name))
        }
        for number in 1...3 { try sql("phone", Self.insertion(number)) }
        try sync("phone", "desk")
    }

    func path(_ device: String, _ name: String = "") -> URL {
        folder.url.appendingPathComponent("\(device)/\(name)")
    }

    static func id(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }

    static func insertion(_ number: Int) -> String {
        """
        INSERT INTO waypoints (id, latitude, longitude, timestamp, label, note, modified_at)
        VALUES ('\(id(number))', 46.\(number), 7.9, '\(start)', 'W\(number)', 'note \(number)', '\(start)')
        """
    }

    func open(_ device: String) throws -> FolderStore {
        try FolderStore(path(device), device: device == "phone" ? 1 : 2, now: Self.now)
    }

    @discardableResult
    func sync(_ devices: String...) throws -> SyncCounts {
        var counts = SyncCounts()
        for device in devices {
            let cloud = try EmbeddedCloud(folder.url.appendingPathComponent("cloud.db"), zone: "z", epoch: 1)
            counts = try open(device).sync(.now, with: cloud)
        }
        return counts
    }

    func sql(_ device: String, _ statements: String...) throws {
        try DatabaseQueue(path: path(device, "waypoints.db").path).write { db in
            for statement in statements { try db.execute(sql: statement) }
        }
    }

    func texts(_ device: String, _ column: String = "note") throws -> [String] {
        try DatabaseQueue(path: path(device, "waypoints.db").path).read { db in
            try Row.fetchAll(db, sql: "SELECT \(column) FROM waypoints ORDER BY id").map {
                $0[0].map { "\($0)" } ?? "-"
            }
        }
    }
    private typealias Row = GRDB.Row

    // MARK: Schema

    @Test(arguments: ["rating INTEGER", "rating INTEGER NOT NULL DEFAULT 0"])
    func aNewColumnIsNoEdit(_ column: String) throws {
        try sql("phone", "ALTER TABLE waypoints ADD COLUMN \(column)", "UPDATE waypoints SET rating = 4")
        try sync("phone", "desk")
        try sql("desk", "ALTER TABLE waypoints ADD COLUMN \(column)")
        try sync("desk", "phone", "desk")
        #expect(try texts("phone", "rating") == ["4", "4", "4"])
        #expect(try texts("desk", "rating") == ["4", "4", "4"])
        #expect(try open("phone").conflicts().isEmpty)
    }

    /// Even a pull that scans nothing fills the column first.
    @Test func aPullAfterAMigrationFillsTheColumn() throws {
        try sql("phone", "ALTER TABLE waypoints ADD COLUMN rating INTEGER", "UPDATE waypoints SET rating = 4")
        try sync("phone", "desk")
        try sql("desk", "ALTER TABLE waypoints ADD COLUMN rating INTEGER")
        let cloud = try EmbeddedCloud(folder.url.appendingPathComponent("cloud.db"), zone: "z", epoch: 1)
        _ = try open("desk").sync(.pull, with: cloud)
        try sync("desk", "phone")
        #expect(try texts("phone", "rating") == ["4", "4", "4"])
    }

    /// The values that a user wrote into the new column before the sync are edits.
    @Test func anEditBesideAMigrationIsSent() throws {
        try sql("phone", "ALTER TABLE waypoints ADD COLUMN rating INTEGER", "UPDATE waypoints SET rating = 4")
        try sync("phone", "desk")
        try sql(
            "desk", "ALTER TABLE waypoints ADD COLUMN rating INTEGER",
            "UPDATE waypoints SET rating = 5, modified_at = '2026-01-02T00:00:00Z' WHERE label = 'W2'")
        try sync("desk", "phone")
        #expect(try texts("phone", "rating") == ["4", "5", "4"])
    }

    /// A value written by the migration itself does not replace the others' values, and is kept.
    @Test func aValueOfTheMigrationIsOffered() throws {
        try sql("phone", "ALTER TABLE waypoints ADD COLUMN rating INTEGER", "UPDATE waypoints SET rating = 4")
        try sync("phone", "desk")
        try sql("desk", "ALTER TABLE waypoints ADD COLUMN rating INTEGER", "UPDATE waypoints SET rating = 1")
        try sync("desk", "phone")
        #expect(try texts("phone", "rating") == ["4", "4", "4"])
        #expect(try open("desk").conflicts().map(\.loser.value) == Array(repeating: .integer(1), count: 3))
    }

    @Test func aDroppedColumnIsNoEdit() throws {
        try sql("desk", "ALTER TABLE waypoints DROP COLUMN note")
        try sync("desk", "phone")
        #expect(try texts("phone") == ["note 1", "note 2", "note 3"])
        #expect(try texts("desk") == ["note 1", "note 2", "note 3"])
    }

    /// Another program has added the column again, and the user has edited one row.
    @Test func aDroppedColumnThatIsBackIsNoEdit() throws {
        try sql("desk", "ALTER TABLE waypoints DROP COLUMN note")
        _ = try WaypointStore(own: path("desk"))
        try sql(
            "desk",
            "UPDATE waypoints SET note = 'mine', modified_at = '2026-01-02T00:00:00Z' WHERE label = 'W1'",
            "UPDATE waypoints SET label = 'W2b', modified_at = '2026-01-02T00:00:00Z' WHERE label = 'W2'")
        try sync("desk", "phone")
        #expect(try texts("phone") == ["mine", "note 2", "note 3"])
        #expect(try texts("phone", "label") == ["W1", "W2b", "W3"])
    }

    /// SQLite's way to change a column: a new table under the old name, without its triggers.
    @Test func aRebuiltTableIsNoEdit() throws {
        try sql(
            "desk", "CREATE TABLE new AS SELECT * FROM waypoints WHERE label <> 'W3'", "DROP TABLE waypoints",
            "ALTER TABLE new RENAME TO waypoints")
        try sync("desk", "phone")
        #expect(try texts("phone", "label") == ["W1", "W2", "W3"])
        #expect(try texts("desk", "label") == ["W1", "W2", "W3"])
    }

    /// The default of a column was written by nobody, also in a row that a sync writes.
    @Test func aDefaultIsNoEdit() throws {
        try sql("desk", "ALTER TABLE waypoints ADD COLUMN rating INTEGER NOT NULL DEFAULT 0")
        try sync("desk")
        try sql("phone", Self.insertion(4))
        try sync("phone", "desk")
        #expect(try sync("desk").pushed == 0)
    }

    // MARK: Another file

    private func putBack(_ body: () throws -> Void) throws {
        let file = path("phone", "waypoints.db")
        try DatabaseQueue(path: file.path).writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        let old = try Data(contentsOf: file)
        try body()
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + ending) }
        try old.write(to: file)
    }

    @Test func anOlderStoreRevertsNothing() throws {
        try putBack {
            try sql(
                "phone",
                "UPDATE waypoints SET note = 'newer', modified_at = '2026-01-02T00:00:00Z' WHERE label = 'W1'",
                Self.insertion(4), "DELETE FROM waypoints WHERE label = 'W3'")
            try sync("phone", "desk")
        }
        try sync("phone", "desk", "phone")
        #expect(try texts("desk", "label") == ["W1", "W2", "W4"])
        #expect(try texts("desk") == ["newer", "note 2", "note 4"])
        #expect(try texts("phone") == ["newer", "note 2", "note 4"])
    }

    /// What the user wrote into the older store is offered, and its new rows are sent.
    @Test func whatIsNewerInAnOlderStoreIsOffered() throws {
        try putBack {
            try sql(
                "phone",
                "UPDATE waypoints SET note = 'newer', modified_at = '2026-01-02T00:00:00Z' WHERE label = 'W1'"
            )
            try sync("phone", "desk")
        }
        try sql(
            "phone", Self.insertion(5),
            "UPDATE waypoints SET note = 'newest', modified_at = '2026-01-03T00:00:00Z' WHERE label = 'W1'")
        try sync("phone", "desk")
        #expect(try texts("desk") == ["newer", "note 2", "note 3", "note 5"])
        #expect(try open("phone").conflicts().map(\.loser.value).contains(.text("newest")))
    }

    /// Of two contents with one time none is known to be the older: that of the other file is offered, not dropped.
    @Test func whatHasTheSameTimeInAnotherStoreIsOffered() throws {
        try putBack {}
        try sql(
            "phone", "UPDATE rutter_sync_lineage SET device = 99",
            "UPDATE waypoints SET note = 'mine' WHERE label = 'W1'")
        try sync("phone", "desk")
        #expect(try texts("desk") == ["note 1", "note 2", "note 3"])
        #expect(try open("phone").conflicts().map(\.loser.value) == [.text("mine")])
    }

    /// Photos come from the cloud again, and are not taken for removed until then.
    @Test func anOlderStoreGetsItsPhotosAgain() throws {
        try putBack {
            try sql(
                "phone", "UPDATE waypoints SET photo_data = zeroblob(5000), has_photo = 1 WHERE label = 'W2'")
            try sync("phone", "desk")
        }
        try sync("phone", "desk", "phone")
        #expect(try texts("desk", "length(photo_data)") == ["-", "5000", "-"])
        #expect(try texts("phone", "length(photo_data)") == ["-", "5000", "-"])
    }

    /// Blocks of zeros and a cell that is empty while its flag says otherwise are no edits: the photo returns.
    @Test(arguments: [
        "zeroblob(length(photo_data))", "NULL", "x''",
        "CAST(substr(photo_data, 1, 1024) || zeroblob(1024) || substr(photo_data, 2049) AS BLOB)",
    ])
    func aLostPhotoReplacesNone(_ loss: String) throws {
        try sql(
            "phone", "UPDATE waypoints SET photo_data = randomblob(5000), has_photo = 1 WHERE label = 'W2'")
        try sync("phone", "desk")
        let photos = try texts("desk", "hex(photo_data)")
        try sql("phone", "UPDATE waypoints SET photo_data = \(loss) WHERE label = 'W2'")
        try sync("phone", "desk", "phone")
        #expect(try texts("desk", "hex(photo_data)") == photos)
        #expect(try texts("phone", "hex(photo_data)") == photos)
        // One that the user removes is removed everywhere.
        try sql("phone", "UPDATE waypoints SET photo_data = NULL, has_photo = 0 WHERE label = 'W2'")
        try sync("phone", "desk")
        #expect(try texts("desk", "length(photo_data)") == ["-", "-", "-"])
    }

    /// A JPEG that ends early and a track that does are no edits: the whole ones return, and what was there is kept.
    @Test func aCutPhotoReplacesNone() throws {
        // Two segments, a scan with a stuffed byte and a restart, the end, and a film behind it.
        let scan = String(repeating: "A7", count: 900) + "FF00" + String(repeating: "3C", count: 900) + "FFD0"
        let photo = "FFD8FFE00004FFD9FFDB0003AAFFDA0003BB" + scan + "FFD9"
        try sql(
            "phone",
            "UPDATE waypoints SET photo_data = x'\(photo)00000018667479706D703432', has_photo = 1 WHERE label = 'W2'"
        )
        try sync("phone", "desk")
        for length in [6, 12, 700, 1823] {
            try sql(
                "phone",
                "UPDATE waypoints SET photo_data = CAST(substr(photo_data, 1, \(length)) AS BLOB) WHERE label = 'W2'"
            )
            try sync("phone", "desk", "phone")
            #expect(try texts("desk", "length(photo_data)") == ["-", "1836", "-"], "\(length)")
            #expect(try texts("phone", "length(photo_data)") == ["-", "1836", "-"], "\(length)")
        }
        #expect(try open("phone").conflicts().filter { $0.loser.field == "photo_data" }.count == 4)
        // Without the film it is whole, and so is a smaller one.
        for whole in [photo, "FFD8FFDA0003BB1234FFD9"] {
            try sql("phone", "UPDATE waypoints SET photo_data = x'\(whole)' WHERE label = 'W2'")
            try sync("phone", "desk")
            #expect(try texts("desk", "hex(photo_data)") == ["", whole, ""])
        }
    }

    /// A photo of another size with blocks of zeros is an edit: flat pictures have such blocks.
    @Test func aFlatPhotoIsAnEdit() throws {
        try sql(
            "phone", "UPDATE waypoints SET photo_data = randomblob(5000), has_photo = 1 WHERE label = 'W2'")
        try sync("phone", "desk")
        try sql(
            "phone",
            "UPDATE waypoints SET photo_data = CAST(randomblob(100) || zeroblob(4800) AS BLOB) WHERE label = 'W2'"
        )
        try sync("phone", "desk")
        #expect(try texts("desk", "length(photo_data)") == ["-", "4900", "-"])
    }

    /// What a trigger of the app makes of a synced row is not sent, and is not silent either.
    @Test func aTriggerThatChangesASyncedRowIsSaid() throws {
        #expect(try open("desk").altered().isEmpty)
        try sql(
            "desk",
            "CREATE TRIGGER loud AFTER UPDATE ON waypoints WHEN new.note <> upper(new.note) BEGIN UPDATE waypoints SET note = upper(new.note) WHERE id = new.id; END"
        )
        try sql("phone", "UPDATE waypoints SET note = 'quiet' WHERE label = 'W1'")
        try sync("phone", "desk", "desk")
        #expect(try texts("desk") == ["QUIET", "note 2", "note 3"])
        let altered = try open("desk").altered()
        #expect(altered.count == 1)
        #expect(altered.first?.why.hasPrefix("note: a trigger") == true)
    }

    /// A trigger that calls a function which only the app has refuses all updates of its table: SQLite compiles it with each.
    /// Rows that it is not for, new ones, are written.
    @Test func aTriggerOfTheAppRefusesItsRowsAlone() throws {
        try sql(
            "desk",
            "CREATE TRIGGER t AFTER UPDATE ON waypoints WHEN new.label = 'W1' BEGIN SELECT notify(new.id); END"
        )
        try sql("phone", "UPDATE waypoints SET note = 'new'")
        try sync("phone", "desk")
        #expect(try texts("desk") == ["note 1", "note 2", "note 3"])
        try sql("phone", Self.insertion(4))
        try sync("phone", "desk")
        #expect(try texts("desk", "label").count == 4)
    }

    /// Computed columns are no content; a column in another spelling is the same one, and any name is taken.
    @Test func columnsAsAppsWriteThem() throws {
        try sql(
            "phone", "ALTER TABLE waypoints ADD COLUMN low TEXT GENERATED ALWAYS AS (lower(label)) VIRTUAL",
            "ALTER TABLE waypoints RENAME COLUMN note TO Note",
            #"ALTER TABLE waypoints ADD COLUMN "my ""x""" TEXT"#,
            #"UPDATE waypoints SET Note = 'phone', "my ""x""" = 'odd' WHERE label = 'W1'"#)
        try sql("desk", #"ALTER TABLE waypoints ADD COLUMN "my ""x""" TEXT"#)
        try sync("phone", "desk")
        #expect(try texts("desk") == ["phone", "note 2", "note 3"])
        #expect(try texts("desk", #""my ""x""""#) == ["odd", "-", "-"])
        try sql("desk", "UPDATE waypoints SET label = 'NEW', note = 'desk' WHERE label = 'W2'")
        try sync("desk", "phone")
        #expect(try texts("phone") == ["phone", "desk", "note 3"])
        #expect(try texts("phone", "low") == ["w1", "new", "w3"])
    }

    /// A table built again with a column that each row must have: the rows that are there go on, those that other devices
    /// create wait, and the column is named.
    @Test func aRequiredColumnOfOneDeviceIsNamed() throws {
        try sql(
            "desk",
            "CREATE TABLE again(id TEXT PRIMARY KEY, latitude REAL NOT NULL, longitude REAL NOT NULL, timestamp TEXT NOT NULL, label TEXT, note TEXT, has_photo INTEGER, photo_data BLOB, modified_at TEXT, owner TEXT NOT NULL)",
            "INSERT INTO again SELECT id, latitude, longitude, timestamp, label, note, has_photo, photo_data, modified_at, 'me' FROM waypoints",
            "DROP TABLE waypoints", "ALTER TABLE again RENAME TO waypoints",
            "UPDATE waypoints SET note = 'edited', modified_at = '2026-02-06T09:00:00.000Z' WHERE label = 'W2'"
        )
        try sql("phone", "UPDATE waypoints SET note = 'newer' WHERE label = 'W1'")
        try sync("phone", "desk", "phone", "desk")
        #expect(try texts("phone") == ["newer", "edited", "note 3"])
        #expect(try texts("desk") == ["newer", "edited", "note 3"])
        #expect(try texts("desk", "owner") == ["me", "me", "me"])
        #expect(try open("desk").unheld().isEmpty)
        // An edit of the phone, whose app does not know the column, keeps it.
        try sql("phone", "UPDATE waypoints SET note = 'again' WHERE label = 'W1'")
        try sql(
            "phone",
            "INSERT INTO waypoints (id, latitude, longitude, timestamp, label, note) SELECT '00000000-0000-4000-8000-0000000000FF', latitude, longitude, timestamp, 'W4', 'new' FROM waypoints WHERE label = 'W1'"
        )
        try sync("phone", "desk", "phone")
        #expect(try texts("desk") == ["again", "edited", "note 3"])
        #expect(try texts("phone") == ["again", "edited", "note 3", "new"])
        let reasons = Set(try open("desk").unheld().map(\.why))
        #expect(reasons == ["the app's store requires owner, which the record does not have"])
    }

    /// A table that was built again without its key, and has a row twice: neither is the record's, and both are said.
    @Test func rowsWithOneIdentifierAreSetAside() throws {
        try sql(
            "phone", "CREATE TABLE again AS SELECT * FROM waypoints", "DROP TABLE waypoints",
            "ALTER TABLE again RENAME TO waypoints",
            "INSERT INTO waypoints SELECT * FROM waypoints WHERE label = 'W2'",
            "UPDATE waypoints SET note = 'second' WHERE rowid = 4",
            "UPDATE waypoints SET note = 'edited' WHERE label = 'W1'")
        try sync("phone", "desk")
        #expect(try texts("desk") == ["edited", "note 2", "note 3"])
        let store = try open("phone")
        _ = try store.changedKeys()
        #expect(try store.setAside().map(\.why) == ["2 rows have its identifier"])
    }

    @Test(arguments: [true, false]) func aStoreThatIsGoneDeletesNothing(_ isRemoved: Bool) throws {
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path("phone", "waypoints.db").path + ending)
        }
        if !isRemoved { try Data().write(to: path("phone", "waypoints.db")) }
        try sync("phone", "desk")
        #expect(try texts("desk", "label") == ["W1", "W2", "W3"])
        // Neither does anything else write into it before the question is answered.
        try sql("desk", "UPDATE waypoints SET note = 'other' WHERE label = 'W2'")
        try sync("desk", "phone", "desk")
        #expect(try texts("phone") == [])
        let store = try open("phone")
        _ = try store.changedKeys()
        #expect(try store.setAside().map(\.place) == ["waypoints.db"])
        #expect(
            try open("phone").answer(.waypoint, bringsBack: true, now: Self.now.milliseconds, rule: .merge)
                == 3)
        try sync("phone", "desk")
        #expect(try texts("phone") == ["note 1", "other", "note 3"])
        #expect(try texts("desk") == ["note 1", "other", "note 3"])
    }

    @Test func aConfirmedDeletionIsSent() throws {
        try sql("phone", "DELETE FROM waypoints WHERE label = 'W3'")
        try sync("phone", "desk")
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path("phone", "waypoints.db").path + ending)
        }
        try sync("phone")
        #expect(
            try open("phone").answer(.waypoint, bringsBack: false, now: Self.now.milliseconds, rule: .merge)
                == 2)
        try sync("phone", "desk")
        #expect(try texts("desk") == [])
    }

    /// Rows that a user deletes one after another are deleted, all of them too.
    @Test func deletedRowsAreDeleted() throws {
        try sql("phone", "DELETE FROM waypoints WHERE label = 'W3'")
        try sync("phone", "desk")
        try sql("phone", "DELETE FROM waypoints")
        try sync("phone", "desk")
        #expect(try texts("desk") == [])
    }

    // MARK: The device's memory

    /// A fault between the device's memory and the store is not taken for another file.
    @Test func aWriteThatWasLostIsNoOtherFile() throws {
        try sql("phone", "DELETE FROM waypoints WHERE label = 'W3'")
        let file = path("phone", "waypoints.db")
        let old = try Data(contentsOf: file)
        let log = try? Data(contentsOf: path("phone", "waypoints.db-wal"))
        try sync("phone", "desk")
        // As after a crash: the memory does not know yet whether the mark was written.
        try DatabaseQueue(path: path("phone", "sync.db").path).write {
            try $0.execute(
                sql: "UPDATE lineage SET former_device = 1, former_number = number - 1 WHERE type = 1")
        }
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + ending) }
        try old.write(to: file)
        try log?.write(to: path("phone", "waypoints.db-wal"))
        try sync("phone", "desk")
        #expect(try texts("desk", "label") == ["W1", "W2"])
    }
}
