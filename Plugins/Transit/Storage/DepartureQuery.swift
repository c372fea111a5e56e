import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// Finds departures in the schedule.
///
/// For each call of a pattern at the stops and each service day that reaches into the window, the trips are
/// scanned in the order of their start, up to the worst of the best rows so far.
extension Feed {
    /// The first departures of stops from `from` until before `end` (seconds since 1970), by time, then
    /// route.
    func departures(of stops: [Int64], from: Int, until end: Int, limit: Int) throws -> [DepartureRow] {
        guard limit > 0, end > from else { return [] }
        return try read { db in
            var best = BestDepartures(limit: limit)
            var runs = RunReader(self, db)
            for (zone, calls) in byZone(try self.calls(at: stops, db)) {
                for day in serviceDays(from: from, until: end, in: zone) {
                    guard try search(day, zone, from, end, calls, &runs, &best) else { break }
                }
            }
            runs.keep()
            return best.rows
        }
    }

    /// The first departure of stops from an instant on, however far away; `nil` at the end of the schedule.
    ///
    /// Only days on which a service of these stops runs are searched.
    func firstDeparture(of stops: [Int64], from: Int) throws -> DepartureRow? {
        try read { db in
            var best = BestDepartures(limit: 1)
            var runs = RunReader(self, db)
            for (zone, calls) in byZone(try self.calls(at: stops, db)) {
                var services: Set<Int> = []
                for call in calls { services.formUnion(try runs.runs(of: call).services) }
                var day = ServiceDay.date(of: from - latest, in: zone).advanced(by: -1)
                // Every running service has a departure within a day or two of the instant; the limit is
                // for inconsistent files.
                for _ in 0..<TransitSettings.daysOfService {
                    guard let next = calendar.firstDay(from: day, of: services),
                        try search(next, zone, from, Self.endOfTime, calls, &runs, &best)
                    else { break }
                    day = next.advanced(by: 1)
                }
            }
            runs.keep()
            return best.rows.first
        }
    }

    /// Calls by the zones of their feeds.
    private func byZone(_ calls: [StopCall]) -> [(zone: TimeZone, calls: [StopCall])] {
        guard zones.count > 1 else { return [(zone, calls)] }
        return zones.map { zone in (zone, calls.filter { self.zone(ofRoute: $0.route) == zone }) }
            .filter { !$0.calls.isEmpty }
    }

    /// The latest instant; sums with it do not overflow.
    private static let endOfTime = 1 << 48

    /// Searches a service day; returns whether later days can have earlier departures than those found.
    private func search(
        _ day: CivilDate, _ zone: TimeZone, _ from: Int, _ end: Int, _ calls: [StopCall],
        _ runs: inout RunReader, _ best: inout BestDepartures
    ) throws -> Bool {
        try Interruption.check()
        let reference = ServiceDay.reference(day, in: zone)
        if let latest = best.latest, latest < reference { return false }
        let services = services(on: day)
        if services.count > 0 {
            try DaySearch(from: from, end: end, day: day, reference: reference, services: services)
                .run(calls, &runs, &best)
        }
        return true
    }

    /// The service days whose departures can be between two instants, earliest first; the feed's latest
    /// departure time determines how many days back.
    func serviceDays(from: Int, until end: Int, in zone: TimeZone) -> [CivilDate] {
        var days: [CivilDate] = []
        // A day's times can begin before its midnight when clocks go forward.
        var day = ServiceDay.date(of: end, in: zone).advanced(by: 1)
        while true {
            let reference = ServiceDay.reference(day, in: zone)
            if reference + latest < from { break }
            if reference < end { days.append(day) }
            day = day.advanced(by: -1)
        }
        return days.reversed()
    }

    /// The calls of patterns at stops that are departures: not the last call of a trip, and with boarding allowed.
    func calls(at stops: [Int64], _ db: Database) throws -> [StopCall] {
        try allCalls(at: stops, db).filter { $0.reason == nil }.map(\.call).withPredecessors()
    }

