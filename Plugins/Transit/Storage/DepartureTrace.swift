import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// Records for every trip that calls at some stops whether it is a departure, and the reason.
///
/// Scans all of them, which the search itself does not; a test compares the results of both.
extension Feed {
    func trace(
        departuresOf stops: [Int64], from: Int, until end: Int, limit: Int, into log: inout TraceLog
    ) throws {
        let listed = try departures(of: stops, from: from, until: end, limit: limit)
        let places = Dictionary(
            try self.stops(stops).map { ($0.number, $0) }, uniquingKeysWith: { a, _ in a })
        let zone = try self.stops(stops.prefix(1).map { $0 }).first.map(zone(of:)) ?? zone
        let days = serviceDays(from: from, until: end, in: zone)
        try read { db in
            for day in days {
                log.record(
                    DepartureSteps.day(
                        day, reference: ServiceDay.reference(day, in: zone),
                        services: services(on: day).count,
                        latest: latest, from: from))
            }
            let all = try allCalls(at: stops, db).sorted {
                ($0.call.pattern, $0.call.sequence) < ($1.call.pattern, $1.call.sequence)
            }
            for (call, reason) in all {
                guard let stop = places[call.stop] else { continue }
                log.record(DepartureSteps.call(call, stop: stop, reason: reason))
            }
            let evaluator = RunEvaluator(feed: self, zone: zone, from: from, end: end, listed: listed)
            let calls = all.filter { $0.reason == nil }.map(\.call)
            for day in days {
                var runs = try evaluator.runs(of: calls, on: day, db)
                runs.sort { ($0.moment, $0.rank, $0.trip) < ($1.moment, $1.rank, $1.trip) }
                for run in runs {
                    try Interruption.check()
                    let (outcome, why) = evaluator.verdict(run, on: day)
                    log.record(
                        DepartureSteps.trip(
                            run.trip, service: run.service, route: routes[run.call.route]?.name ?? "",
                            day: day,
                            scheduled: run.start + run.call.offset, moment: run.moment, outcome, why: why))
                }
            }
        }
    }
}

/// Decides on single runs of trips.
private struct RunEvaluator {
    let feed: Feed
    let zone: TimeZone
    let from: Int
    let end: Int
    let listed: [DepartureRow]

    struct Run {
        var trip: String
        var row: Int64
        var service: String
        var start: Int
        var call: StopCall
        var moment: Int
        var rank: Int32 { call.rank }
    }

    /// Every run of the calls on a day, whether or not its service runs.
    func runs(of calls: [StopCall], on day: CivilDate, _ db: Database) throws -> [Run] {
        let reference = ServiceDay.reference(day, in: zone)
        let trips = try RawStatement(
            db,
            """
            SELECT rowid, trip_id, service_id, start_time_secs, frequency_based FROM \(feed.layout.trips)
              WHERE pid = ? ORDER BY start_time_secs, rowid
            """)
        var runs: [Run] = []
        for call in calls {
            trips.reset()
            trips.bind(1, call.pattern)
            while try trips.next() {
                let (row, trip) = (trips.integer(0), trips.text(1) ?? "")
                let starts =
                    trips.integer(4) == 0
                    ? [Feed.seconds(trips.integer(3))] : try frequencyStarts(trip, db)
                for start in starts {
                    runs.append(
                        Run(
                            trip: trip, row: row, service: trips.text(2) ?? "", start: start, call: call,
                            moment: reference + start + call.offset))
                }
            }
        }
        return runs
    }

    private func frequencyStarts(_ trip: String, _ db: Database) throws -> [Int] {
        let rows = try RawStatement(
            db,
            "SELECT start_secs, end_secs, headway_secs FROM frequencies WHERE trip_id = ? ORDER BY start_secs"
        )
        rows.bind(1, trip)
        var starts: [Int] = []
        while try rows.next() {
            let headway = Feed.seconds(rows.integer(2))
            guard headway > 0 else { continue }
            starts += stride(
                from: Feed.seconds(rows.integer(0)), to: Feed.seconds(rows.integer(1)), by: headway)
        }
        return starts
    }

    /// Whether a run is listed, and the reason.
    func verdict(_ run: Run, on day: CivilDate) -> (DepartureSteps.Outcome, String) {
        let (calendar, week) = feed.calendar.verdict(run.service, on: day)
        let rule = DepartureSteps.reason(calendar, week, service: run.service, day: day)
        if !calendar.runs { return (.notRunning, rule) }
        if run.moment < from { return (.gone, "it departs before the requested time") }
        if run.moment >= end { return (.tooLate, "it departs after the end of the search") }
        let same = listed.filter { $0.trip == run.row && $0.start == run.start && $0.day == day }
        if same.contains(where: { $0.call.sequence == run.call.sequence && $0.call.stop == run.call.stop }) {
            return (.listed, rule)
        }
        if same.contains(where: { $0.time <= run.moment }) {
            return (.elsewhere, "the trip is listed at its earlier call")
        }
        return (.beyondLimit, "\(listed.count) others depart before it")
    }
}

extension Feed {
    /// The same for a stop with its platforms.
    func trace(
        departuresFrom stop: StopRecord, at moment: Double, within window: Double, limit: Int,
        into log: inout TraceLog
    ) throws {
        let span = Self.span(moment, window)
        try trace(
            departuresOf: try parts(of: stop), from: span.lowerBound, until: span.upperBound, limit: limit,
            into: &log)
    }
}
