import CivilTime
import Foundation
import PluginKit

/// The result of an import.
package struct FeedImportReport: Sendable {
    package var stops = 0
    var routes = 0
    package var trips = 0
    package var patterns = 0
    var patternStops = 0
    package var stopTimes = 0
    var services = 0
    var frequencies = 0
    var interpolated = 0
    package var zone = ""
    /// The number of trips without a row in stop_times.txt, which have no departures.
    var tripsWithoutTimes = 0
    /// The number of trips that serve zones or time windows (GTFS-Flex), which are not kept.
    var flexibleTrips = 0
    /// The number of rules of transfers.txt for routes or trips, which are not kept.
    var skippedTransferRules = 0
    /// Problems of a lenient import.
    var problemCount = 0
    var problems: [FeedProblem] = []
    /// What became of the lines of its tables.
    var account = SourceAccount()
    /// Whether its services run on no day.
    var idle = false
}

/// Converts a feed into a database.
package enum FeedImport {
    /// Imports an archive or a folder. Either the complete database is written, or nothing is changed.
    package static func run(
        _ feed: URL, to database: URL, isLenient: Bool = false,
        progress: ProgressReporter = ProgressReporter()
    ) throws -> FeedImportReport {
        try run(try FeedSource(feed), to: database, isLenient: isLenient, progress: progress)
    }

    static func run(
        _ source: FeedSource, to database: URL, isLenient: Bool,
        progress: ProgressReporter = ProgressReporter()
    ) throws -> FeedImportReport {
        try run([(source, "")], to: database, isLenient: isLenient, progress: progress)
    }

    /// Imports several feeds as one timetable; the identifiers of each begin with its prefix.
    static func run(
        _ feeds: [(source: FeedSource, prefix: String)], to database: URL, isLenient: Bool,
        needsTables: Bool = false, progress: ProgressReporter = ProgressReporter()
    ) throws -> FeedImportReport {
        var merge = FeedMerge()
        var problems: [FeedProblem] = []
        var problemCount = 0
        var account = SourceAccount()
        for feed in feeds {
            var reader = FeedReader(
                feed.source, isLenient: isLenient, needsTables: needsTables, progress: progress)
            do {
                try reader.read()
            } catch var error as RutterError where feeds.count > 1 {
                error.message = "\(feed.source.name): \(error.message)"
                throw error
            }
            if needsTables, let first = reader.problems.listed.first,
                !reader.content.trips.contains(where: { $0.pattern >= 0 })
            {
                throw TransitErrors.row(
                    "\(feed.source.name): no trip remains without its invalid lines, the first of them "
                        + "\(first.table), line \(first.line): \(first.text)",
                    at: .file(path: first.table, line: first.line > 0 ? first.line : nil, column: nil),
                    fix: "correct it, or import with --lenient, which keeps the rest")
            }
            if needsTables, reader.content.flexibleTrips == 0,
                !reader.content.trips.contains(where: { $0.pattern >= 0 })
            {
                throw TransitErrors.missing(
                    "\(feed.source.name): no trip has a departure: "
                        + (reader.content.trips.isEmpty
                            ? "trips.txt has no trips" : "stop_times.txt has no times of its trips"),
                    fix: "check that the feed is whole, or import with --lenient, which keeps the rest")
            }
            problemCount += reader.problems.count
            account.parts += reader.problems.rows.parts(of: feeds.count > 1 ? feed.source.name : nil)
            problems += reader.problems.listed.map { problem in
                var problem = problem
                if feeds.count > 1 { problem.table = feed.source.name + "/" + problem.table }
                return problem
            }
            try merge.add(reader.content, prefix: feed.prefix, source: feed.source.name)
        }
        problems = Array(problems.prefix(TransitSettings.listedProblems))
        var content = merge.content
        StopRanking.rank(&content)
        let source = feeds.map(\.source.name).joined(separator: ", ")
        account.source = source
        try FeedWriter.write(content, source: source, account: account, to: database, progress: progress)
        let trips = content.trips.count { $0.pattern >= 0 }
        return FeedImportReport(
            stops: content.stops.count, routes: content.routes.count, trips: trips,
            patterns: content.patterns.count, patternStops: content.patternStops.count,
            stopTimes: content.stopTimes, services: content.serviceIDs.count,
            frequencies: content.frequencies.count, interpolated: content.interpolated,
            zone: Self.zones(content),
            tripsWithoutTimes: content.trips.count - trips - content.flexibleTrips,
            flexibleTrips: content.flexibleTrips, skippedTransferRules: content.skippedTransfers,
            problemCount: problemCount, problems: problems, account: account, idle: Self.isIdle(content))
    }

    /// Whether no trip has a day on which it runs: neither a weekday that is not removed nor an added date.
    private static func isIdle(_ content: FeedContent) -> Bool {
        let trips = Set(content.trips.lazy.filter { $0.pattern >= 0 }.map(\.service))
        func isUsed(_ service: Int32) -> Bool { trips.isEmpty || trips.contains(service) }
        var removed: [Int32: Set<CivilDate>] = [:]
        for row in content.exceptions where isUsed(row.service) {
            if row.isAdded { return false }
            removed[row.service, default: []].insert(row.date)
        }
        return !content.calendar.contains { row in
            guard isUsed(row.service), row.days & 0x7F != 0 else { return false }
            let off = removed[row.service] ?? []
            return (0...(row.end.daysSinceEpoch - row.start.daysSinceEpoch)).contains { day in
                row.days >> UInt8((row.start.weekday + day) % 7) & 1 == 1
                    && !off.contains(row.start.advanced(by: day))
            }
        }
    }

    /// The time zones of the feeds, each once.
    private static func zones(_ content: FeedContent) -> String {
        var zones: [String] = []
        for feed in content.feeds where !zones.contains(feed.zone) { zones.append(feed.zone) }
        return zones.joined(separator: ", ")
    }
}
