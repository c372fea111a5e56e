import Foundation
import GRDB
import PluginTestKit
import Testing

@testable import SyncPlugin

/// Stores written by older apps: missing columns are added by inspecting the table, and synced like any
/// others.
@Suite(.enabled(if: SyncSession.hasWaypoints, "needs the plugin Waypoints"))
struct MigrationTests {
    /// The tables before there was any syncing, each with a row.
    private static let waypoints = """
        CREATE TABLE waypoints (id TEXT PRIMARY KEY, latitude REAL NOT NULL, longitude REAL NOT NULL, altitude REAL,
            timestamp TEXT NOT NULL, label TEXT NOT NULL DEFAULT '', category TEXT NOT NULL DEFAULT 'custom',
            note TEXT NOT NULL DEFAULT '', has_photo INTEGER NOT NULL DEFAULT 0, hike_id TEXT, photo_data BLOB,
            photo_thumbnail BLOB);
        INSERT INTO waypoints (id, latitude, longitude, timestamp, label)
            VALUES ('6f9619ff-8b86-d011-b42d-00c04fc964ff', 46.5, 7.9, '2025-02-06T08:00:00Z', 'Old hut');
        """
    private static let hikes = """
        CREATE TABLE saved_routes (id TEXT PRIMARY KEY, name TEXT NOT NULL, start_latitude REAL NOT NULL,
            start_longitude REAL NOT NULL, end_latitude REAL NOT NULL, end_longitude REAL NOT NULL,
            start_time TEXT NOT NULL, end_time TEXT NOT NULL, total_distance REAL NOT NULL, elevation_gain REAL NOT NULL,
            elevation_loss REAL NOT NULL, walking_time REAL NOT NULL, resting_time REAL NOT NULL, avg_heart_rate REAL,
            max_heart_rate REAL, estimated_calories REAL, comment TEXT NOT NULL DEFAULT '', region_id TEXT,
            track_data BLOB NOT NULL);
        INSERT INTO saved_routes VALUES ('00000000-0000-0000-0000-0000000000AA', 'Old walk', 46, 7, 46.1, 7.1,
            '2025-02-06T08:00:00Z', '2025-02-06T09:00:00Z', 1000, 10, 10, 3000, 600, NULL, NULL, NULL, '', NULL,
            x'0300');
        """

    private func make(_ sql: String, at url: URL) throws {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try DatabaseQueue(path: url.path).write { try $0.execute(sql: sql) }
    }

    private func columns(_ url: URL, _ table: String) throws -> [String] {
        try DatabaseQueue(path: url.path).read { try $0.columns(in: table).map(\.name) }
    }

    @Test func olderStoresAreMigratedOnceAndSynced() async throws {
        let test = try SyncSession.make()
        try await test.value("device add phone anna")
        let folder = test.folder.url.appendingPathComponent("workspace/devices/anna")
        let (waypoints, hikes) = (
            folder.appendingPathComponent("waypoints.db"), folder.appendingPathComponent("routes.db")
        )
        try make(Self.waypoints, at: waypoints)
        try make(Self.hikes, at: hikes)
        #expect(await test.run("sync | get pushed") == "2")
        for (file, table) in [(waypoints, "waypoints"), (hikes, "saved_routes")] {
            let names = try columns(file, table)
            #expect(names.suffix(2) == ["modified_at", "cloudkit_record_id"])
        }
        #expect(await test.run("sync | get pushed") == "0")
        try await test.value("device add mac desk")
        #expect(await test.run("sync | get pulled") == "2")
        #expect(await test.run("waypoint list | get label") == "Old hut")
        // An id in lower case refers to the same record; it is written as the app wrote it.
        try await test.value("waypoint edit 'Old hut' --note 'seen on the mac'")
        try await test.value("sync")
        try await test.value("device use anna")
        #expect(await test.run("sync | get pulled") == "1")
        let rows = try DatabaseQueue(path: waypoints.path).read {
            try GRDB.Row.fetchAll($0, sql: "SELECT id, note FROM waypoints")
        }
        #expect(rows.count == 1)
        #expect(rows.first?["id"] == "6f9619ff-8b86-d011-b42d-00c04fc964ff")
        #expect(rows.first?["note"] == "seen on the mac")
    }

    /// One of the two columns already exists, from an interrupted migration.
    @Test func aHalfMigratedStore() async throws {
        let test = try SyncSession.make()
        try await test.value("device add phone anna")
        let file = test.folder.url.appendingPathComponent("workspace/devices/anna/waypoints.db")
        try make(Self.waypoints + "ALTER TABLE waypoints ADD COLUMN modified_at TEXT;", at: file)
        #expect(await test.run("sync | get pushed") == "1")
        #expect(try columns(file, "waypoints").suffix(2) == ["modified_at", "cloudkit_record_id"])
    }
}
