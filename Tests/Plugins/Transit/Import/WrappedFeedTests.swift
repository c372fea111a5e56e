import Archives
import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Archives of feeds in archives, as portals of open data wrap them.
@Suite struct WrappedFeedTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func zip(_ files: [(name: String, bytes: [UInt8])]) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        for file in files {
            let url = folder.url.appendingPathComponent(file.name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.bytes).write(to: url)
        }
        return Array(try ArchiveWriter.zip(folder.url, files: files.map(\.name), modified: 0))
    }

    private static func feed() throws -> [UInt8] {
        try zip(ImportTests.small.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value.utf8)) })
    }

    private func write(_ files: [(name: String, bytes: [UInt8])]) throws -> URL {
        let url = folder.url.appendingPathComponent("portal.zip")
        try Data(Self.zip(files)).write(to: url)
        return url
    }

    private func trips(_ url: URL) throws -> Int {
        try FeedImport.run(url, to: folder.url.appendingPathComponent("gtfs.db"), isLenient: true).trips
    }

    /// The only archive with tables is the feed, in a folder or not, beside other files and other archives.
    @Test func anArchiveInAnArchive() throws {
        let feed = try Self.feed()
        #expect(try trips(write([("gtfs.zip", feed)])) == 1)
        #expect(try FeedSource(write([("gtfs.zip", feed)])).name == "portal.zip/gtfs.zip")
        let shapes = try Self.zip([("roads.shp", [1, 2, 3])])
        #expect(
            try trips(
                write([("readme.txt", Array("read".utf8)), ("a/gtfs.zip", feed), ("b/roads.zip", shapes)]))
                == 1)
        #expect(try trips(write([("outer.zip", Self.zip([("gtfs.zip", feed)]))])) == 1)
    }

    /// Of several feeds none is chosen.
    @Test func severalArchivesInAnArchive() throws {
        let feed = try Self.feed()
        let url = try write([("bus.zip", feed), ("rail.zip", feed)])
        let error = #expect(throws: RutterError.self) { try FeedSource(url) }
        #expect(
            error?.message == "portal.zip has 2 feeds, each in an archive of its own: bus.zip, rail.zip")
        #expect(error?.fix?.contains("feed import bus.zip") ?? false)
    }

    @Test func anArchiveWithoutAFeed() throws {
        let url = try write([("roads.zip", Self.zip([("roads.shp", [1, 2, 3])]))])
        let error = #expect(throws: RutterError.self) { try FeedSource(url) }
        #expect(error?.message == "portal.zip/roads.zip has no table of a GTFS feed")
    }

    /// `import` knows a feed whose archive holds nothing but its archive.
    @Test func importRecognisesIt() throws {
        let feed = try Self.feed()
        let one = try SourceBytes(write([("gtfs.zip", feed)]))
        #expect(try FeedKinds.kind(of: one) == "gtfs")
        let two = try SourceBytes(write([("bus.zip", feed), ("rail.zip", feed)]))
        #expect(try FeedKinds.kind(of: two) == nil)
    }
}
