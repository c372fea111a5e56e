import CivilTime
import Foundation
import Geodesy
import PluginKit

/// The operations that `transit-bench` measures, as commands run them.
extension FeedCheck {
    /// The number of findings of a check.
    package static func count(_ feed: URL, today: CivilDate) throws -> Int {
        let check = try FeedCheck(FeedSource(feed), today: today)
        return check.findings.count + check.unlisted
    }
}

extension Feed {
    /// Reads a message and matches it to the timetable; returns the number of trips that it updates.
    package func apply(_ message: [UInt8]) throws -> Int {
        try updated(by: RealtimeSnapshot(file: "message", feed: RealtimeFeed(message))).count
    }

    /// The number of journeys between two coordinates.
    package func searchJourneys(from: Coordinate, to: Coordinate, at time: Int) throws -> Int {
        var none = NoTrace()
        return try journeys(JourneyRequest(from: from, to: to, time: time), live: nil, into: &none).journeys
            .count
    }
}
