import Foundation
import GRDB
import PluginTestKit
import Testing
import TrailStores

/// The schema of `waypoints.db`, and the migration of older ones.
struct WaypointSchemaTests {
    // From the page of the app's store, in its order; the last two came later by migration.
    private static let expected = """
        0|id|TEXT|0||1
        1|latitude|REAL|1||0
        2|longitude|REAL|1||0
        3|altitude|REAL|0||0
        4|timestamp|TEXT|1||0
        5|label|TEXT|1|''|0
        6|category|TEXT|1|'custom'|0
        7|note|TEXT|1|''|0
        8|has_photo|INTEGER|1|0|0
        9|hike_id|TEXT|0||0
        10|photo_data|BLOB|0||0
        11|photo_thumbnail|BLOB|0||0
        12|modified_at|TEXT|0||0
        13|cloudkit_record_id|TEXT|0||0
        """

    /// A table's columns as `PRAGMA table_info` of the sqlite3 shell prints them.
    private func columns(_ url: URL) throws -> String {
        try DatabaseQueue(path: url.path).read { db in
            try Row.fetchAll(db, sql: "PRAGMA table_info(waypoints)").map { row in
                row.databaseValues.map { $0.isNull ? "" : "\($0.storage.value ?? "")" }.joined(separator: "|")
            }
            .joined(separator: "\n")
        }
    }

    private func indexes(_ url: URL) throws -> [String] {
        try DatabaseQueue(path: url.path).read { db in
            try String.fetchAll(
                db,
                sql: "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
        }
    }

    @Test func aFreshStoreHasTheAppsSchema() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("waypoints.db")
        _ = try WaypointStore(url, access: .own)
        #expect(try columns(url) == Self.expected)
        #expect(
            try indexes(url) == [
                "CREATE INDEX idx_waypoints_hike ON waypoints(hike_id)",
                "CREATE INDEX idx_waypoints_location ON waypoints(latitude, longitude)",
            ])
    }

    @Test func theAppsStoreOfBeforeIsMigratedColumnByColumn() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("waypoints.db")
        try Fixture.database(url, Self.original)
        let store = try WaypointStore(url, access: .foreignWritable)
        #expect(try columns(url) == Self.expected)
        #expect(try store.all().map(\.label) == ["Hut"])
        #expect(try store.all().first?.modifiedAt == nil)
    }

    @Test func anEvenOlderStoreGetsEveryMissingColumnAndIndex() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("waypoints.db")
        try Fixture.database(
            url,
            """
            CREATE TABLE waypoints (id TEXT PRIMARY KEY, latitude REAL NOT NULL, longitude REAL NOT NULL,
              timestamp TEXT NOT NULL);
            INSERT INTO waypoints VALUES ('\(Fixture.id)', 46.5, 7.9, '2026-02-06T08:15:30Z');
            """)
        let read = try WaypointStore(url, access: .foreign)
        #expect(try read.all().first?.rawCategory == "custom")
        #expect(try read.waypoints(label: "Hut").isEmpty)
        #expect(try read.waypoints(ofHike: Fixture.other).isEmpty)
        #expect(try read.counts().map(\.category) == ["custom"])
        #expect(try read.photo(of: Fixture.id) == WaypointPhoto(photo: nil, thumbnail: nil))
        let store = try WaypointStore(url, access: .foreignWritable)
        let names = try DatabaseQueue(path: url.path).read { db in try db.columns(in: "waypoints").map(\.name)
        }
        #expect(
            names == [
                "id", "latitude", "longitude", "timestamp", "altitude", "label", "category", "note",
                "has_photo", "hike_id", "photo_data", "photo_thumbnail", "modified_at", "cloudkit_record_id",
            ])
        #expect(try indexes(url).count == 2)
        #expect(try store.all().count == 1)
    }

    @Test func whatTheAppHasBeyondTheSchemaIsLeftAlone() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("waypoints.db")
        try Fixture.database(
            url,
            Self.original + """
                ;ALTER TABLE waypoints ADD COLUMN mood TEXT; UPDATE waypoints SET mood = 'sunny';
                CREATE TABLE diary (day TEXT); INSERT INTO diary VALUES ('Monday');
                """)
        let store = try WaypointStore(url, access: .foreignWritable)
        let before = try #require(try store.waypoint(Fixture.id))
        var after = before
        after.note = "new"
        try store.update(before, to: after)
        guard case .removed(let rows) = try store.remove([after]) else {
            Issue.record("it was not there")
            return
        }
        #expect(try store.isEmpty())
        #expect(try store.restore(rows))
        let kept = try DatabaseQueue(path: url.path).read { db in
            try String.fetchAll(db, sql: "SELECT mood || ' ' || (SELECT day FROM diary) FROM waypoints")
        }
        #expect(kept == ["sunny Monday"])
        #expect(try store.restore(rows) == false)
    }

    @Test func aDatabaseOfAnotherKindGetsNoTableOfOurs() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("other.db")
        try Fixture.database(url, "CREATE TABLE planets (name TEXT)")
        #expect(codeThrown { _ = try WaypointStore(url, access: .foreignWritable) } == "E-STORE-SCHEMA")
        #expect(codeThrown { _ = try WaypointStore(url, access: .foreign) } == "E-STORE-SCHEMA")
        #expect(codeThrown { _ = try HikeStore(url, access: .foreignWritable) } == "E-STORE-SCHEMA")
        let tables = try DatabaseQueue(path: url.path).read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_master")
        }
        #expect(tables == ["planets"])
    }

    @Test func aTableWithoutPlacesIsNoStoreOfWaypoints() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("waypoints.db")
        try Fixture.database(url, "CREATE TABLE waypoints (id TEXT, latitude REAL, timestamp TEXT)")
        #expect(
            messageThrown { _ = try WaypointStore(url, access: .foreignWritable) }
                == "waypoints.db: the table waypoints has no column longitude")
    }

    /// The schema of the app before the sync columns, word for word.
    private static let original = """
        CREATE TABLE IF NOT EXISTS waypoints (
            id              TEXT PRIMARY KEY,
            latitude        REAL NOT NULL,
            longitude       REAL NOT NULL,
            altitude        REAL,
            timestamp       TEXT NOT NULL,       -- ISO 8601 with fractional seconds
            label           TEXT NOT NULL DEFAULT '',
            category        TEXT NOT NULL DEFAULT 'custom',
            note            TEXT NOT NULL DEFAULT '',
            has_photo       INTEGER NOT NULL DEFAULT 0,
            hike_id         TEXT,
            photo_data      BLOB,               -- Full-resolution JPEG (iOS only, typically)
            photo_thumbnail BLOB                 -- 100x100 JPEG thumbnail (synced to both)
        );
        CREATE INDEX IF NOT EXISTS idx_waypoints_hike ON waypoints(hike_id);
        CREATE INDEX IF NOT EXISTS idx_waypoints_location ON waypoints(latitude, longitude);
        INSERT INTO waypoints (id, latitude, longitude, timestamp, label)
          VALUES ('6F9619FF-8B86-D011-B42D-00C04FC964FF', 46.5, 7.9, '2026-02-06T08:15:30.123Z', 'Hut');
        """
}
