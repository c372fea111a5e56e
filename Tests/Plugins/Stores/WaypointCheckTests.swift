import Foundation
import GRDB
import Photos
import Pictures
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// One planted fault of each kind is found, and nothing else.
@Suite(.needs(.photos))
struct WaypointCheckTests {
    private func session() throws -> TestSession {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("w.db"))
        return session
    }

    @Test func aSoundStoreHasNoFindings() async throws {
        let session = try session()
        #expect(
            await session.run("store check w.db") == """
                severity  code  table  row  what
                (no rows)
                no findings in w.db (waypoints)
                """)
    }

    /// No number is a plausible time before the clock's earliest.
    @Test func aClockBeforeAllPlausibleTimes() async throws {
        let session = try session()
        let path = session.file("w.db").path
        try await DatabaseQueue(path: path).write { db in
            try db.execute(sql: "UPDATE waypoints SET modified_at = '1700000000' WHERE rowid = 1")
        }
        _ = await session.run("clock 1995-01-01T00:00:00Z")
        #expect(await session.run("store check w.db").contains("modified_at is '1700000000'"))
    }

    static let faults: [(sql: String, code: String, what: String)] = [
        ("id = 'not-a-uuid'", "ID", "id is 'not-a-uuid'"),
        ("id = NULL", "ID", "id is missing"),
        ("id = 'a0000000-0000-4000-8000-000000000001'", "TWICE", "the same id as row 1"),
        ("latitude = 90.5", "PLACE", "latitude is 90.5"),
        ("latitude = 'north'", "PLACE", "latitude is 'north'"),
        ("longitude = -9e999", "PLACE", "longitude is -inf"),
        ("longitude = 181", "PLACE", "longitude is 181"),
        ("altitude = 250000", "ALTITUDE", "altitude is 250000"),
        ("altitude = 'high'", "ALTITUDE", "altitude is 'high'"),
        ("timestamp = 'yesterday'", "TIME", "timestamp is 'yesterday'"),
        ("timestamp = 1770365730", "TIME", "timestamp is '1770365730'"),
        ("timestamp = '2026-02-30T08:00:00Z'", "TIME", "timestamp is '2026-02-30T08:00:00Z'"),
        ("modified_at = ''", "MODIFIED", "modified_at is ''"),
        ("category = 'zoo'", "CATEGORY", "category is 'zoo'"),
        ("label = x'00'", "TEXT", "label is a blob of 1 bytes"),
        ("hike_id = 'Walk'", "HIKE", "hike_id is 'Walk'"),
        ("has_photo = 0", "FLAG", "has_photo is 0, a photo is stored"),
        ("has_photo = 'yes'", "FLAG", "has_photo is 'yes', neither 0 nor 1"),
        (
            "has_photo = 1, photo_data = NULL, photo_thumbnail = NULL", "FLAG",
            "has_photo is 1, nothing is stored"
        ),
        ("photo_data = x'ffd8ff00'", "PHOTO", "photo_data: "),
        (
            "photo_data = substr(photo_data, 1, 150)", "PHOTO",
            "photo_data: the image file is truncated, 150 bytes"
        ),
        ("photo_data = 'text'", "PHOTO", "photo_data is 'text'"),
        ("photo_thumbnail = x'00'", "THUMB", "photo_thumbnail: not a JPEG, PNG or HEIC image"),
        ("photo_thumbnail = photo_data", "BIGTHUMB", "16 × 8 pixels"),
        ("photo_thumbnail = NULL", "NOTHUMB", "a photo without a thumbnail"),
    ]

    @Test(arguments: faults)
    func aPlantedFaultIsFound(_ fault: (sql: String, code: String, what: String)) async throws {
        let session = try session()
        try Fixture.change(session.file("w.db"), "UPDATE waypoints SET \(fault.sql) WHERE label = 'Spring'")
        let codes = try await session.codes("w.db")
        // NULL in the key or a lost photo can be planted in one way only.
        #expect(codes == ["F-WAYPOINT-\(fault.code)"])
        let what = try await session.texts("store check w.db", "what")
        #expect(what.first?.hasPrefix(fault.what) == true, "\(what)")
        #expect(try await session.texts("store check w.db", "row") == ["2"])
    }

    /// NaN is stored as NULL, which a strict schema refuses: an older one lets it in.
    @Test func notANumberIsFound() async throws {
        let session = try Fixture.session()
        let url = session.file("loose.db")
        try Fixture.change(
            url,
            """
            CREATE TABLE waypoints (id TEXT PRIMARY KEY, latitude, longitude, altitude, timestamp, label, category, note, has_photo,
            hike_id, photo_data, photo_thumbnail, modified_at, cloudkit_record_id);
            CREATE INDEX one ON waypoints(hike_id);
            CREATE INDEX two ON waypoints(latitude, longitude);
            INSERT INTO waypoints VALUES ('\(Fixture.id(1))', NULL, 7, NULL, '2026-02-06T08:15:30.000Z', '', 'custom', '', 0,
            NULL, NULL, NULL, NULL, NULL)
            """)
        #expect(try await session.codes("loose.db") == ["F-WAYPOINT-PLACE"])
    }

    @Test func aThumbnailThatIsTooLargeIsFound() async throws {
        let session = try session()
        let thumbnail = try Photos.thumbnail(Fixture.photo).jpeg
        // Bytes after the end of a JPEG are ignored by decoders, but not by the watch link.
        try Fixture.change(
            session.file("w.db"), "UPDATE waypoints SET photo_thumbnail = ? WHERE label = 'Spring'",
            [thumbnail + Data(count: 10_000)])
        #expect(try await session.codes("w.db") == ["F-WAYPOINT-BIGTHUMB"])
    }

    @Test func aThumbnailAloneIsAWatchsPhoto() async throws {
        let session = try session()
        try Fixture.change(session.file("w.db"), "UPDATE waypoints SET photo_data = NULL")
        #expect(try await session.codes("w.db").isEmpty)
    }

    @Test func anOlderVersionIsInformation() async throws {
        let session = try session()
        try Fixture.change(session.file("w.db"), "ALTER TABLE waypoints DROP COLUMN modified_at")
        #expect(try await session.codes("w.db") == ["F-WAYPOINT-OLDER"])
        #expect(await session.run("store check w.db").hasSuffix("1 info in w.db (waypoints)"))
    }

    @Test func aMissingColumnIsFound() async throws {
        let session = try session()
        try Fixture.change(session.file("w.db"), "ALTER TABLE waypoints DROP COLUMN timestamp")
        #expect(try await session.codes("w.db") == ["F-WAYPOINT-TABLE"])
        #expect(await session.run("store show w.db | get sure") == "likely")
    }

    @Test func aForeignKeyThatLeadsNowhereIsFound() async throws {
        let session = try session()
        try Fixture.change(
            session.file("w.db"),
            """
            CREATE TABLE tags (tag TEXT, waypoint TEXT REFERENCES waypoints (id));
            INSERT INTO tags VALUES ('nice', '\(Fixture.id(1))'), ('gone', '\(Fixture.id(9))')
            """)
        #expect(try await session.codes("w.db") == ["F-STORE-FOREIGNKEY"])
    }

    @Test func findingsOfAKindAreLimited() async throws {
        let session = try Fixture.session()
        let url = session.file("many.db")
        try Fixture.waypoints(at: url)
        try Fixture.change(
            url,
            """
            WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c WHERE x < 1500)
            INSERT INTO waypoints (id, latitude, longitude, timestamp) SELECT 'x' || x, 1 + x / 1e4, 2,
              '2026-02-06T08:15:30.000Z' FROM c
            """)
        // What all of them have in common is one cause.
        #expect(try await session.codes("many.db") == ["F-WAYPOINT-ID"])
        #expect(
            await session.run("store check many.db").hasSuffix(
                "1000 errors; 500 more of F-WAYPOINT-ID in many.db (waypoints)"))
        #expect(await session.shown("store check many.db | get count") == "1500")
    }

    /// Pages of a table are overwritten: what SQLite says, and how far the rows could be read.
    @Test func damageInAPageIsFound() async throws {
        let session = try Fixture.session()
        let url = session.file("w.db")
        try Fixture.waypoints(at: url)
        let filler = "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c WHERE x < 900)"
        try Fixture.change(
            url,
            """
            \(filler) INSERT INTO waypoints (id, latitude, longitude, timestamp)
            SELECT printf('B0000000-0000-4000-8000-%012d', x), 1 + x / 1e4, 2, '2026-02-06T08:15:30.000Z' FROM c
            """)
        var bytes = try Data(contentsOf: url)
        let middle = bytes.count / 4096 / 2 * 4096
        bytes.replaceSubrange(middle..<middle + 4096, with: Data(repeating: 0xA5, count: 4096))
        try bytes.write(to: url)
        let codes = Set(try await session.codes("w.db"))
        #expect(codes.contains("F-STORE-INTEGRITY") || codes.contains("F-STORE-UNREADABLE"))
        #expect(codes.isSubset(of: ["F-STORE-INTEGRITY", "F-STORE-UNREADABLE"]))
    }
}
