import Foundation
import GRDB
import PluginTestKit
import Testing

@testable import rutter

/// The workspace of each release opens with the present program, also without what was added to its stores since.
@Suite(
    .enabled(
        if: PluginFolders.have("Waypoints", "Hikes", "Routing", "Transit", "Places"),
        "needs the plugins with stores"))
struct ReleaseWorkspaceTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Releases", isDirectory: true)
    static let releases = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".tar.gz") }.sorted()

    /// What `sample` put into the stores of every release.
    private static let facts = [
        ("waypoint list | count", "9"), ("hike list | first | get name", "Church to Upper Hut"),
        ("departures Central --at 2026-02-09T08:00:00Z | where route == S1 | first | get route", "S1"),
        ("route plan 'Null Station' 'Meridian Hut' | get distance", "3.7km"),
        ("place find 'Upper Hut' | first | get name", "Upper Hut"),
        ("waypoint add 0.5,0.5 --label New | get label", "New"),
    ]

    /// A session on the workspace of a release.
    private func session(_ release: String) throws -> (TestSession, URL) {
        let session = try TestSession(plugins: builtInPlugins)
        let workspace = session.folder.url.appendingPathComponent("workspace", isDirectory: true)
        try FileManager.default.createDirectory(at: workspace, withIntermediateDirectories: true)
        let tar = Process()
        tar.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        tar.arguments = [
            "tar", "-xzf", Self.folder.appendingPathComponent(release).path, "-C", workspace.path,
        ]
        try tar.run()
        tar.waitUntilExit()
        try #require(tar.terminationStatus == 0)
        return (session, workspace)
    }

    @Test(arguments: releases) func aWorkspaceOpens(_ release: String) async throws {
        let (session, _) = try session(release)
        for (entry, expected) in Self.facts {
            #expect(await session.shown(entry) == expected, "\(release): \(entry)")
        }
    }

    /// Stores as they were before columns and tables were added.
    @Test(arguments: [
        ("waypoints.db", "ALTER TABLE waypoints DROP COLUMN modified_at"),
        ("waypoints.db", "ALTER TABLE waypoints DROP COLUMN cloudkit_record_id"),
        ("routes.db", "DROP TABLE rutter_recordings"),
        ("routes.db", "ALTER TABLE saved_routes DROP COLUMN region_id"),
        ("routes.db", "ALTER TABLE saved_routes DROP COLUMN modified_at"), ("gtfs.db", "DROP TABLE fares"),
        ("gtfs.db", "DROP TABLE request_service"), ("gtfs.db", "DROP TABLE translations"),
        ("gtfs.db", "ALTER TABLE pattern_stops DROP COLUMN note"),
        ("gtfs.db", "ALTER TABLE trips DROP COLUMN shape"),
        ("regions/valley.routing.db", "DROP TABLE rutter_place_hours"),
        ("regions/valley.routing.db", "DROP TABLE rutter_trails"),
    ])
    func anOlderStoreOpens(_ store: String, _ change: String) async throws {
        let release = try #require(Self.releases.first)
        let (session, workspace) = try session(release)
        let queue = try DatabaseQueue(path: workspace.appendingPathComponent(store).path)
        try await queue.write { db in try db.execute(sql: change) }
        try queue.close()
        for (entry, expected) in Self.facts {
            #expect(await session.shown(entry) == expected, "\(change): \(entry)")
        }
    }
}
