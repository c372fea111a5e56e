import Foundation
import PluginTestKit
import Testing
import TrailStores

@testable import StoresPlugin

/// Findings between the stores of a container, and rows that each app would drop: found where they are
/// planted, and nowhere else.
@Suite(.needs(.photos))
struct ContainerTests {
    private let session: TestSession
    private let app: URL

    init() throws {
        session = try Fixture.session()
        app = session.file("App")
        try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
        try Fixture.waypoints(at: app.appendingPathComponent("waypoints.db"))
        try Fixture.hikes(at: app.appendingPathComponent("routes.db"))
        _ = try FormatFixture.write(.plannedRoutes, in: app)
    }

    /// The findings across stores: code and text.
    private func between() async throws -> [String] {
        let codes = try await session.texts("store check App", "code")
        let texts = try await session.texts("store check App", "what")
        return zip(codes, texts).filter { $0.0.hasPrefix("F-APP") }.map { "\($0) \($1)" }
    }

    private func change(_ store: String, _ sql: String) throws {
        try Fixture.change(app.appendingPathComponent(store), sql)
    }

    @Test func aSoundContainerHasNoFindings() async throws {
        // Identifiers are the same in either case.
        try change("waypoints.db", "UPDATE waypoints SET hike_id = lower('\(Fixture.id(1))') WHERE rowid < 3")
        #expect(try await session.texts("store check App", "what") == [])
    }

    /// A phone's backup of the container: each file stored under a digest, and an index with the names.
    private func backUp(_ files: [String], in folder: URL) throws {
        try FormatFixture.database(
            try FileManager.default.folder(folder).appendingPathComponent("Manifest.db"),
            "CREATE TABLE Files(fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB);"
                + files.enumerated().map {
                    "INSERT INTO Files VALUES ('\($0.offset)a0b1c2', 'AppDomain-org.example', 'Documents/\($0.element)', 1, x'');"
                }.joined())
        for (index, file) in files.enumerated() {
            try FileManager.default.copyItem(
                at: app.appendingPathComponent(file),
                to: try FileManager.default.folder(folder.appendingPathComponent("\(index)a"))
                    .appendingPathComponent("\(index)a0b1c2"))
        }
    }

