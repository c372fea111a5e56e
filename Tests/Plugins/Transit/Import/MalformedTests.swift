import CivilTime
import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Broken and hostile archives and feeds: a clear error, bounded memory and time, nothing written.
@Suite struct MalformedTests {
    private let folder: TemporaryFolder
    private var database: URL { folder.url.appendingPathComponent("out/gtfs.db") }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("out"), withIntermediateDirectories: true)
    }

    private func written() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent("out").path)
    }

    /// A stored archive, made by hand: names, bytes, and what kind of file each is.
    private func archive(_ entries: [(name: String, text: String, mode: UInt32)]) throws -> URL {
        let url = folder.url.appendingPathComponent("feed.zip")
        let zip = StoredZip(entries.map { .init($0.name, $0.text.utf8, mode: $0.mode) })
        try Data(zip.bytes).write(to: url)
        return url
    }

    @Test func anArchive() throws {
        let tables = SampleFeed.tables().map { (name: $0.name, text: $0.text, mode: UInt32(0o100644)) }
        let report = try FeedImport.run(try archive(tables), to: database)
        #expect(report.stops == 121)
        // The same in a folder of the archive, beside another file.
        let nested = tables.map { (name: "town/gtfs/\($0.name)", text: $0.text, mode: $0.mode) }
        try FileManager.default.removeItem(at: database)
        let other = try FeedImport.run(
            try archive([(name: "town/readme.txt", text: "hello", mode: 0o100644)] + nested), to: database)
        #expect(other.stopTimes == report.stopTimes)
        let today = try #require(CivilDate(year: 2026, month: 2, day: 6))
        let url = folder.url.appendingPathComponent("feed.zip")
        let codes = try FeedCheck(FeedSource(url), today: today).findings.map(\.code)
        #expect(codes.contains(FeedRule.invalidInputFilesInSubfolder.code))
        _ = try archive(tables)
        let flat = try FeedCheck(FeedSource(url), today: today).findings.map(\.code)
        #expect(!flat.contains(FeedRule.invalidInputFilesInSubfolder.code))
    }

    @Test(arguments: [
        ("../stops.txt", UInt32(0o100644)), ("/etc/stops.txt", 0o100644), ("a/../../stops.txt", 0o100644),
        ("..\\stops.txt", 0o100644), ("stops.txt", 0o120777),
    ])
    func whatLeadsOut(name: String, mode: UInt32) throws {
        let url = try archive([(name: name, text: "/etc/passwd", mode: mode)])
        #expect {
            _ = try FeedImport.run(url, to: database, isLenient: true)
        } throws: { ($0 as? RutterError)?.code == "E-ARCHIVE-ENTRY" }
        #expect(try written().isEmpty)
    }

    @Test func twoFeedsInOne() throws {
        let url = try archive([
            (name: "a/stops.txt", text: "x", mode: 0o100644),
            (name: "b/stops.txt", text: "x", mode: 0o100644),
        ])
        #expect {
            _ = try FeedImport.run(url, to: database)
        } throws: { ($0 as? RutterError)?.code == "E-GTFS-ARCHIVE" }
    }

    @Test func aLinkInAFolder() throws {
        let feed = folder.url.appendingPathComponent("feed", isDirectory: true)
        try FileManager.default.createDirectory(at: feed, withIntermediateDirectories: true)
        for table in SampleFeed.tables() {
            try Data(table.text.utf8).write(to: feed.appendingPathComponent(table.name))
        }
        try FileManager.default.removeItem(at: feed.appendingPathComponent("routes.txt"))
        try FileManager.default.createSymbolicLink(
            at: feed.appendingPathComponent("routes.txt"),
            withDestinationURL: URL(fileURLWithPath: "/etc/passwd"))
        #expect {
            _ = try FeedImport.run(feed, to: database)
        } throws: { ($0 as? RutterError)?.code == "E-GTFS-ARCHIVE" }
        #expect(try written().isEmpty)
    }

    // MARK: Real data

    /// Damaged archives of all kinds end with a typed error; none writes anything.
    @Test(.enabled(if: RealData.has("malformed/zip"), "needs the folder of real data"))
    func brokenArchives() throws {
        let files = RealData.files(in: "malformed/zip").filter { $0.pathExtension == "zip" }
        #expect(files.count > 30)
        for file in files {
            for lenient in [false, true] {
                #expect(throws: RutterError.self, "\(file.lastPathComponent)") {
                    try FeedImport.run(file, to: database, isLenient: lenient)
                }
            }
        }
        #expect(try written().isEmpty)
    }

    @Test(
        .enabled(
            if: RealData.has("malformed/zip/gen_bomb_500MiB_stop_times.zip"), "needs the folder of real data")
    )
    func aBomb() throws {
        let file = RealData.url("malformed/zip/gen_bomb_500MiB_stop_times.zip")
        #expect {
            _ = try FeedImport.run(file, to: database, isLenient: true)
        } throws: { ($0 as? RutterError)?.code == "E-ARCHIVE-LIMIT" }
        #expect(try written().isEmpty)
    }

    /// Each case of a validator's collection, applied to its valid base: either the fault is in a table
    /// that is not read, or it is reported with its table; a lenient import continues.
    @Test(.enabled(if: RealData.has("malformed/gtfs/tl-validator-layers"), "needs the folder of real data"))
    func aValidatorsCases() throws {
        let layers = "malformed/gtfs/tl-validator-layers"
        var refused: [String] = []
        for layer in RealData.files(in: "\(layers)/errors") {
            var tables: [String: String] = [:]
            for file in RealData.files(in: "\(layers)/base")
                + RealData.files(in: "\(layers)/errors/\(layer.lastPathComponent)")
            {
                tables[file.lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
            }
            let source = FeedSource(name: layer.lastPathComponent, tables: tables)
            do {
                _ = try FeedImport.run(source, to: database, isLenient: false)
                unlink(database.path)
            } catch let error as RutterError {
                refused.append(layer.lastPathComponent)
                guard case .file(let table, _, _) = error.place else {
                    Issue.record("\(layer.lastPathComponent): no table is named: \(error.message)")
                    continue
                }
                #expect(FeedTable(rawValue: table) != nil)
                #expect(try written().isEmpty)
                do {
                    _ = try FeedImport.run(source, to: database, isLenient: true)
                    unlink(database.path)
                } catch let error as RutterError {
                    // A required table without its columns cannot be read at all.
                    #expect(error.code == "E-GTFS-HEADER", "\(layer.lastPathComponent): \(error.message)")
                }
            }
        }
        let expected = [
            "agency-duplicate", "agency-invalid-timezone", "calendar-duplicate", "calendar_dates-duplicate",
            "feed-headers-duplicate", "feed-headers-missing", "frequencies-unknown-trip_id",
            "routes-duplicate",
            "stop_times-unknown-stop_id", "stop_times-unknown-trip_id",
            "stops-duplicate", "stops-invalid-parent_station", "stops-unknown-parent_stationn",
            "trips-backwards-time", "trips-duplicate", "trips-no-final-arrival_time",
            "trips-unknown-route_id",
            "trips-unknown-service_id",
        ]
        for name in expected { #expect(refused.contains(name), "\(name)") }
    }

    @Test(
        .enabled(if: RealData.has("malformed/gtfs/invalid.zip"), "needs the folder of real data"),
        arguments: [
            "example-errors.zip", "example-nested-dir.zip", "invalid.zip", "orlando-airport-people-mover.zip",
        ])
    func archivesOfFeeds(name: String) throws {
        let file = RealData.url("malformed/gtfs/\(name)")
        do {
            _ = try FeedImport.run(file, to: database)
        } catch let error as RutterError {
            #expect(["E-GTFS-", "E-ARCHIVE-"].contains { error.code.hasPrefix($0) })
            #expect(try written().isEmpty)
        }
    }
}
