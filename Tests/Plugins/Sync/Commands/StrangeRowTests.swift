import Foundation
import GRDB
import PluginTestKit
import Testing

@testable import SyncPlugin

/// Rows that another program wrote, or that an app's store refuses: one of them holds up no other, and nothing changes
/// silently.
@Suite(.enabled(if: SyncSession.hasWaypoints, "needs the plugin Waypoints"))
struct StrangeRowTests {
    /// A phone and a desk with the waypoints Hut and Spring.
    private func devices() async throws -> TestSession {
        let test = try SyncSession.make()
        await test.run("device add phone anna; device add mac desk; device use anna")
        await test.run("waypoint add 46.5,7.9 --label Hut; waypoint add 46.6,7.9 --label Spring")
        await sync(test, "anna", "desk")
        return test
    }

    private func sync(_ test: TestSession, _ devices: String...) async {
        for device in devices { await test.run("device use \(device); sync") }
    }

    private func store(_ test: TestSession, _ device: String) -> String {
        test.folder.url.appendingPathComponent("workspace/devices/\(device)/waypoints.db").path
    }

    private func change(_ test: TestSession, _ device: String, _ sql: String...) throws {
        let queue = try DatabaseQueue(path: store(test, device))
        try queue.write { db in for statement in sql { try db.execute(sql: statement) } }
        try queue.close()
    }

    private func texts(_ test: TestSession, _ device: String, _ sql: String) throws -> [String] {
        let queue = try DatabaseQueue(path: store(test, device))
        let found = try queue.read { try String.fetchAll($0, sql: sql) }
        try queue.close()
        return found
    }

    /// é as one character and as two is an edit, and arrives as it was written.
    @Test func aTextThatDiffersOnlyInItsComposition() async throws {
        let test = try await devices()
        let hexadecimal = "SELECT hex(label) FROM waypoints WHERE latitude = 46.5"
        for (label, bytes) in [("caf\u{e9}", "636166C3A9"), ("cafe\u{301}", "63616665CC81")] {
            try change(test, "anna", "UPDATE waypoints SET label = '\(label)' WHERE latitude = 46.5")
            await sync(test, "anna", "desk")
            #expect(try texts(test, "desk", hexadecimal) == [bytes])
        }
    }

