import Foundation
import TransitPlugin
import TransitReference

/// Compares the departures of whole feeds with those of the slow reference.
struct FeedComparison {
    private static let all = [
        "caltrain", "cairns", "nyc-subway-2routes", "saopaulo-rail", "berlin-vbb-subset", "cdmx-mexico",
        "rnv-mannheim", "bydgoszcz", "composite-27k-stops",
    ]
    /// Stops of a feed that are compared, spread over all of them.
    private static let mostStops = 5000
    /// Seconds that boards look ahead.
    private static let window = 7200

    private let data: URL
    private let feeds: [String]
    private let folder: URL

    init(data: URL, feeds: [String], folder: URL) {
        self.data = data
        self.feeds = feeds.isEmpty ? Self.all : feeds
        self.folder = folder
    }

    /// Reports for each feed how much was compared; returns whether all agreed.
    func run() throws -> Bool {
        var isRight = true
        for name in feeds {
            let archive = data.appendingPathComponent("\(name).zip")
            guard FileManager.default.fileExists(atPath: archive.path),
                let tables = try PlainTables.tables(ofArchive: archive)
            else {
                say("skipped \(name): no such archive, or unzip is not installed")
                continue
            }
            let database = folder.appendingPathComponent("\(name).db")
            _ = try FeedImport.run(archive, to: database, isLenient: true)
            let feed = try Feed(database, isOwn: true, fallback: .gmt)
            let (outcome, seconds) = try timed {
                try ReferenceComparison(
                    tables, feed,
                    .init(window: Self.window, isFull: true, stops: Self.mostStops, days: 2)
                ).run()
            }
            isRight = isRight && outcome.difference == nil && outcome.rows > 0
            say(
                "\(outcome.difference == nil ? "agree " : "DIFFER") \(name): \(outcome.boards) boards, "
                    + "\(outcome.rows) rows, \(outcome.next) next departures, \(ms(seconds.wall))"
                    + (outcome.difference.map { ": \($0)" } ?? ""))
        }
        return isRight
    }
}
