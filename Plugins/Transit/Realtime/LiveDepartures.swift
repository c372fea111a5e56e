import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// The runs that a message is about.
extension Feed {
    /// The rowids of the trips that a message updates; read once for a message.
    func updated(by snapshot: RealtimeSnapshot) throws -> [Int64: [Int]] {
        if let known = liveTrips.withLock({ $0 }), known.snapshot === snapshot { return known.trips }
        let made = try read { db in
            let rows = try RawStatement(
                db, "SELECT rowid FROM \(layout.trips) WHERE trip_id = ?", isCached: true)
            var trips: [Int64: [Int]] = [:]
            for (id, updates) in snapshot.byTrip where !id.isEmpty {
                rows.reset()
                rows.bind(1, id)
                if try rows.next() { trips[rows.integer(0)] = updates }
            }
            return trips
        }
        liveTrips.withLock { $0 = (snapshot, made) }
        return made
    }

    /// The zone of a pattern's times.
    private func zone(ofPattern pattern: Int64) throws -> TimeZone {
        guard zones.count > 1 else { return zone }
        return try read { db in
            let rows = try RawStatement(
                db, "SELECT rid FROM \(layout.patterns) WHERE pid = ?", isCached: true)
            rows.bind(1, pattern)
            return try rows.next() ? zone(ofRoute: rows.integer(0)) : zone
        }
    }

    /// A message's times for the calls of a run, by stop_sequence; `nil` if it has no update of the run.
    func live(
        _ pattern: Int64, trip: Int64, day: CivilDate, start: Int, isFrequency: Bool,
        _ snapshot: RealtimeSnapshot
    ) throws -> [Int: LiveCall]? {
        guard let updates = try updated(by: snapshot)[trip] else { return nil }
        let reference = ServiceDay.reference(day, in: try zone(ofPattern: pattern))
        let about = updates.map { snapshot.feed.updates[$0] }.first {
            LiveRun.isAbout(
                $0.trip, day: day, start: start, reference: reference, isFrequency: isFrequency,
                at: snapshot.time)
        }
        guard let update = about else { return nil }
        let calls = try self.calls(ofPattern: pattern)
        let stops = Dictionary(
            try self.stops(calls.map(\.stop)).map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first }
        )
        let scheduled = calls.map { call in
            LiveRun.Call(
                sequence: call.feedSequence, stop: stops[call.stop]?.id ?? "",
                station: stops[call.stop]?.parent,
                arrival: reference + start + call.arrival, departure: reference + start + call.departure)
        }
        var known: [Int: LiveCall] = [:]
        for (call, live) in zip(calls, LiveRun.calls(scheduled, update)) { known[call.sequence] = live }
        return known
    }
}

/// The identity of a run on a board.
private struct RunKey: Hashable {
    var trip: Int64
    var day: CivilDate
    var start: Int

    init(_ row: DepartureRow) { (trip, day, start) = (row.trip, row.day, row.start) }
}

/// Realtime as a layer over the schedule of some stops: the departures of a message's updates.
struct LiveDepartures {
    private let feed: Feed
    private let snapshot: RealtimeSnapshot
    private let stops: [Int64]
    private let from: Int
    private let end: Int
    private let limit: Int
    /// The calls at the stops by pattern.
    private let calls: [Int64: [StopCall]]

    init(_ place: StopBoard, _ snapshot: RealtimeSnapshot, span: Range<Int>, limit: Int) throws {
        (feed, self.snapshot, stops, self.limit) = (place.feed, snapshot, place.parts, limit)
        (from, end) = (span.lowerBound, span.upperBound)
        var none = NoDepartureRecord()
        let search = DepartureSearch(feed)
        calls = Dictionary(
            grouping: try feed.read { try search.calls(at: place.parts, $0, recorder: &none) }, by: \.pattern)
    }

