import Foundation
import PluginTestKit
import Synchronization
import Testing
import Workbench

@testable import rutter

/// `import` with all plugins: what files are is found by their content, and what becomes of them by their lines.
@Suite(.enabled(if: StoreSample.hasAllPlugins, "needs all built-in plugins and libraries"))
struct ImportTests {
    private static func track(_ name: String, _ latitude: Double, isTimed: Bool) -> String {
        let points = (0..<5).map { index in
            "<trkpt lat=\"\(latitude + Double(index) * 0.001)\" lon=\"7.9\"><ele>\(500 + index)</ele>"
                + (isTimed ? "<time>2026-02-05T08:0\(index):00Z</time>" : "") + "</trkpt>"
        }
        return "<trk><name>\(name)</name><trkseg>\(points.joined())</trkseg></trk>"
    }

    private static let mixed =
        "<gpx><wpt lat=\"46\" lon=\"7.9\"><name>Hut</name></wpt>"
        + "<rte><name>Plan</name><rtept lat=\"1\" lon=\"2\"/><rtept lat=\"1\" lon=\"2.1\"/></rte>"
        + track("Walk", 46, isTimed: true) + track("Drawn", 47, isTimed: false) + "</gpx>"

    private func session(_ files: [String: Data]) throws -> TestSession {
        try TestSession(plugins: builtInPlugins, files: files)
    }

    @Test func examples() async throws {
        let test = try session([:])
        let command = try #require(await test.session.registry["import"])
        // The folder of a test session is deleted with it.
        let kept = Mutex<[TestSession]>([])
        let failures = await ExampleRunner.failures(in: [command.command]) {
            let test = try TestSession(plugins: builtInPlugins)
            kept.withLock { $0.append(test) }
            return test.session
        }
        kept.withLock { $0 = [] }
        #expect(failures == [])
    }

    @Test func eachLineBecomesWhatItIs() async throws {
        let test = try session(["a.gpx": Data(Self.mixed.utf8)])
        #expect(await test.run("import a.gpx | get kept") == "1 hike, 2 planned routes, 1 waypoint")
        #expect(await test.run("hike list | get name") == "Walk")
        #expect(await test.run("route list | get name | sort") == "Drawn\nPlan")
        #expect(await test.run("waypoint list | get label") == "Hut")
        // Nothing is added twice.
        #expect(await test.run("import a.gpx | get kept") == "")
        #expect(await test.run("import a.gpx --as routes | get kept") == "1 planned route")
        #expect(await test.run("undo") == "undone: imported 1 planned route")
        #expect(await test.run("undo") == "undone: imported 1 hike, 2 planned routes, 1 waypoint")
        for list in ["hike list", "route list", "waypoint list"] {
            #expect(await test.run("\(list) | count") == "0", "\(list)")
        }
    }

    @Test func whatTheUserSays() async throws {
        let test = try session(["a.gpx": Data(Self.mixed.utf8)])
        #expect(await test.run("import a.gpx --as waypoints | get kept") == "1 waypoint")
        #expect(await test.run("import a.gpx --as routes --no-waypoints | get kept") == "3 planned routes")
        #expect(await test.run("import a.gpx --as hikes --again | get kept") == "3 hikes, 1 waypoint")
        #expect(
            await test.run("import a.gpx --number 3 --name Mine --again | get kept")
                == "1 planned route, 1 waypoint")
        #expect(await test.run("route list | get name").contains("Mine"))
        #expect(await test.result("import a.gpx --number 4").failure?.code == "E-IMPORT-NUMBER")
        #expect(await test.result("import a.gpx --as boats").failure?.code == "E-IMPORT-KIND")
        #expect(await test.run("import a.gpx --dry-run | get waypoints") == "1")
    }

    @Test(.needs(.archive)) func archivesInFolders() async throws {
        let inner = StoredZip([.init("b.gpx", "<gpx>\(Self.track("B", 45, isTimed: true))</gpx>".utf8)])
        let outer = StoredZip([
            .init("Höhe.gpx", Self.mixed.utf8), .init("in.zip", inner.bytes),
            .init("../evil.gpx", Self.mixed.utf8),
            .init("__MACOSX/._a.gpx", "x".utf8), .init("notes.txt", "x".utf8),
        ])
        let test = try session(["week.zip": Data(outer.bytes)])
        let rows = await test.run("import week.zip | select file kept result | to csv").split(separator: "\n")
        #expect(
            rows.contains("week.zip/Höhe.gpx,\"1 hike, 2 planned routes, 1 waypoint\",imported"), "\(rows)")
        #expect(rows.contains("week.zip/in.zip/b.gpx,1 hike,imported"), "\(rows)")
        #expect(rows.contains { $0.hasPrefix("week.zip/../evil.gpx,\"\",failed: ") }, "\(rows)")
        // Nothing that was handed over vanishes.
        #expect(rows.contains("week.zip/notes.txt,\"\",not read: of no known kind"), "\(rows)")
        #expect(rows.count == 5)
        #expect(await test.run("undo") == "undone: imported 2 hikes, 2 planned routes, 1 waypoint")
    }

    @Test func mapsAndFeedsAreHandedOver() async throws {
        let test = try session([:])
        await test.run("region sample; feed sample")
        #expect(await test.run("import valley.osm | get kept") == "1 region")
        #expect(await test.run("region list | get name") == "valley")
        #expect(await test.result("import valley.osm --dry-run").failure?.code == "E-INPUT-KIND")
    }

    @Test func manyFilesOfAnotherKindAreOneRow() async throws {
        let test = try session([:])
        let folder = test.folder.url.appendingPathComponent("camera")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for index in 0..<30 {
            try Data([0xFF, 0xD8, 0x3C]).write(to: folder.appendingPathComponent("\(index).jpg"))
        }
        try Data("<gpx>\(Self.track("A", 45, isTimed: true))</gpx>".utf8).write(
            to: folder.appendingPathComponent("walk"))
        #expect(
            await test.run("import camera | select file result | to csv") == """
                file,result
                camera/walk,imported
                camera/*.jpg,"not read: 30 files, of no known kind"
                """)
    }

    /// The same file in several sessions of a workspace at once is in it once.
    @Test func importsAtOnceTakeTurns() async throws {
        let test = try session(["a.gpx": Data(Self.mixed.utf8)])
        let sessions = try (0..<4).map { _ in try TestSession(plugins: builtInPlugins, sharing: test) }
        await withTaskGroup(of: Void.self) { group in
            for session in sessions { group.addTask { await session.run("import a.gpx") } }
        }
        for (list, count) in [("hike", 1), ("route", 2), ("waypoint", 1)] {
            #expect(await test.run("\(list) list | count") == "\(count)", "\(list)")
        }
    }

    @Test func unknownKinds() async throws {
        let test = try session(["a.txt": Data("hello".utf8), "b.png": Data([0x89, 0x50, 0x4E, 0x47])])
        for file in ["a.txt", "b.png"] {
            #expect(await test.result("import \(file)").failure?.code == "E-IMPORT-KIND", "\(file)")
        }
        #expect(await test.result("import nowhere.gpx").failure?.code == "E-FILE-MISSING")
        #expect(await test.result("import").failure?.code == "E-ARG-MISSING")
    }
}
