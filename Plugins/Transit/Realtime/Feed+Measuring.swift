import CivilTime
import PluginKit
import TrailStores

extension Feed {
    /// Trips with the first day on which each runs, as realtime messages write it, for measuring.
    package func firstRuns(limit: Int) throws -> [(trip: String, day: String)] {
        try read { db in
            let rows = try RawStatement(
                db,
                "SELECT trip_id, service_id FROM \(layout.trips) WHERE frequency_based = 0 ORDER BY trip_id")
            var found: [(trip: String, day: String)] = []
            while found.count < limit, try rows.next() {
                guard let start = calendar.span?.lowerBound, let trip = rows.text(0),
                    let service = rows.bytes(1).flatMap(calendar.services.find),
                    let day = calendar.firstDay(from: start, of: [service])
                else { continue }
                found.append((trip, day.text.replacing("-", with: "")))
            }
            return found
        }
    }

    /// The number of runs that the bytes of a message are about, for measuring.
    package func runs(updatedBy message: [UInt8]) throws -> Int {
        let snapshot = try RealtimeSnapshot(file: "message", feed: RealtimeFeed(message))
        return try LiveTimetableMaker.timetable(self, snapshot).runs.count
    }
}
