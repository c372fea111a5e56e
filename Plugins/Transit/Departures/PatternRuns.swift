import Core
import GRDB
import Synchronization
import TrailStores

/// The runs of a pattern, as boards search them: a look-up in memory is cheaper than an index probe for
/// each pattern of a stop and each day.
struct PatternRuns: Sendable {
    /// A trip: its row, its start in seconds of the service day, and its service's number in the calendar.
    struct Trip: Sendable {
        var row: Int64
        var start: Int32
        var service: Int32
    }

    /// A period of a frequency-based trip.
    struct Period: Sendable {
        var trip: Int64
        var service: Int32
        var start: Int32
        var end: Int32
        var headway: Int32
        var isExact: Bool
    }

    /// Runs of a service that the calendar does not have: their trip's row and their starts.
    struct Unscheduled: Sendable {
        var row: Int64
        var starts: StrideTo<Int>
    }

    /// By start.
    var trips: [Trip] = []
    var periods: [Period] = []
    /// Runs that never depart, which a record of a search lists.
    var unscheduled: [Unscheduled] = []
    /// The services of all of them.
    var services: [Int] = []

    /// Its size towards the limit of the cache.
    var count: Int { trips.count + periods.count + unscheduled.count }

    /// The index of the first trip that starts at or after a second of the service day.
    func first(from start: Int) -> Int {
        trips.partitionIndex { Int($0.start) >= start }
    }
}

/// A cache of the runs of patterns; read once for a timetable while there is space.
struct RunReader {
    private let feed: Feed
    private let db: Database
    private var known: [Int64: PatternRuns]
    private var new: [Int64: PatternRuns] = [:]

    init(_ feed: Feed, _ db: Database) {
        self.feed = feed
        self.db = db
        known = feed.patternRuns.withLock { $0.runs }
    }

    /// The runs of a call's pattern.
    mutating func runs(of call: StopCall) throws -> PatternRuns {
        if let runs = known[call.pattern] ?? new[call.pattern] { return runs }
        let made = try read(call)
        new[call.pattern] = made
        return made
    }

    /// Stores what was read for the next search.
    consuming func keep() {
        guard !new.isEmpty else { return }
        // Release the copy, so that the list of the feed is uniquely referenced when it is changed.
        known = [:]
        feed.patternRuns.withLock { [new] kept in
            let count = new.values.reduce(0) { $0 + $1.count }
            if kept.count + count > TransitSettings.runsKept { kept = CachedRuns() }
            kept.count += count
            kept.runs.merge(new) { first, _ in first }
        }
    }

    private func read(_ call: StopCall) throws -> PatternRuns {
        var runs = PatternRuns()
        var services: Set<Int> = []
        let trips = try RawStatement(
            db,
            """
            SELECT rowid, start_time_secs, service_id FROM \(feed.layout.trips)
              WHERE pid = ?1 AND start_time_secs >= ?2 AND start_time_secs <= ?3 AND ifnull(frequency_based, 0) = 0
              ORDER BY start_time_secs
            """, isCached: true)
        trips.bind(1, call.pattern)
        // Times beyond these are treated as missing.
        trips.bind(2, Int64(-TransitSettings.latestTime))
        trips.bind(3, Int64(TransitSettings.latestTime))
        while try trips.next() {
            let (row, start) = (trips.integer(0), ServiceDay.clamped(trips.integer(1)))
            guard let service = trips.bytes(2).flatMap(feed.calendar.services.find) else {
                runs.unscheduled.append(
                    PatternRuns.Unscheduled(row: row, starts: stride(from: start, to: start + 1, by: 1)))
                continue
            }
            services.insert(service)
            runs.trips.append(
                PatternRuns.Trip(row: row, start: Int32(start), service: Int32(service)))
        }
        if call.hasFrequencies, feed.layout.hasFrequencies {
            let rows = try RawStatement(
                db,
                """
                SELECT f.start_secs, f.end_secs, f.headway_secs, f.exact_times, t.rowid, t.service_id
                  FROM frequencies f JOIN trips t ON t.trip_id = f.trip_id WHERE f.pid = ?
                """, isCached: true)
            rows.bind(1, call.pattern)
            while try rows.next() {
                let (start, end) = (ServiceDay.clamped(rows.integer(0)), ServiceDay.clamped(rows.integer(1)))
                let headway = ServiceDay.clamped(rows.integer(2))
                guard headway > 0 else { continue }
                guard let service = rows.bytes(5).flatMap(feed.calendar.services.find) else {
                    runs.unscheduled.append(
                        PatternRuns.Unscheduled(
                            row: rows.integer(4), starts: stride(from: start, to: end, by: headway)))
                    continue
                }
                if start < end { services.insert(service) }
                runs.periods.append(
                    PatternRuns.Period(
                        trip: rows.integer(4), service: Int32(service), start: Int32(start), end: Int32(end),
                        headway: Int32(headway), isExact: rows.integer(3) == 1))
            }
        }
        runs.services = services.sorted()
        return runs
    }
}

/// The runs that a timetable caches.
struct CachedRuns: Sendable {
    var runs: [Int64: PatternRuns] = [:]
    var count = 0
}
