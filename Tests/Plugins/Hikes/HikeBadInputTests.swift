import Foundation
import Geodesy
import HikesPlugin
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// Damaged or hostile files, and interrupted imports: valid files are imported, and nothing is half done.
@Suite(.needs(.xml), .needs(.archive))
struct HikeBadInputTests {
    /// Walks on different days, so that none repeats another.
    private static func gpx(_ day: Int, points: Int = 30) -> String {
        let all = (0..<points).map { index in
            "<trkpt lat=\"\(46 + Double(index) * 1e-4)\" lon=\"7.9\"><ele>500</ele>"
                + "<time>2026-02-\(day + 10)T08:\(10 + index % 50):00Z</time></trkpt>"
        }
        return
            "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"><wpt lat=\"46.0\(day)\" lon=\"7.9\"><name>Hut \(day)</name></wpt>"
            + "<trk><name>Day \(day)</name><trkseg>\(all.joined())</trkseg></trk></gpx>"
    }

    /// A FIT file of two records whose checksum is wrong by a bit.
    private static let wrongChecksum: Data = {
        var bytes: [UInt8] = [12, 0x10, 0x34, 0x08, 9, 0, 0, 0] + Array(".FIT".utf8)
        bytes += [0x40, 0, 0, 20, 0, 1, 253, 4, 0x86]
        return Data(bytes + [0xFF, 0xFF])
    }()

    private static func store(_ test: TestSession) throws -> (hikes: Int, waypoints: Int) {
        let workspace = test.folder.url.appendingPathComponent("workspace")
        func count(_ file: String, _ read: (URL) throws -> Int) rethrows -> Int {
            let url = workspace.appendingPathComponent(file)
            return FileManager.default.fileExists(atPath: url.path) ? try read(url) : 0
        }
        return (
            try count("routes.db") { try HikeStore($0, access: .foreign).all().count },
            try count("waypoints.db") { try WaypointStore($0, access: .foreign).all().count }
        )
    }

    /// The rest of an archive is imported, and each invalid file is in the report with its problem.
    @Test func anArchiveWithBadFiles() async throws {
        let archive = StoredZip([
            .init("1.gpx", Data(Self.gpx(1).utf8)), .init("2.fit", Self.wrongChecksum),
            .init("3.tcx", Data("<TrainingCenterDatabase".utf8)),
            .init("4.gpx", Data(Self.gpx(4).utf8)), .init("may/cut.fit", Self.wrongChecksum.dropLast(4)),
        ])
        let test = try TestSession(plugins: { [HikesPlugin()] }, files: ["week.zip": Data(archive.bytes)])
        let account = await test.run("import week.zip | select file result | to csv").split(
            separator: "\n")
        #expect(account.count == 6)
        #expect(account[1] == "week.zip/1.gpx,imported")
        #expect(
            account[2].contains("2.fit") && account[2].contains("failed: ") && account[2].contains("checksum")
        )
        #expect(account[3].contains("3.tcx") && account[3].contains("failed: "))
        #expect(account[4] == "week.zip/4.gpx,imported")
        // The message names the entry, not the unpacked file.
        #expect(
            account[5].hasPrefix("week.zip/may/cut.fit,") && account[5].contains("failed: cut.fit "),
            "\(account[5])")
        #expect(try Self.store(test) == (2, 2))
        // Nothing of the archive stays unpacked.
        let left = try FileManager.default.contentsOfDirectory(atPath: test.folder.url.path)
        #expect(Set(left) == ["week.zip", "workspace"])
    }

    /// A file of 10 GB that claims to be FIT is refused by its size: its bytes are neither read nor hashed.
    @Test(.timeLimit(.minutes(1))) func tenGigabytesOfFIT() async throws {
        let test = try TestSession(plugins: { [HikesPlugin()] }, files: ["big.fit": Self.wrongChecksum])
        let file = try FileHandle(forWritingTo: test.folder.url.appendingPathComponent("big.fit"))
        // A hole: no byte of it is on the disk.
        try file.truncate(atOffset: 10 << 30)
        try file.close()
        #expect(await test.result("import big.fit").failure?.code == "E-FIT-TOOLARGE")
        #expect(try Self.store(test) == (0, 0))
    }

    /// One measurement without a position is no activity, and says so; nothing is stored.
    @Test func tcxWithoutPositions() async throws {
        let point =
            "<Trackpoint><Time>2026-02-05T08:00:00Z</Time><HeartRateBpm><Value>90</Value></HeartRateBpm></Trackpoint>"
        let tcx =
            "<TrainingCenterDatabase xmlns=\"http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2\"><Activities>"
            + "<Activity Sport=\"Other\"><Id>2026-02-05T08:00:00Z</Id><Lap StartTime=\"2026-02-05T08:00:00Z\"><Track>"
            + point + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>"
        let test = try TestSession(plugins: { [HikesPlugin()] }, files: ["indoor.tcx": Data(tcx.utf8)])
        #expect(await test.result("import indoor.tcx").failure?.code == "E-IMPORT-NOTHING")
        #expect(try Self.store(test) == (0, 0))
    }

    /// Where nothing is left to import, what is wrong with the positions is said.
    @Test func exchangedAnglesOfAllPointsAreSaid() async throws {
        let points = (0..<9).map { "<wpt lat=\"147.\(10 + $0)\" lon=\"46.5\"/>" }.joined()
        let test = try TestSession(
            plugins: { [HikesPlugin()] }, files: ["a.gpx": Data("<gpx>\(points)</gpx>".utf8)])
        let failure = await test.result("import a.gpx --as hikes").failure
        #expect(failure?.code == "E-IMPORT-NOTHING")
        #expect(failure?.message.contains("exchanged") == true, "\(failure?.message ?? "")")
    }

    /// An interrupted import reverts the previous files: hikes, waypoints and links.
    @Test func anInterruptedImportLeavesNothing() async throws {
        let stop = CancelAtProgress()
        var files = [String: Data]()
        for day in 1...5 { files["\(day).gpx"] = Data(Self.gpx(day, points: 1_500).utf8) }
        let test = try TestSession(plugins: { [HikesPlugin()] }, files: files, progress: stop.reporter)
        for (label, done) in [("importing files", 1), ("importing files", 4), ("reading points", 1_000)] {
            let (result, isReached) = await stop.run(stoppingAt: label, done: done) {
                await test.result("import 1.gpx 2.gpx 3.gpx 4.gpx 5.gpx")
            }
            #expect(isReached, "\(label) \(done)")
            #expect(result.failure?.code == "E-INTERRUPTED", "\(label) \(done)")
            #expect(try Self.store(test) == (0, 0), "\(label) \(done)")
        }
        #expect(await test.result("undo").failure?.code == "E-UNDO-NOTHING")
        await test.run("import 1.gpx 2.gpx 3.gpx 4.gpx 5.gpx")
        #expect(try Self.store(test) == (5, 5))
    }
}
