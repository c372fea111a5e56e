import Foundation
import PluginKit
import PluginTestKit
import Testing
import TransitReference

@testable import TransitPlugin

/// Departures agree with the slow reference, for every stop and many times. `transit-bench --compare` does the same for
/// whole feeds.
@Suite(.timeLimit(.minutes(10)))
struct DepartureReferenceTests {
    private func compare(
        _ tables: [String: String], _ feed: Feed, _ extent: ReferenceComparison.Extent,
        boards: Int, rows: Int
    ) throws {
        let outcome = try ReferenceComparison(tables, feed, extent).run()
        #expect(outcome.difference == nil)
        #expect(outcome.boards > boards)
        #expect(outcome.rows > rows)
        #expect(extent.days == 0 || outcome.next > 0)
    }

    private func made(_ name: String, _ tables: [String: String], in folder: TemporaryFolder) throws -> URL {
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(FeedSource(name: name, tables: tables), to: database, isLenient: true)
        return database
    }

    @Test func theSampleFeed() throws {
        let tables = Dictionary(uniqueKeysWithValues: SampleFeed.tables().map { ($0.name, $0.text) })
        let folder = try TemporaryFolder()
        let feed = try Feed(made("harbour", tables, in: folder), isOwn: true, fallback: .gmt)
        try compare(tables, feed, .init(isFull: true, days: 10), boards: 3000, rows: 10_000)
    }

    /// The same from a file without our columns, start times, indexes, R*Tree and search.
    @Test(arguments: [true, false])
    func theSampleFeedAsAnAppShipsIt(keepsStart: Bool) throws {
        let tables = Dictionary(uniqueKeysWithValues: SampleFeed.tables().map { ($0.name, $0.text) })
        let plain = tables.filter { $0.key != "frequencies.txt" }.mapValues {
            // A file of the format knows no boarding rules.
            $0.replacingOccurrences(of: ",,1,\n", with: ",,,\n")
        }
        let folder = try TemporaryFolder()
        let shipped = folder.url.appendingPathComponent("shipped.db")
        try ShippedStore.make(
            from: made("harbour", plain, in: folder), to: shipped, keepsStartTimes: keepsStart)
        let feed = try Feed(shipped, isOwn: false, fallback: .gmt)
        #expect(feed.layout.made.count == 5)
        try compare(plain, feed, .init(days: 4), boards: 1500, rows: 1000)
    }

    @Test(
        .enabled(if: RealData.has("gtfs"), "needs the folder of real data"),
        arguments: ["caltrain", "cairns", "nyc-subway-2routes", "saopaulo-rail", "berlin-vbb-subset"])
    func realFeeds(name: String) throws {
        try compareReal(name, longest: .max, .init(window: 3600))
    }

    /// The first trips of larger feeds.
    @Test(
        .enabled(if: RealData.has("gtfs"), "needs the folder of real data"),
        arguments: ["bydgoszcz", "rnv-mannheim", "cdmx-mexico", "composite-27k-stops"])
    func firstTripsOfLargerFeeds(name: String) throws {
        try compareReal(name, longest: 700_000, .init(window: 3600, stops: 400))
    }

    private func compareReal(_ name: String, longest: Int, _ extent: ReferenceComparison.Extent) throws {
        let archive = RealData.url("gtfs/\(name).zip")
        guard let tables = try PlainTables.tables(ofArchive: archive, longest: longest) else { return }
        let folder = try TemporaryFolder()
        let feed = try Feed(made(name, tables, in: folder), isOwn: true, fallback: .gmt)
        try compare(tables, feed, extent, boards: 100, rows: 100)
    }
}
