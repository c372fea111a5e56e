import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// The runs of a timetable that a message is about.
package struct LiveRuns {
    let feed: Feed
    let snapshot: RealtimeSnapshot

    /// The runs that the bytes of a message are about.
    package init(_ feed: Feed, message: [UInt8]) throws {
        self.init(feed, try RealtimeSnapshot(file: "message", feed: RealtimeFeed(message)))
    }

    init(_ feed: Feed, _ snapshot: RealtimeSnapshot) { (self.feed, self.snapshot) = (feed, snapshot) }

    /// The rowids of the trips that a message updates; read once for a message.
    package func updatedTrips() throws -> [Int64: [Int]] {
        if let known = feed.liveTrips.withLock({ $0 }), known.snapshot === snapshot { return known.trips }
        let made = try feed.read { db in
            let rows = try RawStatement(
                db, "SELECT rowid FROM \(feed.layout.trips) WHERE trip_id = ?", isCached: true)
            var trips: [Int64: [Int]] = [:]
            for (id, updates) in snapshot.byTrip where !id.isEmpty {
                rows.reset()
                rows.bind(1, id)
                if try rows.next() { trips[rows.integer(0)] = updates }
            }
            return trips
        }
        feed.liveTrips.withLock { $0 = (snapshot, made) }
        return made
    }

    /// The zone of a pattern's times.
    private func zone(ofPattern pattern: Int64) throws -> TimeZone {
        guard feed.zones.count > 1 else { return feed.zone }
        return try feed.read { db in
            let rows = try RawStatement(
                db, "SELECT rid FROM \(feed.layout.patterns) WHERE pid = ?", isCached: true)
            rows.bind(1, pattern)
            return try rows.next() ? feed.zone(ofRoute: rows.integer(0)) : feed.zone
        }
    }

    /// A message's times for the calls of a run, by stop_sequence; `nil` if it has no update of the run.
    func calls(
        ofPattern pattern: Int64, trip: Int64, day: CivilDate, start: Int, isFrequency: Bool
    ) throws -> [Int: LiveCall]? {
        guard let updates = try updatedTrips()[trip] else { return nil }
        let reference = ServiceDay.reference(day, in: try zone(ofPattern: pattern))
        let about = updates.map { snapshot.feed.updates[$0] }.first {
            UpdatedCalls.isAbout(
                $0.trip, day: day, start: start, reference: reference, isFrequency: isFrequency,
                at: snapshot.time)
        }
        guard let update = about else { return nil }
        let calls = try feed.trips.calls(ofPattern: pattern)
        let stops = Dictionary(
            try feed.stops.rows(calls.map(\.stop)).map { ($0.number, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let scheduled = calls.map { call in
            UpdatedCalls.Call(
                sequence: call.feedSequence, stop: stops[call.stop]?.id ?? "",
                station: stops[call.stop]?.parent,
                arrival: reference + start + call.arrival, departure: reference + start + call.departure)
        }
        var known: [Int: LiveCall] = [:]
        for (call, live) in zip(calls, UpdatedCalls.calls(scheduled, update)) { known[call.sequence] = live }
        return known
    }
}