    /// All calls at stops, with the reason if one is not a departure.
    func allCalls(at stops: [Int64], _ db: Database) throws -> [(call: StopCall, reason: String?)] {
        let find = try RawStatement(
            db,
            """
            SELECT c.pid, c.stop_sequence, c.departure_offset_secs, \(layout.pickup), p.rid, p.last_sequence,
              p.first_start_secs, p.last_start_secs, p.has_frequencies
              FROM \(layout.calls) c JOIN \(layout.patterns) p ON p.pid = c.pid WHERE c.sid = ?
            """, isCached: true)
        var calls: [(call: StopCall, reason: String?)] = []
        for stop in stops {
            find.reset()
            find.bind(1, stop)
            while try find.next() {
                // A pattern without trips and a call without a time have no departures.
                guard !find.isNull(2), !find.isNull(6), !find.isNull(7) else { continue }
                let route = find.integer(4)
                let call = StopCall(
                    pattern: find.integer(0), sequence: find.integer(1), stop: stop,
                    offset: Self.seconds(find.integer(2)), before: nil, route: route,
                    rank: routes[route]?.rank ?? .max, firstStart: Self.seconds(find.integer(6)),
                    lastStart: Self.seconds(find.integer(7)), hasFrequencies: find.integer(8) != 0)
                let isLast = find.integer(1) >= find.integer(5)
                let reason =
                    isLast
                    ? "the trip ends here" : find.integer(3) == 1 ? "boarding is not allowed here" : nil
                calls.append((call, reason))
            }
        }
        return calls
    }

    /// A file's seconds, clamped so that sums cannot overflow.
    static func seconds(_ value: Int64) -> Int {
        Int(max(-Int64(TransitSettings.latestTime), min(value, Int64(TransitSettings.latestTime))))
    }
}

extension [StopCall] {
    /// The calls grouped by pattern, each with the offset of the pattern's previous call. A trip that calls twice is
    /// listed once, at its next call: it is searched at a call only if it has left the previous one.
    fileprivate func withPredecessors() -> [StopCall] {
        var calls = sorted { ($0.pattern, $0.offset, $0.sequence) < ($1.pattern, $1.offset, $1.sequence) }
        for index in calls.indices.dropFirst() where calls[index].pattern == calls[index - 1].pattern {
            calls[index].before = calls[index - 1].offset
        }
        return calls
    }
}

/// The departures of one service day.
private struct DaySearch {
    let from: Int
    let end: Int
    let day: CivilDate
    let reference: Int
    let services: ActiveServices

    /// Searches the calls.
    func run(_ calls: [StopCall], _ reader: inout RunReader, _ best: inout BestDepartures) throws {
        for call in calls {
            let low = from - reference - call.offset
            // Before this the trip has not left its previous call, where it is listed.
            let high = min(end, (best.latest ?? end - 1) + 1) - reference - call.offset
            let limit = min(high, call.before.map { from - reference - $0 } ?? high)
            guard low < limit, call.lastStart >= low, call.firstStart < limit else { continue }
            let runs = try reader.runs(of: call)
            for period in runs.periods where services.runs[Int(period.service)] {
                add(period, of: call, low, limit, &best)
            }
            var index = runs.first(from: low)
            while index < runs.trips.count, Int(runs.trips[index].start) < limit {
                let trip = runs.trips[index]
                index += 1
                guard services.runs[Int(trip.service)] else { continue }
                let time = reference + Int(trip.start) + call.offset
                if let latest = best.latest, time > latest { break }
                best.add(
                    DepartureRow(
                        time: time, rank: call.rank, trip: trip.row, start: Int(trip.start), call: call,
                        day: day))
            }
        }
    }

    /// Adds frequency-based runs: they leave every `headway` seconds from the start until before the end.
    private func add(
        _ period: PatternRuns.Period, of call: StopCall, _ low: Int, _ limit: Int,
        _ best: inout BestDepartures
    ) {
        let (first, headway) = (Int(period.start), Int(period.headway))
        let last = min(Int(period.end), limit)
        let skipped = low > first ? (low - first + headway - 1) / headway : 0
        var start = first + skipped * headway
        while start < last {
            let time = reference + start + call.offset
            if let latest = best.latest, time > latest { break }
            best.add(
                DepartureRow(
                    time: time, rank: call.rank, trip: period.trip, start: start, call: call, day: day,
                    headway: headway, isExact: period.isExact))
            start += headway
        }
    }
}