    /// A phone's backup stores files under digests: its index names them, and tells which log belongs to which store.
    @Test(arguments: ["", "0000-AB"]) func aBackupOfAPhone(_ inside: String) async throws {
        let route = "plans/\(FormatFixture.routeID).json"
        try Data(#"[{"id": "r1", "minZoom": 8, "maxZoom": 14}]"#.utf8).write(
            to: app.appendingPathComponent("regions.json"))
        // A row that is in the log alone.
        let log = try WaypointStore(app.appendingPathComponent("live.db"), access: .own)
        try log.insert(
            Waypoint(
                id: Fixture.id(7), coordinate: .init(latitude: 46, longitude: 7), timestamp: Fixture.time))
        let names = ["waypoints.db", "routes.db", "live.db", "live.db-wal", route, "regions.json"]
        try backUp(names, in: session.file("Backup").appendingPathComponent(inside))
        let named = ["live.db", "live.db-wal", "plans", "regions.json", "routes.db", "waypoints.db"]
        #expect(
            try await session.texts("container show Backup", "path")
                == named.map { "AppDomain-org.example/Documents/\($0)" } + ["Manifest.db"])
        let notes = try await session.texts("container show Backup", "note")
        #expect(notes.contains("stored as 0a/0a0b1c2"), "\(notes)")
        #expect(notes.contains("names 6 files of a phone's backup"), "\(notes)")
        let kinds = try await session.texts("container show Backup", "kind")
        #expect(kinds.contains("region metadata") && !kinds.contains("damaged"), "\(kinds)")
        await session.run("store open Backup")
        #expect(
            await session.run("sql 'SELECT count(*) AS n FROM waypoints' --store Backup/live | get n") == "1")
        // Nothing is written into the backup.
        let left = try FileManager.default.subpathsOfDirectory(
            atPath: session.file("Backup").appendingPathComponent(inside).path)
        #expect(left.count == 2 * names.count + 1, "\(left)")
    }

    /// Names of an index that lead out of its folder, or that two files have, hide nothing.
    @Test func aBackupWithStrangeNames() async throws {
        let backup = session.file("Backup")
        try backUp(["waypoints.db", "routes.db"], in: backup)
        for path in ["../../../escaped.db", "Documents/waypoints.db", "Documents/waypoints.db/inside.db"] {
            try Fixture.change(
                backup.appendingPathComponent("Manifest.db"),
                "UPDATE Files SET relativePath = '\(path)' WHERE fileID = '1a0b1c2'")
            let kinds = try await session.texts("container show Backup", "kind")
            #expect(kinds.filter { ["waypoints", "hikes"].contains($0) }.count == 2, "\(path): \(kinds)")
        }
        #expect(!FileManager.default.fileExists(atPath: session.file("escaped.db").path))
    }

    @Test func orphansAcrossStores() async throws {
        try change("waypoints.db", "UPDATE waypoints SET hike_id = '\(Fixture.id(9))' WHERE rowid < 3")
        #expect(try await between() == ["F-APP-HIKE 2 waypoints of hike A0000000: not in routes.db"])
        try FileManager.default.removeItem(at: app.appendingPathComponent("routes.db"))
        #expect(
            try await between() == [
                "F-APP-HIKE 2 waypoints of hike A0000000: the container has no store of hikes"
            ])
    }

    @Test func regionsLogsAndTwins() async throws {
        try change("routes.db", "UPDATE saved_routes SET region_id = 'gone'")
        #expect(try await between() == ["F-APP-REGION hike Walk is in region gone"])
        try change("routes.db", "UPDATE saved_routes SET region_id = NULL")
        try Data(repeating: 1, count: 64).write(to: app.appendingPathComponent("lost.db-wal"))
        #expect(try await between().map { String($0.prefix(12)) } == ["F-APP-ORPHAN"])
        try FileManager.default.removeItem(at: app.appendingPathComponent("lost.db-wal"))
        try FileManager.default.copyItem(
            at: app.appendingPathComponent("waypoints.db"), to: app.appendingPathComponent("backup.db"))
        #expect(try await between().map { String($0.prefix(11)) } == ["F-APP-TWICE"])
    }

    private func dropped(_ store: String, as reader: String) async throws -> [String] {
        try await session.texts("store check \(store) --as \(reader)", "what")
    }

    /// Each app reads its own stores completely.
    @Test func noReaderDropsItsOwnRows() async throws {
        try AndroidFixture.waypoints(at: session.file("droid.db"))
        try AndroidFixture.hikes(at: session.file("walks.db"))
        for store in ["droid.db", "walks.db"] { #expect(try await dropped(store, as: "android") == []) }
        for store in ["App", "App/waypoints.db", "App/routes.db", "App/plans"] {
            #expect(try await dropped(store, as: "ios") == [], "\(store)")
        }
    }

    /// Columns and framing of the other app.
    @Test func theStoresOfTheOtherApp() async throws {
        try AndroidFixture.waypoints(at: session.file("droid.db"))
        try AndroidFixture.hikes(at: session.file("walks.db"))
        #expect(
            try await dropped("droid.db", as: "ios") == [
                "the iOS app requires photo_data, photo_thumbnail, which the table lacks",
                "the iOS app drops it: timestamp is '2026-02-06T08:15:30Z', without a fraction of a second",
            ])
        #expect(
            try await dropped("walks.db", as: "ios") == [
                "the iOS app requires avg_heart_rate, which the table lacks",
                "the iOS app shows no track: 101 points in zlib framing",
            ])
        #expect(
            try await dropped("App/waypoints.db", as: "android") == [
                "the Android app requires photo, thumbnail, which the table lacks"
            ])
        #expect(
            try await dropped("App/routes.db", as: "android") == [
                "the Android app requires average_heart_rate, which the table lacks",
                "the Android app shows no track: 101 points in raw framing",
            ])
    }

    /// One reader requires a fraction of a second, the other accepts both.
    @Test func dates() async throws {
        try change("waypoints.db", "UPDATE waypoints SET timestamp = '2026-02-06T08:15:30Z' WHERE rowid = 2")
        #expect(
            try await dropped("App/waypoints.db", as: "ios") == [
                "the iOS app drops it: timestamp is '2026-02-06T08:15:30Z', without a fraction of a second"
            ])
        #expect(try await session.texts("store check App/waypoints.db --as ios", "row") == ["2"])
        #expect(try await dropped("App/waypoints.db", as: "android").count == 1, "the columns alone")
        let file = app.appendingPathComponent("plans/\(FormatFixture.routeID).json")
        let text = try String(contentsOf: file, encoding: .utf8)
        let dated = text.replacing(/("createdAt" ?: ?"[0-9T:-]+)Z/) { "\($0.output.1).250Z" }
        try #require(dated != text)
        try Data(dated.utf8).write(to: file)
        #expect(try await dropped("App/plans", as: "ios").count == 1)
        #expect(try await dropped("App/plans", as: "android") == [])
    }
}

extension FileManager {
    /// A new folder.
    fileprivate func folder(_ url: URL) throws -> URL {
        try createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }
}