    /// The first departures by their expected times: the scheduled ones with their updates, and those of added trips.
    func departures(over scheduled: [DepartureRow], asked: Double) throws -> [Departure] {
        var found = try feed.details(runs(over: scheduled), asked: asked)
        for index in found.indices {
            guard let assigned = found[index].live?.assignedStop else { continue }
            found[index].livePlatform = try feed.stop(id: assigned)?.platform
        }
        found += try added(asked: asked)
        found.sort { ($0.expected, $0.row.rank, $0.trip) < ($1.expected, $1.row.rank, $1.trip) }
        return Array(found.prefix(limit))
    }

    /// The first runs by their expected times. A cancelled or skipped one is shown at its scheduled time.
    private func runs(over first: [DepartureRow]) throws -> [BoardRun] {
        let search = DepartureSearch(feed)
        let reach = TransitSettings.mostLateness
        // A departure scheduled later than this is expected after at least `limit` others.
        let last = first.count < limit ? end : min(end, (first.last?.time ?? end) + 2 * reach)
        let most = TransitSettings.mostDepartures
        let late = try search.departures(of: stops, from: from - reach, until: from, limit: most)
        let others = try search.departures(of: stops, from: from, until: last, limit: max(limit, most))
        var seen: Set<RunKey> = []
        var found: [(run: BoardRun, expected: Int)] = []
        for (index, row) in (late + others).enumerated() {
            try Interruption.check()
            guard !seen.contains(RunKey(row)) else { continue }
            let known = try feed.live(
                row.call.pattern, trip: row.trip, day: row.day, start: row.start,
                isFrequency: row.headway != nil,
                snapshot)
            guard let known else {
                if index >= late.count { found.append((BoardRun(row: row), row.time)) }
                continue
            }
            seen.insert(RunKey(row))
            if let best = next(row, known) { found.append(best) }
        }
        found.sort {
            ($0.expected, $0.run.row.rank, $0.run.row.trip) < ($1.expected, $1.run.row.rank, $1.run.row.trip)
        }
        return found.prefix(limit).map(\.run)
    }

    /// The run at the first of its upcoming calls here.
    private func next(_ row: DepartureRow, _ known: [Int: LiveCall]) -> (run: BoardRun, expected: Int)? {
        let reference = row.time - row.start - row.call.offset
        for call in calls[row.call.pattern] ?? [] {
            var own = row
            own.call = call
            own.time = reference + row.start + call.offset
            let live = known[Int(call.sequence)]
            let expected = live?.departure ?? own.time
            if expected >= from, expected < end { return (BoardRun(row: own, live: live), expected) }
        }
        return nil
    }

    /// Departures of trips that are not in the timetable.
    private func added(asked: Double) throws -> [Departure] {
        let updates = snapshot.feed.updates.filter { [.added, .new].contains($0.trip.relationship) }
        guard !updates.isEmpty else { return [] }
        let here = Dictionary(
            try feed.stops(stops).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return try updates.compactMap { update in
            for stop in update.stops.dropLast() {
                guard let record = here[stop.stop], let time = stop.departure?.time, time >= from, time < end,
                    stop.relationship != .skipped
                else { continue }
                let route = feed.routes.first { $0.value.id == update.trip.route }
                let zone = try route?.value.zone ?? feed.zone(of: record)
                let day = update.trip.day ?? ServiceDay.date(of: time, in: zone)
                let start = time - ServiceDay.reference(day, in: zone)
                let call = StopCall(
                    pattern: 0, sequence: Int64(stop.sequence ?? 0), stop: record.number, offset: 0,
                    route: route?.key ?? 0,
                    rank: route?.value.rank ?? .max, firstStart: start, lastStart: start,
                    hasFrequencies: false)
                let last = try update.stops.last.flatMap { try feed.stop(id: $0.stop)?.title }
                return Departure(
                    row: DepartureRow(
                        time: time, rank: call.rank, trip: 0, start: start, call: call, day: day),
                    stop: record, route: route?.value.name ?? "", routeID: update.trip.route,
                    routeType: route?.value.type ?? -1, color: route?.value.color, headsign: last ?? "",
                    trip: update.trip.trip, service: "", asked: asked, zone: zone,
                    live: LiveCall(kind: .added, departure: time, why: "update \(update.id) adds the trip"))
            }
            return nil
        }
    }
}
