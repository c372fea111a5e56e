import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// Finds departures in the schedule.
///
/// For each call of a pattern at the stops and each service day that reaches into the window, the trips are
/// scanned in the order of their start, up to the worst of the best rows so far.
struct DepartureSearch {
    let feed: Feed
    let side: BoardSide

    init(_ feed: Feed, _ side: BoardSide = .departures) { (self.feed, self.side) = (feed, side) }

    /// The first departures of stops from `from` until before `end` (seconds since 1970), by time, then
    /// route.
    func departures<Recorder: DepartureRecorder>(
        of stops: [Int64], from: Int, until end: Int, limit: Int, recorder: inout Recorder
    ) throws -> [DepartureRow] {
        guard limit > 0, end > from else { return [] }
        return try feed.read { db in
            var best = BestDepartures(limit: limit)
            var runs = RunReader(feed, db)
            for (zone, calls) in byZone(try calls(at: stops, db, recorder: &recorder)) {
                for day in ServiceDay.days(from: from, until: end, latest: feed.latest, in: zone) {
                    guard try search(day, zone, from, end, calls, &runs, &best, &recorder) else { break }
                }
            }
            runs.keep()
            recorder.record(listed: best.rows)
            return best.rows
        }
    }

    /// The same without a record.
    func departures(of stops: [Int64], from: Int, until end: Int, limit: Int) throws -> [DepartureRow] {
        var none = NoDepartureRecord()
        return try departures(of: stops, from: from, until: end, limit: limit, recorder: &none)
    }

