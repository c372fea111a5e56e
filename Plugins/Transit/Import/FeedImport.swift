import Foundation
import PluginKit

/// The result of an import.
package struct ImportReport: Sendable {
    package var stops = 0
    package var routes = 0
    package var trips = 0
    package var patterns = 0
    package var patternStops = 0
    package var stopTimes = 0
    package var services = 0
    package var frequencies = 0
    package var interpolated = 0
    package var zone = ""
    /// Trips of trips.txt without a row in stop_times.txt, which have no departures.
    package var tripsWithoutTimes = 0
    /// Trips that serve zones or time windows (GTFS-Flex), which are not kept.
    package var flexibleTrips = 0
    /// Problems of a lenient import.
    package var problemCount = 0
    var problems: [FeedProblem] = []
}

/// Converts a feed to a database.
package enum FeedImport {
    /// Imports an archive or a folder. Either the complete database is written, or nothing is changed.
    package static func run(
        _ feed: URL, to database: URL, isLenient: Bool = false,
        progress: ProgressReporter = ProgressReporter()
    ) throws -> ImportReport {
        try run(try FeedSource(feed), to: database, isLenient: isLenient, progress: progress)
    }

    static func run(
        _ source: FeedSource, to database: URL, isLenient: Bool,
        progress: ProgressReporter = ProgressReporter()
    ) throws -> ImportReport {
        var reader = FeedReader(source, isLenient: isLenient, progress: progress)
        try reader.read()
        StopRanking.rank(&reader.content)
        let (content, problems) = (reader.content, reader.problems)
        try FeedWriter.write(content, source: source.name, to: database, progress: progress)
        let trips = content.trips.count { $0.pattern >= 0 }
        return ImportReport(
            stops: content.stops.count, routes: content.routes.count, trips: trips,
            patterns: content.patterns.count, patternStops: content.patternStops.count,
            stopTimes: content.stopTimes, services: content.serviceIDs.count,
            frequencies: content.frequencies.count, interpolated: content.interpolated, zone: content.zone,
            tripsWithoutTimes: content.trips.count - trips - content.flexibleTrips,
            flexibleTrips: content.flexibleTrips, problemCount: problems.count,
            problems: problems.listed)
    }
}
