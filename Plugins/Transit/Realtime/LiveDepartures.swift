import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

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
        var found = try DepartureSearch(feed).details(runs(over: scheduled), asked: asked)
        for index in found.indices {
            guard let assigned = found[index].live?.assignedStop else { continue }
            found[index].livePlatform = try feed.stops.with(id: assigned)?.platform
        }
        found += try added(asked: asked)
        found.sort { ($0.expected, $0.row.rank, $0.trip) < ($1.expected, $1.row.rank, $1.trip) }
        return Array(found.prefix(limit))
    }

    /// The first runs by their expected times. A cancelled or skipped one is shown at its scheduled time.
    private func runs(over first: [DepartureRow]) throws -> [BoardRun] {
        let (search, live) = (DepartureSearch(feed), LiveRuns(feed, snapshot))
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
            let known = try live.calls(
                ofPattern: row.call.pattern, trip: row.trip, day: row.day, start: row.start,
                isFrequency: row.headway != nil)
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
            try feed.stops.rows(stops).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return try updates.compactMap { update in
            for stop in update.stops.dropLast() {
                guard let record = here[stop.stop], let time = stop.departure?.time, time >= from, time < end,
                    stop.relationship != .skipped
                else { continue }
                let route = feed.routes.first { $0.value.id == update.trip.route }
                let zone = try route?.value.zone ?? feed.stops.zone(of: record)
                let day = update.trip.day ?? ServiceDay.date(of: time, in: zone)
                let start = time - ServiceDay.reference(day, in: zone)
                let call = StopCall(
                    pattern: 0, sequence: Int64(stop.sequence ?? 0), stop: record.number, offset: 0,
                    route: route?.key ?? 0,
                    rank: route?.value.rank ?? .max, firstStart: start, lastStart: start,
                    hasFrequencies: false)
                let last = try update.stops.last.flatMap { try feed.stops.with(id: $0.stop)?.title }
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