    /// The first departure of stops from an instant on, however far away; `nil` at the end of the schedule.
    ///
    /// Only days on which a service of these stops runs are searched.
    func first(of stops: [Int64], from: Int) throws -> DepartureRow? {
        try feed.read { db in
            var best = BestDepartures(limit: 1)
            var none = NoDepartureRecord()
            var runs = RunReader(feed, db)
            for (zone, calls) in byZone(try calls(at: stops, db, recorder: &none)) {
                var services: Set<Int> = []
                for call in calls { services.formUnion(try runs.runs(of: call).services) }
                var day = ServiceDay.date(of: from - feed.latest, in: zone).advanced(by: -1)
                // Every running service has a departure within a day or two of the instant; the limit is
                // for inconsistent files.
                for _ in 0..<TransitSettings.daysOfService {
                    guard let next = feed.calendar.firstDay(from: day, of: services),
                        try search(next, zone, from, Self.endOfTime, calls, &runs, &best, &none)
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
        guard feed.zones.count > 1 else { return [(feed.zone, calls)] }
        return feed.zones.map { zone in (zone, calls.filter { feed.zone(ofRoute: $0.route) == zone }) }
            .filter { !$0.calls.isEmpty }
    }

    /// The latest instant; sums with it do not overflow.
    private static let endOfTime = 1 << 48

    /// Searches a service day; returns whether later days can have earlier departures than those found.
    private func search<Recorder: DepartureRecorder>(
        _ day: CivilDate, _ zone: TimeZone, _ from: Int, _ end: Int, _ calls: [StopCall],
        _ runs: inout RunReader, _ best: inout BestDepartures, _ recorder: inout Recorder
    ) throws -> Bool {
        try Interruption.check()
        let reference = ServiceDay.reference(day, in: zone)
        if !Recorder.isRecording, let latest = best.latest, latest < reference { return false }
        let services = feed.services(on: day)
        recorder.record(day: day, reference: reference, services: services.count)
        if Recorder.isRecording || services.count > 0 {
            try DaySearch(from: from, end: end, day: day, reference: reference, services: services)
                .run(calls, &runs, &best, &recorder)
        }
        return true
    }

    /// The calls of patterns at stops that are departures: not the last call of a trip, and with boarding allowed; or that
    /// are arrivals: not the first call, and with alighting allowed.
    func calls<Recorder: DepartureRecorder>(
        at stops: [Int64], _ db: Database, recorder: inout Recorder
    ) throws -> [StopCall] {
        let find = try RawStatement(
            db,
            """
            SELECT c.pid, c.stop_sequence, \(side.offset(feed.layout)), \(side.boarding(feed.layout)), p.rid,
              \(side.isEnd(feed.layout)), p.first_start_secs, p.last_start_secs, p.has_frequencies
              FROM \(feed.layout.calls) c JOIN \(feed.layout.patterns) p ON p.pid = c.pid WHERE c.sid = ?
            """, isCached: true)
        var found: [FoundCall] = []
        for stop in stops {
            find.reset()
            find.bind(1, stop)
            while try find.next() {
                // A pattern without trips and a call without a time have no departures.
                guard !find.isNull(2), !find.isNull(6), !find.isNull(7) else { continue }
                let route = find.integer(4)
                let call = StopCall(
                    pattern: find.integer(0), sequence: find.integer(1), stop: stop,
                    offset: ServiceDay.clamped(find.integer(2)), before: nil, route: route,
                    rank: feed.routes[route]?.rank ?? .max, firstStart: ServiceDay.clamped(find.integer(6)),
                    lastStart: ServiceDay.clamped(find.integer(7)), hasFrequencies: find.integer(8) != 0)
                let isEnd = find.integer(5) != 0
                let reason = side.refusal(isEnd: isEnd, boarding: Int(find.integer(3)))
                found.append(FoundCall(call: call, isEnd: isEnd, reason: reason))
            }
        }
        try Layovers(feed, db).settle(&found, side)
        for entry in found { recorder.record(entry.call, reason: entry.reason) }
        return found.filter { $0.reason == nil }.withPredecessors()
    }
}

extension [FoundCall] {
    /// The calls grouped by pattern, each with the offset of the previous one of its visit. A visit is listed once, at its next
    /// call: a trip is searched at a call only if it has left the previous one. A line that comes back is another visit.
    fileprivate func withPredecessors() -> [StopCall] {
        let order = sorted {
            ($0.call.pattern, $0.call.offset, $0.call.sequence) < (
                $1.call.pattern, $1.call.offset, $1.call.sequence
            )
        }
        var calls = order.map(\.call)
        for index in calls.indices.dropFirst()
        where calls[index].pattern == calls[index - 1].pattern
            && order[index].visit == order[index - 1].visit
        {
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

    /// The starts of all runs.
    private static let everyStart = -(1 << 40)..<(1 << 40)

    /// Searches the calls.
    func run<Recorder: DepartureRecorder>(
        _ calls: [StopCall], _ reader: inout RunReader, _ best: inout BestDepartures,
        _ recorder: inout Recorder
    ) throws {
        for call in calls {
            let low = from - reference - call.offset
            // Before this the trip has not left its previous call, where it is listed.
            let high = min(end, (best.latest ?? end - 1) + 1) - reference - call.offset
            let limit = min(high, call.before.map { from - reference - $0 } ?? high)
            guard Recorder.isRecording || low < limit && call.lastStart >= low && call.firstStart < limit
            else { continue }
            let runs = try reader.runs(of: call)
            let starts = Recorder.isRecording ? Self.everyStart : low..<limit
            if Recorder.isRecording { record(runs.unscheduled, of: call, &recorder) }
            for period in runs.periods where isSearched(period.service, Recorder.self) {
                add(period, of: call, starts, &best, &recorder)
            }
            var index = runs.first(from: starts.lowerBound)
            while index < runs.trips.count, Int(runs.trips[index].start) < starts.upperBound {
                let trip = runs.trips[index]
                index += 1
                guard isSearched(trip.service, Recorder.self) else { continue }
                let time = reference + Int(trip.start) + call.offset
                if !Recorder.isRecording, let latest = best.latest, time > latest { break }
                consider(
                    DepartureRow(
                        time: time, rank: call.rank, trip: trip.row, start: Int(trip.start), call: call,
                        day: day), service: trip.service, &best, &recorder)
            }
        }
    }

    /// Records the runs of services that the calendar does not have; they are no part of the search.
    private func record<Recorder: DepartureRecorder>(
        _ runs: [PatternRuns.Unscheduled], of call: StopCall, _ recorder: inout Recorder
    ) {
        for run in runs {
            for start in run.starts {
                let row = DepartureRow(
                    time: reference + start + call.offset, rank: call.rank, trip: run.row, start: start,
                    call: call, day: day)
                recorder.record(ConsideredRun(row: row, refusal: .notRunning))
            }
        }
    }

    /// Adds frequency-based runs: they leave every `headway` seconds from the start until before the end.
    private func add<Recorder: DepartureRecorder>(
        _ period: PatternRuns.Period, of call: StopCall, _ starts: Range<Int>,
        _ best: inout BestDepartures, _ recorder: inout Recorder
    ) {
        let (first, headway) = (Int(period.start), Int(period.headway))
        let last = min(Int(period.end), starts.upperBound)
        let low = starts.lowerBound
        let skipped = low > first ? (low - first + headway - 1) / headway : 0
        var start = first + skipped * headway
        while start < last {
            let time = reference + start + call.offset
            if !Recorder.isRecording, let latest = best.latest, time > latest { break }
            consider(
                DepartureRow(
                    time: time, rank: call.rank, trip: period.trip, start: start, call: call, day: day,
                    headway: headway, isExact: period.isExact), service: period.service, &best, &recorder)
            start += headway
        }
    }

    /// Whether a service runs on the day; with a record its runs are considered anyway.
    @inline(__always)
    private func isSearched<Recorder: DepartureRecorder>(_ service: Int32, _: Recorder.Type) -> Bool {
        Recorder.isRecording || services.runs[Int(service)]
    }

    /// Adds a run if it is among the best.
    @inline(__always)
    private func consider<Recorder: DepartureRecorder>(
        _ row: DepartureRow, service: Int32, _ best: inout BestDepartures, _ recorder: inout Recorder
    ) {
        if Recorder.isRecording {
            let refusal = refusal(row, service)
            recorder.record(ConsideredRun(row: row, refusal: refusal))
            if refusal != nil { return }
        }
        best.add(row)
    }

    /// Why a run is no departure of the window; without a record the bounds of the scan exclude such runs.
    private func refusal(_ row: DepartureRow, _ service: Int32) -> ConsideredRun.Refusal? {
        if !services.runs[Int(service)] { return .notRunning }
        if row.time < from { return .gone }
        if row.time >= end { return .tooLate }
        if let before = row.call.before, row.start >= from - reference - before { return .atEarlierCall }
        return nil
    }
}