    /// What arrives over the watch link for a row that cannot be read stays in the queue, and is applied once it can be.
    @Test func anItemOfTheLinkForARowThatCannotBeRead() async throws {
        let test = try await devices()
        await test.run(
            "device add watch wrist; device use anna; link send Hut; link deliver; device use wrist")
        #expect(try texts(test, "wrist", "SELECT label FROM waypoints WHERE label <> 'Spring'") == ["Hut"])
        await test.run("device use anna; waypoint edit Hut --label Cabin; link send Cabin")
        try change(
            test, "wrist", "UPDATE waypoints SET note = 'edited', latitude = 'x' WHERE label <> 'Spring'")
        #expect(await test.run("link deliver | get outcome").contains("waits"))
        #expect(try texts(test, "wrist", "SELECT label FROM waypoints WHERE label <> 'Spring'") == ["Hut"])
        try change(test, "wrist", "UPDATE waypoints SET latitude = 46.5 WHERE label <> 'Spring'")
        #expect(await test.run("link deliver | get outcome").contains("applied"))
        #expect(
            try texts(test, "wrist", "SELECT label || note FROM waypoints WHERE label <> 'Spring'") == [
                "Cabinedited"
            ])
    }

    /// A unique index of the app refuses one row: the others arrive, it is listed with the reason, and comes later.
    @Test func aRowThatTheStoreRefuses() async throws {
        let test = try await devices()
        try change(test, "desk", "CREATE UNIQUE INDEX one_name ON waypoints(label)")
        await test.run("device use anna; waypoint add 47,8 --label Hut; waypoint add 47.1,8 --label Bridge")
        await sync(test, "anna")
        let said = await test.run("device use desk; sync")
        #expect(
            said.contains("1 record is set aside") && said.contains("UNIQUE constraint failed"), "\(said)")
        let labels = "SELECT label FROM waypoints ORDER BY label"
        #expect(try texts(test, "desk", labels) == ["Bridge", "Hut", "Spring"])
        let aside = await test.run("sync conflicts --aside | get why")
        #expect(aside.contains("UNIQUE constraint failed: waypoints.label"), "\(aside)")
        #expect(await test.run("sync status | get aside") == "1")
        // The refusal is no deletion.
        await sync(test, "desk", "anna")
        #expect(try texts(test, "anna", labels) == ["Bridge", "Hut", "Hut", "Spring"])
        // It is written when nothing forbids it any more.
        try change(test, "anna", "UPDATE waypoints SET label = 'Barn' WHERE latitude = 47")
        await sync(test, "anna", "desk")
        #expect(try texts(test, "desk", labels) == ["Barn", "Bridge", "Hut", "Spring"])
        #expect(await test.run("sync conflicts --aside | count").hasSuffix("0"))
    }

    /// Two rows that exchange a unique value: each is refused until the other is written through a third.
    @Test func aNameThatPassesToAnotherRow() async throws {
        let test = try await devices()
        try change(test, "desk", "CREATE UNIQUE INDEX one_name ON waypoints(label)")
        try change(
            test, "anna", "UPDATE waypoints SET label = 'Old hut' WHERE latitude = 46.5",
            "UPDATE waypoints SET label = 'Hut' WHERE latitude = 46.6")
        await sync(test, "anna", "desk")
        #expect(
            try texts(test, "desk", "SELECT label FROM waypoints ORDER BY latitude") == ["Old hut", "Hut"])
    }

    /// Rows that exchange a unique value, in a circle of two or three, beside one that stays refused.
    @Test(arguments: [
        "CREATE UNIQUE INDEX one_name ON waypoints(label)",
        "CREATE UNIQUE INDEX one_name ON waypoints(lower(label), category)",
        "CREATE UNIQUE INDEX one_name ON waypoints(label) WHERE label <> ''",
    ])
    func namesThatRowsExchange(_ index: String) async throws {
        let test = try await devices()
        await test.run(
            "device use anna; waypoint add 46.7,7.9 --label Barn; waypoint add 46.8,7.9 --label Mill")
        await sync(test, "anna", "desk")
        try change(test, "desk", index)
        let names = "SELECT label FROM waypoints ORDER BY latitude"
        try change(
            test, "anna",
            "UPDATE waypoints SET label = CASE label WHEN 'Hut' THEN 'Spring' WHEN 'Spring' THEN 'Hut' ELSE label END"
        )
        await sync(test, "anna", "desk")
        #expect(try texts(test, "desk", names) == ["Spring", "Hut", "Barn", "Mill"])
        // A circle of three beside a row that takes the name of one that keeps it.
        try change(
            test, "anna",
            """
            UPDATE waypoints SET label = CASE label
                WHEN 'Hut' THEN 'Spring' WHEN 'Spring' THEN 'Barn' WHEN 'Barn' THEN 'Hut' ELSE label END
            """,
            "INSERT INTO waypoints (id, latitude, longitude, timestamp, label) VALUES ('\(UUID())', 46.9, 7.9, '2026-02-06T08:00:00Z', 'Mill')"
        )
        let said = await test.run("device use anna; sync; device use desk; sync")
        #expect(said.contains("1 record is set aside"), "\(said)")
        #expect(try texts(test, "desk", names) == ["Barn", "Spring", "Hut", "Mill"])
        await sync(test, "anna", "desk")
        #expect(try texts(test, "anna", names) == ["Barn", "Spring", "Hut", "Mill", "Mill"])
    }

    /// A column that stores texts as numbers changes nothing on the other devices, also when its row is edited there.
    @Test func aColumnThatStoresTextsAsNumbers() async throws {
        let test = try await devices()
        try change(test, "anna", "ALTER TABLE waypoints ADD COLUMN code TEXT")
        try change(test, "desk", "ALTER TABLE waypoints ADD COLUMN code INTEGER")
        await sync(test, "anna", "desk")
        try change(
            test, "anna", "UPDATE waypoints SET code = '007' WHERE label = 'Hut'",
            "UPDATE waypoints SET code = '1e3' WHERE label = 'Spring'")
        await sync(test, "anna", "desk")
        let codes = "SELECT typeof(code) || ' ' || code FROM waypoints ORDER BY latitude"
        #expect(try texts(test, "desk", codes) == ["integer 7", "integer 1000"])
        #expect(
            await test.run("device use desk; sync compare | get why").contains("stores '007' as a number"))
        try change(
            test, "desk", "UPDATE waypoints SET note = 'edited'",
            "UPDATE waypoints SET code = 8 WHERE label = 'Spring'",
            "CREATE UNIQUE INDEX more ON waypoints(label)")
        await sync(test, "desk", "anna", "desk")
        #expect(try texts(test, "anna", codes) == ["text 007", "text 8"])
        #expect(try texts(test, "anna", "SELECT note FROM waypoints") == ["edited", "edited"])
        #expect(await test.run("device use anna; sync | get pushed").hasSuffix("0"))
    }

    /// A trigger that deletes other rows when one is written would delete them on all devices: the write is refused, and said.
    @Test(arguments: [
        "AFTER UPDATE ON waypoints BEGIN DELETE FROM waypoints WHERE label = 'Spring'; END",
        "BEFORE UPDATE ON waypoints BEGIN DELETE FROM waypoints WHERE id <> old.id; END",
    ])
    func aTriggerThatDeletesOtherRows(_ trigger: String) async throws {
        let test = try await devices()
        try change(
            test, "desk", "CREATE UNIQUE INDEX one ON waypoints(id, label)", "CREATE TRIGGER tidy \(trigger)")
        await test.run("device use anna; waypoint edit Hut --note new; sync")
        let said = await test.run("device use desk; sync")
        #expect(said.contains("a trigger of waypoints would delete other rows"), "\(said)")
        await sync(test, "desk", "anna")
        for device in ["anna", "desk"] {
            #expect(
                try texts(test, device, "SELECT label FROM waypoints ORDER BY label") == ["Hut", "Spring"])
        }
        try change(test, "desk", "DROP TRIGGER tidy")
        await sync(test, "desk")
        #expect(try texts(test, "desk", "SELECT note FROM waypoints WHERE label = 'Hut'") == ["new"])
    }

    /// A record that is brought back is written as a sync writes it: where a trigger would delete others, it stays as it is.
    @Test func aTriggerThatDeletesOtherRowsOnRestoring() async throws {
        let test = try await devices()
        try change(
            test, "anna", "UPDATE waypoints SET latitude = 946.5 WHERE label = 'Hut'",
            "CREATE TRIGGER tidy AFTER UPDATE ON waypoints BEGIN DELETE FROM waypoints WHERE label = 'Spring'; END"
        )
        await sync(test, "anna")
        let id = await test.run("sync conflicts --aside | get record")
        let said = await test.run("sync restore \(id)")
        #expect(said.contains("stays as it is: a trigger of waypoints would delete other rows"), "\(said)")
        #expect(try texts(test, "anna", "SELECT label FROM waypoints ORDER BY label") == ["Hut", "Spring"])
        try change(test, "anna", "DROP TRIGGER tidy")
        await test.run("sync restore \(id)")
        #expect(
            try texts(test, "anna", "SELECT latitude FROM waypoints ORDER BY latitude") == ["46.5", "46.6"])
    }

    /// A link that leads nowhere, as to a volume that is not mounted, gets no new store at its end.
    @Test func aLinkThatLeadsNowhere() async throws {
        let test = try await devices()
        let file = store(test, "anna")
        let target = file + ".elsewhere"
        try FileManager.default.moveItem(atPath: file, toPath: target + ".kept")
        for ending in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: file + ending) {
            try FileManager.default.removeItem(atPath: file + ending)
        }
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)
        let said = await test.run("device use anna; sync; waypoint list")
        #expect(said.contains("waypoints.db is a link to \(target), which is not there"), "\(said)")
        #expect(said.contains("E-FILE-ACCESS"), "\(said)")
        #expect(!FileManager.default.fileExists(atPath: target))
        await sync(test, "desk")
        #expect(try texts(test, "desk", "SELECT label FROM waypoints ORDER BY label") == ["Hut", "Spring"])
    }

    /// In a STRICT table ANY keeps a text that looks like a number.
    @Test func aStrictColumnOfAnyType() async throws {
        let test = try await devices()
        try change(test, "anna", "ALTER TABLE waypoints ADD COLUMN code TEXT")
        let columns =
            "id, latitude, longitude, altitude, timestamp, label, category, note, has_photo, photo_data, photo_thumbnail, hike_id, modified_at, cloudkit_record_id"
        try change(
            test, "desk", "CREATE TABLE w2 AS SELECT * FROM waypoints", "DROP TABLE waypoints",
            """
            CREATE TABLE waypoints (id TEXT PRIMARY KEY, latitude REAL NOT NULL, longitude REAL NOT NULL, altitude REAL,
            timestamp TEXT NOT NULL, label TEXT NOT NULL DEFAULT '', category TEXT NOT NULL DEFAULT 'custom',
            note TEXT NOT NULL DEFAULT '', has_photo INTEGER NOT NULL DEFAULT 0, photo_data BLOB, photo_thumbnail BLOB,
            hike_id TEXT, modified_at TEXT, cloudkit_record_id TEXT, code ANY) STRICT
            """,
            "INSERT INTO waypoints (\(columns)) SELECT \(columns) FROM w2", "DROP TABLE w2")
        await sync(test, "desk", "anna")
        try change(test, "anna", "UPDATE waypoints SET code = '007' WHERE label = 'Hut'")
        await sync(test, "anna", "desk")
        let codes = "SELECT typeof(code) || ' ' || code FROM waypoints WHERE label = 'Hut'"
        #expect(try texts(test, "desk", codes) == ["text 007"])
    }

    /// The placeholder of a store that the system moved to its cloud is named.
    @Test func aStoreThatOnlyTheSystemsCloudHas() async throws {
        let test = try await devices()
        let file = store(test, "anna")
        for ending in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: file + ending) {
            try FileManager.default.removeItem(atPath: file + ending)
        }
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        try Data("bplist00".utf8).write(to: folder.appendingPathComponent(".waypoints.db.icloud"))
        let said = await test.run("device use anna; sync")
        #expect(said.contains(".waypoints.db.icloud") && said.contains("download it"), "\(said)")
        await sync(test, "desk")
        #expect(try texts(test, "desk", "SELECT label FROM waypoints ORDER BY label") == ["Hut", "Spring"])
    }

    /// What a trigger of the app's own replaces in another table is no reason to refuse a write, of a sync or of a command.
    @Test func aTriggerThatReplacesRowsOfAnotherTable() async throws {
        let test = try await devices()
        try change(test, "desk", "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT)")
        for event in ["INSERT", "UPDATE"] {
            try change(
                test, "desk",
                """
                CREATE TRIGGER newest_\(event) AFTER \(event) ON waypoints BEGIN
                INSERT OR REPLACE INTO facts VALUES ('newest', new.label); END
                """)
        }
        await test.run("device use anna; waypoint edit Hut --note new; waypoint edit Spring --note new")
        await sync(test, "anna", "desk")
        #expect(try texts(test, "desk", "SELECT note FROM waypoints") == ["new", "new"])
        await test.run("waypoint add 46.7,7.9 --label Barn; waypoint edit Barn --note new")
        #expect(try texts(test, "desk", "SELECT label FROM waypoints WHERE note = 'new'").contains("Barn"))
        #expect(try texts(test, "desk", "SELECT value FROM facts") == ["Barn"])
    }

    /// A constraint that replaces the other row would delete it: the row is refused instead.
    @Test func aConstraintThatReplacesRows() async throws {
        let test = try await devices()
        for (device, index) in [("desk", "REPLACE"), ("anna", "IGNORE")] {
            try change(
                test, device, "CREATE TABLE w2 AS SELECT * FROM waypoints", "DROP TABLE waypoints",
                """
                CREATE TABLE waypoints (id TEXT PRIMARY KEY, latitude REAL NOT NULL, longitude REAL NOT NULL, altitude REAL,
                timestamp TEXT NOT NULL, label TEXT NOT NULL DEFAULT '' UNIQUE ON CONFLICT \(index), category TEXT NOT NULL
                DEFAULT 'custom', note TEXT NOT NULL DEFAULT '', has_photo INTEGER NOT NULL DEFAULT 0, photo_data BLOB,
                photo_thumbnail BLOB, hike_id TEXT, modified_at TEXT, cloudkit_record_id TEXT)
                """,
                "INSERT INTO waypoints SELECT id, latitude, longitude, altitude, timestamp, label, category, note, has_photo, photo_data, photo_thumbnail, hike_id, modified_at, cloudkit_record_id FROM w2",
                "DROP TABLE w2")
        }
        await sync(test, "anna", "desk")
        await test.run("device add mac third; device use third; sync; waypoint add 47,8 --label Hut; sync")
        for device in ["desk", "anna"] {
            let said = await test.run("device use \(device); sync")
            #expect(said.contains("UNIQUE constraint failed"), "\(said)")
        }
        await sync(test, "desk", "anna", "third")
        #expect(
            try texts(test, "third", "SELECT label FROM waypoints ORDER BY label") == [
                "Hut", "Hut", "Spring",
            ])
    }

    /// A trigger that drops a write without an error leaves the old row: that is no edit, and it is said.
    @Test func aWriteThatATriggerIgnores() async throws {
        let test = try await devices()
        try change(
            test, "desk", "CREATE TRIGGER keep BEFORE UPDATE ON waypoints BEGIN SELECT RAISE(IGNORE); END")
        await test.run("device use anna; waypoint edit Hut --note new")
        await sync(test, "anna")
        let said = await test.run("device use desk; sync")
        #expect(said.contains("ignores the write"), "\(said)")
        await sync(test, "desk", "anna")
        let notes = "SELECT note FROM waypoints WHERE label = 'Hut'"
        #expect(try texts(test, "anna", notes) == ["new"])
        try change(test, "desk", "DROP TRIGGER keep")
        await sync(test, "desk")
        #expect(try texts(test, "desk", notes) == ["new"])
    }

    /// What no app reads replaces no waypoint: it is set aside, and the others go on. The cloud's row replaces it.
    @Test(arguments: [
        ("latitude = 946.5", "latitude 946.5 is not within ±90"),
        ("latitude = 9e999", "is not within ±90"),
        ("longitude = 400", "longitude 400 is not within ±180"), ("timestamp = ''", "timestamp is no time"),
        ("altitude = 9e999", "altitude is infinite"),
        ("timestamp = '2026-02-06T8:00:00 AM'", "timestamp is no time"),
    ])
    func aValueThatNoAppReads(_ assignment: String, _ why: String) async throws {
        let test = try await devices()
        let row = "SELECT latitude || ' ' || longitude || ' ' || timestamp FROM waypoints WHERE label = 'Hut'"
        let good = try texts(test, "desk", row)
        try change(test, "anna", "UPDATE waypoints SET \(assignment) WHERE label = 'Hut'")
        await test.run("device use anna; waypoint add 47,8 --label Bridge")
        await sync(test, "anna", "desk")
        #expect(try texts(test, "desk", row) == good)
        #expect(try texts(test, "desk", "SELECT label FROM waypoints ORDER BY label").first == "Bridge")
        let aside = await test.run("device use anna; sync conflicts --aside | get why")
        #expect(aside.contains(why), "\(aside)")
        let id = await test.run("sync conflicts --aside | get record")
        await test.run("sync restore \(id)")
        #expect(try texts(test, "anna", row) == good)
    }

    /// Deleted rows of which the sync asks can be brought back instead.
    @Test func manyDeletionsCanBeBroughtBack() async throws {
        let test = try await devices()
        await test.run(
            "device use anna; waypoint add 47,8 --label Bridge; waypoint add 47.1,8 --label Barn; sync")
        try change(test, "anna", "DELETE FROM waypoints WHERE label <> 'Hut'")
        let said = await test.run("device use anna; sync")
        #expect(said.contains("E-SYNC-MASSDELETE") && said.contains("sync restore waypoints"), "\(said)")
        await test.run("sync restore waypoints")
        await sync(test, "anna", "desk")
        for device in ["anna", "desk"] {
            #expect(
                try texts(test, device, "SELECT label FROM waypoints ORDER BY label")
                    == ["Barn", "Bridge", "Hut", "Spring"])
        }
    }

    /// A latitude that is a word, or of no place on Earth, is no waypoint: it is set aside and replaces none.
    @Test(arguments: [
        ("latitude = 'north'", "latitude is no number"),
        ("latitude = 946.5", "latitude 946.5 is not within ±90"),
        ("longitude = -400", "longitude -400 is not within ±180"),
        ("latitude = 9e999", "latitude inf is not within"),
    ])
    func aCoordinateThatIsNone(_ value: String, _ reason: String) async throws {
        let test = try await devices()
        try change(test, "anna", "UPDATE waypoints SET \(value) WHERE label = 'Hut'")
        await test.run("device use anna; waypoint add 47,8 --label Bridge")
        await sync(test, "anna", "desk")
        let places = try texts(
            test, "desk", "SELECT label || ' ' || latitude FROM waypoints ORDER BY label")
        #expect(places == ["Bridge 47.0", "Hut 46.5", "Spring 46.6"])
        let aside = await test.run("device use anna; sync conflicts --aside | get why")
        #expect(aside.contains(reason), "\(aside)")
    }
}
